import type { z } from 'zod';
import type { App } from '../../app/app.ts';
import { problem } from '../../core/errors.ts';
import { inWords } from '../../core/input_wording.ts';
import type { Services } from '../../services.ts';

/** Reports progress as a sentence for a person. */
export type Progress = (message: string) => void;

/**
 * An administrative command of the operator, which is not an operation of the API. It runs in the process that owns the
 * database: this one, or a server reached through its control socket.
 */
export interface Command<I extends z.ZodType> {
  readonly input: I;
  run(app: App, input: z.output<I>, progress: Progress): Promise<unknown>;
}

/** Identity function that infers a command's input type from its schema. */
export const command = <I extends z.ZodType>(one: Command<I>) => one;

/** The part of the application that imports work with. */
export interface DataApp {
  readonly services: Pick<Services, 'db' | 'engine'>;
}

/** A command that reads files of any kind and size. A server runs it in a process of its own (isolated.ts). */
export interface DataCommand<I extends z.ZodType> extends Command<I> {
  readonly isIsolated: true;
  run(app: DataApp, input: z.output<I>, progress: Progress): Promise<unknown>;
}

/** Like command(), for a command that a server runs in a process of its own. */
export const dataCommand = <I extends z.ZodType>(one: Omit<DataCommand<I>, 'isIsolated'>): DataCommand<I> => ({
  ...one,
  isIsolated: true,
});

/** The input of a command, validated. @throws invalid_input, which names the values at `path` and below */
export function parseInput<I extends z.ZodType>(schema: I, input: unknown, path: readonly string[] = []): z.output<I> {
  const parsed = schema.safeParse(input, { reportInput: true, error: inWords });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((one) => ({
    path: nameOf([...path, ...one.path]),
    code: one.code,
    message: one.message,
  }));
  throw problem('invalid_input', issues.map((one) => `${one.path} ${one.message}`).join('; '), { issues });
}

/** A value by its path, or by the flag of the command line that gives it: `coverage.adminLevel` is `--admin-level`. */
function nameOf([first, option, ...more]: readonly PropertyKey[]): string {
  const flag = first === 'coverage' && typeof option === 'string' ? [flagOf(option)] : [first, option];
  return [...flag, ...more].filter((part) => part !== undefined).join('.');
}

const flagOf = (option: string): string => `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

import type { z } from 'zod';
import type { App } from '../../app/app.ts';

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

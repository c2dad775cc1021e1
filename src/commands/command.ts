import type { z } from 'zod';
import type { App } from '../app/app.ts';

/** Says how far a piece of work is, in words for a person. */
export type Progress = (message: string) => void;

/**
 * What the person who runs the service does to it: work that is not an operation of the service. It runs in the process
 * that owns the database, be it this one or a server reached through its control socket.
 */
export interface Command<I extends z.ZodType> {
  readonly input: I;
  run(app: App, input: z.output<I>, progress: Progress): Promise<unknown>;
}

export const command = <I extends z.ZodType>(one: Command<I>) => one;

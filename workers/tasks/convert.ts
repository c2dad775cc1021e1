import type { ConvertResult, ConvertTask } from '../convert.ts';
import { bytesOf, type TaskContext } from './task.ts';

/** A file of one format as bytes of another, or why it cannot be converted. See ../convert.ts. */
// The server never converts files, so their readers load only in the thread that gets this task.
export async function run(given: ConvertTask, { isCanceled }: TaskContext): Promise<ConvertResult> {
  const { convertFile } = await import('../convert.ts');
  return convertFile(given, isCanceled);
}

/** The memory of the result that is moved to the main thread. */
export const moved = bytesOf;

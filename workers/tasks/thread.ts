/**
 * The entry point of the pool's threads. Each task runs with a cancel flag and start and end times in shared memory,
 * and the memory of its result is moved to the main thread.
 */
import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { type IsCanceled, throwIfCanceled } from '../cancel.ts';
import { openHeap } from '../heap.ts';
import { TASKS, type Task, type TaskName } from './index.ts';
import { now } from './task.ts';

interface Shared {
  readonly heap: { readonly buffer: SharedArrayBuffer; readonly vertices: number; readonly slots: number };
  readonly flags: SharedArrayBuffer;
  readonly times: SharedArrayBuffer;
}

// Piscina adds its own data to workerData; these fields are what the pool passed.
const shared = workerData as Shared;
const common = openHeap(shared.heap, shared.heap.buffer).table;
const flags = new Int32Array(shared.flags);
const times = new Float64Array(shared.times);

/** A task for a thread. `flag`: the index of its cancel flag and of its two times in shared memory. */
export interface Ordered {
  readonly name: TaskName;
  readonly flag: number;
  readonly input: unknown;
}

/**
 * Runs a task: polls its cancel flag, and writes its start and end times (ms) where the pool reads them.
 * @throws Error (not a DOMException) when the task is canceled
 */
export default async function runTask({ name, flag, input }: Ordered): Promise<unknown> {
  const { run, moved } = TASKS[name] as Task<unknown, unknown>;
  const isCanceled: IsCanceled = () => Atomics.load(flags, flag) === 1;
  times[2 * flag] = now();
  try {
    throwIfCanceled(isCanceled);
    const result = await run(input, { common, isCanceled });
    const arrays = moved?.(result) ?? [];
    return arrays.length === 0 ? result : moving(result, arrays);
  } catch (error) {
    // Node 20 cannot pass a DOMException between threads.
    throw error instanceof DOMException ? new Error(error.message) : error;
  } finally {
    times[2 * flag + 1] = now();
  }
}

/** A result that moves the memory of its arrays to the main thread instead of copying it. */
function moving(result: unknown, arrays: readonly ArrayBufferView[]): unknown {
  const movable = {
    get [transferableSymbol]() {
      return arrays.map(({ buffer }) => buffer);
    },
    get [valueSymbol]() {
      return result;
    },
  };
  return move(movable as unknown as Parameters<typeof move>[0]);
}

/** What every task of the workers gets and gives, and the heap that it reads. */

import type { IsCanceled } from '../cancel.ts';
import type { ArcTable, Polygons } from '../contract.ts';
import { openHeap } from '../heap.ts';

/** The heap that a task reads; null is the common heap, which the worker gets when it starts. */
export type TaskHeap = { readonly buffer: SharedArrayBuffer; readonly vertices: number; readonly slots: number } | null;

/** What a task gets from the thread that runs it. */
export interface TaskContext {
  /** The arcs of the common heap. */
  readonly common: ArcTable;
  readonly isCanceled: IsCanceled;
}

/** The arc table that a task's slots refer to. */
export function tableOf(heap: TaskHeap, common: ArcTable): ArcTable {
  return heap ? openHeap(heap, heap.buffer).table : common;
}

/** Milliseconds of the monotonic clock that all threads of a process share. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The memory of a result that has bytes: it is moved to the main thread instead of being copied. */
export function bytesOf(result: { readonly kind: string; readonly bytes?: Uint8Array | number }): ArrayBufferView[] {
  return result.bytes instanceof Uint8Array ? [result.bytes] : [];
}

/** The memory of polygons, moved likewise. */
export function arraysOf(polygons: readonly Polygons[]): ArrayBufferView[] {
  return polygons.flatMap(({ coords, ringEnd, polygonEnd }) => [coords, ringEnd, polygonEnd]);
}

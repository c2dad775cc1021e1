import { materializeChain } from '../arcs/chains.ts';
import { DIGITS, type PartResult, POINTS, writePart } from './part.ts';
import { bytesOf, type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Writes chains as TopoJSON arcs, separated by commas; a comma also precedes them unless `first` is true. */
export interface ChainTextTask {
  readonly heap: TaskHeap;
  readonly refs: Int32Array;
  readonly end: Uint32Array;
  /** Indexes of the chains to write. */
  readonly chosen: Uint32Array;
  readonly level: number;
  readonly endClass: number;
  readonly first: boolean;
  readonly maxBytes: number;
}

/**
 * The chosen chains as TopoJSON arcs, in degrees with 7 decimals; `too_large` beyond `maxBytes`.
 * @throws DOMException named AbortError when canceled
 */
export function run(task: ChainTextTask, place: TaskContext): PartResult {
  const table = tableOf(task.heap, place.common);
  return writePart(task.maxBytes, place, (out, check) => {
    task.chosen.forEach((chain, i) => {
      check();
      const refs = task.refs.subarray(chain === 0 ? 0 : task.end[chain - 1], task.end[chain]);
      const coords = materializeChain(table, refs, task.level, task.endClass);
      out.ascii(task.first && i === 0 ? '[[' : ',\n[[');
      out.points({ coords }, 0, coords.length / 2, DIGITS, POINTS);
      out.ascii(']]');
    });
  });
}

/** The memory of the result that is moved to the main thread. */
export const moved = bytesOf;

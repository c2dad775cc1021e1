import { type Chains, chainsOf, type NamedRings } from '../arcs/chains.ts';
import { type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Finds the chains of arcs that boundaries share (../arcs/chains.ts). */
export interface ChainsTask {
  readonly heap: TaskHeap;
  readonly boundaries: readonly NamedRings[];
  readonly level: number;
  readonly endClass: number;
}

/** The chains that boundaries share at a level. See ../arcs/chains.ts. */
export function run(task: ChainsTask, { common }: TaskContext): Chains {
  return chainsOf(tableOf(task.heap, common), task.boundaries, task.level, task.endClass);
}

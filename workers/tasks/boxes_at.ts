import { boxesAt, type PerPoint } from '../arcs/locate_many.ts';
import type { TaskContext } from './task.ts';

/** Finds the boxes that contain each point. See ../arcs/locate_many.ts. */
export interface BoxesAtTask {
  readonly tree: ArrayBufferLike | null;
  readonly boxes: Int32Array;
  /** x, y per point, in 1e-7 degrees. */
  readonly points: Int32Array;
}

/** Per point, the indexes of the boxes that contain it. */
export function run({ tree, boxes, points }: BoxesAtTask, { isCanceled }: TaskContext): PerPoint {
  return boxesAt(tree, boxes, points, isCanceled);
}

/** The memory of the result that is moved to the main thread. */
export const moved = ({ from, end, items }: PerPoint): ArrayBufferView[] => [from, end, items];

import { packBoxes } from '../arcs/pack_boxes.ts';

/** Packs boxes into a search tree (../arcs/pack_boxes.ts). Four numbers per box: west, south, east, north. */
export interface PackTask {
  readonly boxes: Int32Array;
}

/** A packed search tree of boxes. See ../arcs/pack_boxes.ts. */
export function run({ boxes }: PackTask): SharedArrayBuffer {
  return packBoxes(boxes);
}

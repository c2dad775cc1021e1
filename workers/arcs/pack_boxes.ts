import Flatbush from 'flatbush';

/**
 * Packs boxes (four numbers each: west, south, east, north; at least one box) into a search tree in shared memory.
 * Flatbush.from() reads it.
 */
export function packBoxes(boxes: Int32Array): SharedArrayBuffer {
  const tree = new Flatbush(boxes.length / 4, undefined, Int32Array, SharedArrayBuffer);
  for (let i = 0; i < boxes.length; i += 4) tree.add(boxes[i], boxes[i + 1], boxes[i + 2], boxes[i + 3]);
  tree.finish();
  return tree.data as SharedArrayBuffer;
}

import Flatbush from 'flatbush';

/**
 * Packs boxes (west, south, east, north of each, one after the other) into a tree that Flatbush.from() reads, in shared
 * memory. At least one box.
 */
export function packBoxes(boxes: Int32Array): SharedArrayBuffer {
  const tree = new Flatbush(boxes.length / 4, undefined, Int32Array, SharedArrayBuffer);
  for (let i = 0; i < boxes.length; i += 4) tree.add(boxes[i], boxes[i + 1], boxes[i + 2], boxes[i + 3]);
  tree.finish();
  return tree.data as SharedArrayBuffer;
}

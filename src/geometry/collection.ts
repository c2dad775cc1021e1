import { joinBoxes } from '../../workers/arcs/box.ts';
import { type Box, FULL } from '../../workers/contract.ts';
import { binaryParts, featureParts } from './collection_binary.ts';
import { allOf, type Collection, type CollectionMember, isBinary, prefetch } from './collection_model.ts';
import { textParts } from './collection_text.ts';
import { topologyParts } from './collection_topology.ts';
import type { Engine } from './engine.ts';

/** The smallest box that contains all boxes, in 1e-7 degrees (west > east across the antimeridian); null for none. */
export const boxOfAll = (boxes: readonly Box[]): Box | null => joinBoxes(boxes);

/** The highest level that `levelOf` returns for the box of a member: the level for all of them. */
export function levelOfLargest(members: readonly CollectionMember[], levelOf: (box: Box) => number): number {
  return members.reduce((level, { box }) => Math.max(level, levelOf(box)), FULL);
}

/**
 * The bytes of a collection in its format, generated in parts, one part ahead of the consumer. Memory does not grow
 * with the collection, except for TopoJSON, whose features (without their coordinates) come last.
 * @throws ArcsMoved when an import changes the shape of a boundary meanwhile; rate_limited before the first part when
 * there is no room for the work; too_large for a single boundary that one answer has no room for
 */
export function writeCollection(
  engine: Engine,
  collection: Collection,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  return prefetch((stop) => partsOf(engine, collection, stop), signal);
}

function partsOf(engine: Engine, collection: Collection, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { format } = collection;
  if (format === 'topojson') return topologyParts(engine, collection, signal);
  if (isBinary(format)) {
    const file = { ...collection, format, count: collection.members.length };
    return binaryParts(engine, file, featureParts(engine, collection, signal, allOf(collection)), signal);
  }
  return textParts(engine, { ...collection, format }, signal);
}

import { deserialize, serialize } from 'node:v8';
import { digitsOf } from '../../workers/arcs/levels.ts';
import type { Box } from '../../workers/contract.ts';
import type { CollectionFormat } from '../../workers/formats/registry.ts';
import type { Feature } from '../../workers/formats/types.ts';
import { type AreaFile, areaParts, areaText } from './collection_areas.ts';
import { binaryParts, type FileOf, featureParts } from './collection_binary.ts';
import { aboutOf, type Collection, endsOf, isBinary, type MemberRange, slices } from './collection_model.ts';
import { textMiddle } from './collection_text.ts';
import type { Engine } from './engine.ts';

/** Whether ranges of a collection can be made independently. Those of TopoJSON cannot: it numbers arcs over all. */
export const isDivisible = (format: CollectionFormat): boolean => format !== 'topojson';

/**
 * The bytes of a range of a collection, stored until joinRanges() puts the file together. For a text format they
 * are features as they appear in the file, for other formats packed features that are still to be written.
 * @throws MemberTooLarge, and as writeCollection()
 */
export async function* collectionRange(
  engine: Engine,
  collection: Collection,
  range: MemberRange,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { format } = collection;
  if (format === 'topojson') throw new Error('TopoJSON is not made in ranges');
  if (!isBinary(format)) yield* textMiddle(engine, { ...collection, format }, signal, range);
  else for await (const some of featureParts(engine, collection, signal, range)) yield packFeatures(some);
}

/** The file of a collection, from the output of collectionRange() for all its ranges, in order. */
export async function* joinRanges(
  engine: Engine,
  collection: Collection,
  ranges: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { format } = collection;
  if (format === 'topojson') throw new Error('TopoJSON is not made in ranges');
  if (isBinary(format)) {
    const file = { ...collection, format, count: collection.members.length };
    yield* binaryParts(engine, file, unpackFeatures(ranges), signal);
    return;
  }
  const { head, tail } = endsOf(format, aboutOf(collection));
  yield* head;
  yield* ranges;
  yield* tail;
}

/**
 * The file of areas that were packed by packFeatures(), in order; `box` contains all of them. TopoJSON loads all of
 * them into memory.
 * @throws too_large
 */
export async function* joinAreas(
  engine: Engine,
  file: FileOf<CollectionFormat>,
  box: Box | null,
  packed: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { format } = file;
  if (format === 'topojson') {
    const features: AreaFile['features'][number][] = [];
    for await (const some of unpackFeatures(packed)) features.push(...(some as AreaFile['features']));
    yield* areaParts(engine, { ...file, features }, signal);
    return;
  }
  if (isBinary(format)) {
    yield* binaryParts(engine, { ...file, format }, unpackFeatures(packed), signal);
    return;
  }
  const about = { ...file, box, digits: digitsOf(file.level), geometry: true };
  const { head, tail } = endsOf(format, about);
  yield* head;
  let first = true;
  for await (const some of unpackFeatures(packed)) {
    yield await areaText(engine, { ...file, format }, about, some as AreaFile['features'], first, signal);
    first = false;
  }
  yield* tail;
}

/** Features as bytes that unpackFeatures() reads: the length (4 bytes, little-endian), then the V8 serialization. */
export function packFeatures(features: readonly Feature[]): Uint8Array {
  const content = serialize(features);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.byteLength);
  return Buffer.concat([length, content]);
}

/** Areas in packs, each of about as many bytes as a part of a file. */
export async function* packAreas(areas: AreaFile['features']): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const some of slices(areas)) yield packFeatures(some);
}

/** Reads what packFeatures() wrote, pack by pack, wherever its bytes were split meanwhile. */
export async function* unpackFeatures(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Feature[], void> {
  let held: Uint8Array[] = [];
  let size = 0;
  let wanted = -1;
  for await (const chunk of bytes) {
    held.push(chunk);
    size += chunk.byteLength;
    while (size >= 4 && (wanted < 0 || size >= wanted)) {
      const all = Buffer.concat(held);
      wanted = 4 + all.readUInt32LE();
      held = [all];
      if (size < wanted) break;
      yield deserialize(all.subarray(4, wanted)) as readonly Feature[];
      held = [all.subarray(wanted)];
      size -= wanted;
      wanted = -1;
    }
  }
  if (size > 0) throw new Error('features are cut off');
}

import type { Polygons } from '../../contract.ts';
import { defined } from '../../defined.ts';
import type { CollectionWriter, Column, Feature } from '../types.ts';
import { Boxes } from '../writing/hilbert.ts';
import { Spool, type SpoolLimits } from '../writing/spool.ts';
import { FlatBuffer } from './flatbuffer.ts';

/** "fgb", version 3, "fgb", patch 1. */
const MAGIC = Uint8Array.of(0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 1);

/** Children per node of the index. */
const NODE_SIZE = 16;

/** Four doubles and an unsigned 64-bit offset. */
const NODE_BYTES = 40;

/** Nodes written at a time. */
const NODES_AT_ONCE = 4096;

const SCALE = 1e7;
const MULTIPOLYGON = 6;
const POLYGON = 3;
const TYPES = { boolean: 2, integer: 7, number: 10, string: 11 } as const;
const VALUE_BYTES = { boolean: 1, integer: 8, number: 8 } as const;
const UTF8 = new TextEncoder();

/**
 * Writes FlatGeobuf 3 with its packed Hilbert R-tree (flatgeobuf.org): MultiPolygons in EPSG:4326, longitude first, in
 * Hilbert order. Features without polygons come last and are not found by any box. Null values are left out.
 *
 * The index precedes the features and stores their offsets, so the features wait in a spool. Memory: at most 16 MB of
 * features, the largest feature, and about 100 bytes per feature.
 * @throws TooLarge beyond `maxBytes`
 */
export async function* writeFlatgeobuf(
  features: AsyncIterable<Feature>,
  columns: readonly Column[],
  options: Parameters<CollectionWriter>[2] & SpoolLimits,
): AsyncGenerator<Uint8Array> {
  const spool = new Spool(options);
  try {
    const buffer = new FlatBuffer();
    const boxes = new Boxes();
    const starts: number[] = [];
    for await (const feature of features) {
      const polygons = feature.polygons?.polygonEnd.length ? feature.polygons : null;
      boxes.add(polygons);
      starts.push(spool.length);
      await spool.append(encodeFeature(buffer, polygons, propertiesOf(feature, columns)));
    }
    starts.push(spool.length);
    const order = boxes.hilbertOrder();
    yield MAGIC;
    yield encodeHeader(buffer, columns, boxes, options.name).slice();
    yield* index(boxes, order, starts);
    yield* spool.gather(pieces(order, starts));
  } finally {
    await spool.close();
  }
}

function* pieces(order: Uint32Array, starts: readonly number[]): Generator<[offset: number, length: number]> {
  for (const feature of order)
    yield [defined(starts[feature]), defined(starts[feature + 1]) - defined(starts[feature])];
}

/** The header's fields: name, envelope, geometry_type, four flags, columns, features_count, index_node_size, crs. */
function encodeHeader(buffer: FlatBuffer, columns: readonly Column[], boxes: Boxes, name: string): Uint8Array {
  const extent = boxes.extent();
  const [atName, atEnvelope, atType, , , , , atColumns, atCount, atNodeSize, atCrs] = buffer.root([
    4,
    extent ? 4 : 0,
    1,
    0,
    0,
    0,
    0,
    4,
    8,
    2,
    4,
  ]);
  buffer.view.setUint8(atType, MULTIPOLYGON);
  buffer.view.setBigUint64(atCount, BigInt(boxes.count), true);
  buffer.view.setUint16(atNodeSize, boxes.count === 0 ? 0 : NODE_SIZE, true);
  buffer.text(name, atName);
  if (extent) {
    const first = buffer.vector(4, 8, atEnvelope);
    extent.forEach((side, i) => {
      buffer.view.setFloat64(first + 8 * i, side / SCALE, true);
    });
  }
  const first = buffer.vector(columns.length, 4, atColumns);
  columns.forEach((column, i) => {
    const [atColumn, atColumnType] = buffer.table([4, 1], first + 4 * i);
    buffer.view.setUint8(atColumnType, TYPES[column.type]);
    buffer.text(column.name, atColumn);
  });
  const [atOrg, atCode, atCrsName] = buffer.table([4, 4, 4], atCrs);
  buffer.view.setInt32(atCode, 4326, true);
  buffer.text('EPSG', atOrg);
  buffer.text('WGS 84', atCrsName);
  return buffer.finish();
}

/** A feature's fields: geometry, properties. The bytes are valid until the next feature. */
function encodeFeature(buffer: FlatBuffer, polygons: Polygons | null, properties: Uint8Array): Uint8Array {
  const [atGeometry, atProperties] = buffer.root([polygons ? 4 : 0, properties.length > 0 ? 4 : 0]);
  if (polygons) encodeGeometry(buffer, polygons, atGeometry);
  if (properties.length > 0) buffer.copy(properties, buffer.vector(properties.length, 1, atProperties));
  return buffer.finish();
}

/** A geometry's fields: ends, xy, z, m, t, tm, type, parts. `ends` is left out for a single ring. */
function encodeGeometry(buffer: FlatBuffer, { coords, ringEnd, polygonEnd }: Polygons, from: number): void {
  const [, , , , , , atType, atParts] = buffer.table([0, 0, 0, 0, 0, 0, 1, 4], from);
  buffer.view.setUint8(atType, MULTIPOLYGON);
  const parts = buffer.vector(polygonEnd.length, 4, atParts);
  let ring = 0;
  let vertex = 0;
  polygonEnd.forEach((ringsTo, p) => {
    const rings = ringsTo - ring;
    const end = defined(ringEnd[ringsTo - 1]);
    const [atEnds, atXy, , , , , atPartType] = buffer.table([rings > 1 ? 4 : 0, 4, 0, 0, 0, 0, 1], parts + 4 * p);
    buffer.view.setUint8(atPartType, POLYGON);
    if (rings > 1) {
      const ends = buffer.vector(rings, 4, atEnds);
      for (let r = 0; r < rings; r++) buffer.view.setUint32(ends + 4 * r, defined(ringEnd[ring + r]) - vertex, true);
    }
    const xy = buffer.vector(2 * (end - vertex), 8, atXy);
    const { view } = buffer;
    for (let i = 2 * vertex, at = xy; i < 2 * end; i++, at += 8) view.setFloat64(at, defined(coords[i]) / SCALE, true);
    ring = ringsTo;
    vertex = end;
  });
}

/** For each non-null value: the number of its column (16 bits), then the value. */
function propertiesOf(feature: Feature, columns: readonly Column[]): Uint8Array {
  const texts = columns.map(({ type }, i) => {
    const value = feature.values[i];
    return type === 'string' && value !== null ? UTF8.encode(String(value)) : null;
  });
  let size = 0;
  columns.forEach(({ type }, i) => {
    if (feature.values[i] === null) return;
    size += 2 + (type === 'string' ? 4 + (texts[i]?.length ?? 0) : VALUE_BYTES[type]);
  });
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  columns.forEach(({ type }, i) => {
    const value = defined(feature.values[i]);
    const text = texts[i];
    if (value === null) return;
    view.setUint16(at, i, true);
    at += 2;
    if (text) {
      view.setUint32(at, text.length, true);
      bytes.set(text, at + 4);
      at += 4 + text.length;
    } else if (type !== 'string') {
      if (type === 'boolean') view.setUint8(at, Number(value));
      else if (type === 'integer') view.setBigInt64(at, BigInt(value), true);
      else view.setFloat64(at, Number(value), true);
      at += VALUE_BYTES[type];
    }
  });
  return bytes;
}

/**
 * The packed Hilbert R-tree, level by level from the root to the leaves. A leaf has the box of a feature and the offset
 * of the feature after the index; a node has the box of its children and the number of its first child.
 */
function* index(boxes: Boxes, order: Uint32Array, starts: readonly number[]): Generator<Uint8Array> {
  if (order.length === 0) return;
  /** The levels above the leaves, lowest first; four numbers per node. */
  const levels: Float64Array[] = [];
  let below = order.length;
  let side = (node: number, s: number): number => boxes.get(defined(order[node]), s);
  do {
    const count = Math.ceil(below / NODE_SIZE);
    const level = new Float64Array(4 * count);
    for (let node = 0; node < count; node++) {
      let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
      for (let child = node * NODE_SIZE; child < Math.min(below, (node + 1) * NODE_SIZE); child++) {
        west = Math.min(west, side(child, 0));
        south = Math.min(south, side(child, 1));
        east = Math.max(east, side(child, 2));
        north = Math.max(north, side(child, 3));
      }
      level.set([west, south, east, north], 4 * node);
    }
    levels.push(level);
    side = (node, s) => defined(level[4 * node + s]);
    below = count;
  } while (below > 1);

  // The number of the first node of the level below.
  let first = 0;
  for (const level of levels.toReversed()) {
    const count = level.length / 4;
    first += count;
    const children = first;
    yield* nodes(
      count,
      (node, s) => defined(level[4 * node + s]),
      (node) => children + node * NODE_SIZE,
    );
  }
  // Offsets follow the order of the features in the file.
  let place = 0;
  yield* nodes(
    order.length,
    (node, s) => boxes.get(defined(order[node]), s),
    (node) => {
      const at = place;
      place += defined(starts[defined(order[node]) + 1]) - defined(starts[defined(order[node])]);
      return at;
    },
  );
}

/** Yields nodes; calls `offset` once per node, in order. */
function* nodes(
  count: number,
  side: (node: number, side: number) => number,
  offset: (node: number) => number,
): Generator<Uint8Array> {
  for (let from = 0; from < count; from += NODES_AT_ONCE) {
    const end = Math.min(count, from + NODES_AT_ONCE);
    const bytes = new Uint8Array((end - from) * NODE_BYTES);
    const view = new DataView(bytes.buffer);
    for (let node = from, at = 0; node < end; node++, at += NODE_BYTES) {
      for (let s = 0; s < 4; s++) view.setFloat64(at + 8 * s, side(node, s) / SCALE, true);
      view.setBigUint64(at + 32, BigInt(offset(node)), true);
    }
    yield bytes;
  }
}

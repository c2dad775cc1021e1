import { type PolygonRings, type Position, type ReadDocument, type ReadFeature, Unreadable } from './model.ts';

const POLYGON = 3;
const MULTIPOLYGON = 6;
const COLLECTION = 7;
/** Bytes per node of the index. */
const NODE_BYTES = 40;
const TEXT = new TextDecoder();

/** A FlatBuffer table; finds its fields by the offsets in its vtable. */
class Table {
  private readonly view: DataView;
  readonly start: number;
  private readonly vtable: number;

  constructor(view: DataView, start: number) {
    this.view = view;
    this.start = start;
    this.vtable = start - view.getInt32(start, true);
  }

  /** The position of a field, or 0 when it is absent. */
  at(field: number): number {
    const place = 4 + 2 * field;
    const offset = place < this.view.getUint16(this.vtable, true) ? this.view.getUint16(this.vtable + place, true) : 0;
    return offset === 0 ? 0 : this.start + offset;
  }

  uint8(field: number): number {
    const at = this.at(field);
    return at === 0 ? 0 : this.view.getUint8(at);
  }

  table(field: number): Table | null {
    const at = this.at(field);
    return at === 0 ? null : new Table(this.view, at + this.view.getUint32(at, true));
  }

  /** The position of a vector's first element, and its length. */
  vector(field: number): readonly [start: number, length: number] {
    const at = this.at(field);
    if (at === 0) return [0, 0];
    const start = at + this.view.getUint32(at, true);
    return [start + 4, this.view.getUint32(start, true)];
  }

  tables(field: number): Table[] {
    const [start, length] = this.vector(field);
    return Array.from({ length }, (_, i) => {
      const at = start + 4 * i;
      return new Table(this.view, at + this.view.getUint32(at, true));
    });
  }

  text(field: number): string | null {
    const [start, length] = this.vector(field);
    return start === 0 ? null : TEXT.decode(new Uint8Array(this.view.buffer, this.view.byteOffset + start, length));
  }
}

interface Column {
  readonly name: string;
  readonly type: number;
}

/**
 * Reads FlatGeobuf 3 (flatgeobuf.org), with or without an index; areas keep the order of the file.
 * @throws Unreadable
 */
export function readFlatgeobuf(bytes: Uint8Array): ReadDocument {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || TEXT.decode(bytes.subarray(0, 3)) !== 'fgb' || bytes[3] !== 3) {
    throw new Unreadable('this is not FlatGeobuf of version 3');
  }
  try {
    return read(view);
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable('the file is cut off or damaged');
    throw error;
  }
}

function read(view: DataView): ReadDocument {
  const header = new Table(view, 12 + view.getUint32(12, true));
  const crs = header.table(10);
  const code = crs === null || crs.at(1) === 0 ? 4326 : view.getInt32(crs.at(1), true);
  if (code !== 4326)
    throw new Unreadable(`EPSG:${code} is not in degrees of WGS 84: convert it first (ogr2ogr -t_srs EPSG:4326)`);
  const columns = columnsOf(header.tables(7));
  const count = header.at(8) === 0 ? 0 : Number(view.getBigUint64(header.at(8), true));
  const nodeSize = header.at(9) === 0 ? 16 : view.getUint16(header.at(9), true);
  const type = header.uint8(2);
  const features: ReadFeature[] = [];
  const counts = { left: 0 };
  let at = 12 + view.getUint32(8, true) + indexBytes(count, nodeSize);
  while (at < view.byteLength) {
    const size = view.getUint32(at, true);
    if (size > view.byteLength - at - 4) throw new RangeError('the feature is not whole');
    features.push(featureOf(new DataView(view.buffer, view.byteOffset + at + 4, size), columns, type, counts));
    at += 4 + size;
  }
  if (count > 0 && features.length !== count) throw new RangeError('features are missing');
  return { name: header.text(0), features, left: counts.left };
}

const columnsOf = (tables: readonly Table[]): Column[] =>
  tables.map((table) => ({ name: table.text(0) ?? '', type: table.uint8(1) }));

function indexBytes(count: number, nodeSize: number): number {
  if (count === 0 || nodeSize < 2) return 0;
  let nodes = count;
  for (let level = count; level > 1; nodes += level) level = Math.ceil(level / nodeSize);
  return NODE_BYTES * (count === 1 ? 2 : nodes);
}

function featureOf(view: DataView, columns: readonly Column[], type: number, counts: { left: number }): ReadFeature {
  const root = new Table(view, view.getUint32(0, true));
  const own = root.tables(2);
  const [start, length] = root.vector(1);
  const properties = propertiesOf(view, start, length, own.length > 0 ? columnsOf(own) : columns);
  const geometry = root.table(0);
  const polygons = geometry === null ? [] : polygonsOf(view, geometry, type, counts);
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : null);
  return { id: text(properties.id), name: text(properties.name), properties, polygons };
}

function polygonsOf(view: DataView, geometry: Table, ofAll: number, counts: { left: number }): PolygonRings[] {
  const type = geometry.uint8(6) || ofAll;
  if (type === MULTIPOLYGON || type === COLLECTION) {
    const part = type === MULTIPOLYGON ? POLYGON : 0;
    return geometry.tables(7).flatMap((one) => polygonsOf(view, one, part, counts));
  }
  const [xy, values] = geometry.vector(1);
  if (type !== POLYGON) {
    counts.left++;
    return [];
  }
  const [ends, rings] = geometry.vector(0);
  const polygon: Position[][] = [];
  let v = 0;
  for (let r = 0; r < Math.max(1, rings); r++) {
    const end = rings === 0 ? values / 2 : view.getUint32(ends + 4 * r, true);
    const ring: Position[] = [];
    for (; v < end; v++) ring.push([view.getFloat64(xy + 16 * v, true), view.getFloat64(xy + 16 * v + 8, true)]);
    if (ring.length > 0) polygon.push(ring);
  }
  return polygon.length === 0 ? [] : [polygon];
}

type Reader = (view: DataView, at: number) => readonly [value: unknown, bytes: number];
const text: Reader = (view, at) => {
  const length = view.getUint32(at, true);
  return [TEXT.decode(new Uint8Array(view.buffer, view.byteOffset + at + 4, length)), 4 + length];
};
/** An integer as a number, or as text when a double cannot hold it. */
const whole = (value: bigint): unknown => (BigInt.asIntN(54, value) === value ? Number(value) : String(value));

/** Readers of values by column type, from 0: byte, unsigned byte, boolean, short, … binary. */
const VALUES: readonly Reader[] = [
  (view, at) => [view.getInt8(at), 1],
  (view, at) => [view.getUint8(at), 1],
  (view, at) => [view.getUint8(at) === 1, 1],
  (view, at) => [view.getInt16(at, true), 2],
  (view, at) => [view.getUint16(at, true), 2],
  (view, at) => [view.getInt32(at, true), 4],
  (view, at) => [view.getUint32(at, true), 4],
  (view, at) => [whole(view.getBigInt64(at, true)), 8],
  (view, at) => [whole(view.getBigUint64(at, true)), 8],
  (view, at) => [view.getFloat32(at, true), 4],
  (view, at) => [view.getFloat64(at, true), 8],
  text,
  text,
  text,
  text,
];

function propertiesOf(view: DataView, start: number, length: number, columns: readonly Column[]) {
  const properties: Record<string, unknown> = {};
  for (let at = start; at < start + length; ) {
    const column = columns[view.getUint16(at, true)];
    const read = column && VALUES[column.type];
    if (!read) throw new RangeError('a value is of no column');
    const [value, bytes] = read(view, at + 2);
    properties[column.name] = value;
    at += 2 + bytes;
  }
  return properties;
}

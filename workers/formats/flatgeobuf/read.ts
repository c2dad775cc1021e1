import {
  ChangedColumns,
  type OpenedDocument,
  type PolygonRings,
  type Position,
  type ReadFeature,
  type ReferenceSystem,
  requireSize,
  type Tally,
  Unreadable,
} from '../reading/document.ts';
import { curved } from '../reading/wkb.ts';

const POLYGON = 3;
/** The column type of a date and time. */
const DATE_TIME = 13;
const MULTIPOLYGON = 6;
const COLLECTION = 7;
const LINE = 2;
const COMPOUND = 9;
const CURVE_POLYGON = 10;
const MULTISURFACE = 12;
/** CircularString: the only kind of curve that is not straight lines. */
const CIRCULAR = 8;
/** Bytes per node of the index. */
const NODE_BYTES = 40;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

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
    return start === 0 ? null : textAt(this.view, start, length);
  }
}

/** @throws Unreadable for bytes that are not UTF-8; RangeError beyond the end */
function textAt(view: DataView, start: number, length: number): string {
  requireSize(length, 'text');
  const bytes = new Uint8Array(view.buffer, view.byteOffset + start, length);
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new Unreadable('a text is not UTF-8');
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
export function readFlatgeobuf(bytes: Uint8Array): OpenedDocument {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || Buffer.from(bytes.subarray(0, 3)).toString('latin1') !== 'fgb' || bytes[3] !== 3) {
    throw new Unreadable('this is not FlatGeobuf of version 3');
  }
  try {
    return read(view);
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable('the file is cut off or damaged');
    throw error;
  }
}

function read(view: DataView): OpenedDocument {
  const header = new Table(view, 12 + view.getUint32(12, true));
  const tally: Tally = { left: 0, changed: new ChangedColumns() };
  return { name: header.text(0), system: systemOf(view, header), features: features(view, header, tally), tally };
}

/** The code of the header, or its well-known text if it has no code. */
function systemOf(view: DataView, header: Table): ReferenceSystem | null {
  const crs = header.table(10);
  if (crs === null) return null;
  const code = crs.at(1) === 0 ? 0 : view.getInt32(crs.at(1), true);
  const wkt = crs.text(4);
  if (code !== 0) return { epsg: code, ...(wkt !== null && { wkt }) };
  return wkt === null ? null : { wkt };
}

function* features(view: DataView, header: Table, tally: Tally): Generator<ReadFeature> {
  let found = 0;
  try {
    const columns = columnsOf(header.tables(7));
    const count = header.at(8) === 0 ? 0 : Number(view.getBigUint64(header.at(8), true));
    const nodeSize = header.at(9) === 0 ? 16 : view.getUint16(header.at(9), true);
    const type = header.uint8(2);
    let at = 12 + view.getUint32(8, true) + indexBytes(count, nodeSize);
    while (at < view.byteLength) {
      const size = view.getUint32(at, true);
      if (size > view.byteLength - at - 4) throw new RangeError('the feature is not whole');
      requireSize(size, 'geometry');
      yield featureOf(new DataView(view.buffer, view.byteOffset + at + 4, size), columns, type, tally);
      found++;
      at += 4 + size;
    }
    if (count > 0 && found !== count) throw new RangeError('features are missing');
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable('the file is cut off or damaged');
    if (error instanceof Unreadable) throw new Unreadable(`feature ${found + 1}: ${error.message}`);
    throw error;
  }
}

const columnsOf = (tables: readonly Table[]): Column[] =>
  tables.map((table) => ({ name: table.text(0) ?? '', type: table.uint8(1) }));

function indexBytes(count: number, nodeSize: number): number {
  if (count === 0 || nodeSize < 2) return 0;
  let nodes = count;
  for (let level = count; level > 1; nodes += level) level = Math.ceil(level / nodeSize);
  return NODE_BYTES * (count === 1 ? 2 : nodes);
}

function featureOf(view: DataView, columns: readonly Column[], type: number, tally: Tally): ReadFeature {
  const root = new Table(view, view.getUint32(0, true));
  const own = root.tables(2);
  const [start, length] = root.vector(1);
  const properties = propertiesOf(view, [start, length], own.length > 0 ? columnsOf(own) : columns, tally.changed);
  const geometry = root.table(0);
  const polygons = geometry === null ? [] : polygonsOf(view, geometry, type, tally);
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : null);
  return { id: text(properties.id), name: text(properties.name), properties, polygons };
}

function polygonsOf(view: DataView, geometry: Table, ofAll: number, counts: Tally): PolygonRings[] {
  const type = geometry.uint8(6) || ofAll;
  if (type === CURVE_POLYGON) {
    const curves = geometry.tables(7).map((curve) => curveOf(view, curve));
    return curves.length === 0 ? [] : [curves];
  }
  if (type === MULTIPOLYGON || type === COLLECTION || type === MULTISURFACE) {
    const part = type === MULTIPOLYGON ? POLYGON : 0;
    return geometry.tables(7).flatMap((one) => polygonsOf(view, one, part, counts));
  }
  if (geometry.vector(2)[1] > 0 || geometry.vector(3)[1] > 0) counts.heights = true;
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

/** The positions of a curve of straight lines. @throws Unreadable for arcs */
function curveOf(view: DataView, curve: Table): Position[] {
  const type = curve.uint8(6) || LINE;
  if (type === CIRCULAR) throw curved();
  if (type === COMPOUND) return curve.tables(7).flatMap((part) => curveOf(view, part));
  if (type !== LINE) throw new Unreadable(`a ring is of the type ${type}`);
  const [xy, values] = curve.vector(1);
  return Array.from(
    { length: values / 2 },
    (_, v): Position => [view.getFloat64(xy + 16 * v, true), view.getFloat64(xy + 16 * v + 8, true)],
  );
}

type Reader = (view: DataView, at: number) => readonly [value: unknown, bytes: number];
const text: Reader = (view, at) => {
  const length = view.getUint32(at, true);
  return [textAt(view, at + 4, length), 4 + length];
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

/** The values of a feature; a value that it lacks is null. */
function propertiesOf(
  view: DataView,
  [start, length]: readonly [start: number, length: number],
  columns: readonly Column[],
  changed: ChangedColumns | undefined,
) {
  const properties: Record<string, unknown> = Object.fromEntries(columns.map(({ name }) => [name, null]));
  for (let at = start; at < start + length; ) {
    const column = columns[view.getUint16(at, true)];
    const read = column && VALUES[column.type];
    if (!read) throw new RangeError('a value is of no column');
    const [value, bytes] = read(view, at + 2);
    properties[column.name] = value;
    if (typeof value === 'string' && (column.type === 7 || column.type === 8)) changed?.add('integers', column.name);
    if (column.type === DATE_TIME) changed?.add('dates', column.name);
    at += 2 + bytes;
  }
  return properties;
}

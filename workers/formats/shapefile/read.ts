import { isUtf8 } from 'node:buffer';
import { defined } from '../../defined.ts';
import {
  ChangedColumns,
  type OpenedDocument,
  type PolygonRings,
  type Position,
  quoted,
  type ReadFeature,
  type ReadOptions,
  requireSize,
  type Tally,
  Unreadable,
} from '../reading/document.ts';
import { type Decoder, decoderOf, decoderOfLanguage, utf8 } from '../reading/encodings.ts';
import { doubleArea, nestedPolygons } from '../reading/nest.ts';

/** Polygon, PolygonZ, PolygonM. */
const POLYGONS = [5, 15, 25];
const NULL_SHAPE = 0;

/** Where the header states the type of all shapes. */
const TYPE_AT = 32;

/** The largest difference of two equal coordinates, as a share of them: at most 1e-7 degrees or a centimeter. */
const ROUNDING = 5e-10;

/**
 * Reads a shapefile (ESRI's description of July 1998): polygons with the attributes of its table. Without a `.dbf`,
 * areas have no attributes. Its text is in the encoding of `encoding`, else of the .cpg; else in UTF-8 if all of it is
 * valid as such, else in that of the language byte of the table.
 * @param files by extension
 * @throws Unreadable
 */
export function readShapefile(
  files: Readonly<Record<string, Uint8Array>>,
  { encoding }: ReadOptions = {},
): OpenedDocument {
  const { '.shp': shp, '.dbf': dbf, '.prj': prj, '.cpg': cpg } = files;
  const wkt = prj === undefined ? '' : new TextDecoder().decode(prj).trim();
  const tally: Tally = { left: 0, changed: new ChangedColumns() };
  if (shp === undefined) throw new Unreadable('this is not a shapefile');
  const view = new DataView(shp.buffer, shp.byteOffset, shp.byteLength);
  if (view.byteLength < 100 || view.getInt32(0) !== 9994) throw new Unreadable('this is not a shapefile');
  return guarded(() => {
    const said = cpg === undefined ? '' : new TextDecoder().decode(cpg).trim();
    const table = dbf === undefined ? null : new Table(dbf, encoding ?? said);
    return { name: null, system: wkt === '' ? null : { wkt }, features: featuresOf(view, table, tally), tally };
  });
}

/** Reading beyond the end means that the file is not whole. */
function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable('the shapefile is cut off or damaged');
    throw error;
  }
}

function* featuresOf(view: DataView, table: Table | null, tally: Tally): Generator<ReadFeature> {
  const ofFile = view.getInt32(TYPE_AT, true);
  let row = 0;
  for (let at = 100; at < view.byteLength; row++) {
    const [bytes, polygons] = guarded(() => shapeAt(view, at, tally, ofFile));
    at += bytes;
    if (table !== null && row >= table.count) continue;
    if (table?.isDeleted(row)) {
      tally.changed?.add('deleted', String(row + 1));
      continue;
    }
    const properties = table === null ? {} : guarded(() => table.row(row, tally));
    const { id, name } = properties;
    yield {
      id: id === undefined || id === null ? null : String(id),
      name: typeof name === 'string' ? name : null,
      properties,
      polygons,
    };
  }
  if (table !== null && table.count !== row) {
    throw new Unreadable(`the .dbf has ${table.count} rows for ${row} shapes`);
  }
}

/**
 * The bytes of the record at an offset, and its polygons.
 * @param ofFile the type of shapes that the header states
 * @throws Unreadable for a polygon in a file of other shapes and the reverse, and for rings that do not close
 */
function shapeAt(view: DataView, at: number, tally: Tally, ofFile: number): [bytes: number, polygons: PolygonRings[]] {
  const bytes = 2 * view.getInt32(at + 4);
  if (bytes < 4) throw new RangeError('a record is too short');
  const type = view.getInt32(at + 8, true);
  const number = view.getInt32(at);
  if (type !== NULL_SHAPE && POLYGONS.includes(type) !== POLYGONS.includes(ofFile)) {
    throw new Unreadable(
      `the shapefile is damaged: its header says shapes of type ${ofFile}, and record ${number} has type ${type}`,
    );
  }
  if (!POLYGONS.includes(type)) {
    if (type !== NULL_SHAPE) tally.left++;
    return [8 + bytes, []];
  }
  if (type !== POLYGONS[0]) tally.heights = true;
  requireSize(bytes, 'geometry');
  const rings = ringsOf(view, at + 8, bytes);
  for (const ring of rings) requireClosed(ring, number);
  // Shells should be clockwise and holes counterclockwise, but many files have them otherwise.
  const polygons = nestedPolygons(rings);
  if (polygons.flat().length < rings.length) tally.changed?.add('repeats', String(number));
  if (polygons.some(isAgainstDirection)) tally.changed?.add('directions', String(number));
  return [8 + bytes, polygons];
}

/**
 * Refuses a ring whose last point is not its first: points are missing, or its part begins at a wrong point, and a line
 * between the two would be no border. Differences in the last digits of a number are its rounding.
 * @throws Unreadable with the record and both points
 */
function requireClosed(ring: readonly Position[], record: number): void {
  const [first, last] = [defined(ring[0]), defined(ring.at(-1))];
  const isSame = (a: number, b: number) => Math.abs(a - b) <= ROUNDING * Math.max(Math.abs(a), Math.abs(b));
  if (isSame(first[0], last[0]) && isSame(first[1], last[1])) return;
  throw new Unreadable(
    `a ring of record ${record} does not close: it begins at ${first.join(' ')} and ends at ${last.join(' ')}; ` +
      'repair it in the program that wrote it',
  );
}

/** Whether a polygon has holes, and its rings are not wound as shells (clockwise) and holes are. */
const isAgainstDirection = ([shell, ...holes]: PolygonRings): boolean =>
  shell !== undefined && holes.length > 0 && (doubleArea(shell) > 0 || holes.some((hole) => doubleArea(hole) < 0));

/**
 * The rings of a record.
 * @param bytes its length
 * @throws RangeError for parts that are not one after the other from the first point on, or end beyond the record
 */
function ringsOf(view: DataView, at: number, bytes: number): Position[][] {
  const [parts, points] = [view.getInt32(at + 36, true), view.getInt32(at + 40, true)];
  const first = at + 44 + 4 * parts;
  if (parts < 0 || points < 0 || 44 + 4 * parts + 16 * points > bytes) throw new RangeError('a record is too short');
  if (points > 0 && (parts === 0 || view.getInt32(at + 44, true) !== 0)) throw new RangeError('points are in no part');
  const rings: Position[][] = [];
  for (let p = 0; p < parts; p++) {
    const from = view.getInt32(at + 44 + 4 * p, true);
    const to = p + 1 < parts ? view.getInt32(at + 48 + 4 * p, true) : points;
    if (from > to || to > points) throw new RangeError('parts are out of order');
    const ring: Position[] = [];
    for (let v = from; v < to; v++) {
      ring.push([view.getFloat64(first + 16 * v, true), view.getFloat64(first + 16 * v + 8, true)]);
    }
    if (ring.length > 0) rings.push(ring);
  }
  return rings;
}

/** A dBase III table. */
class Table {
  readonly count: number;
  private readonly dbf: Uint8Array;
  private readonly head: number;
  private readonly size: number;
  private readonly fields: { name: string; type: string; from: number; to: number }[] = [];
  private readonly decode: Decoder;
  private readonly isNamed: boolean;

  /** @param encoding the name of its encoding; '' if none is stated */
  constructor(dbf: Uint8Array, encoding: string) {
    const view = new DataView(dbf.buffer, dbf.byteOffset, dbf.byteLength);
    this.dbf = dbf;
    this.count = view.getUint32(4, true);
    this.head = view.getUint16(8, true);
    this.size = view.getUint16(10, true);
    if (this.head + this.count * this.size > dbf.length) throw new RangeError('rows are missing');
    this.isNamed = encoding !== '';
    this.decode = encoding === '' ? this.guessed() : decoderOf(encoding);
    let from = 1;
    for (let at = 32; at + 32 <= this.head && dbf[at] !== 0x0d; at += 32) {
      const end = dbf.subarray(at, at + 11).indexOf(0);
      const name = this.textOf(dbf.subarray(at, at + (end < 0 ? 11 : end)), 'the name of a column');
      if (this.fields.some((field) => field.name === name)) {
        throw new Unreadable(`its table has two columns ${quoted(name)}: rename one`);
      }
      this.fields.push({
        name,
        type: String.fromCharCode(defined(dbf[at + 11])),
        from,
        to: from + defined(dbf[at + 16]),
      });
      from += defined(dbf[at + 16]);
    }
  }

  /** Whether a row, from 0, is marked as deleted: programs that edit a table do so until it is packed. */
  isDeleted(row: number): boolean {
    return this.dbf[this.head + row * this.size] === 0x2a;
  }

  /** The values of a row, from 0. @throws Unreadable for text that is not in the encoding, with the row */
  row(row: number, tally: Tally): Record<string, unknown> {
    const own = this.dbf.subarray(this.head + row * this.size, this.head + (row + 1) * this.size);
    const properties: Record<string, unknown> = {};
    for (const { name, type, from, to } of this.fields) {
      const value = fieldValue(this.textOf(own.subarray(from, to), `row ${row + 1}: its column ${name}`), type);
      properties[name] = value;
      if (type === 'D' && value !== null) tally.changed?.add('dates', name);
      if (typeof value === 'string' && (type === 'N' || type === 'F')) tally.changed?.add('integers', name);
    }
    return properties;
  }

  private textOf(bytes: Uint8Array, where: string): string {
    const text = this.decode(bytes) ?? this.decode(withoutCutLetter(bytes));
    if (text !== null) return text;
    const shown = new TextDecoder('latin1').decode(bytes.subarray(0, 40)).trim();
    const reason = this.isNamed
      ? 'is not in the encoding that the file states'
      : 'is in an encoding that the file does not state';
    throw new Unreadable(
      `${where} ${reason} (${quoted(shown)}, read as Latin-1): name it with --encoding windows-1252, shift_jis, big5 …`,
    );
  }

  /** UTF-8 if all text is, else what the language byte says, else only ASCII. */
  private guessed(): Decoder {
    const body = this.dbf.subarray(this.head, this.head + this.count * this.size);
    const isAll = isUtf8(body) && isUtf8(this.dbf.subarray(32, this.head));
    return isAll ? utf8 : (decoderOfLanguage(this.dbf[29] ?? 0) ?? utf8);
  }
}

/** The bytes without a letter of UTF-8 whose end was cut off at the width of the column. */
function withoutCutLetter(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < 3 && (defined(bytes[end - 1]) & 0xc0) === 0x80) end--;
  return end > 0 && defined(bytes[end - 1]) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes;
}

function fieldValue(text: string, type: string): unknown {
  const trimmed = text.replaceAll('\0', ' ').trimEnd();
  if (type === 'C') return trimmed === '' ? null : trimmed;
  const plain = trimmed.trim();
  if (plain === '' || /^\*+$/.test(plain)) return null;
  if (type === 'N' || type === 'F') {
    const value = Number(plain);
    if (!Number.isFinite(value)) return null;
    return /^-?\d+$/.test(plain) && !Number.isSafeInteger(value) ? plain : value;
  }
  if (type === 'L') return /^[YyTt]$/.test(plain) ? true : /^[NnFf]$/.test(plain) ? false : null;
  // Programs write a date that is not known as zeros.
  if (type === 'D') return /^0+$/.test(plain) ? null : plain.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  return plain;
}

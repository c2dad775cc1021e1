import { defined } from '../../defined.ts';
import { geojsonOf, parseJson } from '../geojson/read.ts';
import {
  type OpenedDocument,
  type PolygonRings,
  type ReadFeature,
  type ReadOptions,
  type ReferenceSystem,
  requireSize,
  type Tally,
  Unreadable,
  type WholeDocument,
} from '../reading/document.ts';
import { oneSystem } from '../reading/system.ts';
import { polygonsOfWkb } from '../reading/wkb.ts';
import { readWkt } from '../wkt/read.ts';

/** Accepted names of the geometry column, in lower case: of several columns, that of the first name here is read. */
const GEOMETRIES = [
  'wkt',
  'geometry',
  'geom',
  'the_geom',
  'wkt_geom',
  'shape',
  'wkb',
  'wkb_geometry',
  'geom_wkb',
  'ewkt',
  'ewkb',
  'geojson',
  'geo_shape',
  'geo shape',
];

/** The start of well-known binary as PostGIS and QGIS write it into text: hexadecimal, sometimes after `\\x`. */
const HEX = /^(?:\\x)?(?=0[01])/i;

/**
 * Reads a table whose first line names the columns, one of them with well-known text, or well-known binary in
 * hexadecimal, or GeoJSON; separated by commas, semicolons, tabs or bars. The other columns become text properties, so
 * codes keep their leading zeros; an empty cell is null.
 * @throws Unreadable
 */
export function readCsv(source: string, { geometry }: ReadOptions = {}): OpenedDocument {
  const { text, separator } = formOf(source);
  const rows = rowsOf(text, separator);
  const names = rows.next().value ?? [];
  const twice = names.find((name, i) => name !== '' && names.indexOf(name) < i);
  if (twice !== undefined) throw new Unreadable(`its first line has two columns "${twice}": rename one`);
  const wanted = geometry === undefined ? GEOMETRIES : [geometry.toLowerCase()];
  const known = names.map((name) => name.trim().toLowerCase());
  const at = known.indexOf(wanted.find((name) => known.includes(name)) ?? '');
  if (at < 0 && geometry !== undefined) {
    throw new Unreadable(`it has no column "${geometry}"; its columns are ${names.join(', ').slice(0, 1_000)}`);
  }
  if (at < 0) throw new Unreadable(`its first line names no column ${GEOMETRIES.slice(0, 3).join(', ')}`);
  const tally: Tally = { left: 0 };
  const all = featuresOf(rows, names, at, tally);
  // Up to the first area, which names the reference system.
  const begun: ReadFeature[] = [];
  let system: ReferenceSystem | null | undefined;
  while (system === undefined) {
    const next = all.next();
    if (next.done) break;
    begun.push(next.value.feature);
    ({ system } = next.value);
  }
  const features = function* (): Generator<ReadFeature> {
    yield* begun;
    let number = begun.length + 1;
    for (const { feature, system: own } of all) {
      number++;
      if (own !== undefined) requireSame(system, own, number);
      yield feature;
    }
  };
  return { name: null, system: system ?? null, features: features(), tally };
}

/** @throws Unreadable for a row whose area is in another reference system than those before */
function requireSame(known: ReferenceSystem | null | undefined, own: ReferenceSystem | null, number: number): void {
  try {
    oneSystem(known, own);
  } catch (error) {
    throw new Unreadable(`row ${number}: ${(error as Error).message}`);
  }
}

/** The text without the line by which Excel names the separator, with line feeds; and the separator. */
function formOf(source: string): { readonly text: string; readonly separator: string } {
  const lines = source.includes('\n') ? source : source.replaceAll('\r', '\n');
  const [line, named] = /^sep=([,;\t|])\r?\n/i.exec(lines) ?? [''];
  const text = lines.slice(line.length);
  if (named !== undefined) return { text, separator: named };
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (',;\t|'.includes(character)) return { text, separator: character };
    else if (character === '\n') break;
  }
  return { text, separator: ',' };
}

interface Row {
  readonly feature: ReadFeature;
  /** Undefined for a row without a geometry. */
  readonly system: ReferenceSystem | null | undefined;
}

function* featuresOf(
  rows: Iterable<string[]>,
  names: readonly string[],
  at: number,
  tally: Tally,
): Generator<Row, undefined> {
  let number = 1;
  for (const cells of rows) {
    number++;
    if (cells.length === 1 && cells[0] === '') continue;
    if (cells.length !== names.length) {
      throw new Unreadable(`row ${number} has ${cells.length} cells where the first has ${names.length}`);
    }
    const properties: Record<string, string | null> = {};
    names.forEach((name, c) => {
      if (c !== at) properties[name] = cells[c] || null;
    });
    const { id = null, name = null } = properties;
    try {
      const { polygons, system } = geometryOf(defined(cells[at]), tally);
      yield { feature: { id, name, properties, polygons }, system };
    } catch (error) {
      if (!(error instanceof Unreadable || error instanceof RangeError)) throw error;
      const reason = error instanceof Unreadable ? error.message : 'its well-known binary is cut off';
      throw new Unreadable(`row ${number}: ${reason}`);
    }
  }
}

function geometryOf(
  cell: string,
  tally: Tally,
): { readonly polygons: readonly PolygonRings[]; readonly system: ReferenceSystem | null | undefined } {
  requireSize(cell.length, 'geometry');
  const text = cell.trim();
  if (text === '') return { polygons: [], system: undefined };
  const binary = binaryOf(text);
  if (binary !== null) return { polygons: polygonsOfWkb(binary, tally), system: sridOf(binary) };
  const read = text.startsWith('{') ? readGeometry(text) : readWkt(text);
  tally.left += read.tally.left;
  if (read.tally.heights) tally.heights = true;
  const [feature] = read.features;
  return { polygons: defined(feature).polygons, system: read.system };
}

/** @throws Unreadable for text that is not a GeoJSON geometry */
function readGeometry(text: string): WholeDocument {
  const value = parseJson(text);
  const { type } = Object(value) as { readonly type?: unknown };
  if (type === 'Feature' || type === 'FeatureCollection') throw new Unreadable(`a ${type} is not a geometry`);
  return geojsonOf(value);
}

/** The bytes of well-known binary in hexadecimal; null for any other text. */
function binaryOf(text: string): Buffer | null {
  const [prefix] = HEX.exec(text) ?? [];
  if (prefix === undefined) return null;
  // An expression of all digits takes more stack than there is. This stops at the first other character.
  const bytes = Buffer.from(text.slice(prefix.length), 'hex');
  return bytes.length >= 5 && 2 * bytes.length === text.length - prefix.length ? bytes : null;
}

/** The reference system that PostGIS writes into well-known binary. */
function sridOf(bytes: Buffer): ReferenceSystem | null {
  const isLittle = bytes[0] === 1;
  const type = isLittle ? bytes.readUInt32LE(1) : bytes.readUInt32BE(1);
  if ((type & 0x20000000) === 0 || bytes.length < 9) return null;
  const epsg = isLittle ? bytes.readUInt32LE(5) : bytes.readUInt32BE(5);
  return epsg === 0 ? null : { epsg };
}

/** The cells of each row (RFC 4180). */
function* rowsOf(text: string, separator: string): Generator<string[], undefined> {
  let number = 1;
  let cells: string[] = [];
  for (let at = 0; at <= text.length; ) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; ; ) {
        const end = text.indexOf('"', at);
        if (end < 0) throw new Unreadable(`row ${number}: a quote is not closed`);
        cell += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at++;
      }
    }
    let end = at;
    while (end < text.length && text[end] !== separator && text[end] !== '\n') end++;
    cell += text.slice(at, end).replace(/\r$/, '');
    cells.push(cell);
    at = end + 1;
    if (text[end] === separator) continue;
    yield cells;
    number++;
    cells = [];
    if (end >= text.length - 1) break;
  }
}

import { type FileMetaData, parquetMetadata, parquetReadObjects, type SchemaElement } from 'hyparquet';
import { defined } from '../../defined.ts';
import {
  ChangedColumns,
  type OpenedDocument,
  type PolygonRings,
  type ReadFeature,
  type ReadOptions,
  type ReferenceSystem,
  type Tally,
  Unreadable,
} from '../reading/document.ts';
import { readWkb } from '../reading/wkb.ts';
import { CODECS } from './codecs.ts';
import { checkPages } from './pages.ts';
import { damaged } from './thrift.ts';

interface Geo {
  readonly primary_column?: string;
  readonly columns?: Readonly<Record<string, { crs?: unknown; covering?: { bbox?: { xmin?: readonly string[] } } }>>;
}

/** A column with geometry, and the columns that only repeat its box. */
interface Geometry {
  readonly column: string;
  readonly box: string | undefined;
  readonly system: ReferenceSystem | null;
}

/**
 * Reads GeoParquet (geoparquet.org, versions 1.0 and 1.1, with WKB) and Parquet with its own types of geometry, a group
 * of rows at a time. Pages may be compressed in any way but LZO.
 * @throws Unreadable
 */
export async function readGeoparquet(bytes: Uint8Array, options: ReadOptions = {}): Promise<OpenedDocument> {
  const file = new Uint8Array(bytes).buffer;
  if (Buffer.from(bytes.subarray(-4)).toString('latin1') !== 'PAR1') {
    throw new Unreadable('it does not end as a Parquet file does: it is cut off, or something else');
  }
  return readable(async () => {
    const metadata = parquetMetadata(file);
    const geometry = geometryIn(metadata, options);
    checkPages(file, metadata);
    const tally: Tally = { left: 0, changed: new ChangedColumns() };
    return { name: null, system: geometry.system, features: featuresOf(file, metadata, geometry, tally), tally };
  });
}

/** The library that reads a file throws errors of many kinds. */
async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    const { message } = error as Error;
    if (/not supported|unsupported/i.test(message))
      throw new Unreadable(`this is not GeoParquet that can be read: ${message}`);
    throw damaged('its footer or a page cannot be read');
  }
}

const isGeometry = ({ logical_type: type }: SchemaElement): boolean =>
  type?.type === 'GEOMETRY' || type?.type === 'GEOGRAPHY';

function geometryIn(metadata: FileMetaData, { geometry: named }: ReadOptions): Geometry {
  const said = metadata.key_value_metadata?.find(({ key }) => key === 'geo')?.value;
  const known = metadata.schema.filter(isGeometry).map(({ name }) => name);
  if (said === undefined && known.length === 0) {
    throw new Unreadable('this Parquet file has no geometry: it is not GeoParquet');
  }
  const geo = said === undefined ? null : (JSON.parse(said) as Geo);
  const column = named ?? (geo === null ? defined(known[0]) : (geo.primary_column ?? 'geometry'));
  if (geo === null && named === undefined && known.length > 1) {
    throw new Unreadable(
      `it has ${known.length} columns with geometry; choose one with --geometry: ${known.join(', ')}`,
    );
  }
  const element = metadata.schema.find(({ name }) => name === column);
  if (!element && named !== undefined) {
    throw new Unreadable(`it has no column "${named}"; columns with geometry are ${known.join(', ')}`);
  }
  if (!element) throw new Unreadable(`there is no column ${column}, which is to have its geometry`);
  if (!isGeometry(element)) {
    throw new Unreadable(`its column ${column} is not well-known binary: write it with that encoding`);
  }
  const { crs, covering } = geo?.columns?.[column] ?? {};
  const system = geo?.columns?.[column] ? systemOf(crs) : ownSystem(element, metadata);
  return { column, box: covering?.bbox?.xmin?.[0], system };
}

/** The system of GeoParquet: absent is OGC:CRS84, null is unknown. */
function systemOf(crs: unknown): ReferenceSystem | null {
  if (crs === undefined || crs === null) return null;
  const { authority, code } =
    (Object(crs) as { readonly id?: { readonly authority?: unknown; readonly code?: unknown } }).id ?? {};
  const epsg = String(authority).toUpperCase() === 'EPSG' && Number.isInteger(Number(code)) ? Number(code) : null;
  return { ...(epsg !== null && { epsg }), projjson: crs };
}

/** The system of Parquet's own types of geometry: `OGC:CRS84`, `srid:25832`, or `projjson:` and a key of the file. */
function ownSystem({ logical_type: type }: SchemaElement, { key_value_metadata: values }: FileMetaData) {
  const crs = type?.type === 'GEOMETRY' || type?.type === 'GEOGRAPHY' ? type.crs : undefined;
  if (!crs) return null;
  const [, kind, rest = ''] = /^(srid|projjson):(.*)$/s.exec(crs) ?? [];
  if (kind === 'srid') return { epsg: Number(rest) };
  const json = kind === 'projjson' ? values?.find(({ key }) => key === rest)?.value : crs;
  if (json === undefined) return { name: crs };
  return json.trimStart().startsWith('{') ? { projjson: JSON.parse(json) as unknown } : { name: json };
}

async function* featuresOf(
  file: ArrayBuffer,
  metadata: FileMetaData,
  { column, box }: Geometry,
  tally: Tally,
): AsyncGenerator<ReadFeature> {
  // Decoded one by one: positions take several times the memory of their bytes.
  const asBytes = (bytes: Uint8Array | undefined): unknown => bytes;
  const parsers = { geometryFromBytes: asBytes, geographyFromBytes: asBytes };
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    const reading = { file, metadata, parsers, rowStart, rowEnd, compressors: CODECS };
    const rows = await readable(() => parquetReadObjects(reading) as Promise<Record<string, unknown>[]>);
    for (const [i, row] of rows.entries()) {
      const properties: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(row)) {
        if (name !== column && name !== box) properties[name] = plain(value ?? null, name, tally.changed);
      }
      const { id, name } = properties;
      yield {
        id: typeof id === 'string' || typeof id === 'number' ? String(id) : null,
        name: typeof name === 'string' ? name : null,
        properties,
        polygons: areaOf(row[column], rowStart + i + 1, tally),
      };
    }
    rowStart = rowEnd;
  }
}

/** The polygons of the geometry of a row. */
function areaOf(bytes: unknown, row: number, tally: Tally): PolygonRings[] {
  if (bytes === null || bytes === undefined) return [];
  if (!(bytes instanceof Uint8Array)) throw damaged(`the geometry of row ${row} is not bytes`);
  try {
    const { polygons, end } = readWkb(bytes, tally);
    if (end === bytes.byteLength) return polygons;
  } catch (error) {
    if (error instanceof Unreadable) throw new Unreadable(`row ${row}: ${error.message}`);
    if (!(error instanceof RangeError)) throw error;
  }
  throw damaged(`the geometry of row ${row} ends before or after its bytes do`);
}

/** A value as JSON. */
function plain(value: unknown, column: string, changed: ChangedColumns | undefined): unknown {
  if (typeof value === 'bigint') {
    if (BigInt.asIntN(54, value) === value) return Number(value);
    changed?.add('integers', column);
    return String(value);
  }
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new Unreadable(`its column ${column} has a date beyond all calendars`);
    changed?.add('dates', column);
    return value.toISOString();
  }
  if (value instanceof Uint8Array) {
    changed?.add('bytes', column);
    return Buffer.from(value).toString('base64');
  }
  if (Array.isArray(value)) return value.map((one) => plain(one, column, changed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one, column, changed)]));
}

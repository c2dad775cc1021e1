import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import wkx from 'wkx';
import { polygonsOf } from './geojson.ts';
import { type ReadDocument, type ReadFeature, Unreadable } from './model.ts';
import { checkPages, wkbEnd } from './parquet_pages.ts';
import { damaged } from './thrift.ts';

interface Geo {
  readonly primary_column?: string;
  readonly columns?: Readonly<Record<string, { crs?: unknown; covering?: { bbox?: { xmin?: readonly string[] } } }>>;
}

/**
 * Reads GeoParquet (geoparquet.org) in degrees, with WKB geometry, and pages compressed with snappy or uncompressed.
 * @throws Unreadable
 */
export async function readGeoparquet(bytes: Uint8Array): Promise<ReadDocument> {
  const file = new Uint8Array(bytes).buffer;
  if (Buffer.from(bytes.subarray(-4)).toString('latin1') !== 'PAR1') {
    throw new Unreadable('it does not end as a Parquet file does: it is cut off, or something else');
  }
  let rows: Record<string, unknown>[];
  let geo: Geo;
  try {
    const metadata = parquetMetadata(file);
    const said = metadata.key_value_metadata?.find(({ key }) => key === 'geo')?.value;
    if (said === undefined) throw new Unreadable('this Parquet file has no geometry: it is not GeoParquet');
    geo = JSON.parse(said) as Geo;
    const column = metadata.schema.find(({ name }) => name === primaryOf(geo));
    if (!column) throw new Unreadable(`there is no column ${primaryOf(geo)}, which is to have its geometry`);
    if (column.logical_type?.type !== 'GEOMETRY' && column.logical_type?.type !== 'GEOGRAPHY') {
      throw new Unreadable(`its column ${primaryOf(geo)} is not well-known binary: write it with that encoding`);
    }
    checkPages(file, metadata);
    const parsers = { geometryFromBytes: geometryOf, geographyFromBytes: geometryOf };
    rows = (await parquetReadObjects({ file, metadata, parsers })) as Record<string, unknown>[];
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    const { message } = error as Error;
    if (/not supported|unsupported/i.test(message))
      throw new Unreadable(`this is not GeoParquet that can be read: ${message}`);
    throw damaged('its footer or a page cannot be read');
  }
  const primary = primaryOf(geo);
  const { crs, covering } = geo.columns?.[primary] ?? {};
  const code = JSON.stringify((crs as { id?: unknown } | null | undefined)?.id ?? null);
  if (crs !== undefined && crs !== null && !/CRS84|4326/.test(code)) {
    throw new Unreadable('its coordinates are not in degrees of WGS 84: convert it first (ogr2ogr -t_srs EPSG:4326)');
  }
  const box = covering?.bbox?.xmin?.[0];
  const counts = { left: 0 };
  const features = rows.map((row): ReadFeature => {
    const properties: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(row)) {
      if (name !== primary && name !== box && value !== null && value !== undefined)
        properties[name] = plain(value, name);
    }
    const { id, name } = properties;
    return {
      id: typeof id === 'string' || typeof id === 'number' ? String(id) : null,
      name: typeof name === 'string' ? name : null,
      properties,
      polygons: polygonsOf(row[primary], counts),
    };
  });
  return { name: null, features, left: counts.left };
}

const primaryOf = (geo: Geo): string => geo.primary_column ?? 'geometry';

/**
 * Well-known binary as GeoJSON. The library that parses it stops where its counts end, even before the end of the
 * bytes, so the length is checked first.
 */
function geometryOf(bytes: Uint8Array | undefined): unknown {
  if (!bytes) return bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (wkbEnd(view) !== bytes.byteLength) throw damaged('a geometry ends before its bytes do');
  return wkx.Geometry.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).toGeoJSON();
}

/** A value as JSON. */
function plain(value: unknown, column: string): unknown {
  if (typeof value === 'bigint') return BigInt.asIntN(54, value) === value ? Number(value) : String(value);
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new Unreadable(`its column ${column} has a date beyond all calendars`);
    return value.toISOString();
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map((one) => plain(one, column));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one, column)]));
}

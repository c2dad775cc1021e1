import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { polygonsOf } from './geojson.ts';
import { type ReadDocument, type ReadFeature, Unreadable } from './model.ts';

interface Geo {
  readonly primary_column?: string;
  readonly columns?: Readonly<Record<string, { crs?: unknown; covering?: { bbox?: { xmin?: readonly string[] } } }>>;
}

/** GeoParquet (geoparquet.org) in degrees, its geometry as WKB; pages compressed with snappy or not at all. Throws Unreadable. */
export async function readGeoparquet(bytes: Uint8Array): Promise<ReadDocument> {
  const file = new Uint8Array(bytes).buffer;
  let rows: Record<string, unknown>[];
  let geo: Geo;
  try {
    const metadata = parquetMetadata(file);
    const said = metadata.key_value_metadata?.find(({ key }) => key === 'geo')?.value;
    if (said === undefined) throw new Unreadable('this Parquet file has no geometry: it is not GeoParquet');
    geo = JSON.parse(said) as Geo;
    rows = (await parquetReadObjects({ file, metadata })) as Record<string, unknown>[];
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(`this is not GeoParquet: ${(error as Error).message}`);
  }
  const primary = geo.primary_column ?? 'geometry';
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
      if (name !== primary && name !== box && value !== null && value !== undefined) properties[name] = plain(value);
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

/** A value as JSON has it. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return BigInt.asIntN(54, value) === value ? Number(value) : String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return value;
}

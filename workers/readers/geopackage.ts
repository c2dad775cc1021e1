import wkx from 'wkx';
import { polygonsOf } from './geojson.ts';
import { type PolygonRings, type ReadDocument, type ReadFeature, Unreadable } from './model.ts';
import { SqliteReader, type SqliteValue } from './sqlite.ts';

/** The number of doubles in the envelope before a geometry, by the code in its flags. */
const BOX_DOUBLES = [0, 4, 6, 6, 8];

/**
 * Reads a GeoPackage (OGC 12-128r18): the areas of all its feature tables, in degrees of WGS 84.
 * @throws Unreadable
 */
export function readGeopackage(bytes: Uint8Array): ReadDocument {
  try {
    const file = new SqliteReader(bytes);
    const systems = new Map([...file.table('gpkg_spatial_ref_sys')].map((row) => [row.srs_id, row]));
    const tables = [...file.table('gpkg_geometry_columns')];
    if (tables.length === 0) throw new Unreadable('it has no table of features: this is not a GeoPackage');
    const features: ReadFeature[] = [];
    const counts = { left: 0 };
    for (const { table_name: table, column_name: column, srs_id: srs } of tables) {
      if (Number(systems.get(srs)?.organization_coordsys_id ?? srs) !== 4326) {
        throw new Unreadable(
          `the table ${table} is not in degrees of WGS 84: convert it first (ogr2ogr -t_srs EPSG:4326)`,
        );
      }
      for (const row of file.table(String(table))) features.push(featureOf(row, String(column), counts));
    }
    const name = tables.length === 1 ? String(tables[0].table_name) : null;
    return { name, features, left: counts.left };
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable('the file is cut off or damaged');
    throw error;
  }
}

function featureOf(row: Record<string, SqliteValue>, column: string, counts: { left: number }): ReadFeature {
  const properties: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (name !== column && name !== 'fid' && value !== null) properties[name] = plain(value);
  }
  const { id, name } = properties;
  return {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : null,
    name: typeof name === 'string' ? name : null,
    properties,
    polygons: areaOf(row[column] ?? null, counts),
  };
}

function plain(value: SqliteValue): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

/** The polygons of a GeoPackage geometry: a header with an envelope, then well-known binary. */
function areaOf(blob: SqliteValue, counts: { left: number }): PolygonRings[] {
  if (blob === null) return [];
  if (!(blob instanceof Uint8Array) || blob[0] !== 0x47 || blob[1] !== 0x50) {
    throw new Unreadable('a geometry is not one of a GeoPackage');
  }
  const doubles = BOX_DOUBLES[(blob[3] >> 1) & 7];
  if (doubles === undefined || blob[3] & 0x20) throw new Unreadable('a geometry is of an extension');
  const wkb = blob.subarray(8 + 8 * doubles);
  try {
    return polygonsOf(wkx.Geometry.parse(Buffer.from(wkb)).toGeoJSON(), counts);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(`a geometry is not well-known binary: ${(error as Error).message}`);
  }
}

import {
  ChangedColumns,
  type OpenedDocument,
  type PolygonRings,
  quoted,
  type ReadFeature,
  type ReadOptions,
  type ReferenceSystem,
  type Tally,
  Unreadable,
} from '../reading/document.ts';
import { chooseLayer } from '../reading/layers.ts';
import { polygonsOfWkb } from '../reading/wkb.ts';
import { SqliteReader, type SqliteValue } from './sqlite_read.ts';

/** The number of doubles in the envelope before a geometry, by the code in its flags. */
const BOX_DOUBLES = [0, 4, 6, 6, 8];

interface Layer {
  /** That of the geometry. */
  readonly column: string;
  readonly rowNumbers: boolean;
  readonly tally: Tally;
}

/** Types of layers that have no areas. */
const NO_AREAS = /^(?:MULTI)?(?:POINT|LINESTRING|CURVE)$/i;

/**
 * Reads a GeoPackage (OGC 12-128r18): the areas of its layer, or of the one that `layer` names. Layers of points and
 * lines alone are not asked for.
 * @throws Unreadable
 */
export function readGeopackage(bytes: Uint8Array, { layer, rowNumbers = false }: ReadOptions = {}): OpenedDocument {
  try {
    const file = new SqliteReader(bytes);
    const tables = [...file.table('gpkg_geometry_columns')].map(
      ({ table_name: name, column_name: column, srs_id: srs, geometry_type_name: type }) => ({
        name: String(name),
        column: String(column),
        srs: srs ?? null,
        type: String(type),
      }),
    );
    if (tables.length === 0) throw new Unreadable('it has no layer of areas, only tables without geometry or tiles');
    const areas = tables.filter(({ type }) => !NO_AREAS.test(type));
    const among = areas.length === 0 ? tables : areas;
    const known = layer === undefined ? among : tables;
    const chosen = chooseLayer(
      known.map(({ name }) => name),
      layer,
    );
    const table = tables.find(({ name }) => name === chosen) as (typeof tables)[number];
    const tally: Tally = { left: 0, changed: new ChangedColumns() };
    const others = layer === undefined ? tables.filter((one) => one !== table) : [];
    for (const { name } of others) for (const _ of file.table(name)) tally.left++;
    const { name, column, srs } = table;
    if (!file.has(name)) {
      throw new Unreadable(
        `its layer ${quoted(name)} is a view, which is not read: make a table of it, or a file (ogr2ogr)`,
      );
    }
    if (!areas.includes(table)) {
      for (const _ of file.table(name)) tally.left++;
      return { name, system: null, features: [], tally };
    }
    return {
      name,
      system: systemOf(file, srs),
      features: featuresOf(file, name, { column, rowNumbers, tally }),
      tally,
    };
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable('the file is cut off or damaged');
    throw error;
  }
}

/** The reference system of a layer, which -1 and 0 leave undefined. */
function systemOf(file: SqliteReader, srs: SqliteValue): ReferenceSystem | null {
  if (Number(srs) <= 0) return { name: 'undefined' };
  const row = [...file.table('gpkg_spatial_ref_sys')].find(({ srs_id: id }) => id === srs);
  const { organization, organization_coordsys_id: code, definition: wkt } = row ?? {};
  const own = typeof wkt === 'string' && wkt !== 'undefined' ? { wkt } : {};
  const isEpsg = row === undefined || String(organization).toUpperCase() === 'EPSG';
  return isEpsg ? { epsg: Number(code ?? srs), ...own } : { name: `${organization}:${code}`, ...own };
}

function* featuresOf(file: SqliteReader, table: string, about: Layer): Generator<ReadFeature> {
  let number = 1;
  try {
    const types = file.types(table);
    for (const row of file.table(table)) {
      number++;
      yield featureOf(row, types, about);
    }
  } catch (error) {
    if (error instanceof Unreadable) throw new Unreadable(`row ${number}: ${error.message}`);
    if (error instanceof RangeError) throw new Unreadable('the file is cut off or damaged');
    throw error;
  }
}

/** `types`: the declared types of the columns. */
function featureOf(
  row: Record<string, SqliteValue>,
  types: ReadonlyMap<string, string>,
  { column, rowNumbers, tally }: Layer,
): ReadFeature {
  const properties: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (name === column || (name === 'fid' && !rowNumbers)) continue;
    const type = types.get(name) ?? '';
    properties[name] = type === 'BOOLEAN' && (value === 0 || value === 1) ? value === 1 : plain(value);
    if (typeof value === 'bigint') tally.changed?.add('integers', name);
    if (value instanceof Uint8Array) tally.changed?.add('bytes', name);
    if (value !== null && /^DATE/.test(type)) tally.changed?.add('dates', name);
  }
  const { id, name } = properties;
  return {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : null,
    name: typeof name === 'string' ? name : null,
    properties,
    polygons: areaOf(row[column] ?? null, tally),
  };
}

function plain(value: SqliteValue): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

/** The polygons of a GeoPackage geometry: a header with an envelope, then well-known binary. */
function areaOf(blob: SqliteValue, tally: Tally): PolygonRings[] {
  if (blob === null) return [];
  if (!(blob instanceof Uint8Array) || blob[0] !== 0x47 || blob[1] !== 0x50) {
    throw new Unreadable('a geometry is not one of a GeoPackage');
  }
  const flags = blob[3] ?? 0;
  const doubles = BOX_DOUBLES[(flags >> 1) & 7];
  if (doubles === undefined || flags & 0x20) throw new Unreadable('a geometry is of an extension');
  return polygonsOfWkb(blob.subarray(8 + 8 * doubles), tally);
}

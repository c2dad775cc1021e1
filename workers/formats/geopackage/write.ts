import type { Polygons } from '../../contract.ts';
import { defined } from '../../defined.ts';
import { putWkb, wkbLength } from '../../wkb.ts';
import { cutText, uniqueNames } from '../column_names.ts';
import type { CollectionWriter, Column, Feature } from '../types.ts';
import { Boxes } from '../writing/hilbert.ts';
import { Spool, type SpoolLimits } from '../writing/spool.ts';
import { COLUMN_NAMES } from './names.ts';
import { writeRtree } from './rtree.ts';
import { encodeRecord, type Value } from './sqlite_record.ts';
import { type SchemaEntry, SqliteFile } from './sqlite_write.ts';

const SCALE = 1e7;
const TYPES = { string: 'TEXT', integer: 'INTEGER', number: 'REAL', boolean: 'BOOLEAN' } as const;

/** "GPKG", and version 1.2. */
const APPLICATION_ID = 0x47504b47;
const USER_VERSION = 10_200;

const KEY = 'fid';
const GEOMETRY = 'geom';

/**
 * Maximum bytes of a table's name and of its identifier (the name shown to people), so that their indexes fit on one
 * page.
 */
const TABLE_NAME_BYTES = 120;
const IDENTIFIER_BYTES = 600;

const WGS84 =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]';

const REFERENCE_SYSTEMS: readonly (readonly Value[])[] = [
  ['Undefined Cartesian SRS', -1n, 'NONE', -1n, 'undefined', 'undefined Cartesian coordinate reference system'],
  ['Undefined geographic SRS', 0n, 'NONE', 0n, 'undefined', 'undefined geographic coordinate reference system'],
  ['WGS 84 geodetic', 4326n, 'EPSG', 4326n, WGS84, 'longitude/latitude coordinates in decimal degrees on WGS 84'],
];

/**
 * Writes a GeoPackage 1.2 (geopackage.org) with one table of MultiPolygons in EPSG:4326, longitude first, and its
 * spatial index (the extension gpkg_rtree_index). Rows are in the order of the features, numbered from 1. The table has
 * the name of the collection without punctuation. A column whose name is taken (by another column, `fid` or `geom`)
 * gets a number.
 *
 * The first page of the file stores where its tables begin, so the other pages wait in a spool. Memory: at most 16 MB
 * of pages, the largest feature, and about 60 bytes per feature.
 * @param options `date` is when the contents last changed; default now
 * @throws TooLarge beyond `maxBytes`
 */
export async function* writeGeopackage(
  features: AsyncIterable<Feature>,
  columns: readonly Column[],
  options: Parameters<CollectionWriter>[2] & SpoolLimits & { readonly date?: Date },
): AsyncGenerator<Uint8Array> {
  const spool = new Spool(options);
  try {
    const file = new SqliteFile(spool);
    const boxes = new Boxes();
    const rows = file.table();
    for await (const feature of features) {
      const polygons = feature.polygons?.polygonEnd.length ? feature.polygons : null;
      boxes.add(polygons);
      const geometry = polygons && geometryBlob(polygons, boxes, boxes.count - 1);
      const values = columns.map(({ type }, i) => sqlValue(defined(feature.values[i]), type));
      await rows.insert(boxes.count, encodeRecord([null, geometry, ...values]));
    }
    const root = await rows.finish();
    yield await finish(file, root, boxes, columns, options);
    yield* spool.chunks();
  } finally {
    await spool.close();
  }
}

function sqlValue(value: Feature['values'][number], type: Column['type']): Value {
  if (value === null) return null;
  if (type === 'string') return String(value);
  // SQLite has no booleans: a column of that type holds 0 and 1.
  return type === 'number' ? Number(value) : BigInt(value);
}

/** A GeoPackage geometry: "GP", version 0, an envelope of west, east, south, north, then WKB; all little-endian. */
function geometryBlob(polygons: Polygons, boxes: Boxes, feature: number): Uint8Array {
  const blob = new Uint8Array(40 + wkbLength(polygons));
  const view = new DataView(blob.buffer);
  blob.set([0x47, 0x50, 0, 0b0000_0011]);
  view.setInt32(4, 4326, true);
  [0, 2, 1, 3].forEach((side, i) => {
    view.setFloat64(8 + 8 * i, boxes.get(feature, side) / SCALE, true);
  });
  putWkb(view, 40, polygons);
  return blob;
}

/** A table name made from the collection's name: letters, digits, spaces, _ and -. */
function tableName(name: string): string {
  const clean = name.replace(/[^\p{L}\p{M}\p{N}_ -]+/gu, '_').trim() || 'boundaries';
  return cutText(/^(sqlite|gpkg|rtree)_/i.test(clean) ? `layer_${clean}` : clean, TABLE_NAME_BYTES);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Writes all tables except that of the features, and returns the first page. */
async function finish(
  file: SqliteFile,
  root: number,
  boxes: Boxes,
  columns: readonly Column[],
  { name, date = new Date() }: { readonly name: string; readonly date?: Date },
): Promise<Uint8Array> {
  const table = tableName(name);
  const identifier = cutText(name, IDENTIFIER_BYTES);
  const index = `rtree_${table}_${GEOMETRY}`;
  const extent = boxes.extent()?.map((side) => side / SCALE) ?? [null, null, null, null];
  const rtree = await writeRtree(file, boxes);
  const names = uniqueNames(
    columns.map((column) => column.name),
    COLUMN_NAMES,
  );
  const fields = columns.map(({ type }, i) => `${quoted(defined(names[i]))} ${TYPES[type]}`);
  const tableOf = async (of: string, sql: string, rows: readonly (readonly Value[])[]): Promise<SchemaEntry> => {
    return { type: 'table', name: of, table: of, root: await file.tableOf(rows), sql };
  };
  /** The index that SQLite creates for the nth unique constraint of a table. */
  const uniqueOf = async (of: string, nth: number, rows: readonly (readonly Value[])[]): Promise<SchemaEntry> => {
    return {
      type: 'index',
      name: `sqlite_autoindex_${of}_${nth}`,
      table: of,
      root: await file.indexOf(rows),
      sql: null,
    };
  };
  const shadow = (suffix: string, of: number, fields: string): SchemaEntry => {
    const full = `${index}_${suffix}`;
    return { type: 'table', name: full, table: full, root: of, sql: `CREATE TABLE ${quoted(full)}(${fields})` };
  };
  const extension = [table, GEOMETRY, 'gpkg_rtree_index'];
  const schema: SchemaEntry[] = [
    {
      type: 'table',
      name: 'gpkg_spatial_ref_sys',
      table: 'gpkg_spatial_ref_sys',
      root: await referenceSystems(file),
      sql: 'CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL,srs_id INTEGER NOT NULL PRIMARY KEY,organization TEXT NOT NULL,organization_coordsys_id INTEGER NOT NULL,definition  TEXT NOT NULL,description TEXT)',
    },
    await tableOf(
      'gpkg_contents',
      "CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY,data_type TEXT NOT NULL,identifier TEXT UNIQUE,description TEXT DEFAULT '',last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),min_x DOUBLE, min_y DOUBLE,max_x DOUBLE, max_y DOUBLE,srs_id INTEGER,CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id))",
      [[table, 'features', identifier, '', date.toISOString(), ...extent, 4326n]],
    ),
    await uniqueOf('gpkg_contents', 1, [[table, 1n]]),
    await uniqueOf('gpkg_contents', 2, [[identifier, 1n]]),
    await tableOf(
      'gpkg_geometry_columns',
      'CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL,column_name TEXT NOT NULL,geometry_type_name TEXT NOT NULL,srs_id INTEGER NOT NULL,z TINYINT NOT NULL,m TINYINT NOT NULL,CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),CONSTRAINT uk_gc_table_name UNIQUE (table_name),CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id))',
      [[table, GEOMETRY, 'MULTIPOLYGON', 4326n, 0n, 0n]],
    ),
    await uniqueOf('gpkg_geometry_columns', 1, [[table, GEOMETRY, 1n]]),
    await uniqueOf('gpkg_geometry_columns', 2, [[table, 1n]]),
    await tableOf(
      'gpkg_extensions',
      'CREATE TABLE gpkg_extensions (table_name TEXT,column_name TEXT,extension_name TEXT NOT NULL,definition TEXT NOT NULL,scope TEXT NOT NULL,CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name))',
      [[...extension, 'http://www.geopackage.org/spec120/#extension_rtree', 'write-only']],
    ),
    await uniqueOf('gpkg_extensions', 1, [[...extension, 1n]]),
    {
      type: 'table',
      name: table,
      table,
      root,
      sql: `CREATE TABLE ${quoted(table)} (${[`"${KEY}" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL`, `"${GEOMETRY}" MULTIPOLYGON`, ...fields].join(', ')})`,
    },
    await tableOf('sqlite_sequence', 'CREATE TABLE sqlite_sequence(name,seq)', [[table, BigInt(boxes.count)]]),
    {
      type: 'table',
      name: index,
      table: index,
      root: 0,
      sql: `CREATE VIRTUAL TABLE ${quoted(index)} USING rtree(id, minx, maxx, miny, maxy)`,
    },
    shadow('rowid', rtree.rowid, 'rowid INTEGER PRIMARY KEY,nodeno'),
    shadow('node', rtree.node, 'nodeno INTEGER PRIMARY KEY,data'),
    shadow('parent', rtree.parent, 'nodeno INTEGER PRIMARY KEY,parentnode'),
    ...triggers(table, index),
  ];
  return await file.finish(schema, APPLICATION_ID, USER_VERSION);
}

/** The reference systems; their numbers are the row numbers. */
async function referenceSystems(file: SqliteFile): Promise<number> {
  const table = file.table();
  for (const row of REFERENCE_SYSTEMS) {
    await table.insert(Number(row[1]), encodeRecord(row.map((value, i) => (i === 1 ? null : value))));
  }
  return await table.finish();
}

/** The extension's triggers, with which programs that edit the table keep its index correct. */
function triggers(table: string, index: string): SchemaEntry[] {
  const of = quoted(table);
  const into = quoted(index);
  const filled = 'NEW."geom" NOT NULL AND NOT ST_IsEmpty(NEW."geom")';
  const empty = 'NEW."geom" ISNULL OR ST_IsEmpty(NEW."geom")';
  const put = `INSERT OR REPLACE INTO ${into} VALUES (NEW."fid",ST_MinX(NEW."geom"), ST_MaxX(NEW."geom"),ST_MinY(NEW."geom"), ST_MaxY(NEW."geom"));`;
  const drop = `DELETE FROM ${into} WHERE id = OLD."fid";`;
  const bodies = {
    insert: `AFTER INSERT ON ${of} WHEN (${filled}) BEGIN ${put} END`,
    update1: `AFTER UPDATE OF "geom" ON ${of} WHEN OLD."fid" = NEW."fid" AND (${filled}) BEGIN ${put} END`,
    update2: `AFTER UPDATE OF "geom" ON ${of} WHEN OLD."fid" = NEW."fid" AND (${empty}) BEGIN ${drop} END`,
    update3: `AFTER UPDATE ON ${of} WHEN OLD."fid" != NEW."fid" AND (${filled}) BEGIN ${drop} ${put} END`,
    update4: `AFTER UPDATE ON ${of} WHEN OLD."fid" != NEW."fid" AND (${empty}) BEGIN DELETE FROM ${into} WHERE id IN (OLD."fid", NEW."fid"); END`,
    delete: `AFTER DELETE ON ${of} WHEN OLD."geom" NOT NULL BEGIN ${drop} END`,
  };
  return Object.entries(bodies).map(([suffix, body]) => {
    const name = `${index}_${suffix}`;
    return { type: 'trigger', name, table, root: 0, sql: `CREATE TRIGGER ${quoted(name)} ${body}` };
  });
}

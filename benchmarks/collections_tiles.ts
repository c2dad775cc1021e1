/** Compares a PMTiles archive of a collection with the tiles that PostGIS computes for it. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type pg from 'pg';
import { PMTiles } from 'pmtiles';
import { type Decoded, decodeTile, doubleArea } from '../test/tiles/decode.ts';

/** Grid units along one side of a tile. */
const EXTENT = 4096;
/**
 * Largest allowed distance of a border from its true position, in grid units: half a diagonal where vertices are
 * snapped to the grid, plus half a unit at each end where the sides of the tile cut it, 1.71 in all. Between vertices
 * inside the tile it is 0.71.
 */
const MOST_OFF = 1.75;
/** Half the width of the world in meters, in EPSG:3857. */
const HALF_WORLD = Math.PI * 6_378_137;
const ROWS = 2_000;
/** Names of attributes that differ in tiles. */
const OWN_NAMES: Readonly<Record<string, string>> = { admin_level: 'level' };

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The expected attributes of each boundary by id, as text; '' for those it does not have. */
export type KnownValues = ReadonlyMap<string, { readonly values: Readonly<Record<string, string>> }>;

function opened(file: FileHandle): PMTiles {
  return new PMTiles({
    getKey: () => 'file',
    async getBytes(offset, length) {
      const bytes = new Uint8Array(length);
      const { bytesRead } = await file.read(bytes, 0, length, offset);
      return { data: bytes.buffer.slice(0, bytesRead) };
    },
  });
}

/** Inserts rows into a temporary table in batches, with `insert`, a statement that takes an array of JSON texts. */
class Rows {
  private some: string[] = [];
  private readonly client: pg.Client;
  private readonly insert: string;

  constructor(client: pg.Client, insert: string) {
    this.client = client;
    this.insert = insert;
  }

  async put(row: object): Promise<void> {
    if (this.some.push(JSON.stringify(row)) === ROWS) await this.end();
  }

  async end(): Promise<void> {
    await this.client.query(this.insert, [this.some]);
    this.some = [];
  }
}

/** The polygons of a tile feature, on the grid of the whole world. */
function polygonsOf({ parts }: Decoded, { x, y }: Place): [number, number][][][] {
  const polygons: [number, number][][][] = [];
  for (const part of parts) {
    const ring = part.map((at): [number, number] => [at.x + EXTENT * x, at.y + EXTENT * y]);
    if (doubleArea(part) > 0) polygons.push([ring]);
    else polygons.at(-1)?.push(ring);
  }
  return polygons;
}

/** Loads the areas of a GeoJSON lines file into a temporary table `area`, on the grid of the whole world at a zoom. */
async function loadAreas(client: pg.Client, lines: string, zoom: number): Promise<void> {
  await client.query('create temp table area (id text, geom geometry)');
  const scale = (EXTENT * 2 ** zoom) / (2 * HALF_WORLD);
  const middle = (EXTENT * 2 ** zoom) / 2;
  const rows = new Rows(
    client,
    `insert into area
     select one ->> 'id', st_setsrid(st_affine(st_transform(st_geomfromgeojson(one -> 'geometry'), 3857),
                                               ${scale}, 0, 0, ${-scale}, ${middle}, ${middle}), 0)
     from unnest($1::json[]) one`,
  );
  for await (const line of createInterface({ input: createReadStream(lines) })) {
    const { properties, geometry } = JSON.parse(line);
    if (geometry !== null) await rows.put({ id: properties.id, geometry });
  }
  await rows.end();
}

function requireSame(where: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`pmtiles: ${where}: ${String(found)} instead of ${String(wanted)}`);
}

/**
 * Decodes all tiles of the last zoom into a temporary table `drawn`, and compares attributes and labels. Returns the
 * number of tiles.
 */
async function loadTiles(client: pg.Client, archive: PMTiles, known: KnownValues): Promise<number> {
  await client.query('create temp table drawn (id text, x integer, y integer, geom geometry)');
  const rows = new Rows(
    client,
    `insert into drawn
     select one ->> 'id', (one ->> 'x')::integer, (one ->> 'y')::integer,
            st_setsrid(st_geomfromgeojson(one -> 'geometry'), 0)
     from unnest($1::json[]) one`,
  );
  const { maxZoom } = await archive.getHeader();
  const { rows: places } = await client.query<Place>(
    `select distinct x, y from area, ${tilesOf('area.geom')} where st_intersects(area.geom, tile)`,
  );
  const labels = new Set<unknown>();
  let tiles = 0;
  for (const { x, y } of places) {
    const found = await archive.getZxy(maxZoom, x, y);
    if (!found) continue;
    tiles++;
    const layers = decodeTile(new Uint8Array(found.data));
    for (const feature of layers.areas ?? []) {
      const id = String(feature.properties.id);
      const one = known.get(id);
      if (!one) throw new Error(`pmtiles: ${id} was not asked for`);
      for (const [name, value] of Object.entries(one.values)) {
        requireSame(`${name} of ${id}`, String(feature.properties[OWN_NAMES[name] ?? name] ?? ''), value);
      }
      const geometry = { type: 'MultiPolygon', coordinates: polygonsOf(feature, { x, y }) };
      await rows.put({ id, x, y, geometry });
    }
    for (const { properties } of layers.labels ?? []) {
      requireSame(`label of ${properties.id} twice`, labels.has(properties.id), false);
      labels.add(properties.id);
    }
  }
  await rows.end();
  requireSame('labels', labels.size, known.size);
  const { rows: invalid } = await client.query<{ id: string; reason: string }>(
    'select id, st_isvalidreason(geom) reason from drawn where not st_isvalid(geom)',
  );
  requireSame('invalid areas', invalid.length, 0);
  return tiles;
}

/** SQL for the tiles that intersect the box of a geometry: their x and y, and the polygon `tile` of each. */
const tilesOf = (geom: string): string => `
  generate_series(floor(st_xmin(${geom}) / ${EXTENT})::integer, floor(st_xmax(${geom}) / ${EXTENT})::integer) x,
  generate_series(floor(st_ymin(${geom}) / ${EXTENT})::integer, floor(st_ymax(${geom}) / ${EXTENT})::integer) y,
  st_makeenvelope(${EXTENT} * x, ${EXTENT} * y, ${EXTENT} * (x + 1), ${EXTENT} * (y + 1)) tile`;

/**
 * Compares the last zoom of an archive with a GeoJSON lines file of the same boundaries at the same tolerance. Points
 * of an area more than MOST_OFF from its borders must be in its tile, and points that a tile shows further than that
 * from its borders must be in the area. So every area is in all of its tiles, and its borders are in the right place.
 * Attributes must equal `known`, and each area must have one label.
 * @returns a sentence with counts
 * @throws Error at the first difference
 */
export async function compareTiles(
  client: pg.Client,
  paths: { readonly archive: string; readonly lines: string },
  known: KnownValues,
): Promise<string> {
  const file = await open(paths.archive);
  try {
    const archive = opened(file);
    const { maxZoom } = await archive.getHeader();
    await loadAreas(client, paths.lines, maxZoom);
    const tiles = await loadTiles(client, archive, known);
    await client.query('create index on drawn (id, x, y)');
    await client.query('analyze drawn');
    const { rows } = await client.query<{ id: string; x: number; y: number; same: boolean }>(
      `with cut as (
         select id, x, y, st_intersection(geom, tile) as geom
         from area, ${tilesOf('geom')} where st_intersects(geom, tile)
       ), shown as (
         select id, x, y, st_intersection(geom, st_makeenvelope(${EXTENT} * x, ${EXTENT} * y,
                                                                ${EXTENT} * (x + 1), ${EXTENT} * (y + 1))) as geom
         from drawn
       ), pair as (
         select id, x, y, coalesce(cut.geom, 'polygon empty') as wanted, coalesce(shown.geom, 'polygon empty') as found,
                st_buffer(coalesce(cut.geom, 'polygon empty'), ${-MOST_OFF}) as inside_wanted,
                st_buffer(coalesce(shown.geom, 'polygon empty'), ${-MOST_OFF}) as inside_found
         from cut full join shown using (id, x, y)
       )
       select id, x, y, (st_isempty(inside_wanted) or st_covers(found, inside_wanted))
                        and (st_isempty(inside_found) or st_covers(wanted, inside_found)) as same
       from pair`,
    );
    const other = rows.find(({ same }) => !same);
    if (other) throw new Error(`pmtiles: ${other.id} differs in ${maxZoom}/${other.x}/${other.y}`);
    requireSame('boundaries', new Set(rows.map(({ id }) => id)).size, known.size);
    return `${rows.length} areas in ${tiles} tiles of zoom ${maxZoom} within ${MOST_OFF} units of the grid`;
  } finally {
    await client.query('drop table if exists area, drawn');
    await file.close();
  }
}

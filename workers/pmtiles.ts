/**
 * A collection as a PMTiles archive: vector tiles of its areas, from zoom 0 to the zoom whose tolerance is that of the
 * collection. All areas are in memory, at one level; tiles wait in a spool until the directory in front of them is known.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Polygons } from './contract.ts';
import { type Bounds, Spool } from './formats/collection/spool.ts';
import { type CollectionWriter, type Column, type Feature, WriterRefuses } from './formats/collection/types.ts';
import { AreaLayers, type Attributes, featureNumber } from './formats/tile/layers.ts';
import { type Entry, frontOf, tileId } from './formats/tile/pmtiles.ts';
import { columnOf, rowOf } from './kernels/mercator.ts';
import { PolygonTile } from './kernels/tile_polygons.ts';
import { EXTENT, type TilePlace } from './kernels/tile_ring.ts';

/** Vertices of all areas together: 128 MB. */
const MOST_VERTICES = 16_000_000;
/** Tiles of one archive: their places take about 100 MB, and more would take hours. */
const MOST_TILES = 1_000_000;
/** Labels of one tile; those of the largest come first, the others at the zooms after it. */
const MOST_LABELS = 2_000;
const LAST_ZOOM = 14;
/** At zoom 0 half of a pixel is 2^15 m; each zoom halves it. */
const COARSEST_LEVEL = 15;
/** Vertices of zooms before the last are put on every second line of the grid: a quarter of a pixel. */
const CELL = 2;
/** Of boundaries without an admin_level. */
const WITHOUT_LEVEL = 13;
const DEGREE = 1e7;
const LAST_LATITUDE = 85.0511;

/** What an archive is made with, beside what every format is given. */
export interface ArchiveOptions {
  /** Of the areas: FULL or 0 … 15. */
  readonly level: number;
  readonly attribution: string;
}

/** An area, as far as it reaches into the tiles at hand. */
interface Area {
  readonly polygons: Polygons | null;
  readonly about: About;
}

/** What tiles say of an area. */
interface About {
  readonly number: number | null;
  readonly attributes: Attributes;
  readonly level: number | null;
  readonly rank: number;
  /** 1e-7 degrees. */
  readonly label: readonly [number, number] | null;
}

/** The zoom whose tolerance a level has. */
export function lastZoomOf(level: number): number {
  return Math.max(0, Math.min(LAST_ZOOM, COARSEST_LEVEL - level));
}

/**
 * Writes a collection as a PMTiles archive. In memory are all areas (at most 128 MB), and about 100 bytes for each tile.
 * @throws WriterRefuses for more vertices or tiles than that
 */
export async function* writePmtiles(
  features: AsyncIterable<Feature>,
  columns: readonly Column[],
  { name, attribution, level, ...bounds }: Parameters<CollectionWriter>[2] & ArchiveOptions & Bounds,
): AsyncGenerator<Uint8Array> {
  const areas = await areasOf(features, columns);
  const spool = new Spool(bounds);
  try {
    const maxZoom = lastZoomOf(level);
    const tiles = new Tiles(spool);
    await drawFrom({ z: 0, x: 0, y: 0 }, areas, maxZoom, tiles);
    const { entries, pieces, addressed, tileBytes } = tiles.inOrder();
    const metadata = { name, attribution, vector_layers: layersOf(columns, maxZoom) };
    const about = { metadata, maxZoom, bounds: boundsOf(areas), addressed, contents: pieces.length, tileBytes };
    yield frontOf(entries, about);
    yield* spool.gather(pieces);
  } finally {
    await spool.close();
  }
}

/** All areas, those of the lowest admin_level first, then the largest: a border is told by the first that has it. */
async function areasOf(features: AsyncIterable<Feature>, columns: readonly Column[]): Promise<Area[]> {
  const areas: Area[] = [];
  let vertices = 0;
  for await (const { values, polygons } of features) {
    vertices += (polygons?.coords.length ?? 0) / 2;
    if (vertices > MOST_VERTICES) {
      throw new WriterRefuses(
        `The areas have more than ${MOST_VERTICES} vertices, the most of one PMTiles archive: use a lower detail or a larger tolerance_m.`,
      );
    }
    areas.push({ polygons: polygons?.polygonEnd.length ? polygons : null, about: aboutOf(values, columns) });
  }
  return areas.sort((a, b) => a.about.rank - b.about.rank);
}

function aboutOf(values: Feature['values'], columns: readonly Column[]): About {
  const own = new Map(columns.map(({ name }, i) => [name === 'admin_level' ? 'level' : name, values[i]]));
  const number = (name: string): number | null => {
    const value = own.get(name);
    return typeof value === 'number' ? value : null;
  };
  const [lat, lon, level] = [number('lat'), number('lon'), number('level')];
  const size = Math.min(99, Math.floor(10 * Math.log10((number('area_km2') ?? 0) + 1)));
  return {
    number: featureNumber(String(own.get('id') ?? '')),
    attributes: Object.fromEntries(own),
    level,
    rank: 100 * (level ?? WITHOUT_LEVEL) - size,
    label: lat === null || lon === null ? null : [Math.round(lon * DEGREE), Math.round(lat * DEGREE)],
  };
}

/** Draws a tile and all tiles within it. */
async function drawFrom(place: TilePlace, areas: readonly Area[], maxZoom: number, tiles: Tiles): Promise<void> {
  const tile = new PolygonTile(place, place.z === maxZoom ? 1 : CELL);
  const within = cropped(tile, place, areas);
  if (within.length === 0) return;
  await tiles.put(place, draw(tile, place, within));
  if (place.z === maxZoom) return;
  for (const low of [0, 1]) {
    for (const right of [0, 1]) {
      await drawFrom({ z: place.z + 1, x: 2 * place.x + right, y: 2 * place.y + low }, within, maxZoom, tiles);
    }
  }
}

/** What of areas a tile may show. */
function cropped(tile: PolygonTile, place: TilePlace, areas: readonly Area[]): Area[] {
  const within: Area[] = [];
  for (const area of areas) {
    const polygons = area.polygons && tile.crop(area.polygons);
    if (polygons === area.polygons && polygons !== null) within.push(area);
    else if (polygons !== null || labelIn(place, area.about) !== null) within.push({ about: area.about, polygons });
  }
  return within;
}

/** Where the label of an area lies in a tile; null: it does not. */
function labelIn({ z, x, y }: TilePlace, { label }: About): readonly [number, number] | null {
  if (label === null) return null;
  const world = EXTENT * 2 ** z;
  const column = columnOf(label[0], world) - EXTENT * x;
  const row = rowOf(label[1], world) - EXTENT * y;
  return column < 0 || row < 0 || column >= EXTENT || row >= EXTENT ? null : [column, row];
}

function draw(tile: PolygonTile, place: TilePlace, areas: readonly Area[]): Uint8Array {
  const layers = new AreaLayers();
  for (const { polygons, about } of areas) {
    if (polygons === null) continue;
    tile.draw(polygons, {
      ring: (points, count) => layers.ring(points, count),
      line: (_marked, points, count) => layers.line(about.level, null, points, count),
    });
    layers.end(about.number, about.attributes);
  }
  for (const { about } of areas) {
    if (layers.labelled >= MOST_LABELS) break;
    const at = labelIn(place, about);
    if (at === null) continue;
    const { id, name, level, kind, country } = about.attributes;
    layers.label(about.number, { id, name, level, kind, country, rank: about.rank }, at[0], at[1]);
  }
  return layers.finish();
}

/** The tiles of an archive, each content once. */
class Tiles {
  private readonly spool: Spool;
  /** By the hash of their content: where they lie in the spool. */
  private readonly kept = new Map<string, { readonly offset: number; readonly length: number }>();
  private readonly places: { readonly id: number; readonly content: { offset: number; length: number } }[] = [];

  constructor(spool: Spool) {
    this.spool = spool;
  }

  async put({ z, x, y }: TilePlace, bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    if (this.places.length >= MOST_TILES) {
      throw new WriterRefuses(
        `The areas take more than ${MOST_TILES} tiles, the most of one PMTiles archive: use a lower detail or a larger tolerance_m.`,
      );
    }
    const hash = createHash('sha256').update(bytes).digest('base64');
    let content = this.kept.get(hash);
    if (content === undefined) {
      const packed = gzipSync(bytes);
      content = { offset: this.spool.length, length: packed.length };
      await this.spool.append(packed);
      this.kept.set(hash, content);
    }
    this.places.push({ id: tileId(z, x, y), content });
  }

  /** The entries of the directory by their ids, and which parts of the spool follow it in which order. */
  inOrder() {
    const entries: Entry[] = [];
    const pieces: (readonly [offset: number, length: number])[] = [];
    const placed = new Map<number, number>();
    let tileBytes = 0;
    for (const { id, content } of this.places.sort((a, b) => a.id - b.id)) {
      let offset = placed.get(content.offset);
      if (offset === undefined) {
        offset = tileBytes;
        placed.set(content.offset, offset);
        pieces.push([content.offset, content.length]);
        tileBytes += content.length;
      }
      const last = entries.at(-1);
      if (last !== undefined && last.offset === offset && last.id + last.run === id) last.run++;
      else entries.push({ id, run: 1, offset, length: content.length });
    }
    return { entries, pieces, addressed: this.places.length, tileBytes };
  }
}

/** West, south, east and north of all areas in degrees, as far as there are tiles; the world where there is none. */
function boundsOf(areas: readonly Area[]): readonly [number, number, number, number] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { polygons } of areas) {
    for (let i = 0; polygons !== null && i < polygons.coords.length; i += 2) {
      west = Math.min(west, polygons.coords[i]);
      east = Math.max(east, polygons.coords[i]);
      south = Math.min(south, polygons.coords[i + 1]);
      north = Math.max(north, polygons.coords[i + 1]);
    }
  }
  if (west > east) return [-180, -LAST_LATITUDE, 180, LAST_LATITUDE];
  const held = (latitude: number): number => Math.max(-LAST_LATITUDE, Math.min(LAST_LATITUDE, latitude / DEGREE));
  return [west / DEGREE, held(south), east / DEGREE, held(north)];
}

function layersOf(columns: readonly Column[], maxzoom: number): object[] {
  const types = { string: 'String', integer: 'Number', number: 'Number' };
  const fields = Object.fromEntries(
    columns.map(({ name, type }) => [name === 'admin_level' ? 'level' : name, types[type]]),
  );
  const label = { id: 'String', name: 'String', level: 'Number', kind: 'String', country: 'String', rank: 'Number' };
  return [
    { id: 'areas', minzoom: 0, maxzoom, fields },
    { id: 'lines', minzoom: 0, maxzoom, fields: { level: 'Number' } },
    { id: 'labels', minzoom: 0, maxzoom, fields: label },
  ];
}

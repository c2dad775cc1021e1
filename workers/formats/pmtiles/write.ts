/**
 * A collection as a PMTiles archive: vector tiles of its areas, from zoom 0 to the zoom whose tolerance is that of the
 * collection. All areas are in memory, at one level, and are simplified together for the zooms before the last. Tiles
 * wait in a spool until the directory, which precedes them in the file, is known.
 */

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { markPolygons, type Outline } from '../../arcs/sea_outlines.ts';
import { simplifiedTogether } from '../../arcs/simplified_areas.ts';
import { PolygonTile } from '../../arcs/tile_polygons.ts';
import type { TilePlace } from '../../arcs/tile_ring.ts';
import { defined } from '../../defined.ts';
import { type Area, aboutOf, cellOf, cropped, drawAreas, tileName } from '../tile/area_tiles.ts';
import { type Entry, frontOf, tileId } from '../tile/pmtiles.ts';
import { type CollectionWriter, type Column, type Feature, FormatLimitError } from '../types.ts';
import { Spool, type SpoolLimits } from '../writing/spool.ts';

/** Maximum vertices of all areas together: 64 MB, and about 400 MB while their borders are simplified. */
const MOST_VERTICES = 8_000_000;
/** Maximum tiles of one archive: their entries take about 100 MB, and more tiles would take hours. */
const MOST_TILES = 1_000_000;
const LAST_ZOOM = 14;
/** Half a pixel at zoom 0 is 2^15 m; each zoom halves it. */
const COARSEST_LEVEL = 15;
const DEGREE = 1e7;
const LAST_LATITUDE = 85.0511;

/** An area, and the outline by which its lines at sea are marked. */
interface OutlinedArea extends Area {
  readonly outline: Outline | null;
}

/** Options of an archive, besides those of all formats. */
export interface ArchiveOptions {
  /** The level of the areas: FULL or 0 … 15. */
  readonly level: number;
  readonly attribution: string;
}

/** The zoom whose tolerance matches a level, 0 … 14. */
export function lastZoomOf(level: number): number {
  return Math.max(0, Math.min(LAST_ZOOM, COARSEST_LEVEL - level));
}

/**
 * Writes a collection as a PMTiles archive. Memory: all areas (at most 64 MB), about 50 bytes per vertex while borders
 * are simplified, and about 100 bytes per tile.
 * @throws FormatLimitError beyond MOST_VERTICES or MOST_TILES
 */
export async function* writePmtiles(
  features: AsyncIterable<Feature>,
  columns: readonly Column[],
  { name, attribution, level, ...bounds }: Parameters<CollectionWriter>[2] & ArchiveOptions & SpoolLimits,
): AsyncGenerator<Uint8Array> {
  const areas = await areasOf(features, columns);
  const spool = new Spool(bounds);
  try {
    const maxZoom = lastZoomOf(level);
    const tiles = new Tiles(spool);
    for (const [z, shown] of byZoom(areas, maxZoom)) {
      await drawFrom({ z: 0, x: 0, y: 0 }, shown, { z, maxZoom }, tiles);
    }
    const { entries, pieces, addressed, tileBytes } = tiles.inOrder();
    const metadata = { name, attribution, vector_layers: layersOf(columns, maxZoom) };
    const about = { metadata, maxZoom, bounds: boundsOf(areas), addressed, contents: pieces.length, tileBytes };
    yield frontOf(entries, about);
    yield* spool.gather(pieces);
  } finally {
    await spool.close();
  }
}

/**
 * All areas, ordered by admin_level, then by decreasing size: a shared border belongs to the first area that has it.
 */
async function areasOf(features: AsyncIterable<Feature>, columns: readonly Column[]): Promise<OutlinedArea[]> {
  const areas: OutlinedArea[] = [];
  let vertices = 0;
  for await (const { values, polygons, outline = null } of features) {
    vertices += (polygons?.coords.length ?? 0) / 2;
    if (vertices > MOST_VERTICES) {
      throw new FormatLimitError(
        `The areas have more than ${MOST_VERTICES} vertices, the most of one PMTiles archive: use a lower detail or a larger tolerance_m.`,
      );
    }
    const about = aboutOf(Object.fromEntries(columns.map((column, i) => [column.name, values[i]])));
    areas.push({ polygons: polygons?.polygonEnd.length ? polygons : null, about, outline });
  }
  return areas.sort((a, b) => a.about.rank - b.about.rank);
}

/** The areas at each zoom: simplified together at its tolerance, and unchanged at the last zoom. */
function* byZoom(
  areas: readonly OutlinedArea[],
  maxZoom: number,
): Generator<readonly [z: number, areas: readonly Area[]]> {
  const shapesAt = maxZoom > 0 ? simplifiedTogether(areas.map(({ polygons }) => polygons)) : () => [];
  for (let z = 0; z < maxZoom; z++) {
    const shapes = shapesAt(COARSEST_LEVEL - z);
    yield [z, areas.map((area, i) => marked({ ...area, polygons: shapes[i] ?? null }))];
  }
  yield [maxZoom, areas.map(marked)];
}

/** An area as a tile draws it: what is known of its lines at sea is marked. */
function marked({ about, polygons, outline }: OutlinedArea): Area {
  return { about, polygons: polygons && outline ? markPolygons(outline, polygons) : polygons };
}

/** Draws the tiles of zoom `z` within a place. */
async function drawFrom(
  place: TilePlace,
  areas: readonly Area[],
  { z, maxZoom }: { readonly z: number; readonly maxZoom: number },
  tiles: Tiles,
): Promise<void> {
  const tile = new PolygonTile(place, cellOf(place, maxZoom));
  const within = cropped(tile, place, areas);
  if (within.length === 0) return;
  if (place.z === z) return tiles.put(place, drawAreas(tile, place, within));
  for (const low of [0, 1]) {
    for (const right of [0, 1]) {
      await drawFrom({ z: place.z + 1, x: 2 * place.x + right, y: 2 * place.y + low }, within, { z, maxZoom }, tiles);
    }
  }
}

/** The tiles of an archive; identical contents are stored once. */
class Tiles {
  private readonly spool: Spool;
  /** Offset and length in the spool, by the hash of the content. */
  private readonly kept = new Map<string, { readonly offset: number; readonly length: number }>();
  private readonly places: { readonly id: number; readonly content: { offset: number; length: number } }[] = [];

  constructor(spool: Spool) {
    this.spool = spool;
  }

  async put({ z, x, y }: TilePlace, bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    if (this.places.length >= MOST_TILES) {
      throw new FormatLimitError(
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

  /** The directory entries ordered by tile id, and the parts of the spool to write after the directory, in order. */
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

/**
 * West, south, east, north of all areas in degrees, limited to the latitudes of tiles; the world when there are no
 * areas.
 */
function boundsOf(areas: readonly Area[]): readonly [number, number, number, number] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { polygons } of areas) {
    for (let i = 0; polygons !== null && i < polygons.coords.length; i += 2) {
      west = Math.min(west, defined(polygons.coords[i]));
      east = Math.max(east, defined(polygons.coords[i]));
      south = Math.min(south, defined(polygons.coords[i + 1]));
      north = Math.max(north, defined(polygons.coords[i + 1]));
    }
  }
  if (west > east) return [-180, -LAST_LATITUDE, 180, LAST_LATITUDE];
  const held = (latitude: number): number => Math.max(-LAST_LATITUDE, Math.min(LAST_LATITUDE, latitude / DEGREE));
  return [west / DEGREE, held(south), east / DEGREE, held(north)];
}

function layersOf(columns: readonly Column[], maxzoom: number): object[] {
  const types = { string: 'String', integer: 'Number', number: 'Number', boolean: 'Boolean' };
  const own = Object.fromEntries(columns.map(({ name, type }) => [name, types[type]]));
  const fields = Object.fromEntries(Object.entries(own).map(([name, type]) => [tileName(name, own), type]));
  const label = { id: 'String', name: 'String', level: 'Number', kind: 'String', country: 'String', rank: 'Number' };
  return [
    { id: 'areas', minzoom: 0, maxzoom, fields },
    { id: 'lines', minzoom: 0, maxzoom, fields: { level: 'Number', maritime: 'Boolean' } },
    { id: 'labels', minzoom: 0, maxzoom, fields: label },
  ];
}

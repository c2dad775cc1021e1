import { createHash } from 'node:crypto';
import { endClassOf } from '../../workers/arcs/levels.ts';
import { latitudeOf, longitudeOf } from '../../workers/arcs/mercator.ts';
import { type Lines, NO_LINES } from '../../workers/arcs/tagged_lines.ts';
import { BUFFER, EXTENT } from '../../workers/arcs/tile_ring.ts';
import { WATER } from '../common/arrangements.ts';
import type { Part } from '../domain/boundaries/land.ts';
import { tileOfParts } from '../domain/boundaries/parts.ts';
import { DataMoved, type Snapshot } from '../domain/boundaries/reads.ts';
import type { TileBoundary } from '../domain/boundaries/tile_model.ts';
import { deepestLevel } from '../domain/boundaries/tiles.ts';
import { ArcsMoved } from '../geometry/arc_leases.ts';
import type { Tile } from '../geometry/cached.ts';
import type { DrawnBoundary } from '../geometry/documents.ts';
import type { Services } from '../services.ts';

/** The last zoom with tiles; maps overzoom beyond it. */
export const MAX_ZOOM = 14;

/** A tile: zoom, and column `x` and row `y` from the north-west corner of the world. */
export interface TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Version of the drawing code in the keys of stored tiles: raise it when tiles of the same boundaries change. */
const DRAWING_VERSION = 5;

/** The finest level: a tolerance of 2^3 = 8 m, as `low` has for a boundary of 8 to 16 km. */
const FINEST_LEVEL = 3;
/** The level of zoom 0: a tolerance of half a pixel at the equator, for tiles drawn 512 pixels wide. */
const COARSEST_LEVEL = 15;

/** The detail level (2^level meters) of a zoom, for all boundaries: half a pixel at the equator, but at least 8 m. */
export function levelOfZoom(zoom: number): number {
  return Math.max(FINEST_LEVEL, COARSEST_LEVEL - zoom);
}

/** What a tile shows of boundaries. */
export interface TileOptions {
  /** Languages of names, best first. */
  readonly prefer: readonly string[];
  readonly part: Part;
}

const keyOf = (revision: number, { z, x, y }: TilePlace, { prefer, part }: TileOptions): string =>
  `${revision} ${z}/${x}/${y} ${part} ${prefer.join()}`;

/** The tile that boundaryTile() would return, if it is in the memory cache, else null. Does not query or draw. */
export function cachedTile(
  { boundaries, cache }: Pick<Services, 'boundaries' | 'cache'>,
  place: TilePlace,
  options: TileOptions,
): Tile | null {
  const revision = boundaries.currentRevision();
  return revision === null ? null : (cache.held('tiles', keyOf(revision, place, options)) ?? null);
}

/**
 * The tile of all administrative boundaries, or of their land or water, where that is known, with names in the first
 * language of `prefer` that they have. It comes from the memory cache (by data revision), else from disk (by its
 * content), else it is drawn, single-flight.
 * @throws rate_limited when the queue is full
 */
export async function boundaryTile(
  {
    boundaries,
    cache,
    engine,
    log,
    tileBlobs,
  }: Pick<Services, 'boundaries' | 'cache' | 'engine' | 'log' | 'tileBlobs'>,
  place: TilePlace,
  options: TileOptions,
  signal?: AbortSignal,
): Promise<Tile> {
  const { z } = place;
  const { prefer, part } = options;
  return boundaries.withSnapshot((reading) =>
    cache.getOrMake(
      'tiles',
      keyOf(reading.revision, place, options),
      async (stop) => {
        const deepest = deepestLevel(z);
        const whole = await reading.tileBoundaries({ box: tileBox(place), deepest, prefer }, stop);
        const found = await tileOfParts(reading, whole, part);
        if (found.length === 0) return tileOf(new Uint8Array(0));
        const maritime = await maritimeOf(reading, place, part);
        const name = createHash('sha256')
          .update(JSON.stringify([DRAWING_VERSION, place, found]))
          .update(maritime.coords)
          .update(maritime.end)
          .digest('hex');
        // A full or broken disk makes tiles slower, but must not fail them.
        const noDisk = (err: unknown): null => {
          log.warn({ err }, 'a tile was not stored on disk');
          return null;
        };
        const kept = await Promise.resolve(tileBlobs.get(name, 'mvt')).catch(noDisk);
        if (kept) return tileOf(kept);
        const made = await drawTile(
          engine,
          found,
          { ...place, level: levelOfZoom(z), endClass: endClassOf([deepest]) },
          maritime,
          stop,
        );
        await tileBlobs.put(name, 'mvt', made).catch(noDisk);
        return tileOf(made);
      },
      signal,
    ),
  );
}

/** Draws a tile of boundaries, the lowest admin_level first. @throws DataMoved when the shape of one has changed */
export async function drawTile(
  engine: Services['engine'],
  found: readonly TileBoundary[],
  frame: Parameters<Services['engine']['documents']['tile']>[1],
  maritime: Lines,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const drawing = found.map(
    ({
      id,
      ringHash,
      arrangement,
      adminLevel,
      name,
      kind,
      country,
      disputed,
      label,
      rank,
      water: of = 'unknown' as const,
    }): DrawnBoundary => ({
      id,
      ringHash,
      ...(arrangement === undefined ? {} : { arrangement }),
      adminLevel,
      feature: { name, kind, country, disputed, label, rank, id, level: adminLevel },
      water: typeof of === 'string' ? of : { id, arrangement: WATER, ringHash: of.waterHash, adminLevel },
    }),
  );
  try {
    return await engine.documents.tile(drawing, frame, maritime, signal);
  } catch (error) {
    throw error instanceof ArcsMoved ? new DataMoved() : error;
  }
}

/** The borders around a tile that the map marks as ones at sea; none for parts, whose borders are coasts, too. */
export async function maritimeOf(
  reading: Pick<Snapshot, 'maritimeLines'>,
  place: TilePlace,
  part: Part,
): Promise<Lines> {
  if (part !== 'all') return NO_LINES;
  const [west, south, east, north] = tileBox(place).map((degrees) => degrees * 1e7) as [number, number, number, number];
  return (await reading.maritimeLines()).within([west, south, east, north]);
}

/** A tile from its bytes, with their SHA-256. */
export function tileOf(bytes: Uint8Array): Tile {
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.byteLength };
}

/** West, south, east, north of a tile with its buffer, in degrees; west > east across the antimeridian. */
export function tileBox({ z, x, y }: TilePlace): readonly [number, number, number, number] {
  const world = EXTENT * 2 ** z;
  const degrees = (value: number): number => value / 1e7;
  const west = degrees(longitudeOf(EXTENT * x - BUFFER - 1, world));
  const east = degrees(longitudeOf(EXTENT * (x + 1) + BUFFER + 1, world));
  // The buffer of the first and the last row may extend beyond 85.0511 degrees.
  const north = degrees(latitudeOf(EXTENT * y - BUFFER - 1, world));
  const south = degrees(latitudeOf(EXTENT * (y + 1) + BUFFER + 1, world));
  if (east - west >= 360) return [-180, south, 180, north];
  return [west < -180 ? west + 360 : west, south, east > 180 ? east - 360 : east, north];
}

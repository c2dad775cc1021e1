import { createHash } from 'node:crypto';
import { endClassOf } from '../../workers/kernels/levels.ts';
import { latitudeOf, longitudeOf } from '../../workers/kernels/mercator.ts';
import { BUFFER, EXTENT } from '../../workers/kernels/tile_ring.ts';
import { DataMoved } from '../domain/boundaries_model.ts';
import type { TileBoundary } from '../domain/tile_model.ts';
import { deepestLevel } from '../domain/tiles.ts';
import { ArcsMoved } from '../geometry/arcs.ts';
import type { Tile } from '../geometry/cached.ts';
import type { Services } from '../services.ts';

/** The last zoom there are tiles of: a map goes on to draw those larger. */
export const MAX_ZOOM = 14;

/** Which tile: its column `x` and row `y` counted from the north-west corner of the world. */
export interface TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Raised when the bytes of a tile of the same boundaries change. */
const MADE_BY = 3;

/** The finest tolerance is 2^3 = 8 m: what `low` is for a boundary of 8 to 16 km. */
const FINEST_LEVEL = 3;
/** Of zoom 0: a tolerance of half of a pixel where a tile is drawn 512 pixels wide, at the equator. */
const COARSEST_LEVEL = 15;

/** The level of detail (2^level meters) of a zoom, one for all boundaries: half of a pixel at the equator, 8 m at least. */
export function levelOfZoom(zoom: number): number {
  return Math.max(FINEST_LEVEL, COARSEST_LEVEL - zoom);
}

type Asked = readonly [place: TilePlace, prefer: readonly string[]];

const keyOf = (revision: number, ...[{ z, x, y }, prefer]: Asked): string =>
  `${revision} ${z}/${x}/${y} ${prefer.join()}`;

/** What boundaryTile() gives, where memory has it. Asks no database and makes nothing. */
export function heldTile(
  { boundaries, engine }: Pick<Services, 'boundaries' | 'engine'>,
  ...asked: Asked
): Tile | null {
  const revision = boundaries.presentRevision();
  return revision === null ? null : (engine.cache.held('tiles', keyOf(revision, ...asked)) ?? null);
}

/**
 * The tile of all administrative boundaries, with names in the first of the languages `prefer` that there is one for.
 * From memory by the revision of the data, else from disk by what lies in it, else drawn, once however many ask.
 * Throws rate_limited when there is no room for the work.
 */
export async function boundaryTile(
  { boundaries, engine, log, tileBlobs }: Pick<Services, 'boundaries' | 'engine' | 'log' | 'tileBlobs'>,
  place: TilePlace,
  prefer: readonly string[],
  signal?: AbortSignal,
): Promise<Tile> {
  const { z } = place;
  return boundaries.reading((reading) =>
    engine.cache.getOrMake(
      'tiles',
      keyOf(reading.revision, place, prefer),
      async (stop) => {
        const deepest = deepestLevel(z);
        const found = await reading.tileBoundaries({ box: tileBox(place), deepest, prefer }, stop);
        if (found.length === 0) return tileOf(new Uint8Array(0));
        const name = createHash('sha256')
          .update(JSON.stringify([MADE_BY, place, found]))
          .digest('hex');
        // A disk that is full or broken costs time, not the tile.
        const noDisk = (err: unknown): null => {
          log.warn({ err }, 'a tile was not kept on disk');
          return null;
        };
        const kept = await Promise.resolve(tileBlobs.get(name, 'mvt')).catch(noDisk);
        if (kept) return tileOf(kept);
        const made = await drawn(
          engine,
          found,
          { ...place, level: levelOfZoom(z), endClass: endClassOf([deepest]) },
          stop,
        );
        await tileBlobs.put(name, 'mvt', made).catch(noDisk);
        return tileOf(made);
      },
      signal,
    ),
  );
}

/** A tile of boundaries, the lowest admin_level first. Throws DataMoved where one has another shape by now. */
export async function drawn(
  engine: Services['engine'],
  found: readonly TileBoundary[],
  frame: Parameters<Services['engine']['tile']>[1],
  signal: AbortSignal,
): Promise<Uint8Array> {
  const drawing = found.map(({ id, ringHash, adminLevel, name, kind, country, disputed, label, rank }) => ({
    id,
    ringHash,
    adminLevel,
    feature: { name, kind, country, disputed, label, rank, id, level: adminLevel },
  }));
  try {
    return await engine.tile(drawing, frame, signal);
  } catch (error) {
    throw error instanceof ArcsMoved ? new DataMoved() : error;
  }
}

/** The bytes of a tile with their hash. */
export function tileOf(bytes: Uint8Array): Tile {
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.byteLength };
}

/** A tile and its buffer in degrees: west > east where it reaches over the antimeridian. */
export function tileBox({ z, x, y }: TilePlace): readonly [number, number, number, number] {
  const world = EXTENT * 2 ** z;
  const degrees = (value: number): number => value / 1e7;
  const west = degrees(longitudeOf(EXTENT * x - BUFFER - 1, world));
  const east = degrees(longitudeOf(EXTENT * (x + 1) + BUFFER + 1, world));
  // Rows that reach over an end of the map show what lies beyond 85.0511 degrees at most.
  const north = degrees(latitudeOf(EXTENT * y - BUFFER - 1, world));
  const south = degrees(latitudeOf(EXTENT * (y + 1) + BUFFER + 1, world));
  if (east - west >= 360) return [-180, south, 180, north];
  return [west < -180 ? west + 360 : west, south, east > 180 ? east - 360 : east, north];
}

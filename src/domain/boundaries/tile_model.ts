import type { SizedLru } from '../../common/sized_lru.ts';
import type { Boxes } from './box_index.ts';

/** A boundary as a tile describes it. */
export interface TileBoundary {
  /** Canonical id. */
  readonly id: string;
  /** Hash of the shape, in hexadecimal. */
  readonly ringHash: string;
  /** The arrangement of the shape (src/common/arrangements.ts); absent: the present one. */
  readonly arrangement?: number;
  /** Name in the requested language, or the local name. */
  readonly name: string;
  readonly kind: string;
  readonly adminLevel: number | null;
  readonly country: string | null;
  /** Whether it belongs to several countries. */
  readonly disputed: boolean;
  /** The ring_hash of its water part, or how much of it is water; absent: not known, or not asked for. */
  readonly water?: 'none' | 'all' | { readonly waterHash: string };
  /** Longitude and latitude of its label in 1e-7 degrees. */
  readonly label: readonly [number, number] | null;
  /** Drawing order; smaller is more important: by admin_level, then by area. */
  readonly rank: number;
}

/** The extent and content of a tile. */
export interface TileView {
  /** Degrees; west > east across the antimeridian. */
  readonly box: readonly [west: number, south: number, east: number, north: number];
  /** Largest admin_level shown; 13 includes administrative boundaries without one. */
  readonly deepest: number;
  /** Languages for names, best first. */
  readonly prefer: readonly string[];
}

/** A boundary cached for tiles, with the area that orders a tile. */
export interface CachedTileBoundary {
  readonly boundary: TileBoundary;
  readonly areaKm2: number | null;
}

/** In-memory data for tiles at one revision. */
export interface TileMemory {
  readonly revision: number;
  /** Bounding boxes; null if they are not in memory. */
  readonly boxes: Boxes | null;
  /** Cached boundaries, by languages and canonical id. */
  readonly cache: SizedLru<CachedTileBoundary>;
}

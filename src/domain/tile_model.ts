import type { Boxes } from './read_model/boxes.ts';
import type { Held } from './read_model/held.ts';

/** A boundary as a tile tells of it. */
export interface TileBoundary {
  /** Canonical. */
  readonly id: string;
  /** Hexadecimal. */
  readonly ringHash: string;
  /** In the language asked for, else the local name. */
  readonly name: string;
  readonly kind: string;
  readonly adminLevel: number | null;
  readonly country: string | null;
  /** It lies in several countries. */
  readonly disputed: boolean;
  /** Longitude and latitude of its label in 1e-7 degrees. */
  readonly label: readonly [number, number] | null;
  /** Smaller is more important: by admin_level, then by area. */
  readonly rank: number;
}

/** What a tile shows. */
export interface TileView {
  /** Degrees; west > east across the antimeridian. */
  readonly box: readonly [west: number, south: number, east: number, north: number];
  /** The largest admin_level; 13: also administrative boundaries without one. */
  readonly deepest: number;
  /** Languages for names, best first. */
  readonly prefer: readonly string[];
}

/** A boundary as memory keeps it for tiles, with what the order of a tile needs. */
export interface HeldTileBoundary {
  readonly boundary: TileBoundary;
  readonly areaKm2: number | null;
}

/** What memory has of a revision of the data for tiles. */
export interface TileMemory {
  readonly revision: number;
  /** null: not in memory. */
  readonly boxes: Boxes | null;
  /** By languages and canonical id. */
  readonly held: Held<HeldTileBoundary>;
}

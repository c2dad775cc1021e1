import type { Box } from '../../workers/contract.ts';
import type { TileSource } from '../../workers/file_tiles.ts';
import type { TileFeature } from '../../workers/packed_tile.ts';
import type { BoundaryRef } from './engine_model.ts';
import type { NeighborList } from './neighbors.ts';

/** Bytes kept by the name of their content; none when the content is not worth encoding. */
export interface Kept {
  readonly bytes: Uint8Array;
  readonly size: number;
}

/** A finished document. */
export interface Written {
  readonly bytes: Uint8Array;
  /** Hex, of the bytes. */
  readonly sha256: string;
  readonly level: number;
  readonly areaKm2: number;
  readonly size: number;
}

/**
 * The tiers of the cache: documents by what they are made of, encoded documents and exported files by the sha256 of
 * the document. The first key leads to the second, so that a file that was merged, exported and fetched by its
 * address is compressed once. Lists of boundaries, whole by their ids and in pages as JSON, and tiles by the revision
 * of the data.
 */
export interface Tiers {
  readonly documents: Written;
  readonly encodings: Kept;
  readonly exports: Kept;
  readonly lists: Kept & { readonly sha256: string; readonly items: number };
  readonly outlines: Listing;
  readonly neighbors: NeighborList;
  readonly tiles: Tile;
  /** What of a selection tiles are drawn of, by the revision of the data: as domain/tiles.ts makes it. */
  readonly selections: { readonly members: readonly SelectionMember[]; readonly size: number };
  /** Areas of files by the sha256 of the file. */
  readonly sources: { readonly source: TileSource; readonly size: number };
}

/** A boundary of a selection as its tiles tell of it. */
type SelectionMember = BoundaryRef & Omit<TileFeature, 'level'> & { readonly box: Box; readonly attribution: string };

/** A vector tile; no bytes: it is empty. */
export interface Tile extends Kept {
  /** Hex, of the bytes. */
  readonly sha256: string;
}

/** A long list of boundaries by their ids, as domain/children.ts makes it. */
export interface Listing {
  readonly revision: number;
  readonly total: number;
  readonly covers: number | null;
  readonly otherLevels: readonly { readonly admin_level: number | null; readonly count: number }[];
  readonly pieces: readonly string[];
  readonly size: number;
}

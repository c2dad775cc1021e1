import type { Box } from '../../workers/contract.ts';
import type { TileFeature } from '../../workers/packed_tile.ts';
import type { TileSource } from '../../workers/tasks/file_tile.ts';
import { ByteCache } from './cache.ts';
import type { BoundaryRef, RenderedDocument } from './engine_model.ts';
import type { NeighborList, OverlaidList } from './neighbors.ts';

/** Cached bytes; empty when the content is not worth encoding. */
export interface CachedBytes {
  readonly bytes: Uint8Array;
  readonly size: number;
}

/**
 * The tiers of the cache. Documents are keyed by what they are made of; encoded documents and exported files by the
 * sha256 of the document. The first key leads to the second: a file that was merged, exported and fetched by its URL is
 * compressed once. Lists of boundaries are kept whole, by their ids, and in pages, as JSON; tiles by the revision of
 * the data.
 */
export interface CacheTiers {
  readonly documents: RenderedDocument;
  readonly encodings: CachedBytes;
  readonly exports: CachedBytes;
  readonly lists: CachedBytes & { readonly sha256: string; readonly items: number };
  readonly outlines: Listing;
  readonly neighbors: NeighborList;
  readonly overlaid: OverlaidList;
  readonly tiles: Tile;
  /** Maps of figures, by what they show. */
  readonly maps: Tile;
  /** The boundaries that the tiles of a selection show, by the revision of the data; domain/boundaries/tiles.ts makes it. */
  readonly selections: {
    readonly members: readonly SelectionMember[];
    readonly languages: readonly string[];
    readonly size: number;
  };
  /** Areas of files by the sha256 of the file. */
  readonly sources: FileSource;
}

/** The areas of a file, with the ids that features have by their places in it; with their lines marked, that is all. */
interface FileSource {
  readonly source: TileSource;
  readonly known?: readonly (readonly [place: number, id: string])[];
  readonly size: number;
}

/** A boundary of a selection, with what its tiles say about it. */
type SelectionMember = BoundaryRef &
  Omit<TileFeature, 'level' | 'water'> & { readonly box: Box; readonly attribution: string };

/** A vector tile; no bytes when it is empty. */
export interface Tile extends CachedBytes {
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string;
  /** How many areas of a large set meet it that it does not show. Absent: none. */
  readonly leftOut?: number;
}

/** A long list of boundaries by their ids, as domain/boundaries/children.ts makes it. */
export interface Listing {
  readonly revision: number;
  readonly total: number;
  readonly withoutGeometry: number;
  readonly covers: number | null;
  readonly otherLevels: readonly { readonly admin_level: number | null; readonly count: number }[];
  readonly pieces: readonly string[];
  readonly size: number;
}

const TIERS = [
  'documents',
  'encodings',
  'exports',
  'lists',
  'outlines',
  'neighbors',
  'overlaid',
  'tiles',
  'maps',
  'selections',
  'sources',
] as const satisfies readonly (keyof CacheTiers)[];

/** The cache of finished answers that documents, lists, neighbors, tiles and files share. */
export type Cache = ByteCache<CacheTiers>;

/** A cache of finished answers of at most that many bytes. */
export const createCache = (bytes: number): Cache => new ByteCache<CacheTiers>(bytes, TIERS);

import type { Boundary, NamedShape, ResolvedBoundary, Shown } from './boundary.ts';
import type { BoundaryRow, Shared } from './boundary_rows.ts';
import type { BoundaryId } from './ids.ts';
import type { Naming } from './languages.ts';
import type { PackBoxes } from './read_model/boxes.ts';
import type { Held } from './read_model/held.ts';
import type { HeldTileBoundary, TileBoundary, TileView } from './tile_model.ts';

/**
 * The boundaries as of one state of the data: all that is read through one of these belongs together. Ids are in any
 * form of spec section 2.1 unless a method says canonical. Everything throws DataMoved where the data has changed and
 * what is asked for is not in memory.
 */
export interface Reading {
  readonly revision: number;
  /**
   * The boundary each id names, in the order given, repetitions kept. A wikidata id or ISO code that several carry
   * gives the administrative before others, then one with geometry, then the lowest admin_level, then the lowest id;
   * the rest is in `also`. Ids that answer for another boundary are followed.
   * Throws invalid_id, or not_found that names every unknown id.
   */
  resolve(ids: readonly string[]): Promise<ResolvedBoundary[]>;
  /** resolve(), with null for what is unknown. Throws invalid_id. */
  lookup(ids: readonly string[]): Promise<(ResolvedBoundary | null)[]>;
  /** resolve() without what only an answer about a boundary shows: several times as fast. */
  shapes(ids: readonly string[]): Promise<NamedShape[]>;
  /** resolve() of one. */
  get(id: string): Promise<ResolvedBoundary>;
  /** Boundaries by canonical id, in the order given; unknown ids are left out and aliases not followed. */
  byIds(ids: readonly string[]): Promise<ResolvedBoundary[]>;
  /** Boundaries and their parents named as a caller wants it, in the order given. */
  show<T extends Boundary>(boundaries: readonly T[], naming: Naming): Promise<(T & Shown)[]>;
  /** What show() gives, each as JSON in bytes that are not to be changed: kept in memory by the languages of `naming`. */
  written(boundaries: readonly Boundary[], naming: Naming): Promise<Uint8Array[]>;
  /** Whether postcode areas of one of the countries (ISO 3166-1 alpha-2) are stored with their polygons. */
  hasPostcodes(countries: readonly string[]): Promise<boolean>;
  /** Canonical ids of the boundaries with a shape whose box holds a point, borders included. Degrees. */
  around(lat: number, lon: number): Promise<string[]>;
  /** The administrative boundaries that a tile shows, the lowest admin_level first, then the largest. */
  tileBoundaries(view: TileView, signal?: AbortSignal): Promise<TileBoundary[]>;
  /**
   * An answer made of this state of the data: from memory, or made once however many ask for it at the same time, and
   * then kept. `key` tells it from all others. Null, and what fails, is not kept. Its bytes are not to be changed.
   */
  once(key: string, make: () => Promise<Uint8Array | null>): Promise<Uint8Array | null>;
  /** What keep() put under the key for this state of the data, while memory has it. */
  kept<T extends Answer>(key: string): T | undefined;
  /** Keeps an answer made of this state of the data in memory: `key` tells it from all others, of every sort. */
  keep<T extends Answer>(key: string, answer: T): void;
}

/** An answer, or a part of one: what is not its bytes is small. They are not to be changed. */
export interface Answer {
  readonly bytes: Uint8Array;
}

/**
 * The boundaries of the database, read: each method is that of a Reading of the present data. Of what is stored, memory
 * keeps what was asked for lately and the boxes of all, for one revision at a time: who asks again asks no database.
 */
export interface Boundaries extends Omit<Reading, 'revision' | 'once' | 'kept' | 'keep'> {
  /**
   * Does `work` on the present data, again from the start where the data changes so that it cannot be ended on the
   * state it was begun on. Throws what it throws, and rate_limited when the data does not come to rest.
   */
  reading<T>(work: (reading: Reading) => Promise<T>): Promise<T>;
  /** The revision of the present data; null where the database has to be asked for it, as reading() does. */
  presentRevision(): number | null;
  /**
   * What lookup() found, every one of it. Throws not_found that names every id that is unknown, and of those that are
   * boundaries no more what became of them.
   */
  everyOne(texts: readonly string[], found: readonly (ResolvedBoundary | null)[]): Promise<ResolvedBoundary[]>;
  /** Reads the boxes of all boundaries into memory; false when they changed meanwhile, or are not kept there. */
  warm(): Promise<boolean>;
  /**
   * Reads boundaries into memory as long as there is room that nothing else would have to leave, the first of the
   * canonical ids first. Ends early where the data changes.
   */
  readAhead(ids: readonly string[]): Promise<void>;
  /** What memory holds: bytes by sort, and of how many boundaries the boxes, and what was found there. */
  held(): {
    readonly bytes: Readonly<Record<string, number>>;
    readonly boxes: number;
    /** Of boundaries asked for so far. */
    readonly counts: { readonly hits: number; readonly misses: number };
  };
}

/** The data changed while an answer was made of it. */
export class DataMoved extends Error {}

export interface BoundariesOptions {
  /** Bound of what is kept of boundaries that were asked for, boxes apart; 16 MB when absent. */
  readonly bytes?: number;
  /** Packs the boxes of all boundaries; absent: places are looked up in the database. */
  readonly packBoxes?: PackBoxes;
}

export type Names = Readonly<Record<string, string>>;

export interface AskedRow extends BoundaryRow {
  readonly form: BoundaryId['kind'];
  readonly key: string;
}

/** Every statement tells of which state of the data its rows are; a left join gives one row without an id for none. */
export type Dated<T> = T & { readonly revision: number };

export type Absent<T> = T | { readonly [K in keyof T]: null };

/** What memory keeps of one state of the data. */
export interface State {
  readonly revision: number;
  /** By form and key; null: no boundary has it. */
  readonly documents: Held<ResolvedBoundary | null>;
  /** By canonical id. */
  readonly shapes: Held<NamedShape>;
  /** By languages and canonical id. */
  readonly names: Held<Names>;
  /** As JSON in bytes, by how they are named and canonical id. */
  readonly written: Held<Uint8Array>;
  /** By languages and canonical id. */
  readonly tiles: Held<HeldTileBoundary>;
  /** Whole answers by what was asked, and those being made. */
  readonly answers: Held<Answer>;
  readonly making: Map<string, Promise<Uint8Array | null>>;
  /** By country. */
  readonly postcodes: Map<string, boolean>;
  readonly shared: Shared;
}

import type { Database, Giving } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { defined } from '../elements.ts';
import { atCapacity, problem } from '../errors.ts';
import { batched } from './batches.ts';
import { type Boundary, type NamedShape, named, type ResolvedBoundary, type Shown, shapeOf } from './boundary.ts';
import {
  type BoundaryRow,
  byPrecedence,
  epitaph,
  RESOLVED_BYTES,
  type ShapeRow,
  Shared,
  sizeOfResolved,
  type Tombstone,
  toResolved,
  toShape,
} from './boundary_rows.ts';
import { type BoundaryId, parseBoundaryId } from './ids.ts';
import { type Naming, nameIn, namesIn, primaries } from './languages.ts';
import { type Boxes, type PackBoxes, readBoxes } from './read_model/boxes.ts';
import { Held } from './read_model/held.ts';
import { watchRevision } from './revision.ts';

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

type Names = Readonly<Record<string, string>>;

interface AskedRow extends BoundaryRow {
  readonly form: BoundaryId['kind'];
  readonly key: string;
}

/** Every statement tells of which state of the data its rows are; a left join gives one row without an id for none. */
type Dated<T> = T & { readonly revision: number };
type Absent<T> = T | { readonly [K in keyof T]: null };

/** What memory keeps of one state of the data. */
interface State {
  readonly revision: number;
  /** By form and key; null: no boundary has it. */
  readonly documents: Held<ResolvedBoundary | null>;
  /** By canonical id. */
  readonly shapes: Held<NamedShape>;
  /** By languages and canonical id. */
  readonly names: Held<Names>;
  /** As JSON in bytes, by how they are named and canonical id. */
  readonly written: Held<Uint8Array>;
  /** Whole answers by what was asked, and those being made. */
  readonly answers: Held<Answer>;
  readonly making: Map<string, Promise<Uint8Array | null>>;
  /** By country. */
  readonly postcodes: Map<string, boolean>;
  readonly shared: Shared;
}

const HELD_BYTES = 16e6;
/** How often work is begun again because the data changed. */
const TRIES = 20;
/** The boxes are read again at most for this part of the time: where the data changes often, the database is asked. */
const BOXES_SHARE = 0.1;
/** Boundaries that are read ahead in one statement. */
const AHEAD = 250;
/** Bytes of a value in memory for each character of its JSON, about. */
const BYTES_A_CHARACTER = 3;

/** Boundaries read from `db`. */
export function createBoundaries(db: Database, { bytes = HELD_BYTES, packBoxes }: BoundariesOptions = {}): Boundaries {
  const revisions = watchRevision(db);
  let state = emptyState(-1);
  let boxes: Boxes | null = null;
  let readingBoxes: Promise<boolean> | null = null;
  let boxesRest = 0;
  const counts = { hits: 0, misses: 0 };

  function emptyState(revision: number): State {
    return {
      revision,
      documents: new Held(0.4 * bytes),
      shapes: new Held(0.1 * bytes),
      names: new Held(0.1 * bytes),
      written: new Held(0.15 * bytes),
      answers: new Held(0.25 * bytes),
      making: new Map(),
      postcodes: new Map(),
      shared: new Shared(),
    };
  }

  function stateOf(revision: number): State {
    if (state.revision !== revision) state = emptyState(revision);
    return state;
  }

  /** What boundaries of a revision have in common with those that memory holds. */
  const sharedIn = (revision: number): Shared => (state.revision === revision ? state.shared : new Shared());

  /** Runs a statement of one state of the data; what is of another is of no use. */
  async function rowsOf<T>(revision: number, statement: Giving<Dated<T>>, values: readonly unknown[]): Promise<T[]> {
    const rows = await db.query<Dated<T>>(statement as string, values);
    if (rows.some((row) => Number(row.revision) !== revision)) throw new DataMoved();
    return rows;
  }

  /** The same where each row is of a boundary. */
  async function boundariesOf<T extends { readonly id: string }>(
    revision: number,
    statement: Giving<Dated<Absent<T>>>,
    values: readonly unknown[],
  ): Promise<T[]> {
    const rows = await rowsOf<Absent<T>>(revision, statement, values);
    return rows.filter((row): row is T => row.id !== null);
  }

  /** What callers ask for at the same time is asked of the database together. */
  const find = batched(async (revision, lists: readonly (readonly BoundaryId[])[]) => {
    const ids = lists.flat();
    const keysOf = (form: BoundaryId['kind']) => [...new Set(ids.filter((id) => id.kind === form).map(keyOf))];
    const values = [keysOf('osm'), keysOf('wikidata'), keysOf('iso')];
    const answers = new Map<string, AskedRow[]>();
    for (const row of await boundariesOf<AskedRow>(Number(revision), loadQuery('boundary_resolve'), values)) {
      const key = `${row.form}:${row.key}`;
      answers.set(key, [...(answers.get(key) ?? []), row]);
    }
    const found = new Map<string, ResolvedBoundary>();
    const shared = sharedIn(Number(revision));
    for (const [key, rows] of answers) {
      const [row, ...others] = rows.sort(byPrecedence);
      found.set(
        key,
        toResolved(
          defined(row),
          others.map(({ id }) => id),
          shared,
        ),
      );
    }
    return lists.map(() => found);
  });

  const findShapes = batched(async (revision, lists: readonly (readonly string[])[]) => {
    const rows = await boundariesOf<ShapeRow>(Number(revision), loadQuery('boundary_shapes'), [
      [...new Set(lists.flat())],
    ]);
    const shared = sharedIn(Number(revision));
    const found = new Map(rows.map((row) => [row.id, toShape(row, shared)]));
    return lists.map(() => found);
  });

  const findPostcodes = batched(async (revision, lists: readonly (readonly string[])[]) => {
    type Row = { readonly country: string; readonly mapped: boolean };
    const rows = await rowsOf<Row>(Number(revision), loadQuery('boundary_has_postcodes'), [[...new Set(lists.flat())]]);
    const found = new Map(rows.map(({ country, mapped }) => [country, mapped]));
    return lists.map(() => found);
  });

  function readingOf(held: State): Reading {
    const { revision } = held;
    const batch = String(revision);

    async function lookup(texts: readonly string[]): Promise<(ResolvedBoundary | null)[]> {
      const ids = texts.map(parseBoundaryId);
      const found = ids.map((id) => held.documents.get(nameOf(id)));
      const missing = ids.filter((_, i) => found[i] === undefined);
      counts.hits += ids.length - missing.length;
      counts.misses += missing.length;
      if (missing.length === 0) return found as (ResolvedBoundary | null)[];
      const fetched = await find(batch, missing);
      return ids.map((id, i) => {
        const known = found[i];
        if (known !== undefined) return known;
        const one = fetched.get(nameOf(id)) ?? null;
        held.documents.set(nameOf(id), one, one === null ? 0 : sizeOfResolved(one));
        return one;
      });
    }

    async function resolve(texts: readonly string[]): Promise<ResolvedBoundary[]> {
      return everyOne(texts, await lookup(texts));
    }

    async function shapes(texts: readonly string[]): Promise<NamedShape[]> {
      const ids = texts.map(parseBoundaryId);
      const found = new Map<string, NamedShape>();
      const missing: string[] = [];
      ids.forEach((id, i) => {
        if (id.kind !== 'osm') return;
        const document = held.documents.get(nameOf(id));
        const one = held.shapes.get(id.id) ?? (document ? shapeOf(document) : undefined);
        if (one) found.set(defined(texts[i]), one);
        else missing.push(id.id);
      });
      counts.hits += found.size;
      counts.misses += missing.length;
      if (missing.length > 0) {
        const fetched = await findShapes(batch, missing);
        ids.forEach((id, i) => {
          const one = fetched.get(keyOf(id));
          if (id.kind !== 'osm' || !one || found.has(defined(texts[i]))) return;
          held.shapes.set(one.id, one, sizeOf(one));
          found.set(defined(texts[i]), one);
        });
      }
      // Other forms, ids that answer for another boundary and unknown ones are few: they take the longer way.
      const others = texts.filter((text) => !found.has(text));
      if (others.length > 0)
        (await resolve(others)).forEach((one, i) => void found.set(defined(others[i]), shapeOf(one)));
      return texts.map((text) => found.get(text) as NamedShape);
    }

    async function byIds(ids: readonly string[]): Promise<ResolvedBoundary[]> {
      const known: ResolvedBoundary[] = [];
      for (const id of ids) {
        const one = held.documents.get(`osm:${id}`);
        if (one?.id !== id) break;
        known.push(one);
      }
      if (known.length === ids.length) {
        counts.hits += ids.length;
        return known;
      }
      return (await lookup(ids)).filter((one, i): one is ResolvedBoundary => one !== null && one.id === ids[i]);
    }

    async function namesOf(ids: readonly string[], languages: 'all' | readonly string[]): Promise<Map<string, Names>> {
      const known = new Map<string, Names>();
      if (languages.length === 0) return known;
      const wanted = primaries(languages);
      const prefix = wanted === null ? '*' : wanted.toSorted().join();
      const missing = new Set<string>();
      for (const id of ids) {
        const names = held.names.get(`${prefix} ${id}`);
        if (names) known.set(id, names);
        else missing.add(id);
      }
      if (missing.size === 0) return known;
      type Row = { readonly id: string; readonly names: Names };
      for (const { id, names } of await boundariesOf<Row>(revision, loadQuery('boundary_names'), [
        [...missing],
        wanted,
      ])) {
        held.names.set(`${prefix} ${id}`, names, sizeOf(names));
        known.set(id, names);
      }
      return known;
    }

    async function show<T extends Boundary>(list: readonly T[], { prefer, names }: Naming): Promise<(T & Shown)[]> {
      const languages = names === 'all' ? names : [...prefer, ...(names ?? [])];
      const own = list.map(({ id }) => id);
      const parents = list.flatMap((one) => one.parents.map(({ id }) => id));
      const known = await namesOf(names === 'all' ? own : [...own, ...parents], languages);
      const ofParents = names === 'all' ? await namesOf(parents, prefer) : known;
      const nameIs = (one: { readonly id: string; readonly name: string }, from: ReadonlyMap<string, Names>) =>
        nameIn(from.get(one.id) ?? {}, prefer) ?? one.name;
      return list.map((one) => ({
        ...named(one, nameIs(one, known), names === null ? null : namesIn(known.get(one.id) ?? {}, names)),
        parents: one.parents.map((parent) => ({ ...parent, name: nameIs(parent, ofParents) })),
      }));
    }

    async function written(list: readonly Boundary[], naming: Naming): Promise<Uint8Array[]> {
      const prefix = keyOfNaming(naming);
      const known = list.map(({ id }) => held.written.get(prefix + id));
      const missing = list.filter((_, i) => known[i] === undefined);
      if (missing.length === 0) return known as Uint8Array[];
      const shown = new Map((await show(missing, naming)).map((one) => [one.id, Buffer.from(JSON.stringify(one))]));
      return list.map(({ id }, i) => {
        const before = known[i];
        if (before !== undefined) return before;
        const bytes = shown.get(id) as Uint8Array;
        held.written.set(prefix + id, bytes, bytes.byteLength);
        return bytes;
      });
    }

    async function once(key: string, make: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
      const known = held.answers.get(key);
      if (known !== undefined) return known.bytes;
      const running = held.making.get(key);
      if (running !== undefined) return running;
      const making = make();
      held.making.set(key, making);
      try {
        const made = await making;
        if (made !== null) held.answers.set(key, { bytes: made }, made.buffer.byteLength);
        return made;
      } finally {
        held.making.delete(key);
      }
    }

    // The key says of which sort an answer is.
    const kept = <T extends Answer>(key: string): T | undefined => held.answers.get(key) as T | undefined;
    const keep = (key: string, answer: Answer): void => held.answers.set(key, answer, answer.bytes.buffer.byteLength);

    async function hasPostcodes(countries: readonly string[]): Promise<boolean> {
      const missing = countries.filter((country) => !held.postcodes.has(country));
      if (missing.length > 0) {
        const fetched = await findPostcodes(batch, missing);
        for (const country of missing) held.postcodes.set(country, fetched.get(country) ?? false);
      }
      return countries.some((country) => held.postcodes.get(country));
    }

    async function around(lat: number, lon: number): Promise<string[]> {
      // The meridian of the antimeridian has two names, and data lies on both sides of it.
      const twin = Math.abs(lon) === 180 ? -lon : lon;
      if (boxes?.revision === revision) {
        const [x, y] = [Math.round(lon * 1e7), Math.round(lat * 1e7)];
        const found = boxes.at(x, y);
        return twin === lon ? found : [...new Set([...found, ...boxes.at(Math.round(twin * 1e7), y)])];
      }
      if (packBoxes && performance.now() >= boxesRest) warm().catch(() => undefined);
      type Row = { readonly id: string };
      return (await boundariesOf<Row>(revision, loadQuery('reverse_candidates'), [lon, lat, twin])).map(({ id }) => id);
    }

    const get = async (id: string): Promise<ResolvedBoundary> => defined((await resolve([id]))[0]);
    return { revision, resolve, lookup, shapes, get, byIds, show, written, hasPostcodes, around, once, kept, keep };
  }

  async function everyOne(
    texts: readonly string[],
    found: readonly (ResolvedBoundary | null)[],
  ): Promise<ResolvedBoundary[]> {
    const unknown = [...new Set(texts.filter((_, i) => !found[i]).map((text) => shown(parseBoundaryId(text))))];
    if (unknown.length === 0) return found as ResolvedBoundary[];
    const gone = await db.query<Tombstone>(loadQuery('gone_find'), [unknown]);
    const words = gone.map(epitaph);
    throw problem('not_found', [`No boundary ${unknown.join(', ')}.`, ...words].join(' '));
  }

  async function reading<T>(work: (reading: Reading) => Promise<T>): Promise<T> {
    for (let tries = 0; tries < TRIES; tries++) {
      const present = revisions.current();
      const revision = typeof present === 'number' ? present : await present;
      try {
        return await work(readingOf(stateOf(revision)));
      } catch (error) {
        if (!(error instanceof DataMoved)) throw error;
        revisions.doubt();
      }
    }
    throw atCapacity();
  }

  function warm(): Promise<boolean> {
    readingBoxes ??= readAllBoxes().finally(() => {
      readingBoxes = null;
    });
    return readingBoxes;
  }

  async function readAhead(ids: readonly string[]): Promise<void> {
    const revision = await reading(async (one) => one.revision);
    for (let from = 0; from < ids.length; from += AHEAD) {
      if (state.revision !== revision || state.documents.room < AHEAD * RESOLVED_BYTES) return;
      await reading((one) => one.byIds(ids.slice(from, from + AHEAD)));
    }
  }

  async function readAllBoxes(): Promise<boolean> {
    if (!packBoxes) return false;
    const started = performance.now();
    try {
      const revision = await revisions.current();
      if (boxes?.revision === revision) return true;
      const read = await readBoxes(db, packBoxes, revision);
      if (read) boxes = read;
      return read !== null;
    } finally {
      const ended = performance.now();
      boxesRest = ended + (ended - started) / BOXES_SHARE;
    }
  }

  return {
    reading,
    everyOne,
    warm,
    readAhead,
    held: () => ({
      bytes: {
        documents: state.documents.bytes,
        shapes: state.shapes.bytes,
        names: state.names.bytes,
        written: state.written.bytes,
        answers: state.answers.bytes,
        boxes: boxes?.bytes ?? 0,
      },
      boxes: boxes?.boundaries ?? 0,
      counts,
    }),
    resolve: (ids) => reading((one) => one.resolve(ids)),
    lookup: (ids) => reading((one) => one.lookup(ids)),
    shapes: (ids) => reading((one) => one.shapes(ids)),
    get: (id) => reading((one) => one.get(id)),
    byIds: (ids) => reading((one) => one.byIds(ids)),
    show: (list, naming) => reading((one) => one.show(list, naming)),
    written: (list, naming) => reading((one) => one.written(list, naming)),
    hasPostcodes: (countries) => reading((one) => one.hasPostcodes(countries)),
    around: (lat, lon) => reading((one) => one.around(lat, lon)),
  };
}

/** Tells how boundaries are named from other ways; a tag holds no blank. */
function keyOfNaming({ prefer, names }: Naming): string {
  return `${prefer.join()} ${names === null ? '-' : names === 'all' ? '*' : names.join()} `;
}

function nameOf(id: BoundaryId): string {
  return `${id.kind}:${keyOf(id)}`;
}

function sizeOf(value: object): number {
  return BYTES_A_CHARACTER * JSON.stringify(value).length;
}

function keyOf(id: BoundaryId): string {
  return id.kind === 'iso' ? id.code : id.id;
}

function shown(id: BoundaryId): string {
  return id.kind === 'osm' ? id.id : `${id.kind}:${keyOf(id)}`;
}

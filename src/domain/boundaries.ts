import type { Database } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { atCapacity, problem } from '../errors.ts';
import type { Kind } from '../schemas.ts';
import { batched } from './batches.ts';
import { type BoundaryId, compareIds, parseBoundaryId } from './ids.ts';
import { type Naming, nameIn, namesIn, primaries } from './languages.ts';
import { type PopulationSource, populationOf } from './populations.ts';
import { type Boxes, type PackBoxes, readBoxes } from './read_model/boxes.ts';
import { Held } from './read_model/held.ts';
import { watchRevision } from './revision.ts';

/** An enclosing boundary, as lists of parents show it. */
export interface Parent {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly admin_level: number | null;
}

/** A boundary with its local name; degrees, absent is null. */
export interface Boundary {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly admin_level: number | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly countries: string[];
  readonly disputed: boolean;
  /** Outermost first. */
  readonly parents: Parent[];
  /** west > east across the antimeridian. */
  readonly bbox: {
    readonly west: number;
    readonly south: number;
    readonly east: number;
    readonly north: number;
  } | null;
  /** A point inside. */
  readonly centroid: { readonly lat: number; readonly lon: number } | null;
  readonly population: number | null;
  readonly wikidata: string | null;
  readonly iso: string | null;
  readonly has_geometry: boolean;
  readonly source: string;
  readonly version: number;
  /** Why the last good shape is still served; degrees. */
  readonly stale: {
    readonly reason: string;
    readonly lat: number;
    readonly lon: number;
    readonly since: string;
  } | null;
}

/** A boundary as answers show it: `name` in a language that the caller reads, `names` where they are asked for. */
export interface Shown extends Boundary {
  readonly local_name: string;
  readonly names?: Readonly<Record<string, string>>;
}

/** What of a boundary a merge needs: which shape it has, and whose it is. */
export interface NamedShape {
  /** Canonical: `r…` or `w…`. */
  readonly id: string;
  readonly name: string;
  readonly admin_level: number | null;
  readonly has_geometry: boolean;
  /** Why there is no geometry, and where (degrees). */
  readonly broken: { readonly reason: string; readonly lat: number | null; readonly lon: number | null } | null;
  /** Hexadecimal. */
  readonly ring_hash: string | null;
  readonly source: {
    readonly id: string;
    readonly name: string;
    readonly url: string | null;
    readonly license: string;
    readonly attribution: string;
    /** Its shapes stand in for those of OpenStreetMap. */
    readonly seed: boolean;
  };
}

/** A boundary with what the geometry side needs beside the answer. */
export interface ResolvedBoundary extends NamedShape {
  readonly type: 'administrative' | 'postal_code';
  /** Hexadecimal. */
  readonly meta_hash: string;
  /** When this version of it was stored; ISO 8601. */
  readonly imported_at: string;
  /** 1e-7 degrees; west > east across the antimeridian. */
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
  readonly area_km2: number | null;
  readonly boundary: Boundary;
  /** Where `boundary.population` is from, when its source does not say and a table does. */
  readonly population_source: PopulationSource | null;
  /** Canonical ids of the other boundaries that carry the same wikidata id or ISO code. */
  readonly also: readonly string[];
}

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
}

/**
 * The boundaries of the database, read: each method is that of a Reading of the present data. Of what is stored, memory
 * keeps what was asked for lately and the boxes of all, for one revision at a time: who asks again asks no database.
 */
export interface Boundaries extends Omit<Reading, 'revision' | 'once'> {
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

/** A row of boundary_shapes. */
interface ShapeRow {
  readonly id: string;
  readonly name: string;
  readonly admin_level: number | null;
  readonly has_geometry: boolean;
  readonly broken: NamedShape['broken'];
  readonly ring_hash: string | null;
  readonly source: string;
  readonly source_name: string;
  readonly source_url: string | null;
  readonly license: string;
  readonly attribution: string;
  readonly seed: boolean;
}

/** A row of boundary_resolve. */
interface BoundaryRow extends ShapeRow {
  readonly type: 'administrative' | 'postal_code';
  readonly kind: Kind;
  readonly country: string | null;
  readonly countries: string[];
  readonly disputed: boolean;
  readonly iso: string | null;
  readonly wikidata: string | null;
  readonly population: number | null;
  readonly version: number;
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly area_km2: number | null;
  readonly stale: Boundary['stale'];
  readonly imported_at: string | Date;
  readonly meta_hash: string;
  readonly parents: readonly Parent[];
}

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
  readonly answers: Held<Uint8Array>;
  readonly making: Map<string, Promise<Uint8Array | null>>;
  /** By country. */
  readonly postcodes: Map<string, boolean>;
}

const HELD_BYTES = 16e6;
/** How often work is begun again because the data changed. */
const TRIES = 20;
/** The boxes are read again at most for this part of the time: where the data changes often, the database is asked. */
const BOXES_SHARE = 0.1;
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
    };
  }

  function stateOf(revision: number): State {
    if (state.revision !== revision) state = emptyState(revision);
    return state;
  }

  /** Runs a statement of one state of the data; what is of another is of no use. */
  async function rowsOf<T>(revision: number, statement: string, values: readonly unknown[]): Promise<T[]> {
    const rows = await db.query<Dated<T>>(loadQuery(statement), values);
    if (rows.some((row) => Number(row.revision) !== revision)) throw new DataMoved();
    return rows;
  }

  /** The same where each row is of a boundary. */
  async function boundariesOf<T extends { readonly id: string }>(
    revision: number,
    statement: string,
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
    for (const row of await boundariesOf<AskedRow>(Number(revision), 'boundary_resolve', values)) {
      const key = `${row.form}:${row.key}`;
      answers.set(key, [...(answers.get(key) ?? []), row]);
    }
    const found = new Map<string, ResolvedBoundary>();
    for (const [key, rows] of answers) {
      const [row, ...others] = rows.sort(byPrecedence);
      found.set(
        key,
        toResolved(
          row,
          others.map(({ id }) => id),
        ),
      );
    }
    return lists.map(() => found);
  });

  const findShapes = batched(async (revision, lists: readonly (readonly string[])[]) => {
    const rows = await boundariesOf<ShapeRow>(Number(revision), 'boundary_shapes', [[...new Set(lists.flat())]]);
    const found = new Map(rows.map((row) => [row.id, toShape(row)]));
    return lists.map(() => found);
  });

  const findPostcodes = batched(async (revision, lists: readonly (readonly string[])[]) => {
    type Row = { readonly country: string; readonly mapped: boolean };
    const rows = await rowsOf<Row>(Number(revision), 'boundary_has_postcodes', [[...new Set(lists.flat())]]);
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
        held.documents.set(nameOf(id), one, one === null ? 0 : sizeOf(one));
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
        if (one) found.set(texts[i], one);
        else missing.push(id.id);
      });
      counts.hits += found.size;
      counts.misses += missing.length;
      if (missing.length > 0) {
        const fetched = await findShapes(batch, missing);
        ids.forEach((id, i) => {
          const one = fetched.get(keyOf(id));
          if (id.kind !== 'osm' || !one || found.has(texts[i])) return;
          held.shapes.set(one.id, one, sizeOf(one));
          found.set(texts[i], one);
        });
      }
      // Other forms, ids that answer for another boundary and unknown ones are few: they take the longer way.
      const others = texts.filter((text) => !found.has(text));
      if (others.length > 0) (await resolve(others)).forEach((one, i) => void found.set(others[i], shapeOf(one)));
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
      for (const { id, names } of await boundariesOf<Row>(revision, 'boundary_names', [[...missing], wanted])) {
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
      if (known !== undefined) return known;
      const running = held.making.get(key);
      if (running !== undefined) return running;
      const making = make();
      held.making.set(key, making);
      try {
        const made = await making;
        if (made !== null) held.answers.set(key, made, made.buffer.byteLength);
        return made;
      } finally {
        held.making.delete(key);
      }
    }

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
      return (await boundariesOf<Row>(revision, 'reverse_candidates', [lon, lat, twin])).map(({ id }) => id);
    }

    const get = async (id: string): Promise<ResolvedBoundary> => (await resolve([id]))[0];
    return { revision, resolve, lookup, shapes, get, byIds, show, written, hasPostcodes, around, once };
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

/** A boundary with its local name, as files and those who read no other language are told of it. */
export function locally(boundary: Boundary): Shown {
  return named(boundary, boundary.name, null);
}

function named<T extends Boundary>(boundary: T, name: string, names: Names | null): T & Shown {
  const { id, name: local_name, ...rest } = boundary;
  return { id, name, local_name, ...(names === null ? {} : { names }), ...rest } as unknown as T & Shown;
}

/** A row of gone_find. */
interface Tombstone {
  readonly id: string;
  readonly name: string;
  readonly reason: 'deleted' | 'retagged' | 'member';
  readonly gone_at: string | Date;
  readonly replaced_by: string | null;
}

function epitaph({ id, name, reason, gone_at, replaced_by }: Tombstone): string {
  const what = reason === 'deleted' ? 'was deleted from the map' : 'is no boundary of its own any more';
  const heir = replaced_by === null ? '' : `; ${replaced_by} replaced it`;
  return `${id} (${name}) ${what}, as of ${new Date(gone_at).toISOString().slice(0, 10)}${heir}.`;
}

function toBoundary(row: BoundaryRow): Boundary {
  const { west, south, east, north, lat, lon } = row;
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    admin_level: row.admin_level,
    country: row.country,
    countries: row.countries,
    disputed: row.disputed,
    parents: [...row.parents],
    bbox:
      west === null || south === null || east === null || north === null
        ? null
        : { west: degrees(west), south: degrees(south), east: degrees(east), north: degrees(north) },
    centroid: lat === null || lon === null ? null : { lat: degrees(lat), lon: degrees(lon) },
    population: row.population ?? populationOf(row.iso)?.population ?? null,
    wikidata: row.wikidata,
    iso: row.iso,
    has_geometry: row.has_geometry,
    source: row.source,
    version: row.version,
    stale: row.stale,
  };
}

function shapeOf({ id, name, admin_level, has_geometry, broken, ring_hash, source }: ResolvedBoundary): NamedShape {
  return { id, name, admin_level, has_geometry, broken, ring_hash, source };
}

function toShape(row: ShapeRow): NamedShape {
  return {
    id: row.id,
    name: row.name,
    admin_level: row.admin_level,
    has_geometry: row.has_geometry,
    broken: row.broken,
    ring_hash: row.ring_hash,
    source: {
      id: row.source,
      name: row.source_name,
      url: row.source_url,
      license: row.license,
      attribution: row.attribution,
      seed: row.seed,
    },
  };
}

function toResolved(row: BoundaryRow, also: readonly string[]): ResolvedBoundary {
  return {
    ...toShape(row),
    type: row.type,
    meta_hash: row.meta_hash,
    imported_at: new Date(row.imported_at).toISOString(),
    west: row.west,
    south: row.south,
    east: row.east,
    north: row.north,
    area_km2: row.area_km2,
    boundary: toBoundary(row),
    population_source: row.population === null ? (populationOf(row.iso)?.source ?? null) : null,
    also,
  };
}

/** Dividing (not multiplying by 1e-7) gives the number nearest to seven decimals. */
function degrees(value: number): number {
  return value / 1e7;
}

function keyOf(id: BoundaryId): string {
  return id.kind === 'iso' ? id.code : id.id;
}

function shown(id: BoundaryId): string {
  return id.kind === 'osm' ? id.id : `${id.kind}:${keyOf(id)}`;
}

/** Administrative first, then with geometry, then the lowest admin_level, then the lowest id. */
function byPrecedence(a: BoundaryRow, b: BoundaryRow): number {
  return (
    Number(b.type === 'administrative') - Number(a.type === 'administrative') ||
    Number(b.has_geometry) - Number(a.has_geometry) ||
    (a.admin_level ?? 99) - (b.admin_level ?? 99) ||
    compareIds(a.id, b.id)
  );
}

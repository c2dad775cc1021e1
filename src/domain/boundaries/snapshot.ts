import { defined } from '../../common/elements.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { type Naming, nameIn, namesIn, primarySubtags } from '../names/languages.ts';
import { type Boundary, type LocalizedBoundary, type ResolvedBoundary, withName } from './boundary.ts';
import type { Boxes } from './box_index.ts';
import type { BoxesInMemory } from './boxes.ts';
import { requireOne } from './coded.ts';
import { type Finders, nameOf } from './finders.ts';
import { type BoundaryId, parseBoundaryId } from './ids.ts';
import { type MaritimeLines, MOST_MARITIME } from './maritime.ts';
import { keyOfNaming } from './naming_key.ts';
import type { Answer, Boundaries, Names, Snapshot, State } from './reads.ts';
import { byPrecedence, sizeOfResolved } from './rows.ts';
import { shapesOf } from './snapshot_shapes.ts';
import type { TileView } from './tile_model.ts';
import { tileBoundaries } from './tiles.ts';

/** Estimated bytes of a value in memory per character of its JSON. */
const BYTES_A_CHARACTER = 3;

/** What a Snapshot needs besides the cached data of its revision. */
export interface SnapshotSources {
  readonly db: Database;
  readonly finders: Finders;
  readonly boxes: BoxesInMemory;
  /** Lookups answered from memory, and the others. */
  readonly counts: { hits: number; misses: number };
  /** As Boundaries.requireFound(). */
  readonly requireFound: Boundaries['requireFound'];
  /** As BoundariesOptions.ofSets. */
  readonly ofSets: boolean;
}

/** A Snapshot of one revision: what memory does not hold comes from the database and is then cached. */
export function createSnapshot(held: State, sources: SnapshotSources): Snapshot {
  const { db, finders, boxes, counts, requireFound, ofSets } = sources;
  const { boundariesOf, find, findShapes, findPostcodes, findCoded } = finders;
  const { revision } = held;
  const batch = String(revision);

  async function lookup(texts: readonly string[]): Promise<(ResolvedBoundary | null)[]> {
    const ids = texts.map(parseBoundaryId);
    const found = ids.map((id) => held.documents.get(nameOf(id)));
    const missing = ids.filter((_, i) => found[i] === undefined);
    counts.hits += ids.length - missing.length;
    counts.misses += missing.length;
    if (missing.length === 0) return found as (ResolvedBoundary | null)[];
    const coded = await lookupCodes(missing.flatMap((id) => (id.kind === 'code' ? [id] : [])));
    const others = missing.filter(({ kind }) => kind !== 'code');
    const fetched = others.length === 0 ? new Map<string, ResolvedBoundary>() : await find(batch, others);
    return ids.map((id, i) => {
      const known = found[i];
      if (known !== undefined) return known;
      const one = (id.kind === 'code' ? coded.get(id.id) : fetched.get(nameOf(id))) ?? null;
      held.documents.set(nameOf(id), one, one === null ? 0 : sizeOfResolved(one));
      return one;
    });
  }

  /** The boundary that each code means, by the code. @throws invalid_id for a code of several boundaries of a source */
  async function lookupCodes(ids: readonly CodeId[]): Promise<Map<string, ResolvedBoundary>> {
    const meant = new Map<string, ResolvedBoundary>();
    if (ids.length === 0) return meant;
    const having = await findCoded(batch, [...new Set(ids.map(({ id }) => id))]);
    const canonical = ids.flatMap(({ id }) => (having.get(id) ?? []).map((one) => one.id));
    if (canonical.length === 0) return meant;
    const objects = canonical.map((id): BoundaryId => ({ kind: 'osm', id }));
    const fetched = await find(batch, objects);
    for (const { id, text } of ids) {
      const all = (having.get(id) ?? []).map((one) => defined(fetched.get(`osm:${one.id}`))).sort(byPrecedence);
      requireOne(text, all);
      const [first, ...others] = all;
      if (first) meant.set(id, { ...first, also: others.map((one) => one.id) });
    }
    return meant;
  }

  async function resolve(texts: readonly string[]): Promise<ResolvedBoundary[]> {
    return requireFound(texts, await lookup(texts));
  }

  const shapes = shapesOf(held, { counts, resolve, find: (ids) => findShapes(batch, ids) });

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
    const wanted = primarySubtags(languages);
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

  async function show<T extends Boundary>(
    list: readonly T[],
    { prefer, names }: Naming,
  ): Promise<(T & LocalizedBoundary)[]> {
    const languages = names === 'all' ? names : [...prefer, ...(names ?? [])];
    // Boundaries and their parents carry their local names already.
    if (languages.length === 0) return list.map((one) => withName(one, one.name, names === null ? null : {}));
    const own = list.map(({ id }) => id);
    const parents = list.flatMap((one) => one.parents.map(({ id }) => id));
    const known = await namesOf(names === 'all' ? own : [...own, ...parents], languages);
    const ofParents = names === 'all' ? await namesOf(parents, prefer) : known;
    const nameIs = (one: { readonly id: string; readonly name: string }, from: ReadonlyMap<string, Names>) =>
      nameIn(from.get(one.id) ?? {}, prefer) ?? one.name;
    return list.map((one) => ({
      ...withName(one, nameIs(one, known), names === null ? null : namesIn(known.get(one.id) ?? {}, names)),
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
    return held.inFlight.run(key, async () => {
      const made = await make();
      if (made === null) return null;
      // A short text shares a pooled buffer with others, all of which would stay in memory with it: copy it.
      const bytes = made.byteLength < made.buffer.byteLength ? new Uint8Array(made) : made;
      held.answers.set(key, { bytes }, bytes.byteLength);
      return bytes;
    });
  }

  async function sourceOrder(): Promise<ReadonlyMap<string, number>> {
    type Row = { readonly id: string; readonly position: number };
    if (held.order === null) {
      const rows = await boundariesOf<Row>(revision, loadQuery('source_order'), []);
      held.order = new Map(rows.map(({ id, position }) => [id, position]));
    }
    return held.order;
  }

  const readMaritime = async (): Promise<MaritimeLines> => {
    const lines = held.maritime ?? (await finders.findMaritime(revision));
    if (lines.bytes <= MOST_MARITIME) held.maritime = lines;
    return lines;
  };

  // The key determines the type of the answer.
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

  function boxesInMemory(): Boxes | null {
    const known = boxes.of(revision);
    if (known === null) boxes.warmInBackground();
    return known;
  }

  async function around(lat: number, lon: number): Promise<string[]> {
    // The antimeridian is both -180 and 180 degrees, and there is data on both sides of it.
    const twin = Math.abs(lon) === 180 ? -lon : lon;
    const known = boxesInMemory();
    if (known) {
      const [x, y] = [Math.round(lon * 1e7), Math.round(lat * 1e7)];
      const found = known.at(x, y);
      return twin === lon ? found : [...new Set([...found, ...known.at(Math.round(twin * 1e7), y)])];
    }
    type Row = { readonly id: string };
    const statement = loadQuery(ofSets ? 'reverse_candidates_of_sets' : 'reverse_candidates');
    return (await boundariesOf<Row>(revision, statement, [lon, lat, twin])).map(({ id }) => id);
  }

  const ofTile = (view: TileView, signal?: AbortSignal) =>
    tileBoundaries(db, { revision, boxes: boxesInMemory(), cache: held.tiles }, view, signal);

  const landOf = (ids: readonly string[]) => finders.findLand(revision, ids);
  const get = async (id: string): Promise<ResolvedBoundary> => defined((await resolve([id]))[0]);
  return {
    ...{
      revision,
      resolve,
      lookup,
      shapes,
      get,
      byIds,
      show,
      written,
      landOf,
      sourceOrder,
      hasPostcodes,
      around,
      once,
      kept,
      keep,
    },
    tileBoundaries: ofTile,
    maritimeLines: readMaritime,
  };
}

type CodeId = Extract<BoundaryId, { kind: 'code' }>;

function sizeOf(value: object): number {
  return BYTES_A_CHARACTER * JSON.stringify(value).length;
}

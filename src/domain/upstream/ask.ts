import { setTimeout as sleep } from 'node:timers/promises';
import { type Named, namedOf } from '../../adapters/named.ts';
import type { OverpassAnswer } from '../../adapters/overpass.ts';
import { childrenQuery, codeQuery, objectQuery, pointQuery } from '../../adapters/overpass_queries.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { defined, only } from '../../elements.ts';
import { asProblem, ProblemError } from '../../errors.ts';
import type { Boundaries } from '../boundaries_model.ts';
import type { NamedShape, ResolvedBoundary } from '../boundary.ts';
import { hasChildren, requireSubdivided, type Which } from '../children.ts';
import { type BoundaryId, parseBoundaryId } from '../ids.ts';
import type { Who } from './budget.ts';
import {
  asSeed,
  holds,
  isLocal,
  isSeed,
  isWhole,
  liesIn,
  notYet,
  pairs,
  questionOf,
  standsFor,
  worst,
} from './questions.ts';
import type { Servers } from './servers.ts';
import { type Answer, type Claim, createSingleFlight, type Flight } from './single_flight.ts';

export type { Named } from '../../adapters/named.ts';
export type { OverpassAnswer } from '../../adapters/overpass.ts';

/** What came of boundaries that were stored. */
export interface Stored {
  /** Those that the answer holds, and whether each has a polygon. */
  readonly outcomes: ReadonlyMap<string, 'found' | 'broken'>;
  /** Others, which could not be made again with the ways that came: they need newer members. */
  readonly outdated: readonly string[];
}

/** Where answers go: through the same rings, arcs, validity and kinds as an import. */
export interface UpstreamSink<T = unknown> {
  /** Reads an answer with geometry. Throws a plain Error when it is not whole. */
  read(answer: OverpassAnswer): T;
  /** Stores what was read. */
  put(read: T): Promise<Stored>;
  /** Stores what is known of boundaries without their polygon, unless they are stored; gives the ids of what is a boundary. */
  name(named: readonly Named[], within: { country: string | null }): Promise<string[]>;
}

/** Who waits for an answer. */
export interface Asker {
  readonly who: Who;
  readonly signal?: AbortSignal;
}

/** Boundaries that are fetched from the upstream source when they are asked for and not stored. */
export interface Upstream {
  /**
   * Boundaries with their polygons, as Boundaries.resolve(). What is not stored or has no polygon is fetched first. A
   * seed shape of an OpenStreetMap relation is given at once, marked stale, while the better one is fetched; where
   * the source has nothing better it stays, and is not stale.
   * Throws geometry_pending when that takes longer than the wait that is configured (it goes on), upstream_busy,
   * upstream_unavailable; all with retry_after. What is stored needs no more than one lookup.
   */
  resolve(ids: readonly string[], asker: Asker): Promise<ResolvedBoundary[]>;
  /** resolve() where only the shapes are needed, as Boundaries.shapes(). */
  shapes(ids: readonly string[], asker: Asker): Promise<NamedShape[]>;
  /**
   * A boundary whose subdivisions are to be listed: the upstream was asked for them when it came from there and they did
   * not. Throws what requireSubdivided() throws and, where none are stored, what kept the upstream from answering.
   */
  subdivided(id: string, which: Which, asker: Asker): Promise<ResolvedBoundary>;
  /** Canonical ids of what contains a place (degrees): for places that nothing stored covers. Empty when no one can tell in time. */
  at(lat: number, lon: number, asker: Asker): Promise<string[]>;
  /** Asks for boundaries again, in the background and within the budget; ids are canonical. */
  refetch(ids: readonly string[]): Promise<void>;
  /** Begins to refresh what is old, and goes on until close(). */
  start(): void;
  /** Fetches one boundary that is due; gives whether there was one. */
  refreshOne(): Promise<boolean>;
  /** How many questions are worked on in this process. */
  pending(): number;
  readonly counts: Servers['counts'];
  breakers: Servers['breakers'];
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export interface UpstreamOptions {
  /** Milliseconds that a caller waits for what is being fetched. */
  readonly waitMs: number;
  readonly refreshDays: number;
  readonly log: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

const NEGATIVE_S = 600;
/** A boundary without subdivisions may get some, but not soon. */
const LEAF_S = 86_400;
const DAY_S = 86_400;
/** One that was asked for less than so long ago is not asked for again. */
const REFETCH_S = 600;
const REFRESH_MS = 30_000;
const DEEPEST_LEVEL = 12;

const NOTHING: Stored = { outcomes: new Map(), outdated: [] };

type Result = Answer | ProblemError;

/** The upstream of a database: what `servers` know goes into `sink`, and `boundaries` finds it there. */
export function createUpstream<T>(
  db: Database,
  boundaries: Boundaries,
  { servers, sink }: { servers: Servers; sink: UpstreamSink<T> },
  options: UpstreamOptions,
): Upstream {
  const foundS = options.refreshDays * DAY_S;
  const singleFlight = createSingleFlight(db, (key, error) =>
    options.log('an answer was not kept', { asked: key, err: error }),
  );
  let timer: NodeJS.Timeout | null = null;
  let refreshing: Promise<unknown> = Promise.resolve();
  let open = true;

  /** One boundary, or those that carry a code: one request to the interpreter. */
  async function fetchBoundary(id: BoundaryId, claim: Claim): Promise<Answer & { holdsS: number }> {
    const query = (memory: number) =>
      id.kind === 'osm'
        ? objectQuery(id.id, memory)
        : codeQuery({ kind: id.kind, value: id.kind === 'iso' ? id.code : id.id }, memory);
    const read = await servers.ask({ ...claim, query, onSent: claim.started, onWaiting: claim.waiting }, (answer) => {
      if (answer.elements.length > 0 && id.kind === 'osm' && !holds(answer, id.id)) throw new Error('something else');
      return answer.elements.length === 0 ? null : sink.read(answer);
    });
    const { outcomes, outdated } = read === null ? NOTHING : await sink.put(read);
    if (outdated.length > 0) await refetch(outdated);
    const ids = [...outcomes.keys()];
    if (id.kind !== 'osm') {
      const all = [...outcomes.values()];
      const seconds = all.map((one) => (one === 'found' ? foundS : NEGATIVE_S));
      await db.query(loadQuery('upstream_stored'), [ids, all, seconds]);
    }
    const those = id.kind === 'osm' ? [outcomes.get(id.id)] : [...outcomes.values()];
    const outcome = those.includes('found') ? 'found' : those.includes('broken') ? 'broken' : 'missing';
    if (outcome === 'missing' && id.kind === 'osm') {
      await db.query(loadQuery('upstream_gone'), [id.id, 'no longer a boundary in OpenStreetMap']);
    }
    return { outcome, ids, holdsS: outcome === 'found' ? foundS : NEGATIVE_S };
  }

  function fetching(key: string, who: Who, again = false): Flight {
    const id = parseBoundaryId(key);
    return singleFlight.start(key, who, (claim) => fetchBoundary(id, claim), again);
  }

  /** Starts work on a question, or joins it: then what was refused to someone of less right is tried once more. */
  function join(start: () => Flight, who: Who): { flight: Flight; ended: Promise<Answer> } | ProblemError {
    try {
      const flight = start();
      const ended =
        who === 'known' && flight.who !== 'known'
          ? flight.ended.catch((error: unknown) => {
              if (asProblem(error)?.code !== 'upstream_busy') throw error;
              return start().ended;
            })
          : flight.ended;
      return { flight, ended };
    } catch (error) {
      if (error instanceof ProblemError) return error;
      throw error;
    }
  }

  /** What questions have come to within the wait that is configured; what is not there yet is pending, or waits for a slot. */
  async function settle(questions: ReadonlyMap<string, () => Flight>, asker: Asker): Promise<Map<string, Result>> {
    const results = new Map<string, Result>();
    const running = [...questions].flatMap(([key, start]) => {
      const joined = join(start, asker.who);
      if (joined instanceof ProblemError) {
        results.set(key, joined);
        return [];
      }
      const done = joined.ended.then(
        (answer) => void results.set(key, answer),
        (error: unknown) => {
          const known = asProblem(error);
          if (!known) throw error;
          results.set(key, known);
        },
      );
      done.catch(() => undefined);
      return [{ key, flight: joined.flight, done }];
    });
    const enough = new AbortController();
    asker.signal?.addEventListener('abort', () => enough.abort(), { once: true, signal: enough.signal });
    const waited = sleep(options.waitMs, undefined, { signal: enough.signal }).catch(() => undefined);
    await Promise.race([Promise.all(running.map(({ done }) => done)), waited]).finally(() => enough.abort());
    asker.signal?.throwIfAborted();
    for (const { key, flight } of running) if (!results.has(key)) results.set(key, notYet(flight));
    return results;
  }

  async function resolve(texts: readonly string[], asker: Asker): Promise<ResolvedBoundary[]> {
    const ids = texts.map(parseBoundaryId);
    let found = await boundaries.lookup(texts);
    const seeds = await replaceable(found);
    for (const id of seeds) fetchBehind(id, asker.who);
    // A second time only when what was fetched before is not there any more.
    for (const again of [false, true]) {
      const keyOf = (id: BoundaryId, one: ResolvedBoundary | null) => (isSeed(one) ? null : questionOf(id, one));
      const keys = ids.map((id, i) => keyOf(id, defined(found[i])));
      const asked = [...new Set(keys)].filter((key) => key !== null);
      if (asked.length === 0 || ids.some((_, i) => !found[i] && keys[i] === null)) break;
      const results = await settle(new Map(asked.map((key) => [key, () => fetching(key, asker.who, again)])), asker);
      found = await boundaries.lookup(texts);
      const failures: ProblemError[] = [];
      let once = true;
      ids.forEach((id, i) => {
        const one = defined(found[i]);
        const key = keyOf(id, one);
        const result = key === null ? undefined : (results.get(key) ?? results.get(keys[i] ?? ''));
        if (result instanceof ProblemError) {
          if (!standsFor(one, result)) failures.push(result);
        } else if (result?.outcome === 'found') once = false;
      });
      if (failures.length > 0) throw worst(failures);
      if (once) break;
    }
    const all = await boundaries.everyOne(texts, found);
    return all.map((one) => (seeds.has(one.id) && isSeed(one) ? asSeed(one) : one));
  }

  /** Ids of seed shapes, but for those of which the source has said not long ago that it has nothing better. */
  async function replaceable(found: readonly (ResolvedBoundary | null)[]): Promise<Set<string>> {
    const seeds = new Set(found.filter(isSeed).map(({ id }) => id));
    if (seeds.size === 0) return seeds;
    const known = await db.query(loadQuery('upstream_watch'), [[...seeds]]);
    for (const { key, outcome, holds } of known)
      if (holds && outcome !== null && outcome !== 'found') seeds.delete(key);
    return seeds;
  }

  /** Fetches a boundary while what stands in for it is served. What goes wrong is in the log of the servers already. */
  function fetchBehind(id: string, who: Who): void {
    try {
      fetching(id, who).ended.catch((error: unknown) => {
        if (!asProblem(error)) options.log('a boundary could not be fetched', { id, err: error });
      });
    } catch (error) {
      if (!asProblem(error)) throw error;
    }
  }

  async function shapes(texts: readonly string[], asker: Asker): Promise<NamedShape[]> {
    try {
      const found = await boundaries.shapes(texts);
      if (found.every(isWhole)) return found;
    } catch (error) {
      if (asProblem(error)?.code !== 'not_found') throw error;
    }
    return resolve(texts, asker);
  }

  async function subdivided(text: string, which: Which, asker: Asker): Promise<ResolvedBoundary> {
    const [known] = await boundaries.lookup([text]);
    const parent = known ?? only(await resolve([text], asker));
    requireSubdivided(parent, which);
    const stored = await hasChildren(db, parent, which);
    if (!(await lacksChildren(parent, stored))) return parent;
    const { adminLevel: level } = which;
    const own = parent.admin_level ?? 1;
    const levels = Array.from({ length: DEEPEST_LEVEL - own }, (_, i) => own + 1 + i);
    const steps = level === undefined ? pairs(levels) : [[level]];
    const key = `children:${parent.id}${level === undefined ? '' : `:${level}`}`;
    const start = () => singleFlight.start(key, asker.who, (claim) => fetchChildren(parent, steps, claim));
    const result = (await settle(new Map([[key, start]]), asker)).get(key);
    if (result instanceof ProblemError && !stored) throw result;
    return parent;
  }

  /** Imports bring the subdivisions along; what came from the upstream, or stands in for it, has none of its own. */
  async function lacksChildren(parent: ResolvedBoundary, stored: boolean): Promise<boolean> {
    if (isLocal(parent.id)) return false;
    if (parent.source.seed) return !stored;
    const [row] = await db.query(loadQuery('upstream_watch'), [[parent.id]]);
    return row !== undefined || (!parent.has_geometry && parent.broken === null);
  }

  async function fetchChildren(
    parent: ResolvedBoundary,
    steps: readonly (readonly number[])[],
    claim: Claim,
  ): Promise<Answer & { holdsS: number }> {
    for (const levels of steps) {
      const query = () => childrenQuery(parent.id, levels);
      const named = await servers.ask(
        { ...claim, query, onSent: claim.started, onWaiting: claim.waiting },
        ({ elements }) => namedOf(elements),
      );
      const inside = named.filter((one) => one.id !== parent.id && liesIn(one.box, parent.boundary.bbox));
      const ids = await sink.name(inside, { country: parent.boundary.country });
      if (ids.length === 0) continue;
      await db.query(loadQuery('upstream_link'), [parent.id, ids]);
      return { outcome: 'found', ids, holdsS: foundS };
    }
    return { outcome: 'missing', ids: [], holdsS: LEAF_S };
  }

  async function at(lat: number, lon: number, asker: Asker): Promise<string[]> {
    const key = `at:${Math.round(lat * 1e7)},${Math.round(lon * 1e7)}`;
    const start = () => singleFlight.start(key, asker.who, (claim) => fetchPoint(lat, lon, claim));
    const result = (await settle(new Map([[key, start]]), asker)).get(key);
    return result === undefined || result instanceof ProblemError ? [] : [...result.ids];
  }

  async function fetchPoint(lat: number, lon: number, claim: Claim): Promise<Answer & { holdsS: number }> {
    const query = () => pointQuery(lat, lon);
    const named = await servers.ask(
      { ...claim, query, onSent: claim.started, onWaiting: claim.waiting },
      ({ elements }) => namedOf(elements),
    );
    const country = named
      .map(({ tags }) => tags['ISO3166-1:alpha2'] ?? tags['ISO3166-1'])
      .find((code) => code?.length === 2);
    const ids = await sink.name(named, { country: country ?? null });
    return ids.length > 0 ? { outcome: 'found', ids, holdsS: foundS } : { outcome: 'missing', ids, holdsS: NEGATIVE_S };
  }

  async function refetch(ids: readonly string[]): Promise<void> {
    const known = ids.filter((id) => !isLocal(id));
    if (known.length === 0) return;
    await db.query(loadQuery('upstream_refetch'), [known, REFETCH_S]);
    if (timer) schedule(0);
  }

  async function refreshOne(): Promise<boolean> {
    const [due] = await db.query(loadQuery('upstream_due'), [1]);
    if (!due) return false;
    const { outcome } = await fetching(due.key, 'background').ended;
    if (outcome !== 'found') options.log('a boundary could not be refreshed', { id: due.key, outcome });
    return true;
  }

  function schedule(ms: number): void {
    if (!open) return;
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => {
      refreshing = refreshing
        .then(refreshAll)
        .catch((error: unknown) => {
          // Refusals are in the log of the servers already.
          if (!asProblem(error)) options.log('boundaries were not refreshed', { err: error });
        })
        .then(() => schedule(REFRESH_MS));
    }, ms);
    timer.unref();
  }

  async function refreshAll(): Promise<void> {
    while (open && (await refreshOne()));
  }

  return {
    resolve,
    shapes,
    subdivided,
    at,
    refetch,
    refreshOne,
    start: () => schedule(REFRESH_MS),
    pending: () => singleFlight.size,
    counts: servers.counts,
    breakers: () => servers.breakers(),
    async sweep() {
      await db.query(loadQuery('upstream_sweep'));
    },
    async close() {
      open = false;
      if (timer) clearTimeout(timer);
      await singleFlight.close();
      await refreshing;
    },
  };
}

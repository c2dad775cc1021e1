import { remoteBoundaries } from '../../adapters/named.ts';
import { childrenQuery, codeQuery, objectQuery, pointQuery } from '../../adapters/overpass_queries.ts';
import { defined, only } from '../../common/elements.ts';
import { asProblem, ProblemError } from '../../core/errors.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { NamedShape, ResolvedBoundary } from '../boundaries/boundary.ts';
import { hasChildren, requireSubdivided, type SubdivisionFilter } from '../boundaries/children.ts';
import { type BoundaryId, parseBoundaryId } from '../boundaries/ids.ts';
import type { Boundaries } from '../boundaries/reads.ts';
import type { CallerKind } from './budget.ts';
import {
  answersDespite,
  holds,
  isLocal,
  isMostlyInside,
  isSeed,
  isWhole,
  markAsSeed,
  pairs,
  questionOf,
  worst,
} from './questions.ts';
import { createRefreshes } from './refreshes.ts';
import type { Servers } from './servers.ts';
import { settle } from './settle.ts';
import { type Claim, createSingleFlight, type Flight, type FlightResult } from './single_flight.ts';
import type { Stored, Upstream, UpstreamCaller, UpstreamOptions, UpstreamSink } from './upstream.ts';

/** Seconds for which the answer "not found" holds. */
const NEGATIVE_S = 600;
/** Seconds for which a boundary counts as having no subdivisions; it may get some, but not soon. */
const LEAF_S = 86_400;
const DAY_S = 86_400;
/** Least seconds between two fetches of one boundary by refetch(). */
const REFETCH_S = 600;
const DEEPEST_LEVEL = 12;

const NOTHING: Stored = { outcomes: new Map(), outdated: [] };

/** Creates the upstream of a database: answers of `servers` are stored through `sink` and read from `boundaries`. */
export function createUpstream<T>(
  db: Database,
  boundaries: Boundaries,
  { servers, sink }: { servers: Servers; sink: UpstreamSink<T> },
  options: UpstreamOptions,
): Upstream {
  const foundS = options.refreshDays * DAY_S;
  const singleFlight = createSingleFlight(db, (key, error) =>
    options.log('an upstream answer was not stored', { asked: key, err: error }),
  );
  const refreshes = createRefreshes(refreshOne, (err) => options.log('boundaries were not refreshed', { err }));

  /** Fetches one boundary, or those with a code, in one request to the interpreter. */
  async function fetchBoundary(
    id: Exclude<BoundaryId, { kind: 'code' }>,
    claim: Claim,
  ): Promise<FlightResult & { holdsS: number }> {
    const query = (memory: number) =>
      id.kind === 'osm'
        ? objectQuery(id.id, memory)
        : codeQuery({ kind: id.kind, value: id.kind === 'iso' ? id.code : id.id }, memory);
    const read = await servers.ask({ ...claim, query, onSent: claim.started, onWaiting: claim.waiting }, (answer) => {
      if (answer.elements.length > 0 && id.kind === 'osm' && !holds(answer, id.id))
        throw new Error('the answer does not have the requested object');
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

  function fetching(key: string, who: CallerKind, again = false): Flight {
    const id = parseBoundaryId(key);
    // questionOf() makes no question of a code: the map cannot be asked for one.
    if (id.kind === 'code') throw new Error(`${key} cannot be asked for`);
    return singleFlight.start(key, who, (claim) => fetchBoundary(id, claim), again);
  }

  async function resolve(texts: readonly string[], asker: UpstreamCaller): Promise<ResolvedBoundary[]> {
    const ids = texts.map(parseBoundaryId);
    let found = await boundaries.lookup(texts);
    const seeds = await replaceable(found);
    for (const id of seeds) fetchBehind(id, asker.who);
    // The second pass runs only if boundaries fetched earlier are no longer stored.
    for (const again of [false, true]) {
      const keyOf = (id: BoundaryId, one: ResolvedBoundary | null) => (isSeed(one) ? null : questionOf(id, one));
      const keys = ids.map((id, i) => keyOf(id, defined(found[i])));
      const asked = [...new Set(keys)].filter((key) => key !== null);
      if (asked.length === 0 || ids.some((_, i) => !found[i] && keys[i] === null)) break;
      const results = await settle(
        new Map(asked.map((key) => [key, () => fetching(key, asker.who, again)])),
        asker,
        options.waitMs,
      );
      found = await boundaries.lookup(texts);
      const failures: ProblemError[] = [];
      let once = true;
      ids.forEach((id, i) => {
        const one = defined(found[i]);
        const key = keyOf(id, one);
        const result = key === null ? undefined : (results.get(key) ?? results.get(keys[i] ?? ''));
        if (result instanceof ProblemError) {
          if (!answersDespite(one, result)) failures.push(result);
        } else if (result?.outcome === 'found') once = false;
      });
      if (failures.length > 0) throw worst(failures);
      if (once) break;
    }
    const all = await boundaries.requireFound(texts, found);
    return all.map((one) => (seeds.has(one.id) && isSeed(one) ? markAsSeed(one) : one));
  }

  /** Returns the ids of seed shapes, without those for which the source recently had nothing better. */
  async function replaceable(found: readonly (ResolvedBoundary | null)[]): Promise<Set<string>> {
    const seeds = new Set(found.filter(isSeed).map(({ id }) => id));
    if (seeds.size === 0) return seeds;
    const known = await db.query(loadQuery('upstream_watch'), [[...seeds]]);
    for (const { key, outcome, holds } of known)
      if (holds && outcome !== null && outcome !== 'found') seeds.delete(key);
    return seeds;
  }

  /** Fetches a boundary in the background while its seed is served. The servers already log failures. */
  function fetchBehind(id: string, who: CallerKind): void {
    try {
      fetching(id, who).ended.catch((error: unknown) => {
        if (!asProblem(error)) options.log('a boundary could not be fetched', { id, err: error });
      });
    } catch (error) {
      if (!asProblem(error)) throw error;
    }
  }

  async function shapes(texts: readonly string[], asker: UpstreamCaller): Promise<NamedShape[]> {
    try {
      const found = await boundaries.shapes(texts);
      if (found.every(isWhole)) return found;
    } catch (error) {
      if (asProblem(error)?.code !== 'not_found') throw error;
    }
    return resolve(texts, asker);
  }

  async function subdivided(text: string, which: SubdivisionFilter, asker: UpstreamCaller): Promise<ResolvedBoundary> {
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
    const result = (await settle(new Map([[key, start]]), asker, options.waitMs)).get(key);
    if (result instanceof ProblemError && !stored) throw result;
    return parent;
  }

  /** Whether subdivisions must be fetched. Imports include them; upstream boundaries and seeds come without. */
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
  ): Promise<FlightResult & { holdsS: number }> {
    for (const levels of steps) {
      const query = () => childrenQuery(parent.id, levels);
      const named = await servers.ask(
        { ...claim, query, onSent: claim.started, onWaiting: claim.waiting },
        ({ elements }) => remoteBoundaries(elements),
      );
      const inside = named.filter((one) => one.id !== parent.id && isMostlyInside(one.box, parent.boundary.bbox));
      const ids = await sink.name(inside, { country: parent.boundary.country });
      if (ids.length === 0) continue;
      await db.query(loadQuery('upstream_link'), [parent.id, ids]);
      return { outcome: 'found', ids, holdsS: foundS };
    }
    return { outcome: 'missing', ids: [], holdsS: LEAF_S };
  }

  async function at(lat: number, lon: number, asker: UpstreamCaller): Promise<string[]> {
    const key = `at:${Math.round(lat * 1e7)},${Math.round(lon * 1e7)}`;
    const start = () => singleFlight.start(key, asker.who, (claim) => fetchPoint(lat, lon, claim));
    const result = (await settle(new Map([[key, start]]), asker, options.waitMs)).get(key);
    return result === undefined || result instanceof ProblemError ? [] : [...result.ids];
  }

  async function fetchPoint(lat: number, lon: number, claim: Claim): Promise<FlightResult & { holdsS: number }> {
    const query = () => pointQuery(lat, lon);
    const named = await servers.ask(
      { ...claim, query, onSent: claim.started, onWaiting: claim.waiting },
      ({ elements }) => remoteBoundaries(elements),
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
    refreshes.soon();
  }

  async function refreshOne(): Promise<boolean> {
    const [due] = await db.query(loadQuery('upstream_due'), [1]);
    if (!due) return false;
    const { outcome } = await fetching(due.key, 'background').ended;
    if (outcome !== 'found') options.log('a boundary could not be refreshed', { id: due.key, outcome });
    return true;
  }

  return {
    resolve,
    shapes,
    subdivided,
    at,
    refetch,
    refreshOne,
    start: refreshes.start,
    pending: () => singleFlight.size,
    counts: servers.counts,
    breakers: () => servers.breakers(),
    async sweep() {
      await db.query(loadQuery('upstream_sweep'));
    },
    async close() {
      refreshes.stop();
      await singleFlight.close();
      await refreshes.ended();
    },
  };
}

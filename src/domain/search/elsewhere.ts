import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SearchError, type SearchServer } from '../../adapters/nominatim.ts';
import { ProblemError, problem } from '../../core/errors.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { foldName } from '../names/fold.ts';
import { type Claim, createSingleFlight, type FlightResult } from '../upstream/single_flight.ts';
import type { UpstreamCaller, UpstreamSink } from '../upstream/upstream.ts';
import type { Search } from './hit.ts';

/** Looks up names that are not stored on a search server: at most one request a second over all processes. */
export interface RemoteSearch {
  /**
   * Asks the server and returns the canonical ids of the boundaries stored as a result. Returns an empty list after 2
   * s, if no request is allowed, and on any failure: the caller then keeps the local results.
   */
  lookUp(search: Pick<Search, 'q' | 'country'>, asker: UpstreamCaller): Promise<readonly string[]>;
  /** Requests by outcome since the process started. */
  readonly outcomes: Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** Longest wait of a search for the server, in milliseconds. */
const WAIT_MS = 2_000;
/** Time between two requests, in milliseconds. */
const BETWEEN_MS = 1_000;
/** Seconds for which the answer "not found" is cached. */
const NEGATIVE_S = 600;
const DAY_S = 86_400;

/** Creates a lookup on `server` that stores its answers through `sink`. */
export function createRemoteSearch(
  db: Database,
  { server, sink }: { server: SearchServer; sink: Pick<UpstreamSink, 'name'> },
  { refreshDays, log }: { refreshDays: number; log: (message: string, fields: object) => void },
): RemoteSearch {
  const singleFlight = createSingleFlight(db, (_key, error) =>
    log('the answer of an upstream search was not stored', { err: error }),
  );
  const outcomes: Record<string, number> = {};
  const note = (outcome: string): void => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };

  async function ask(
    { q, country }: Pick<Search, 'q' | 'country'>,
    claim: Claim,
  ): Promise<FlightResult & { holdsS: number }> {
    const values = [`search ${server.name}`, BETWEEN_MS, WAIT_MS - BETWEEN_MS];
    const [turn] = await db.query(loadQuery('upstream_turn'), values);
    if (!turn) {
      note('no_turn');
      throw problem('upstream_busy', 'The search server is asked once a second.', { retry_after: 1 });
    }
    await sleep(turn.wait_ms, undefined, { signal: claim.signal });
    claim.started();
    try {
      const places = await server.search(q, { countries: country, signal: claim.signal });
      const ids = await sink.name(places, { country: null });
      note(ids.length > 0 ? 'found' : 'missing');
      return ids.length > 0
        ? { outcome: 'found', ids, holdsS: refreshDays * DAY_S }
        : { outcome: 'missing', ids, holdsS: NEGATIVE_S };
    } catch (error) {
      if (!(error instanceof SearchError)) throw error;
      note(error.trouble);
      log('the search server failed', { server: server.name, trouble: error.trouble });
      throw problem('upstream_unavailable', 'The search server did not answer.', { retry_after: 30 });
    }
  }

  return {
    outcomes,
    async lookUp(search, { who, signal }) {
      const folded = foldName(search.q);
      if (folded === '') return [];
      const about = JSON.stringify([folded, [...(search.country ?? [])].sort()]);
      // Hash the key: search texts are not stored.
      const key = `search:${createHash('sha256').update(about).digest('hex').slice(0, 32)}`;
      const enough = new AbortController();
      signal?.addEventListener('abort', () => enough.abort(), { once: true, signal: enough.signal });
      try {
        const { ended } = singleFlight.start(key, who, (claim) => ask(search, claim));
        const late = sleep(WAIT_MS, null, { signal: enough.signal }).catch(() => null);
        const answer = await Promise.race([ended, late]);
        return answer?.ids ?? [];
      } catch (error) {
        if (!(error instanceof ProblemError)) log('an upstream search failed', { err: error });
        return [];
      } finally {
        enough.abort();
      }
    },
    close: () => singleFlight.close(),
  };
}

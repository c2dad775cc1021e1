import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SearchError, type SearchServer } from '../adapters/nominatim.ts';
import type { Database } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { ProblemError, problem } from '../errors.ts';
import { foldName } from './fold.ts';
import type { Search } from './search_model.ts';
import type { Asker, UpstreamSink } from './upstream/ask.ts';
import { type Answer, type Claim, createSingleFlight } from './upstream/single_flight.ts';

/** Names that are not known here, asked of a search server: at most one question a second, over all processes. */
export interface SearchElsewhere {
  /**
   * Canonical ids of what is stored now that the server was asked. None after 2 s, when no one may be asked, and
   * whatever goes wrong: the answer found here stands.
   */
  learn(search: Pick<Search, 'q' | 'country'>, asker: Asker): Promise<readonly string[]>;
  /** What came of questions, since the process started. */
  readonly outcomes: Readonly<Record<string, number>>;
  close(): Promise<void>;
}

const WAIT_MS = 2_000;
const BETWEEN_MS = 1_000;
const NEGATIVE_S = 600;
const DAY_S = 86_400;

/** Asks `server`; what it tells goes into `sink`. */
export function createSearchElsewhere(
  db: Database,
  { server, sink }: { server: SearchServer; sink: Pick<UpstreamSink, 'name'> },
  { refreshDays, log }: { refreshDays: number; log: (message: string, fields: object) => void },
): SearchElsewhere {
  const singleFlight = createSingleFlight(db, (_key, error) =>
    log('what a search elsewhere told was not kept', { err: error }),
  );
  const outcomes: Record<string, number> = {};
  const note = (outcome: string): void => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };

  async function ask(
    { q, country }: Pick<Search, 'q' | 'country'>,
    claim: Claim,
  ): Promise<Answer & { holdsS: number }> {
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
      log('the search server did not answer as it should', { server: server.name, trouble: error.trouble });
      throw problem('upstream_unavailable', 'The search server did not answer.', { retry_after: 30 });
    }
  }

  return {
    outcomes,
    async learn(search, { who, signal }) {
      const folded = foldName(search.q);
      if (folded === '') return [];
      const about = JSON.stringify([folded, [...(search.country ?? [])].sort()]);
      // What people search for is not kept.
      const key = `search:${createHash('sha256').update(about).digest('hex').slice(0, 32)}`;
      const enough = new AbortController();
      signal?.addEventListener('abort', () => enough.abort(), { once: true, signal: enough.signal });
      try {
        const { ended } = singleFlight.start(key, who, (claim) => ask(search, claim));
        const late = sleep(WAIT_MS, null, { signal: enough.signal }).catch(() => null);
        const answer = await Promise.race([ended, late]);
        return answer?.ids ?? [];
      } catch (error) {
        if (!(error instanceof ProblemError)) log('a search elsewhere failed', { err: error });
        return [];
      } finally {
        enough.abort();
      }
    },
    close: () => singleFlight.close(),
  };
}

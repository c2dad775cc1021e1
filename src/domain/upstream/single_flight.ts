import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { only } from '../../common/elements.ts';
import { asProblem, type ProblemError, problem } from '../../core/errors.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { coalesce } from '../coalesce.ts';
import type { CallerKind } from './budget.ts';

/** Result of a question: boundaries with a polygon, confirmed absence, or boundaries without a usable polygon. */
export type Outcome = 'found' | 'missing' | 'broken';

/** A cached answer to a question. */
export interface FlightResult {
  readonly outcome: Outcome;
  /** Canonical ids. */
  readonly ids: readonly string[];
}

/** Work in flight on a question: at most one per key over all processes. */
export interface Flight {
  readonly key: string;
  readonly who: CallerKind;
  /** Waiting for a slot, running here, or running in another process. */
  phase: 'waiting' | 'under_way' | 'elsewhere';
  /** When the server expects a free slot, as performance.now(); 0 if unknown. */
  freeAt: number;
  /** Rejects with the error for callers; the rejection counts as handled even if no one awaits it. */
  readonly ended: Promise<FlightResult>;
}

/** What a worker of a question gets. */
export interface Claim {
  readonly key: string;
  readonly lease: string;
  readonly who: CallerKind;
  readonly signal: AbortSignal;
  started(): void;
  /** Reports a wait for a slot, with the milliseconds that the server announced. */
  waiting(ms: number): void;
}

/** Runs each question once, however many callers ask: in this process and, by expiring leases, over all processes. */
export interface SingleFlight {
  /**
   * Joins the work on a question or starts it. `work` returns the answer and the seconds for which it holds, and
   * continues even if its callers leave. An answer that still holds is returned without work, unless `again` is set.
   * @throws upstream_busy if too many questions are in flight
   */
  start(
    key: string,
    who: CallerKind,
    work: (claim: Claim) => Promise<FlightResult & { holdsS: number }>,
    again?: boolean,
  ): Flight;
  /** Number of questions in flight. */
  readonly size: number;
  /** Aborts the work in flight and waits until it has ended. */
  close(): Promise<void>;
}

/** Seconds of a lease: the work of a killed process becomes free after this. */
const LEASE_S = 15;
/** Interval at which leases are renewed, in milliseconds. */
const BEAT_MS = 5_000;
/** Interval at which the work of another process is polled, in milliseconds. */
const WATCH_MS = 200;
/** Seconds for which an earlier answer holds after a failed refresh. */
const AGAIN_S = 600;
/** Seconds before an answer that could not be stored is fetched again: the upstream is not at fault. */
const STORE_RETRY_S = 30;
/** Questions in flight in this process; most of them wait for a slot. */
const MOST = 200;

interface Watched {
  readonly key: string;
  readonly running: boolean;
  readonly outcome: Outcome | null;
  readonly ids: string[] | null;
  readonly holds: boolean;
  readonly failure: string | null;
}

/** Creates the single-flight of one process over a database. */
export function createSingleFlight(db: Database, onError: (key: string, error: unknown) => void): SingleFlight {
  const lease = randomUUID();
  const inFlight = new Map<string, Flight>();
  const claimed = new Set<string>();
  const closing = new AbortController();
  // All work in flight listens to it.
  setMaxListeners(0, closing.signal);
  const beat = setInterval(() => {
    if (claimed.size === 0) return;
    db.query(loadQuery('upstream_beat'), [lease, [...claimed], LEASE_S]).catch((error: unknown) => onError('', error));
  }, BEAT_MS);
  beat.unref();

  /** Coalesces concurrent polls into one statement. */
  const look = coalesce(async (_all, keys: readonly string[]) => {
    const rows = await db.query<Watched>(loadQuery('upstream_watch'), [keys]);
    return keys.map((key) => rows.find((row) => row.key === key));
  });

  async function run(
    flight: Flight,
    work: Parameters<SingleFlight['start']>[2],
    again: boolean,
  ): Promise<FlightResult> {
    const { key } = flight;
    for (;;) {
      const values = [key, lease, LEASE_S, again] as const;
      const state = only(await db.query(loadQuery('upstream_claim'), values));
      if (state.mine) return attempt(flight, work);
      if (state.holds && state.outcome && !again) return { outcome: state.outcome, ids: state.ids ?? [] };
      if (state.holds && state.failure && !again) throw failureProblem(state.failure);
      const answer = await watch(flight);
      if (answer) return answer;
      // The other process died: this one takes over.
      flight.phase = 'waiting';
    }
  }

  async function attempt(flight: Flight, work: Parameters<SingleFlight['start']>[2]): Promise<FlightResult> {
    const { key, who } = flight;
    claimed.add(key);
    try {
      const started = () => {
        flight.phase = 'under_way';
      };
      const waiting = (ms: number) => {
        flight.phase = 'waiting';
        flight.freeAt = performance.now() + ms;
      };
      const { outcome, ids, holdsS } = await work({ key, lease, who, signal: closing.signal, started, waiting });
      await db.query(loadQuery('upstream_answered'), [key, lease, outcome, ids, holdsS]);
      return { outcome, ids };
    } catch (error) {
      const code = asProblem(error)?.code ?? 'internal_error';
      const ours = asProblem(error) === null && !closing.signal.aborted;
      if (ours) onError(key, error);
      // When this write fails too, the lease expires.
      await db
        .query(loadQuery('upstream_failed'), [key, lease, code, AGAIN_S, ours ? STORE_RETRY_S : 0])
        .catch(() => undefined);
      throw error;
    } finally {
      claimed.delete(key);
    }
  }

  /** Waits for the work of another process. Returns its answer, or null if that process stopped working on it. */
  async function watch(flight: Flight): Promise<FlightResult | null> {
    flight.phase = 'elsewhere';
    for (;;) {
      await sleep(WATCH_MS, undefined, { signal: closing.signal });
      const row = await look('', flight.key);
      if (row?.running) continue;
      if (row?.holds && row.outcome) return { outcome: row.outcome, ids: row.ids ?? [] };
      if (row?.failure) throw failureProblem(row.failure);
      return null;
    }
  }

  return {
    get size() {
      return inFlight.size;
    },
    start(key, who, work, again = false) {
      const running = inFlight.get(key);
      if (running) return running;
      if (inFlight.size >= MOST) {
        const detail = `${MOST} boundaries are already being fetched.`;
        throw problem('upstream_busy', detail, { retry_after: 5 });
      }
      let settle: (answer: Promise<FlightResult>) => void = () => undefined;
      const ended = new Promise<FlightResult>((resolve) => {
        settle = resolve;
      });
      const flight: Flight = { key, who, phase: 'waiting', freeAt: 0, ended };
      inFlight.set(key, flight);
      settle(run(flight, work, again).finally(() => inFlight.delete(key)));
      ended.catch(() => undefined);
      return flight;
    },
    async close() {
      closing.abort();
      clearInterval(beat);
      await Promise.allSettled([...inFlight.values()].map(({ ended }) => ended));
    },
  };
}

/** Returns the error for callers when another process recorded a failure. */
function failureProblem(code: string): ProblemError {
  if (code === 'internal_error') return problem(code, 'The answer of the upstream source could not be stored.');
  if (code === 'upstream_busy') return problem(code, 'The upstream source is limiting our rate.', { retry_after: 5 });
  return problem('upstream_unavailable', 'The upstream source did not answer.', { retry_after: 30 });
}

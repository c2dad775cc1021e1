import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { only } from '../../elements.ts';
import { asProblem, type ProblemError, problem } from '../../errors.ts';
import { batched } from '../batches.ts';
import type { Who } from './budget.ts';

/** What a question came to: boundaries with a polygon, confirmed that there is none, or one without a usable polygon. */
export type Outcome = 'found' | 'missing' | 'broken';

/** The answer to a question, as it is remembered. */
export interface Answer {
  readonly outcome: Outcome;
  /** Canonical ids. */
  readonly ids: readonly string[];
}

/** Work on a question: at most one over all processes for each key. */
export interface Flight {
  readonly key: string;
  readonly who: Who;
  /** Where it is: it waits for a slot, is under way here, or in another process. */
  phase: 'waiting' | 'under_way' | 'elsewhere';
  /** When the server said that a slot will be free, in milliseconds since the epoch; 0 when it did not say. */
  freeAt: number;
  /** Rejects with what callers are told; asked for by no one, it is not unhandled. */
  readonly ended: Promise<Answer>;
}

/** What the one that works on a question is given. */
export interface Claim {
  readonly key: string;
  readonly lease: string;
  readonly who: Who;
  readonly signal: AbortSignal;
  started(): void;
  /** It waits for a slot, so many milliseconds as far as the server says. */
  waiting(ms: number): void;
}

/** Questions being worked on, each once however many ask: in this process and, by leases that expire, over all. */
export interface SingleFlight {
  /**
   * Joins the work on a question or starts it: `work` gives the answer and the seconds it holds. It goes on whoever
   * waits. An answer that still holds is given without work, unless it is wanted `again`. Throws upstream_busy when too
   * much is being worked on.
   */
  start(key: string, who: Who, work: (claim: Claim) => Promise<Answer & { holdsS: number }>, again?: boolean): Flight;
  /** How many there are. */
  readonly size: number;
  /** Gives up what is under way and waits until it has ended. */
  close(): Promise<void>;
}

/** A process that was killed is forgotten after this. */
const LEASE_S = 15;
const BEAT_MS = 5_000;
/** How often the work of another process is looked at. */
const WATCH_MS = 200;
/** After a failure, an answer that was there before is good enough for so long. */
const AGAIN_S = 600;
/** What came and could not be kept is not asked for again before: the upstream is not to blame. */
const OUR_FAULT_S = 30;
/** Questions worked on at once in this process; most of them wait for a slot. */
const MOST = 200;

interface Claimed {
  readonly mine: boolean;
  readonly outcome: Outcome | null;
  readonly ids: string[] | null;
  readonly holds: boolean;
  readonly failure: string | null;
}

interface Watched {
  readonly key: string;
  readonly running: boolean;
  readonly outcome: Outcome | null;
  readonly ids: string[] | null;
  readonly holds: boolean;
  readonly failure: string | null;
}

/** The questions of one process over a database. */
export function createSingleFlight(db: Database, onError: (key: string, error: unknown) => void): SingleFlight {
  const lease = randomUUID();
  const inFlight = new Map<string, Flight>();
  const claimed = new Set<string>();
  const closing = new AbortController();
  // Everything that is under way listens to it.
  setMaxListeners(0, closing.signal);
  const beat = setInterval(() => {
    if (claimed.size === 0) return;
    db.query(loadQuery('upstream_beat'), [lease, [...claimed], LEASE_S]).catch((error: unknown) => onError('', error));
  }, BEAT_MS);
  beat.unref();

  /** Questions that are looked at together go into one statement. */
  const look = batched(async (_all, keys: readonly string[]) => {
    const rows = await db.query<Watched>(loadQuery('upstream_watch'), [keys]);
    return keys.map((key) => rows.find((row) => row.key === key));
  });

  async function run(flight: Flight, work: Parameters<SingleFlight['start']>[2], again: boolean): Promise<Answer> {
    const { key } = flight;
    for (;;) {
      const values = [key, lease, LEASE_S, again];
      const state = only(await db.query<Claimed>(loadQuery('upstream_claim'), values));
      if (state.mine) return attempt(flight, work);
      if (state.holds && state.outcome && !again) return { outcome: state.outcome, ids: state.ids ?? [] };
      if (state.holds && state.failure && !again) throw told(state.failure);
      const answer = await watch(flight);
      if (answer) return answer;
      // Whoever worked on it has died: it is ours now.
      flight.phase = 'waiting';
    }
  }

  async function attempt(flight: Flight, work: Parameters<SingleFlight['start']>[2]): Promise<Answer> {
    const { key, who } = flight;
    claimed.add(key);
    try {
      const started = () => {
        flight.phase = 'under_way';
      };
      const waiting = (ms: number) => {
        flight.phase = 'waiting';
        flight.freeAt = Date.now() + ms;
      };
      const { outcome, ids, holdsS } = await work({ key, lease, who, signal: closing.signal, started, waiting });
      await db.query(loadQuery('upstream_answered'), [key, lease, outcome, ids, holdsS]);
      return { outcome, ids };
    } catch (error) {
      const code = asProblem(error)?.code ?? 'internal_error';
      const ours = asProblem(error) === null && !closing.signal.aborted;
      if (ours) onError(key, error);
      // When this fails too, the lease expires.
      await db
        .query(loadQuery('upstream_failed'), [key, lease, code, AGAIN_S, ours ? OUR_FAULT_S : 0])
        .catch(() => undefined);
      throw error;
    } finally {
      claimed.delete(key);
    }
  }

  /** Waits for the work of another process: its answer, or null when it is not being worked on any more. */
  async function watch(flight: Flight): Promise<Answer | null> {
    flight.phase = 'elsewhere';
    for (;;) {
      await sleep(WATCH_MS, undefined, { signal: closing.signal });
      const row = await look('', flight.key);
      if (row?.running) continue;
      if (row?.holds && row.outcome) return { outcome: row.outcome, ids: row.ids ?? [] };
      if (row?.failure) throw told(row.failure);
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
        const detail = `${MOST} boundaries are being fetched already.`;
        throw problem('upstream_busy', detail, { retry_after: 5 });
      }
      let settle: (answer: Promise<Answer>) => void = () => undefined;
      const ended = new Promise<Answer>((resolve) => {
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

/** What others came to, as callers here are told. */
function told(code: string): ProblemError {
  if (code === 'internal_error') return problem(code, 'What the upstream source answered could not be kept.');
  if (code === 'upstream_busy') return problem(code, 'The upstream source is limiting our rate.', { retry_after: 5 });
  return problem('upstream_unavailable', 'The upstream source did not answer.', { retry_after: 30 });
}

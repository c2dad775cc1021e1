import {
  type OverpassAnswer,
  OverpassError,
  type OverpassServer,
  type OverpassTrouble,
} from '../../adapters/overpass.ts';
import { QUERY_MEMORY } from '../../adapters/overpass_queries.ts';
import { defined } from '../../common/elements.ts';
import { ProblemError, problem } from '../../core/errors.ts';
import type { Database } from '../../db/connect.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import { type Budget, type CallerKind, createBudget } from './budget.ts';
import { createSlots, type Slots, tooBusy } from './slots.ts';

/** A request to the servers. */
export interface Request {
  readonly key: string;
  readonly lease: string;
  readonly who: CallerKind;
  /** Returns the query text for a memory limit. */
  readonly query: (memory: number) => string;
  /** Called when the request is sent. */
  onSent?(): void;
  /** Called when the request waits for a slot, with the milliseconds that the server announced. */
  onWaiting?(ms: number): void;
  readonly signal: AbortSignal;
}

/** Requests and their results since the process started. */
export interface ServerCounts {
  requests: number;
  bytes: number;
  /** Counts by `ok` or kind of failure. */
  readonly outcomes: Record<string, number>;
}

/** The configured servers; each request goes to the first that can answer. */
export interface Servers {
  /**
   * Returns a complete answer as parsed by `read`; an Error from `read` marks the answer as malformed.
   * @throws upstream_busy and upstream_unavailable, both with retry_after; internal_error if the query is invalid
   */
  ask<T>(request: Request, read: (answer: OverpassAnswer) => T): Promise<T>;
  readonly counts: ServerCounts;
  /** Breaker states by server name: 0 closed, 1 half open, 2 open. */
  breakers(): Record<string, number>;
}

/** Bytes that one answer can have: a large country at full detail. */
const MAX_ANSWER_BYTES = 96 * 2 ** 20;

/** Error code of each failure, and whether it is a transport failure, which counts toward opening the breaker. */
const TROUBLES: Record<
  OverpassTrouble,
  { transport: boolean; code: 'upstream_busy' | 'upstream_unavailable' | 'internal_error' }
> = {
  refused: { transport: true, code: 'upstream_unavailable' },
  unreachable: { transport: true, code: 'upstream_unavailable' },
  timeout: { transport: true, code: 'upstream_unavailable' },
  reset: { transport: true, code: 'upstream_unavailable' },
  truncated: { transport: true, code: 'upstream_unavailable' },
  gateway: { transport: true, code: 'upstream_unavailable' },
  // A server that was too busy five times in a row counts as down.
  overloaded: { transport: true, code: 'upstream_busy' },
  rate_limited: { transport: false, code: 'upstream_busy' },
  blocked: { transport: true, code: 'upstream_unavailable' },
  redirect: { transport: true, code: 'upstream_unavailable' },
  other_status: { transport: true, code: 'upstream_unavailable' },
  not_json: { transport: true, code: 'upstream_unavailable' },
  malformed: { transport: false, code: 'upstream_unavailable' },
  too_big: { transport: false, code: 'upstream_unavailable' },
  query_timeout: { transport: false, code: 'upstream_unavailable' },
  out_of_memory: { transport: false, code: 'upstream_unavailable' },
  remark: { transport: false, code: 'upstream_unavailable' },
  bad_query: { transport: false, code: 'internal_error' },
  aborted: { transport: false, code: 'upstream_unavailable' },
};

const RETRY_AFTER_S = 30;
const BUSY_RETRY_S = 5;

type Read<T> = (answer: OverpassAnswer) => T;

interface Member {
  readonly server: OverpassServer;
  readonly breaker: Breaker;
  readonly slots: Slots;
}

/** Logs every request that failed. */
export type ServerLog = (message: string, fields: Readonly<Record<string, unknown>>) => void;

/** Creates a client of the given servers, in order of preference. `now` in milliseconds, from any start. */
export function createServers(
  db: Database,
  servers: readonly OverpassServer[],
  options: { requestsPerDay: number; bytesPerDay: number; log: ServerLog; now?: () => number },
): Servers {
  const now = options.now ?? (() => performance.now());
  const budget: Budget = createBudget(db, options);
  const members: Member[] = servers.map((server) => ({
    server,
    breaker: createBreaker(now),
    slots: createSlots(db, server, budget, now),
  }));
  const counts: ServerCounts = { requests: 0, bytes: 0, outcomes: {} };

  /** Sends one request with a slot, within the budget. @throws OverpassError and what taking a slot throws */
  async function send<T>(member: Member, request: Request, memory: number, read: Read<T>): Promise<T> {
    const { server, slots } = member;
    const slot = await slots.take(request);
    let bytes = 0;
    try {
      counts.requests++;
      request.onSent?.();
      const maxBytes = Math.max(1, Math.min(MAX_ANSWER_BYTES, slot.bytesLeft));
      const answer = await server.ask(request.query(memory), { maxBytes, signal: request.signal });
      bytes = answer.bytes;
      return whole(answer, read);
    } catch (error) {
      if (error instanceof OverpassError) bytes = error.bytes;
      throw error;
    } finally {
      counts.bytes += bytes;
      await slot.leave();
      await budget.spend(request.who, bytes);
    }
  }

  async function askOne<T>(member: Member, request: Request, read: Read<T>): Promise<T> {
    const { server, breaker, slots } = member;
    for (let memory = 0, refused = 0; ; ) {
      try {
        const answer = await send(member, request, defined(QUERY_MEMORY[memory]), read);
        breaker.succeeded();
        note('ok');
        return answer;
      } catch (error) {
        if (!(error instanceof OverpassError)) {
          breaker.undecided();
          throw error;
        }
        const { trouble } = error;
        note(trouble);
        if (TROUBLES[trouble].transport) breaker.failed();
        else if (trouble === 'aborted') breaker.undecided();
        else if (trouble !== 'rate_limited') breaker.succeeded();
        else breaker.undecided();
        if (trouble !== 'aborted') {
          options.log('the upstream source failed', {
            server: server.name,
            asked: request.key,
            trouble,
            said: error.message,
            bytes: error.bytes,
          });
        }
        if (trouble === 'out_of_memory' && memory + 1 < QUERY_MEMORY.length) {
          memory++;
          continue;
        }
        if (trouble !== 'rate_limited') throw error;
        const wait = await slots.refused();
        request.onWaiting?.(wait);
        // The next attempt waits for its slot, unless that takes too long.
        if (refused++ > 0) throw tooBusy(wait);
      }
    }
  }

  function note(outcome: string): void {
    counts.outcomes[outcome] = (counts.outcomes[outcome] ?? 0) + 1;
  }

  return {
    counts,
    breakers: () =>
      Object.fromEntries(
        members.map(({ server, breaker }) => [server.name, { closed: 0, half_open: 1, open: 2 }[breaker.state]]),
      ),
    async ask(request, read) {
      let failure: ProblemError | null = null;
      for (const member of members) {
        if (!member.breaker.admit()) {
          failure ??= unavailable('did not answer and is not tried again for a while', member.breaker.retryAfter());
          continue;
        }
        try {
          return await askOne(member, request, read);
        } catch (error) {
          const next = asFailure(error);
          if (next.code === 'internal_error') throw next;
          // "Busy" is more useful than "unavailable": the caller should come back soon.
          if (!failure || next.code === 'upstream_busy') failure = next;
        }
      }
      throw failure ?? unavailable('is not configured', RETRY_AFTER_S);
    },
  };
}

function whole<T>(answer: OverpassAnswer, read: Read<T>): T {
  try {
    return read(answer);
  } catch (error) {
    throw new OverpassError('malformed', error instanceof Error ? error.message : String(error), answer.bytes, error);
  }
}

function asFailure(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (!(error instanceof OverpassError)) throw error;
  const { code } = TROUBLES[error.trouble];
  if (code === 'upstream_unavailable') return unavailable(WORDS[error.trouble] ?? 'did not answer', RETRY_AFTER_S);
  if (code === 'upstream_busy') {
    return problem(code, 'The upstream source is too busy to answer.', { retry_after: BUSY_RETRY_S });
  }
  return problem(code, 'The upstream source rejected our query.');
}

/** Messages for callers; the server's own words are only logged. */
const WORDS: Partial<Record<OverpassTrouble, string>> = {
  timeout: 'did not answer in time',
  query_timeout: 'took too long for this boundary',
  out_of_memory: 'ran out of memory for this boundary',
  blocked: 'refuses our requests',
  too_big: 'returned too much data for this boundary',
};

function unavailable(what: string, retryAfter: number): ProblemError {
  return problem('upstream_unavailable', `The upstream source ${what}.`, { retry_after: retryAfter });
}

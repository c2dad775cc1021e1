import { type ProblemError, problem } from '../../core/errors.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { coalesce } from '../coalesce.ts';

/** Whether a request is admitted under its limit per minute, and the RateLimit-* headers of its response. */
export interface RateVerdict {
  readonly headers: Readonly<Record<string, string>>;
  /** The error rate_limited with `retry_after`; null if admitted. */
  readonly refused: ProblemError | null;
}

/**
 * Limits requests per clock minute. In one process the count is exact. Processes that share a native database take
 * leases: each reserves a part of what is left of a subject's minute and admits requests from it. The limit is never
 * exceeded, only unused leases are lost (at most a sixteenth of what was left, per process), and most requests need no
 * query.
 */
export interface Limits {
  /** Counts a request of an organization on a plan, or of a network without a credential (`plan` anonymous). */
  admit(subject: string, plan: string, requests?: number): RateVerdict | Promise<RateVerdict>;
  /**
   * Counts a request under a limit that is not a plan's; null: unlimited. A request that does the work of several
   * counts as `requests`: either all of them fit or none is taken.
   */
  count(subject: string, limit: number | null, requests?: number): RateVerdict | Promise<RateVerdict>;
  sweep(): Promise<void>;
}

/** State of a subject in the current minute. Times are milliseconds since the epoch. */
interface Window {
  endsAt: number;
  limit: number;
  /** Requests that this process may still admit without asking the database. */
  left: number;
  /** Requests that the database had left for all processes when it was last asked. */
  unleased: number;
  lease: Promise<void> | null;
}

interface LeaseRow {
  subject: string;
  granted: number;
  remaining: number;
  left_ms: number;
}

const MINUTE_MS = 60_000;
/** Maximum subjects in memory. The least recently used is evicted, and with it what it had left. */
const SUBJECTS = 100_000;
/** Maximum age of the cached limits of plans. */
const PLANS_MS = 5000;
/** Divisor: a lease is a sixteenth of what is left. */
const LEASE_PART = 16;

const UNLIMITED: RateVerdict = { headers: {}, refused: null };

/** The limits of a database. `shared`: other processes use it too. `now` is replaced in tests. */
export function createLimits(
  db: Database,
  { shared, now = Date.now }: { shared: boolean; now?: () => number },
): Limits {
  const windows = new Map<string, Window>();
  let plans: { until: number; limits: Promise<ReadonlyMap<string, number | null>> } | null = null;
  /** The last limits that were loaded, for requests that need not wait for newer ones. */
  let known: ReadonlyMap<string, number | null> | null = null;

  /** Whether a moment lies ahead, by no more than it can: the clock of the system may have been set back. */
  const isAhead = (moment: number, most: number): boolean => moment > now() && moment <= now() + most;

  function loadPlans(): Promise<ReadonlyMap<string, number | null>> {
    if (plans && isAhead(plans.until, PLANS_MS)) return plans.limits;
    const limits = db.query(loadQuery('requests_plans')).then((rows) => {
      known = new Map(rows.map((row) => [row.id, row.requests_per_minute]));
      return known;
    });
    const entry = { until: now() + PLANS_MS, limits };
    plans = entry;
    limits.catch(() => {
      if (plans === entry) plans = null;
    });
    return limits;
  }

  /** Coalesces the leases of all subjects that ask in one turn of the event loop into one statement. */
  const lease = coalesce(async (_key, asked: readonly { subject: string; limit: number; wanted: number }[]) => {
    // A subject appears twice if its minute ended while it asked: the first gets the lease, the other asks again.
    const first = new Map<string, (typeof asked)[number]>();
    for (const one of asked) if (!first.has(one.subject)) first.set(one.subject, one);
    const wanted = [...first.values()];
    const rows = await db.query(loadQuery('requests_lease'), [
      wanted.map(({ subject }) => subject),
      wanted.map(({ limit }) => limit),
      wanted.map((one) => one.wanted),
    ]);
    const bySubject = new Map(rows.map((row) => [row.subject, row]));
    return asked.map((one) => {
      const row = bySubject.get(one.subject) as LeaseRow;
      return first.get(one.subject) === one ? row : { ...row, granted: 0 };
    });
  });

  function windowOf(subject: string, limit: number): Window {
    const time = now();
    let window = windows.get(subject);
    if (!window || !isAhead(window.endsAt, MINUTE_MS) || window.limit !== limit) {
      // The limit changed: what this process has admitted in this minute still counts.
      const used = window && isAhead(window.endsAt, MINUTE_MS) && !shared ? window.limit - window.left : 0;
      const left = shared ? 0 : Math.max(0, limit - used);
      const endsAt = Math.floor(time / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
      window = { endsAt, limit, left, unleased: shared ? limit : 0, lease: null };
    }
    windows.delete(subject);
    windows.set(subject, window);
    if (windows.size > SUBJECTS) windows.delete(windows.keys().next().value as string);
    return window;
  }

  function refill(subject: string, window: Window, least = 1): Promise<void> {
    const wanted = Math.max(least, Math.floor(window.unleased / LEASE_PART));
    window.lease ??= lease('', { subject, limit: window.limit, wanted })
      .then(({ granted, remaining, left_ms }) => {
        window.left += granted;
        window.unleased = Math.max(0, remaining);
        // All processes go by the clock of the database.
        window.endsAt = now() + left_ms;
      })
      .finally(() => {
        window.lease = null;
      });
    return window.lease;
  }

  function admission(window: Window, requests: number): RateVerdict {
    const seconds = Math.max(1, Math.ceil((window.endsAt - now()) / 1000));
    const admitted = window.left >= requests;
    if (admitted) window.left -= requests;
    const headers = {
      'RateLimit-Limit': String(window.limit),
      'RateLimit-Remaining': String(window.left + window.unleased),
      'RateLimit-Reset': String(seconds),
    };
    if (admitted) return { headers, refused: null };
    const detail = `More than ${window.limit} requests in this minute. A key or a higher plan has a higher limit.`;
    return { headers, refused: problem('rate_limited', detail, { retry_after: seconds }) };
  }

  async function wait(subject: string, window: Window, requests: number): Promise<RateVerdict> {
    while (window.left < requests && window.unleased > 0 && window.left + window.unleased >= requests) {
      await refill(subject, window, requests - window.left);
    }
    return admission(window, requests);
  }

  function count(subject: string, limit: number | null, requests = 1): RateVerdict | Promise<RateVerdict> {
    if (limit === null) return UNLIMITED;
    const window = windowOf(subject, limit);
    if (window.left >= requests || window.unleased === 0) {
      const answer = admission(window, requests);
      // Refilled before the lease is used up, so that no request waits.
      if (shared && window.unleased > 0 && window.left <= limit / (4 * LEASE_PART)) {
        refill(subject, window).catch(() => undefined);
      }
      return answer;
    }
    return wait(subject, window, requests);
  }

  return {
    count,
    admit(subject, plan, requests = 1) {
      const loading = loadPlans();
      const limitOf = (limits: ReadonlyMap<string, number | null>): number | null => limits.get(plan) ?? null;
      if (known) {
        loading.catch(() => undefined);
        return count(subject, limitOf(known), requests);
      }
      return loading.then((limits) => count(subject, limitOf(limits), requests));
    },
    async sweep() {
      for (const [subject, window] of windows) if (!isAhead(window.endsAt, MINUTE_MS)) windows.delete(subject);
      if (shared) await db.query(loadQuery('requests_sweep'));
    },
  };
}

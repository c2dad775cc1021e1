import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { type ProblemError, problem } from '../../errors.ts';

/** For whom the upstream is asked: callers without a credential and work that no one waits for have only a part of the day. */
export type Who = 'known' | 'anonymous' | 'background';

/** What may be asked of upstream servers in a UTC day, over all processes. */
export interface Budget {
  /**
   * Counts one more request and gives the bytes that are left of the day. The day stays locked until the transaction
   * ends. Throws upstream_busy when the day, or the caller's part of it, is used up.
   */
  take(tx: Queryable, who: Who): Promise<number>;
  /** Counts bytes that came. */
  spend(who: Who, bytes: number): Promise<void>;
}

const ANONYMOUS_PART = 0.2;
const BACKGROUND_PART = 0.5;
const DAY_S = 86_400;

/** The budget kept in a database. */
export function createBudget(db: Database, limits: { requestsPerDay: number; bytesPerDay: number }): Budget {
  return {
    async take(tx, who) {
      const [row] = await tx.query<{ bytes_left: number }>(loadQuery('upstream_grant'), [
        who === 'anonymous',
        who === 'background',
        limits.requestsPerDay,
        limits.bytesPerDay,
        ANONYMOUS_PART,
        BACKGROUND_PART,
      ]);
      if (!row) throw usedUp(who);
      return row.bytes_left;
    },
    async spend(who, bytes) {
      if (bytes === 0) return;
      await db.query(loadQuery('upstream_spent'), [who === 'anonymous', who === 'background', bytes]);
    },
  };
}

function usedUp(who: Who): ProblemError {
  const whose = who === 'anonymous' ? 'what callers without a key may use of it' : 'it';
  const seconds = DAY_S - (Math.floor(Date.now() / 1000) % DAY_S);
  return problem('upstream_busy', `The day has a budget for the upstream source, and ${whose} is used up.`, {
    retry_after: seconds,
  });
}

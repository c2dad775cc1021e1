import { type ProblemError, problem } from '../../core/errors.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';

/** Kind of caller: those without a credential, and background work, may use only a part of the day's budget. */
export type CallerKind = 'known' | 'anonymous' | 'background';

/** The daily budget (UTC) of upstream requests and bytes, over all processes. */
export interface Budget {
  /**
   * Counts one request and returns the bytes left for the day. The day's row stays locked until the transaction ends.
   * @throws upstream_busy if the day's budget, or the caller's part of it, is used up
   */
  take(tx: Queryable, who: CallerKind): Promise<number>;
  /** Counts bytes received. */
  spend(who: CallerKind, bytes: number): Promise<void>;
}

/** Part of the day's budget that callers without a credential can use. */
const ANONYMOUS_PART = 0.2;
/** Part of the day's budget that background work can use. */
const BACKGROUND_PART = 0.5;
const DAY_S = 86_400;

/** Creates the budget stored in a database. */
export function createBudget(db: Database, limits: { requestsPerDay: number; bytesPerDay: number }): Budget {
  return {
    async take(tx, who) {
      const [row] = await tx.query(loadQuery('upstream_grant'), [
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

function usedUp(who: CallerKind): ProblemError {
  const whose = who === 'anonymous' ? 'the share of callers without a key' : 'it';
  const seconds = DAY_S - (Math.floor(Date.now() / 1000) % DAY_S);
  return problem('upstream_busy', `Today's budget for the upstream source is limited, and ${whose} is used up.`, {
    retry_after: seconds,
  });
}

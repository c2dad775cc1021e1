import { createHash } from 'node:crypto';
import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { problem } from '../errors.ts';

/** How often something may be tried in a window: of so many seconds from the first try on, or the UTC day. */
export interface Allowance {
  readonly times: number;
  readonly windowS: number | 'utc day';
  /** What there is too much of, for the answer. */
  readonly what: string;
}

const DAY_S = 86_400;

/**
 * Counts one more try by `subject` (an address, an account, an email; only its hash is kept). Throws rate_limited with
 * the seconds to wait when there were too many. Exact under concurrency; a try that is rolled back does not count.
 */
export async function countAttempt(
  tx: Queryable,
  kind: string,
  subject: string,
  { times, windowS, what }: Allowance,
): Promise<void> {
  const hash = createHash('sha256').update(`${kind}:${subject}`).digest('hex');
  const seconds = windowS === 'utc day' ? DAY_S - (Math.floor(Date.now() / 1000) % DAY_S) : windowS;
  const [row] = await tx.query<{ count: number; left_s: number }>(loadQuery('sign_in_attempt'), [hash, seconds]);
  if (row.count <= times) return;
  const retryAfter = Math.max(1, row.left_s);
  throw problem('rate_limited', `Too many ${what}: try again in ${minutes(retryAfter)}.`, { retry_after: retryAfter });
}

function minutes(seconds: number): string {
  const count = Math.ceil(seconds / 60);
  return count === 1 ? 'a minute' : `${count} minutes`;
}

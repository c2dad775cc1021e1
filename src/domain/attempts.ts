import { createHash } from 'node:crypto';
import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { only } from '../elements.ts';
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
  const hash = hashOf(kind, subject);
  const seconds = windowS === 'utc day' ? DAY_S - (Math.floor(Date.now() / 1000) % DAY_S) : windowS;
  const row = only(await tx.query<{ count: number; left_s: number }>(loadQuery('sign_in_attempt'), [hash, seconds]));
  if (row.count <= times) return;
  const retryAfter = Math.max(1, row.left_s);
  throw problem('rate_limited', `Too many ${what}: try again in ${minutes(retryAfter)}.`, { retry_after: retryAfter });
}

/** Notes that someone did something, for so many seconds. */
export async function markKnown(tx: Queryable, kind: string, subject: string, windowS: number): Promise<void> {
  await tx.query(loadQuery('sign_in_attempt'), [hashOf(kind, subject), windowS]);
}

/** Whether markKnown() noted it, and its time is not over. */
export async function isKnown(tx: Queryable, kind: string, subject: string): Promise<boolean> {
  return (await tx.query(loadQuery('attempt_known'), [hashOf(kind, subject)])).length > 0;
}

const hashOf = (kind: string, subject: string) => createHash('sha256').update(`${kind}:${subject}`).digest('hex');

function minutes(seconds: number): string {
  const count = Math.ceil(seconds / 60);
  return count === 1 ? 'a minute' : `${count} minutes`;
}

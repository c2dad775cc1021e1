import { createHash } from 'node:crypto';
import { only } from '../../common/elements.ts';
import { problem } from '../../core/errors.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';

/** Maximum attempts in a window: a number of seconds from the first attempt on, or the UTC day. */
export interface Allowance {
  readonly times: number;
  readonly windowS: number | 'utc day';
  /** Noun phrase for the error "Too many …". */
  readonly what: string;
  /** A sentence for the error: what the person can do instead of waiting. */
  readonly instead?: string;
}

const DAY_S = 86_400;

/**
 * Counts an attempt by `subject` (an address, an account, an email; only its hash is stored). Exact under
 * concurrency; an attempt that is rolled back does not count.
 * @throws rate_limited with the seconds to wait after too many
 */
export async function countAttempt(
  tx: Queryable,
  kind: string,
  subject: string,
  { times, windowS, what, instead }: Allowance,
): Promise<void> {
  const hash = hashOf(kind, subject);
  const seconds = windowS === 'utc day' ? DAY_S - (Math.floor(Date.now() / 1000) % DAY_S) : windowS;
  const row = only(await tx.query<{ count: number; left_s: number }>(loadQuery('signin_attempt'), [hash, seconds]));
  if (row.count <= times) return;
  const retryAfter = Math.max(1, row.left_s);
  const detail = [`Too many ${what}: try again in ${span(retryAfter)}.`, instead].filter(Boolean).join(' ');
  throw problem('rate_limited', detail, { retry_after: retryAfter });
}

/** Records for `windowS` seconds that a subject did something. */
export async function markKnown(tx: Queryable, kind: string, subject: string, windowS: number): Promise<void> {
  await tx.query(loadQuery('signin_attempt'), [hashOf(kind, subject), windowS]);
}

/** Whether markKnown() recorded it and its time is not over. */
export async function isKnown(tx: Queryable, kind: string, subject: string): Promise<boolean> {
  return (await tx.query(loadQuery('attempt_known'), [hashOf(kind, subject)])).length > 0;
}

const hashOf = (kind: string, subject: string) => createHash('sha256').update(`${kind}:${subject}`).digest('hex');

/** A time to wait in words. */
function span(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes === 1) return 'a minute';
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

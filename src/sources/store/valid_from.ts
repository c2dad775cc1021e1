/** From when on what is written is in force, where a file says when its objects changed. */
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { waysOf } from './candidates.ts';
import type { Candidate, Run } from './source_rows.ts';

/**
 * Returns the moment (RFC 3339) from which on each boundary is valid as it is written: that of the newest change in the
 * file of it and its ways; without any, now. It is never before the moment from which what is stored of it is valid, as
 * some of that is written again, nor before the day of an edition that has it or its layer, which would end it.
 */
export async function validFrom(
  { input }: Run,
  tx: Queryable,
  candidates: readonly Candidate[],
  now: string,
): Promise<readonly string[]> {
  const newest = candidates.map((candidate) => {
    const times = [candidate.id, ...waysOf(candidate).map((way) => `w${way}`)].flatMap((id) => {
      const at = Date.parse(input.changedAt?.get(id) ?? '');
      return Number.isNaN(at) ? [] : [at];
    });
    return times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b));
  });
  const timed = candidates.filter((_, i) => newest[i] !== null);
  if (timed.length === 0) return candidates.map(() => now);
  const days = await tx.query(loadQuery('store_edition_days'), [
    timed.map(({ id }) => id),
    timed.map((one) => (one.input === null && one.stored ? one.stored.source : input.source.id)),
    timed.map(({ type }) => type),
    timed.map(({ adminLevel }) => adminLevel),
  ]);
  const editions = new Map(days.map(({ id, day }) => [id, Date.parse(`${day}T00:00:00Z`)]));
  return candidates.map(({ id, stored }, i) => {
    const time = newest[i];
    if (time === null || time === undefined) return now;
    const since = new Date(Math.max(time, stored?.imported_at.getTime() ?? 0, editions.get(id) ?? 0)).toISOString();
    return since < now ? since : now;
  });
}

/** States of the data that calls can be pinned to: what was stored at a moment of the past. */
import { only } from '../common/elements.ts';
import type { Database } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { invalidInput } from './errors.ts';

/** What was stored at a moment: the work of all transactions that had committed by then. */
export interface Pin {
  /** The highest number of one of them, and the lower numbers of those that committed later, with commas. */
  readonly number: string;
  readonly open: string;
  /** When the last of them committed: `2026-11-25T10:00:00.000Z`. */
  readonly recordedAt: string;
}

/**
 * What was stored at a moment, `2026-11-25T10:00:00Z`. The same moment always means the same.
 * @throws invalid_input for a moment of the future, and for one before the first that is known
 */
export async function pinOf(db: Database, moment: string): Promise<Pin> {
  const found = await db.transaction(async (tx) => {
    await tx.query(loadQuery('data_pin_wait'));
    return only(await tx.query(loadQuery('data_pin'), [moment]));
  });
  const { number, open, at: recordedAt, first, now, is_future: isFuture } = found;
  if (isFuture || number === null || recordedAt === null) {
    const when = isFuture ? 'is in the future' : 'is before the first moment that is kept';
    const message = `${when}: it can be from ${first} to ${now}`;
    throw invalidInput([{ path: 'recorded_before', code: 'invalid_value', message }]);
  }
  return { number, open, recordedAt };
}

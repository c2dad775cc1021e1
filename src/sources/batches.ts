import type { Queryable, Statement } from '../db/connect.ts';

/** Size of the rows sent to the database in one statement, in bytes (or characters of JSON). */
const BATCH_BYTES = 8 * 2 ** 20;

/** Groups rows into batches of about 8 MB, or another size, by the size that `sizeOf` gives each. */
export function* batches<T>(rows: Iterable<T>, sizeOf: (row: T) => number, most = BATCH_BYTES): Generator<T[]> {
  let batch: T[] = [];
  let size = 0;
  for (const row of rows) {
    batch.push(row);
    size += sizeOf(row);
    if (size >= most) {
      yield batch;
      batch = [];
      size = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

function* textsOf(rows: Iterable<object>): Generator<string> {
  for (const row of rows) yield JSON.stringify(row);
}

/** Sends rows in batches to a statement whose only parameter is a JSON array. */
export async function putJson<R>(
  db: Queryable,
  statement: Statement<R, readonly [string | null | undefined]>,
  rows: readonly object[],
): Promise<void> {
  for (const batch of batches(textsOf(rows), (text) => text.length)) await db.query(statement, [`[${batch.join()}]`]);
}

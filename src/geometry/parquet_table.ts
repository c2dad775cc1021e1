import type { TableColumn } from '../../workers/parquet_table.ts';

/** Rows of a row group. */
const GROUP = 20_000;

type Row = readonly (string | number | boolean)[];

/**
 * Rows, each with a value of each column, as a Parquet file in parts. In memory are the rows of one row group (20,000) and
 * what comes with one step of `some`; the event loop has a turn after each group.
 */
export async function* parquetTable(
  columns: readonly TableColumn[],
  some: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { TableWriter } = await import('../../workers/parquet_table.ts');
  const writer = new TableWriter(columns);
  const flush = async (group: readonly Row[]): Promise<Uint8Array> => {
    await new Promise((turn) => setImmediate(turn));
    return writer.write(group);
  };
  let waiting: Row[] = [];
  for await (const rows of some) {
    for (const row of rows) {
      if (waiting.push(row) < GROUP) continue;
      yield await flush(waiting);
      waiting = [];
    }
  }
  if (waiting.length > 0) yield await flush(waiting);
  yield await writer.end();
}

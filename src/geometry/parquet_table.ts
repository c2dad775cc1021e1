import type { TableColumn } from '../../workers/parquet_table.ts';

/** Rows in a row group. */
const GROUP = 20_000;

type Row = readonly (string | number | boolean)[];

/**
 * A Parquet file of rows, in parts; each row has a value for every column. Memory holds the rows of one row group
 * (20,000) and one step of `some`. The event loop gets a turn before each group is written.
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

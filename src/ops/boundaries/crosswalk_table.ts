/** The pairs of a crosswalk as tables. */
import { parquetTable } from '../../geometry/parquet_table.ts';

/** Formats of a crosswalk, and the media type of each. */
export const CROSSWALK_TYPES = {
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
} as const;
export const CROSSWALK_FORMATS = ['json', 'csv', 'parquet'] as const;

/** A pair of boundaries that overlap. */
export interface PairRow {
  readonly a: string;
  readonly b: string;
  readonly area_km2: number;
  readonly share_of_a: number;
  readonly share_of_b: number;
  readonly exact: boolean;
}

/** The header of the table as CSV, without a line end. */
export const TABLE_HEAD = 'a,b,area_km2,share_of_a,share_of_b,exact';

/** A row of the table as CSV, without a line end. Ids and numbers need no quotes. */
export const lineOf = (row: PairRow): string =>
  [row.a, row.b, row.area_km2, row.share_of_a, row.share_of_b, row.exact].join(',');

/** Parses a row that lineOf() wrote. */
function rowOf(line: string): PairRow {
  const [a = '', b = '', area, ofA, ofB, exact] = line.split(',');
  const shares = { share_of_a: Number(ofA), share_of_b: Number(ofB) };
  return { a, b, area_km2: Number(area), ...shares, exact: exact === 'true' };
}

/** Pairs as CSV. */
export function tableOf(rows: readonly PairRow[]): Buffer {
  return Buffer.from(`${[TABLE_HEAD, ...rows.map(lineOf)].join('\n')}\n`);
}

/** Pairs as Parquet: columns a, b (text), area_km2, share_of_a, share_of_b (64-bit floating point) and exact (true or false). */
export async function parquetOf(rows: readonly PairRow[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const all = async function* () {
    yield rows;
  };
  for await (const part of writeParquet(all())) parts.push(part);
  return Buffer.concat(parts);
}

/** As parquetOf(), from rows as CSV without a header, in parts that may end anywhere. */
export function parquetOfLines(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const rows = async function* () {
    let rest = '';
    for await (const part of parts) {
      const lines = (rest + Buffer.from(part).toString()).split('\n');
      rest = lines.pop() ?? '';
      yield lines.map(rowOf);
    }
  };
  return writeParquet(rows());
}

const COLUMNS = [
  ['a', 'string'],
  ['b', 'string'],
  ['area_km2', 'number'],
  ['share_of_a', 'number'],
  ['share_of_b', 'number'],
  ['exact', 'boolean'],
] as const;

async function* writeParquet(some: AsyncIterable<readonly PairRow[]>): AsyncGenerator<Uint8Array, void, undefined> {
  const valuesOf = async function* () {
    for await (const rows of some) {
      yield rows.map((row) => [row.a, row.b, row.area_km2, row.share_of_a, row.share_of_b, row.exact] as const);
    }
  };
  yield* parquetTable(COLUMNS, valuesOf());
}

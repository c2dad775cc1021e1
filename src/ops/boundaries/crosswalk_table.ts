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
  /** Inland water that was cut out of the common land; absent where none was asked to be. */
  readonly inland_water_km2?: number;
}

/** The header of the table as CSV, without a line end. `dry`: with the column inland_water_km2. */
export const tableHead = (dry: boolean): string =>
  columnsOf(dry)
    .map(([name]) => name)
    .join(',');

/** A row of the table as CSV, without a line end. Ids and numbers need no quotes. */
export const lineOf = (row: PairRow): string => valuesOf(row).join(',');

/** Parses a row that lineOf() wrote. */
function rowOf(line: string): PairRow {
  const [a = '', b = '', area, ofA, ofB, exact, inland] = line.split(',');
  const shares = { share_of_a: Number(ofA), share_of_b: Number(ofB) };
  const water = inland === undefined ? {} : { inland_water_km2: Number(inland) };
  return { a, b, area_km2: Number(area), ...shares, exact: exact === 'true', ...water };
}

/** Pairs as CSV. */
export function tableOf(rows: readonly PairRow[], dry: boolean): Buffer {
  return Buffer.from(`${[tableHead(dry), ...rows.map(lineOf)].join('\n')}\n`);
}

/**
 * Pairs as Parquet: columns a, b (text), area_km2, share_of_a, share_of_b (64-bit floating point), exact (true or
 * false) and, where `dry`, inland_water_km2.
 */
export async function parquetOf(rows: readonly PairRow[], dry: boolean): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const all = async function* () {
    yield rows;
  };
  for await (const part of writeParquet(all(), dry)) parts.push(part);
  return Buffer.concat(parts);
}

/** As parquetOf(), from rows as CSV without a header, in parts that may end anywhere. */
export function parquetOfLines(
  parts: AsyncIterable<Uint8Array>,
  dry: boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  const rows = async function* () {
    let rest = '';
    for await (const part of parts) {
      const lines = (rest + Buffer.from(part).toString()).split('\n');
      rest = lines.pop() ?? '';
      yield lines.map(rowOf);
    }
  };
  return writeParquet(rows(), dry);
}

const COLUMNS = [
  ['a', 'string'],
  ['b', 'string'],
  ['area_km2', 'number'],
  ['share_of_a', 'number'],
  ['share_of_b', 'number'],
  ['exact', 'boolean'],
] as const;

const INLAND = ['inland_water_km2', 'number'] as const;

const columnsOf = (dry: boolean) => (dry ? [...COLUMNS, INLAND] : COLUMNS);

function valuesOf({ a, b, area_km2, share_of_a, share_of_b, exact, inland_water_km2: inland }: PairRow) {
  return [a, b, area_km2, share_of_a, share_of_b, exact, ...(inland === undefined ? [] : [inland])];
}

async function* writeParquet(
  some: AsyncIterable<readonly PairRow[]>,
  dry: boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  const all = async function* () {
    for await (const rows of some) yield rows.map(valuesOf);
  };
  yield* parquetTable(columnsOf(dry), all());
}

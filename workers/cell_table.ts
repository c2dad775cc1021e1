/** Cells as the rows of a table: a boundary, a cell, and whether the cell is completely inside. */
import { type IsCanceled, throwIfCanceled } from './cancel.ts';
import { type Cover, fullCells } from './cells/cover.ts';
import type { Grid } from './cells/grid.ts';
import type { CellFormat } from './cells/sizes.ts';
import { ByteWriter } from './formats/bytes.ts';
import { type TableColumn, TableWriter } from './parquet_table.ts';

/** What a table says besides its cells. JSON only. */
export interface CellHead {
  readonly [member: string]: unknown;
}

/** A table of cells to write. `ids` are those of the areas of the cover; `head` goes before the items of JSON. */
export interface CellTable<Cell> {
  readonly ids: readonly string[];
  readonly cover: Cover<Cell>;
  readonly grid: Grid<Cell>;
  readonly head: CellHead;
}

const START_BYTES = 64 * 1024;
const ROW_GROUP = 20_000;
/** Rows between two checks of `isCanceled`. */
const POLL = 4096;

interface Row {
  readonly id: string;
  readonly cell: string;
  readonly number: bigint | null;
  readonly full: boolean;
}

/** The rows of the areas in their order, each by the names of its cells. */
function* rowsOf<Cell>({ ids, cover, grid }: CellTable<Cell>, isCanceled?: IsCanceled): Generator<Row> {
  let count = 0;
  for (const [i, area] of cover.areas.entries()) {
    const row = (cell: Cell, full: boolean): Row => {
      if (++count % POLL === 0) throwIfCanceled(isCanceled);
      return { id: ids[i], cell: grid.text(cell), number: grid.number?.(cell) ?? null, full };
    };
    const rows = Array.from(fullCells(area, grid, cover.resolution), (cell) => row(cell, true));
    for (const cell of area.edge) rows.push(row(cell, false));
    yield* rows.sort((a, b) => (a.cell < b.cell ? -1 : 1));
  }
}

/**
 * The bytes of a table. CSV and Parquet have a row for each cell: id, cell, cell_id (H3 and S2: the cell as a signed
 * 64-bit number) and full. JSON has an item for each boundary with its cells in two lists.
 * @throws TooLarge for more than `maxBytes`; DOMException named AbortError when canceled
 */
export async function writeCells<Cell>(
  format: CellFormat,
  table: CellTable<Cell>,
  maxBytes: number,
  isCanceled?: IsCanceled,
): Promise<Uint8Array> {
  const out = new ByteWriter(START_BYTES, { maxBytes, isCanceled });
  if (format === 'parquet') await writeParquet(out, table, isCanceled);
  else if (format === 'csv') writeCsv(out, table, isCanceled);
  else writeJson(out, table, isCanceled);
  return out.finish();
}

function writeCsv<Cell>(out: ByteWriter, table: CellTable<Cell>, isCanceled?: IsCanceled): void {
  const numbered = table.grid.number !== undefined;
  out.ascii(numbered ? 'id,cell,cell_id,full\n' : 'id,cell,full\n');
  for (const { id, cell, number, full } of rowsOf(table, isCanceled)) {
    out.ascii(numbered ? `${id},${cell},${number},${full}\n` : `${id},${cell},${full}\n`);
  }
}

async function writeParquet<Cell>(out: ByteWriter, table: CellTable<Cell>, isCanceled?: IsCanceled): Promise<void> {
  const numbered = table.grid.number !== undefined;
  const columns: TableColumn[] = [
    ['id', 'string'],
    ['cell', 'string'],
    ...(numbered ? ([['cell_id', 'integer']] as const) : []),
    ['full', 'boolean'],
  ];
  const writer = new TableWriter(columns);
  let group: (string | bigint | boolean)[][] = [];
  for (const { id, cell, number, full } of rowsOf(table, isCanceled)) {
    group.push(number === null ? [id, cell, full] : [id, cell, number, full]);
    if (group.length < ROW_GROUP) continue;
    out.raw(await writer.write(group));
    group = [];
  }
  if (group.length > 0) out.raw(await writer.write(group));
  out.raw(await writer.end());
}

function writeJson<Cell>(out: ByteWriter, table: CellTable<Cell>, isCanceled?: IsCanceled): void {
  const { ids, cover, grid, head } = table;
  out.utf8(`${JSON.stringify(head).slice(0, -1)},"items":[`);
  for (const [i, area] of cover.areas.entries()) {
    throwIfCanceled(isCanceled);
    const full = Array.from(fullCells(area, grid, cover.resolution), (cell) => grid.text(cell)).sort();
    const edge = area.edge.map((cell) => grid.text(cell)).sort();
    out.utf8(`${i === 0 ? '' : ','}${JSON.stringify({ id: ids[i], full, edge })}`);
  }
  out.utf8(']}');
}

/** Tables of nearly as many columns as are read: the work for each column does not grow with their number. */
import { expect, it } from 'vitest';
import type { Context } from '../../src/core/op.ts';
import { wordsOf } from '../../src/domain/tables/column_titles.ts';
import type { TableColumns } from '../../src/domain/tables/columns.ts';
import { textsOf } from '../../src/domain/tables/row_places.ts';
import { bySplitCodes } from '../../src/ops/tables/column_parts.ts';

const NONE: TableColumns = {
  ...{ name: null, code: null, codeStart: null, within: [], type: null, filled: [], kinds: [], others: [] },
};
const COLUMNS = 900;
const ROWS = 10;
const titles = (title: string): string[] => Array.from({ length: COLUMNS }, (_, i) => `${title} ${i}`);

/** Rows with the same cell in each column, and how often a cell was read. */
function countedRows(cell: string) {
  const count = { reads: 0 };
  const rows = Array.from({ length: ROWS }, () => {
    return new Proxy(new Array<string>(COLUMNS).fill(cell), {
      get(cells, at) {
        count.reads++;
        return Reflect.get(cells, at);
      },
    });
  });
  return { rows, count };
}

it('the codes in two columns are looked for by reading each cell some times', async () => {
  for (const title of ['county code', 'code', 'state code', 'Name']) {
    const { rows: sample, count } = countedRows('12');
    const columns = titles(title);
    const table = { separator: ',', head: '', columns, rows: [] };
    // What is tried is looked up, which costs a unit: the search for the columns ends here.
    const looked = () => {
      throw new Error('looked up');
    };
    const about = { ctx: {} as Context, asked: {}, fixed: { code: false, type: false, within: false } };
    await bySplitCodes({ ...about, sample, table, looked, filters: {} }, NONE).catch((error: Error) =>
      expect(error.message).toBe('looked up'),
    );
    expect(count.reads, title).toBeLessThanOrEqual(4 * COLUMNS * ROWS);
  }
});

it('the words of a column and its texts are worked out once for a table', () => {
  expect(wordsOf('county code')).toBe(wordsOf('county code'));
  expect(wordsOf(`county ${'x'.repeat(60_000)}`).length).toBeLessThan(20);
  const { rows: sample, count } = countedRows('Olathe');
  for (let i = 0; i < 10; i++) expect(textsOf(sample, 7)).toEqual(['Olathe']);
  expect(count.reads).toBeLessThanOrEqual(2 * ROWS);
});

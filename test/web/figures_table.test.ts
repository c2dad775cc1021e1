import { expect, test, vi } from 'vitest';
import { boundsOf } from '../../workers/maps/classes.ts';

/** By name, as their types are those of a browser. */
const [TABLE, NUMERALS, CLASSED, STATE, LANGUAGE] = [
  'figures/table',
  'figures/numerals',
  'figures/classed',
  'figures/state',
  'language',
].map((name) => `../../web/src/${name}.ts`);
const { csvOf, readTable } = await import(TABLE ?? '');
const { figureColumns, figureOf, numeralsOf, plainly } = await import(NUMERALS ?? '');
const { areasOf, legendOf } = await import(CLASSED ?? '');
const { PLAIN, figuresIn, fragmentOf } = await import(STATE ?? '');
const { chooseLanguage } = await import(LANGUAGE ?? '');
// The texts of what is refused. A choice is written to a cookie, too.
vi.stubGlobal('location', { protocol: 'http:' });
vi.stubGlobal('document', {});
await chooseLanguage('en');

interface Row {
  readonly cells: readonly string[];
}
interface Class {
  readonly to: number | null;
  readonly count: number;
  readonly color: string;
}
const DRAWN = 40;

test('a table is read whatever separates its cells, with the lines on which its rows start', () => {
  for (const separator of [',', ';', '\t', '|']) {
    const text = ['\uFEFF"a, b"', 'value\r\n"one\n""two"""', '1,5\n\n x', ''].join(separator);
    if (separator === ',') continue;
    const { columns, rows } = readTable(text);
    expect(columns).toEqual(['a, b', 'value']);
    expect(rows).toEqual([
      { cells: ['one\n"two"', '1,5'], line: 2 },
      { cells: [' x', ''], line: 5 },
    ]);
  }
  expect(() => readTable('a,b\n1')).toThrow('Line 2 has 1 cells; the first line has 2.');
  expect(() => readTable('a,b\n1,"2')).toThrow('Line 2 begins a cell with " that does not end.');
  expect(() => readTable('a,a\n1,2')).toThrow('Two columns are named “a”');
  expect(() => readTable('a,b\n1,"2"x')).toThrow('Line 2 has more text after a cell in quotes.');
});

test('what was written as CSV is read again, but for cells that begin like a formula', () => {
  let seed = 7;
  const random = (most: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  const letters = ['a', ',', '"', '\n', ';', 'é', ' ', '1'];
  const cell = (): string => `x${Array.from({ length: random(6) }, () => letters[random(letters.length)]).join('')}`;
  for (let round = 0; round < DRAWN; round++) {
    const rows = Array.from({ length: 1 + random(5) }, () => [cell(), cell(), cell()]);
    const read = readTable(csvOf([['a', 'b', 'c'], ...rows]));
    expect(read.rows.map(({ cells }: Row) => cells)).toEqual(rows);
  }
  expect(csvOf([['=1+1', '-2', '@x', '+3.5']])).toBe("'=1+1,-2,'@x,+3.5\n");
});

/** The figures of a column of a table. */
const figuresOf = (text: string, column: string, chosen = ''): (number | null | undefined)[] => {
  const table = readTable(text);
  const numerals = numeralsOf(table, column, chosen);
  return table.rows.map(({ cells }: Row) => figureOf(cells[table.columns.indexOf(column)] ?? '', numerals));
};
const column = (...cells: string[]): string => `v;x\n${cells.map((cell) => `${cell};a\n`).join('')}`;

test('numbers are read by the decimal sign that their column has', () => {
  const none = ['n/a', '', '-', 'x'];
  expect(figuresOf(column('1,5', '1.234,5', '1 000', '1.234', '-,5', '1e3', ...none), 'v')).toEqual(
    [1.5, 1234.5, 1000, 1234, -0.5, 1000, null, null, null, undefined], //
  );
  expect(figuresOf(column('1.5', '1,234.5', '1’000', '1,234', '12,34,567', '0.125'), 'v')).toEqual(
    [1.5, 1234.5, 1000, 1234, 1_234_567, 0.125], //
  );
  // Seven digits in groups say it too; groups of other sizes are not numbers.
  expect(figuresOf(column('338.211', '1.034.911', '12.34.5'), 'v')).toEqual([338_211, 1_034_911, undefined]);
  expect(figuresOf('id,v\na,"1,034,911"\nb,"338,211"\nc,12', 'v')).toEqual([1_034_911, 338_211, 12]);
  // A column with both signs: what may be either is not a figure.
  expect(figuresOf(column('1,5', '1.5', '338.211'), 'v')).toEqual([1.5, 1.5, undefined]);
  expect(figureColumns(readTable('a;b;c\nx;1,5;\ny;n/a;z\n'))).toEqual(['b']);
});

test('another column says whether there are thousands or decimals, else a person chooses', () => {
  const votes = 'votes;share\n338.211;40,1\n652.340;32,9\n950;1,2\n';
  expect(figuresOf(votes, 'votes')).toEqual([338_211, 652_340, 950]);
  expect(numeralsOf(readTable(votes), 'votes').doubt).toBeNull();
  expect(figuresOf(votes.replaceAll(/(?<=\d),(?=\d)/g, '.'), 'votes')).toEqual([338.211, 652.34, 950]);
  const alone = column('338.211', '652.340');
  expect(numeralsOf(readTable(alone), 'v')).toEqual({ decimal: '.', doubt: '338.211' });
  expect([figuresOf(alone, 'v'), figuresOf(alone, 'v', ',')]).toEqual([
    [338.211, 652.34],
    [338_211, 652_340],
  ]);
  // What the table says counts more than what was chosen for another column.
  expect(figuresOf(votes, 'share', '.')).toEqual([40.1, 32.9, 1.2]);
});

test('the other columns of a file have their numbers plainly, and codes and doubts as they are', () => {
  const table = readTable('code;votes;share;note;rest\n01001;338.211;40,1;a, b;x\n01002;950;-1.034,5;1 c;2.5.1\n');
  const plain = table.rows.map(({ cells }: Row) =>
    cells.map((cell, i) => plainly(table, table.columns[i] ?? '')(cell)),
  );
  expect(plain).toEqual([
    ['01001', '338211', '40.1', 'a, b', 'x'],
    ['01002', '950', '-1034.5', '1 c', '2.5.1'],
  ]);
  const doubtful = readTable(column('338.211'));
  expect(plainly(doubtful, 'v')('338.211')).toBe('338.211');
});

test('classes are those of draw_map; a boundary is drawn once', () => {
  const values = Array.from({ length: DRAWN }, (_, i) => (i * 37) % 101);
  const table = readTable(`id,v\n${values.map((value, i) => `r${i % 35},${value}\n`).join('')}`);
  const ids = table.rows.map(({ cells }: Row) => cells[0] ?? '');
  const { areas, twice } = areasOf(table, ids, 'v', numeralsOf(table, 'v'));
  expect(areas.length).toBe(35);
  expect(twice[0]).toEqual({ line: 37, first: 2 });
  const figures = { ...PLAIN, text: '', ids, value: 'v', classes: 'natural:6' };
  const { classes, colorOf } = legendOf(areas, figures);
  const bounds = boundsOf({ by: 'natural', count: 6 }, values.slice(0, 35));
  expect(classes.map(({ to }: Class) => to)).toEqual([...bounds, null]);
  expect(classes.reduce((sum: number, { count }: Class) => sum + count, 0)).toBe(35);
  // A figure that equals the bound of two classes is in the upper one.
  expect(colorOf(bounds[0] ?? 0)).toBe(classes[1]?.color);
  expect(() => legendOf(areas, { ...figures, classes: 'given:3,1' })).toThrow('ascending');
});

test('figures are in an address as they were; one that is too long has none', async () => {
  const figures = { ...PLAIN, text: 'a,b\nÖ,1\n', ids: ['r1'], value: 'b', title: '<b>' };
  const fragment = (await fragmentOf(figures)) ?? '';
  expect(await figuresIn(fragment.slice(1))).toEqual(figures);
  expect(await figuresIn('groups=A:r1')).toBeNull();
  const { randomBytes } = await import('node:crypto');
  expect(await fragmentOf({ ...figures, text: randomBytes(40_000).toString('base64') })).toBeNull();
});

import { expect, test } from 'vitest';
import { boundsOf } from '../../workers/maps/classes.ts';

/** By name, as their types are those of a browser. */
const [TABLE, CLASSED, STATE, LANGUAGE] = ['figures/table', 'figures/classed', 'figures/state', 'language'].map(
  (name) => `../../web/src/${name}.ts`,
);
const { csvOf, figureColumns, figureOf, readTable } = await import(TABLE ?? '');
const { areasOf, legendOf } = await import(CLASSED ?? '');
const { PLAIN, figuresIn, fragmentOf } = await import(STATE ?? '');
const { chooseLanguage } = await import(LANGUAGE ?? '');
// The texts of what is refused.
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

test('a decimal comma is a figure only where commas do not separate cells', () => {
  const cells = ['1,5', '1.5', '1.234,5', '1 000', 'n/a', '', '-', '-,5', '1e3', 'x'];
  expect(cells.map((one) => figureOf(one, ';'))).toEqual(
    [1.5, 1.5, undefined, undefined, null, null, null, -0.5, 1000, undefined], //
  );
  expect(figureOf('1,5', ',')).toBeUndefined();
  expect(figureColumns(readTable('a;b;c\nx;1,5;\ny;n/a;z\n'))).toEqual(['b']);
});

test('classes are those of draw_map; a boundary is drawn once', () => {
  const values = Array.from({ length: DRAWN }, (_, i) => (i * 37) % 101);
  const table = readTable(`id,v\n${values.map((value, i) => `r${i % 35},${value}\n`).join('')}`);
  const ids = table.rows.map(({ cells }: Row) => cells[0] ?? '');
  const { areas, twice } = areasOf(table, ids, 'v');
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

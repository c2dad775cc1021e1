import { expect, test } from 'vitest';
import { withoutWords } from '../../src/domain/areas/algebra.ts';
import { parseDescription } from '../../src/domain/areas/parse.ts';
import { readTable } from '../../src/domain/areas/tables.ts';
import { foldName } from '../../src/domain/names/fold.ts';

const KNOWN = new Set(['Ohio', 'Iowa', 'Utah', 'Nevada', 'Burgos', 'Huelva', 'Soria', 'Galicia'].map(foldName));
const lexicon = { has: (name: string) => KNOWN.has(name), relation: () => null };

test.each([
  ['County\tState\nLake\tOH\nCache\tUT', 'county', ['Lake', 'OH', 'Cache', 'UT']],
  ['State,County\nOhio,Lake\nUtah,Cache', 'county', ['Lake', 'Ohio', 'Cache', 'Utah']],
  ['| State | County |\n|---|---|\n| Ohio | Lake |', 'county', ['Lake', 'Ohio']],
  ['Provincia;Municipio\nBurgos;Lerma\nBurgos;Haro', 'municipality', ['Lerma', 'Burgos', 'Haro', 'Burgos']],
  ['Bundesstaat / County\nUtah / Rich', 'county', ['Rich', 'Utah']],
  ['Province\tVille\n"Burgos"\t"Lerma"', 'municipality', ['Lerma', 'Burgos']],
])('%j is a table', (text, level, cells) => {
  const found = readTable(text)?.expression;
  const of = found?.op === 'union' ? found.of : [];
  expect(of.map((one) => ('level' in one ? one.level : null))).toEqual(of.map(() => level));
  expect(of.flatMap((one) => (one.op === 'place' ? [one.name, one.within] : []))).toEqual(cells);
  for (const { words } of of) expect(text.slice(words?.from, words?.to)).toBe(words?.text);
});

test.each([
  'County\tRep\nLake\tBob',
  'County\tState\nLake',
  'County\tCounty\nLake\tCook',
  'State, County',
  'Ohio, Iowa\nUtah, Nevada',
  'County\tState\nLake\t',
])('%j is not a table', (text) => {
  expect(readTable(text)).toBeNull();
});

test.each([
  'los counties de Utah',
  'all the condados de Utah',
  'die counties von Utah',
  'counties von Utah',
  'les counties de Utah',
])('%s has words of several languages', async (description) => {
  const { expression } = await parseDescription(description, lexicon);
  expect(withoutWords(expression)).toEqual({ op: 'children', of: { op: 'place', name: 'Utah' }, level: 'county' });
});

test.each([
  'Ohio… Iowa… Utah',
  'Ohio * Iowa * Utah',
  'Ohio then Iowa then Utah',
  'Depot A = Ohio; Depot B = Iowa; Depot C = Utah',
  'week 1: Ohio, week 2: Iowa, week 3: Utah',
])('%s is a list', async (description) => {
  const { expression } = await parseDescription(description, lexicon);
  const names = expression.op === 'union' ? expression.of.map((one) => ('name' in one ? one.name : '')) : [];
  expect(names).toEqual(['Ohio', 'Iowa', 'Utah']);
});

test.each([
  ['Utah (all 29 counties)', 'counted'],
  ['Galicia, todas las provincias', 'children'],
  ['the upper half of Utah', 'clip'],
  ['the NE quarter of Utah', 'clip'],
  ["Utah's northeast quadrant", 'clip'],
  ['counties of Utah that border neither Nevada nor Iowa', 'difference'],
  ['counties of Utah not touching Nevada, Iowa or Ohio', 'difference'],
  ['counties of Utah beginning with A, B or C', 'union'],
  ['counties of Utah containing "Lake"', 'named'],
  ['all counties of Utah but the two largest', 'difference'],
])('%s is read', async (description, op) => {
  const { expression, unknown } = await parseDescription(description, lexicon);
  expect([expression.op, unknown]).toEqual([op, 0]);
});

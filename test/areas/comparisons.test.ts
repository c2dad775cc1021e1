import { expect, test } from 'vitest';
import { type Expression, withoutWords } from '../../src/domain/areas/algebra.ts';
import { parseDescription } from '../../src/domain/areas/parse.ts';
import { foldName } from '../../src/domain/names/fold.ts';

/** Boundaries that are compared with a place, or with a number that counts itself. */
const KNOWN = new Set(['Spain', 'España', 'Spanien', 'Espagne', 'Teruel', 'Ohio', 'Iowa'].map(foldName));
const lexicon = { has: (name: string) => KNOWN.has(name), relation: () => null };
const read = async (description: string): Promise<Expression> =>
  withoutWords((await parseDescription(description, lexicon)).expression);

test.each([
  ['provinces of Spain larger than Teruel', 'area', 'more', undefined],
  ['the provinces of Spain that are smaller than Teruel', 'area', 'less', undefined],
  ['provinces of Spain with more people than Teruel', 'population', 'more', undefined],
  ['provinces of Spain less populous than that of Teruel', 'population', 'less', undefined],
  ['provinces of Spain at least twice as large as Teruel', 'area', 'at_least', 2],
  ['provinces of Spain twice the size of Teruel or more', 'area', 'at_least', 2],
  ['provinces of Spain no larger than Teruel', 'area', 'at_most', undefined],
  ['provinces of Spain with less than half the population of Teruel', 'population', 'less', 0.5],
  ['provinces of Spain with a population smaller than that of Teruel', 'population', 'less', undefined],
  ['provinces of Spain with an area larger than Teruel', 'area', 'more', undefined],
  ['provincias de España con una población menor que la de Teruel', 'population', 'less', undefined],
  ['Provinzen von Spanien, deren Bevölkerung größer als die von Teruel ist', 'population', 'more', undefined],
  ["les provinces d'Espagne avec une population plus petite que Teruel", 'population', 'less', undefined],
  ['provincias de España más extensas que la de Teruel', 'area', 'more', undefined],
  ['provincias de España con menos habitantes que Teruel', 'population', 'less', undefined],
  ['provincias de España con al menos el doble de habitantes que Teruel', 'population', 'at_least', 2],
  ['provincias de España más del triple de grandes que Teruel', 'area', 'more', 3],
  ['Provinzen von Spanien, die größer als Teruel sind', 'area', 'more', undefined],
  ['Provinzen von Spanien mit weniger Einwohnern als Teruel', 'population', 'less', undefined],
  ['Provinzen von Spanien, die mindestens doppelt so groß wie Teruel sind', 'area', 'at_least', 2],
  ["les provinces d'Espagne moins peuplées que Teruel", 'population', 'less', undefined],
  ["les provinces d'Espagne au moins trois fois plus grandes que Teruel", 'area', 'at_least', 3],
  ["les provinces d'Espagne d'une superficie supérieure à celle de Teruel", 'area', 'more', undefined],
])('%s', async (description, by, is, times) => {
  expect(await read(description)).toMatchObject({
    ...{ op: 'compared', by, is, of: { op: 'children', level: 'province' }, with: { op: 'place', name: 'Teruel' } },
    ...(times === undefined ? {} : { times }),
  });
});

test('a level without a place is that of the country of the place, which a choice says', async () => {
  const { expression, choices } = await parseDescription('states larger than Ohio', lexicon);
  expect(withoutWords(expression)).toMatchObject({
    of: { op: 'children', level: 'state', of: { op: 'containing', level: 'country', of: { name: 'Ohio' } } },
    with: { name: 'Ohio' },
  });
  expect(choices.join()).toContain('the country of "Ohio"');
});

test('"but" joins two comparisons', async () => {
  expect(await read('states larger than Ohio but smaller than Iowa')).toMatchObject({
    ...{
      op: 'compared',
      is: 'less',
      with: { name: 'Iowa' },
      of: { op: 'compared', is: 'more', with: { name: 'Ohio' } },
    },
  });
});

test.each([
  ['provinces of Spain of at least 9,000 km2', 'area', 'at_least', 9_000],
  ['provinces of Spain with 500,000 or more people', 'population', 'at_least', 500_000],
  ['provinces of Spain with at most half a million inhabitants', 'population', 'at_most', 500_000],
  ['provincias de España de como mínimo doce mil kilómetros cuadrados', 'area', 'at_least', 12_000],
  ['Provinzen von Spanien mit mehr als zwanzigtausend Quadratkilometern', 'area', 'more', 20_000],
  ["provinces d'Espagne d'au plus trois mille km²", 'area', 'at_most', 3_000],
])('%s', async (description, by, is, than) => {
  expect(await read(description)).toMatchObject({ op: 'measured', by, is, than, of: { op: 'children' } });
});

test.each([
  ['provinces of Spain as large as Teruel', 'asks for an equal size'],
  ['provincias de España tan grandes como Teruel', 'asks for an equal size'],
  ['states as large as Ohio', 'asks for an equal size'],
])('%s is refused', async (description, reason) => {
  await expect(parseDescription(description, lexicon)).rejects.toThrow(reason);
});

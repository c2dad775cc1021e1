import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPlanning, type Planning } from './planned.ts';

let planning: Planning;
beforeAll(async () => {
  planning = await openPlanning();
}, 600_000);
afterAll(() => planning?.close());

const AROUND_ANDORRA = 'everything within 20 km of Andorra';
const NEAR_ZARAGOZA = 'the intersection of Aragón (Spain) and (everything within 30 km of Zaragoza (Aragón))';

it.each([
  ['a 20 km buffer around Andorra', AROUND_ANDORRA],
  ['20 km buffer of Andorra', AROUND_ANDORRA],
  ['a 20-km radius around Andorra', AROUND_ANDORRA],
  ['a radius of 20 km around Andorra', AROUND_ANDORRA],
  ['Andorra with a 20 km buffer', AROUND_ANDORRA],
  ['un radio de 20 km alrededor de Andorra', AROUND_ANDORRA],
  ['Andorra con un margen de 20 km', AROUND_ANDORRA],
  ['eine Zone von 20 km um Andorra', AROUND_ANDORRA],
  ['20-km-Zone um Andorra', AROUND_ANDORRA],
  ['Andorra mit einem Puffer von 20 km', AROUND_ANDORRA],
  ["une zone de 20 km autour d'Andorre", AROUND_ANDORRA],
  ['Andorra plus 20 km', `Andorra and (${AROUND_ANDORRA})`],
  ['Andorra + 20 km', `Andorra and (${AROUND_ANDORRA})`],
  ['Andorra and everything within 20 km', `Andorra and (${AROUND_ANDORRA})`],
  ['Aragon within 30 km of Zaragoza', NEAR_ZARAGOZA],
  ['the part of Aragon within 30 km of Zaragoza', NEAR_ZARAGOZA],
  ['the provinces of Spain within 30 km of France', '(the provinces of Spain) within 30 km of France'],
  ['les pays frontaliers de la France', 'the countries that border France'],
  ['die Nachbarländer Spaniens', 'the countries that border Spain'],
  ['die Nachbarn Andorras', 'the neighbors of Andorra'],
  ['N. Carolina and N Dakota', 'North Carolina (United States of America) and North Dakota (United States of America)'],
  ['both Carolinas and the Dakotas', 'Carolinas and Dakotas'],
  ['countries of Asia ending in -stan', '(the countries of Asia) whose name ends with "stan"'],
])('%s', async (description, reading) => {
  expect((await planning.plan(description))?.reading).toBe(reading);
});

it.each([
  ['Huesca and Teruel plus 20 km', 'can mean several of the places before it'],
  ['Huesca and Aragon within 30 km of Zaragoza', 'can be read in two ways'],
])('%s is refused, as the distance may be that of all', async (description, problem) => {
  expect((await planning.refused(description)).message).toContain(problem);
});

it.each([
  ['fips:48201 and fips:48113', ['Harris', 'Dallas']],
  ['fips:48201, fips:48113.', ['Harris', 'Dallas']],
  ['US-TX, US-OK', ['Texas', 'Oklahoma']],
  ['US-TX; ES-M', ['Texas', 'Madrid']],
])('codes are ids in a description as elsewhere: %s', async (description, names) => {
  const found = await planning.plan(description);
  expect(found?.include.map(({ name }) => name).sort()).toEqual([...names].sort());
});

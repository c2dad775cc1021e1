import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { searchBoundaries } from '../../src/domain/search/search.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { type FixtureBoundary, insertFixtures } from './fixture_boundaries.ts';

const country = (id: string, code: string, name: string): FixtureBoundary => ({
  ...{ id, name, kind: 'country', adminLevel: 2, iso: code, countryCode: code },
});
const state = (id: string, iso: string, name: string): FixtureBoundary => ({
  ...{ id, name, kind: 'state', adminLevel: 4, country: 'US', iso, parents: ['r1'] },
});
const county = (id: string, name: string, parent: string, areaKm2: number): FixtureBoundary => ({
  ...{ id, name, kind: 'county', adminLevel: 6, country: 'US', parents: ['r1', parent], areaKm2 },
});

/** States whose letters are also a word for a kind of place: IL (a province of Turkey), CO (county). The others are larger. */
const WORLD: readonly FixtureBoundary[] = [
  country('r1', 'US', 'United States'),
  country('r2', 'IL', 'Israel'),
  { id: 'r3', name: 'Haifa', kind: 'district', adminLevel: 4, country: 'IL', parents: ['r2'] },
  country('r4', 'TR', 'Türkiye'),
  { id: 'r5', name: 'Adana', kind: 'province', adminLevel: 4, country: 'TR', parents: ['r4'] },
  state('r10', 'US-IL', 'Illinois'),
  state('r11', 'US-NE', 'Nebraska'),
  state('r12', 'US-CO', 'Colorado'),
  state('r13', 'US-UT', 'Utah'),
  state('r14', 'US-IA', 'Iowa'),
  county('r20', 'Knox', 'r10', 100),
  county('r21', 'Knox', 'r11', 90_000),
  county('r22', 'Summit', 'r12', 100),
  county('r23', 'Summit', 'r13', 90_000),
  county('r24', 'Des Moines', 'r14', 1_000),
  county('r25', 'Mayo', 'r13', 1_000),
  country('r30', 'GE', 'Georgia'),
  state('r31', 'US-GA', 'Georgia'),
  county('r32', 'Si County', 'r14', 1_000),
  county('r34', 'Okeechobee', 'r14', 1_000),
  county('r35', 'St. Lucie', 'r14', 1_000),
  county('r33', 'Los Angeles', 'r14', 1_000),
];

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
  await insertFixtures(test.db, WORLD);
});
afterAll(() => test.close());

it.each([
  ['Knox County, IL', 'r20'],
  ['knox county il', 'r20'],
  ['KNOX IL', 'r20'],
  ['County of Knox, IL', 'r20'],
  ['Knox Co, IL', 'r20'],
  ['Knox', 'r21'],
  ['Knox County', 'r21'],
  ['Summit CO', 'r22'],
  ['Summit County CO', 'r22'],
  ['Summit Co, UT', 'r23'],
  ['Haifa, IL', 'r3'],
  ['Adana il', 'r5'],
  ['Mayo Co', 'r25'],
  ['Co Mayo', 'r25'],
  ['County of Des Moines', 'r24'],
  ['County of Des Moines, IA', 'r24'],
  ['county of des moines iowa', 'r24'],
  ['Knox County, US-IL', 'r20'],
  ['knox us-il', 'r20'],
  ['Summit, US CO', 'r22'],
  ['Okeechoee County, Iowa', 'r34'],
  ['Okeechoee Co., Iowa', 'r34'],
  ['Saint Luciie, Iowa', 'r35'],
  ['Georgia country', 'r30'],
  ['Georgia (country)', 'r30'],
  ['country of Georgia', 'r30'],
  ['Georgia state', 'r31'],
  ['Georgia (US state)', 'r31'],
  ['Si County', 'r32'],
  ['Los Angles County', 'r33'],
])('%s', async (q, id) => {
  const services = { db: test.db, boundaries: createBoundaries(test.db) };
  const [first] = await searchBoundaries(services, { q, limit: 10 });
  expect(first?.id).toBe(id);
});

it('counts the letters of a misspelled name without its type word', async () => {
  const services = { db: test.db, boundaries: createBoundaries(test.db) };
  for (const q of ['LA County', 'Sy County', 'county of xi']) {
    expect(await searchBoundaries(services, { q, limit: 10 }), q).toEqual([]);
  }
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { searchBoundaries } from '../../src/domain/search/search.ts';
import { type FixtureBoundary, insertFixtures } from '../domain/fixture_boundaries.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';

const inState = (state: string): Pick<FixtureBoundary, 'kind' | 'adminLevel' | 'country' | 'parents'> => ({
  ...{ kind: 'county', adminLevel: 6, country: 'US', parents: ['r1', state] },
});
/** Two states with their counties, an independent city, and municipalities of Italy and Switzerland. */
const WORLD: readonly FixtureBoundary[] = [
  { id: 'r1', name: 'United States', kind: 'country', adminLevel: 2, country: 'US', iso: 'US', countryCode: 'US' },
  { id: 'r2', name: 'Italia', kind: 'country', adminLevel: 2, country: 'IT', iso: 'IT', names: { en: 'Italy' } },
  { id: 'r3', name: 'Texas', kind: 'state', adminLevel: 4, country: 'US', iso: 'US-TX', parents: ['r1'] },
  { id: 'r4', name: 'Missouri', kind: 'state', adminLevel: 4, country: 'US', iso: 'US-MO', parents: ['r1'] },
  { id: 'r5', name: 'Potter', ...inState('r3'), box: [-102.2, 35.2, -101.6, 35.6] },
  { id: 'r6', name: 'St. Louis', ...inState('r4'), box: [-90.8, 38.4, -90.2, 38.9] },
  { id: 'r7', name: 'St. Louis', ...inState('r4'), kind: 'city', population: 300_000, box: [-90.3, 38.5, -90.2, 38.8] },
  { id: 'r8', name: 'Florence', ...inState('r3'), box: [-102, 33, -101, 34] },
  ...[
    { id: 'r9', name: 'Firenze', codes: ['048017'], population: 360_000 },
    { id: 'r10', name: 'Staiti', codes: ['080093'], population: 200 },
  ].map((one): FixtureBoundary => ({ ...one, kind: 'municipality', adminLevel: 8, country: 'IT', parents: ['r2'] })),
  { id: 'r12', name: 'California', kind: 'state', adminLevel: 4, country: 'US', iso: 'US-CA', parents: ['r1'] },
  { id: 'r13', name: 'San Bernardino', ...inState('r12'), codes: ['06071'], box: [-117.8, 33.9, -114.1, 35.8] },
  { id: 'r14', name: 'Ontario', kind: 'province', adminLevel: 4, country: 'CA', iso: 'CA-ON' },
  { id: 'r15', name: 'Schweiz', kind: 'country', adminLevel: 2, country: 'CH', iso: 'CH' },
  { id: 'r16', name: 'Sion', kind: 'municipality', adminLevel: 8, country: 'CH', parents: ['r15'] },
  { id: 'r17', name: 'Angers', kind: 'municipality', adminLevel: 8, country: 'FR' },
  { id: 'r18', name: 'Dangers', kind: 'municipality', adminLevel: 8, country: 'FR' },
  { id: 'r11', name: 'Calais', kind: 'municipality', adminLevel: 8, country: 'FR', codes: ['62193'] },
];

describe('cities, their counties and words', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await testDatabase();
    await insertFixtures(test.db, WORLD);
  });
  afterAll(() => test?.close());

  const search = (q: string) =>
    searchBoundaries({ db: test.db, boundaries: createBoundaries(test.db) }, { q, limit: 10 });

  it.each([
    'Amarillo, Potter County',
    'Amarillo, Potter County, Texas',
    'Amarillo (Potter County, TX)',
    'Amarillo in Potter County',
    'Amarillo, Potter',
  ])('the county behind a city in it is found, without the city: %s', async (q) => {
    const found = await search(q);
    expect(found.map(({ id, interpretation }) => [id, interpretation.ignored])).toEqual([['r5', 'amarillo']]);
  });

  it.each(["ville d'Angers", "carte de la ville d'Angers", 'la commune d’Angers'])(
    'a preposition before a vowel is not a part of the name behind a word for a kind: %s',
    async (q) => expect((await search(q))[0]?.id).toBe('r17'),
  );

  it.each(['Houston, Potter County', 'Zorgly, Potter County', 'Amarillo, Texas, Potato'])(
    'no county is found behind a text that is not a city in it: %s',
    async (q) => expect(await search(q)).toEqual([]),
  );

  it.each(['St. Louis County Missouri', 'St Louis county missouri', 'St. Louis County, Missouri'])(
    'a word for a kind belongs to the name in front of it: %s',
    async (q) => {
      const [first] = await search(q);
      expect([first?.id, first?.interpretation.kind]).toEqual(['r6', 'county']);
    },
  );

  it('a city that other languages call like a county follows it', async () => {
    expect((await search('Florence')).map(({ id }) => id)).toEqual(['r8', 'r9']);
    expect((await search('Florence, Italy')).map(({ id }) => id)).toEqual(['r9']);
  });

  it('a division comes before the county around a city of its name', async () => {
    expect((await search('Ontario')).map(({ id }) => id)).toEqual(['r14', 'r13']);
    expect((await search('Ontario, California')).map(({ id }) => id)).toEqual(['r13']);
  });

  it.each(['Sion Wallis', 'Sion, Vallese', 'Sion Valais'])(
    'behind a name, one of a division that is not stored stands for its country: %s',
    async (q) => {
      const [first] = await search(q);
      expect([first?.id, first?.interpretation.within?.name]).toEqual(['r16', 'Schweiz']);
    },
  );

  it.each(['kale', 'come stai'])('a word does not mean a city or province in another language: %s', async (q) =>
    expect(await search(q)).toEqual([]),
  );
});

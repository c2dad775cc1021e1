import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { createNameIndex } from '../../src/domain/read_model/name_index.ts';
import type { Names } from '../../src/domain/read_model/names.ts';
import { type Lookups, lookupsInMemory } from '../../src/domain/search/lookups.ts';
import { CandidateSource } from '../../src/domain/tables/candidates.ts';
import type { PlaceRow } from '../../src/domain/tables/match_rows.ts';
import { matchRows } from '../../src/domain/tables/matching.ts';
import { insertFixtures } from '../domain/fixture_boundaries.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { TABLES_WORLD } from './tables_world.ts';

let test: TestDatabase;
let names: Names;

beforeAll(async () => {
  test = await testDatabase();
  await insertFixtures(test.db, TABLES_WORLD);
  const index = createNameIndex(test.db, 2 ** 28);
  names = (await index.warm()) as Names;
}, 300_000);
afterAll(() => test?.close());

const ROWS = 2_000;
const NAMES = 20;
const word = (i: number): string => [...String(i)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
/** Many rows of few names: each is another row by its word for a kind, or by the place around it. */
const repeated = (name: (i: number) => string, beside: (i: number) => Partial<PlaceRow>): PlaceRow[] =>
  Array.from({ length: ROWS }, (_, i) => ({ name: name(i % NAMES), code: '', within: [], type: '', ...beside(i) }));

const TABLES: Readonly<Record<string, { readonly rows: readonly PlaceRow[]; readonly most: number }>> = {
  'names that are not stored': {
    rows: repeated(
      (i) => `Qwx${word(i)}zzyv`,
      (i) => ({ type: `sort ${i}` }),
    ),
    most: 40,
  },
  'names with a typo': {
    rows: repeated(
      (i) => `Sangamom ${word(i)}`,
      (i) => ({ type: `sort ${i}` }),
    ),
    most: 60,
  },
  'names that a column cuts': {
    rows: repeated(
      (i) => `Champai${word(20 + i)}x`,
      (i) => ({ type: `x${i}` }),
    ),
    most: 60,
  },
  'names with codes': {
    rows: repeated(
      (i) => `Clay ${word(i)} (QQ)`,
      (i) => ({ within: [`Place ${i}`] }),
    ),
    most: 100,
  },
};

/** Matches rows, and counts lookups, and the names that are looked up between two turns of others. */
async function matched(rows: readonly PlaceRow[]) {
  const count = { lookups: 0, together: 0, most: 0 };
  const counted = (lookups: Lookups): Lookups => ({
    ...lookups,
    names: (query) => {
      count.lookups++;
      return lookups.names(query);
    },
    exact: (wanted, within, most) => {
      count.lookups++;
      count.together += wanted.length;
      count.most = Math.max(count.most, count.together);
      return lookups.exact(wanted, within, most);
    },
    similar: (query, stepOf) => {
      count.lookups++;
      return lookups.similar(query, stepOf);
    },
  });
  let isDone = false;
  const turn = (): void => {
    count.together = 0;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const result = await createBoundaries(test.db).withSnapshot((reading) =>
    matchRows(
      ({ country, adminLevel }) => {
        const filters = {
          country: country === undefined ? null : [country],
          kind: null,
          adminLevel: adminLevel ?? null,
        };
        return new CandidateSource(counted(lookupsInMemory(names, filters)), reading, adminLevel !== undefined);
      },
      { rows, filters: {}, kinds: [], whole: true },
    ),
  );
  isDone = true;
  return { ...count, rows: result.rows };
}

it.each(Object.keys(TABLES))('looks up each name once, however many rows have it: %s', async (of) => {
  const { rows, most } = TABLES[of] as (typeof TABLES)[string];
  const { lookups, rows: answers } = await matched(rows);
  expect(answers.length).toBe(ROWS);
  // The places around rows are looked up for each, and chunks of rows at a time by whole names.
  const places = new Set(rows.flatMap(({ within }) => within)).size;
  expect(lookups).toBeLessThan(NAMES * most + ROWS / 50 + places);
});

it('gives others turns between the spellings of names', async () => {
  const rows = Array.from({ length: 400 }, (_, i) => ({
    ...{ name: `S. Cl${word(i)} & St. É${word(i)}x (Rep. Dem. Is.) 1/`, code: '', within: [], type: '' },
  }));
  const { most, rows: answers } = await matched(rows);
  expect(answers.every(({ match }) => match === 'not_found')).toBe(true);
  expect(most).toBeLessThan(2_000);
});

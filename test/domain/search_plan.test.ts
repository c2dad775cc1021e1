import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { loadQuery, type StatementName } from '../../src/db/query.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import type { Search } from '../../src/domain/search/hit.ts';
import { searchBoundaries } from '../../src/domain/search/search.ts';
import { oneEditAway } from '../../src/domain/search/typos.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { type FixtureBoundary, insertFixtures } from './fixture_boundaries.ts';

const SYLLABLES = 'ba ber cha den el fal gor hau in ja ko lu mar nor os pa qui ro san ta ul vi wes xa yo zen'.split(
  ' ',
);
const COUNTRIES = ['AA', 'BB', 'CC', 'DD', 'EE', 'FF', 'GG', 'HH'];
const COUNT = 20_000;

/** A generator with a fixed seed (MINSTD), so that a failure comes again. */
function generator(): () => number {
  let state = 20;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/**
 * 20,000 boundaries with three names each and as many bytes of tags as real ones have, evenly over the world; one in
 * 400 is a state, under which the rest lies.
 */
function manyBoundaries(): FixtureBoundary[] {
  const random = generator();
  const word = () => Array.from({ length: 4 }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join('');
  return Array.from({ length: COUNT }, (_, i) => {
    const lon = random() * 358 - 179;
    const lat = random() * 170 - 85;
    const isState = i % 400 === 0;
    return {
      id: `r${i + 1}`,
      name: i % 20 === 1 ? `San ${word()}` : word(),
      names: { aa: word(), bb: word() },
      kind: isState ? 'state' : 'municipality',
      adminLevel: isState ? 4 : 8,
      country: COUNTRIES[i % COUNTRIES.length],
      population: Math.floor(10 ** (1 + random() * 5)),
      codes: [String(10_000 + i)],
      wikidata: `Q${i + 1}`,
      iso: isState ? `AA-${i / 400}` : null,
      countryCode: isState ? COUNTRIES[(i / 400) % COUNTRIES.length] : null,
      parents: isState ? [] : [`r${Math.floor(i / 400) * 400 + 1}`],
      box: [lon, lat, lon + 0.1, lat + 0.1],
      shape: true,
      tags: { note: Array.from({ length: 30 }, word).join(' ') },
    };
  });
}

let test: TestDatabase;

beforeAll(async () => {
  test = await testDatabase();
  await insertFixtures(test.db, manyBoundaries());
  await test.db.query('vacuum analyze');
});
afterAll(() => test?.close());

async function planOf(name: StatementName, values: readonly unknown[]): Promise<string> {
  const lines = await test.db.transaction(async (tx) => {
    await tx.query(loadQuery('search_threshold'), ['0.4']);
    return tx.query<{ 'QUERY PLAN': string }>(`explain ${loadQuery(name)}`, values);
  });
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

const all = [null, null, null];
const some = [['AA', 'BB'], 'municipality', 8];
/** What has to contain the results: nothing in particular, or two places and a country. */
const nowhere = [null, null];
const somewhere = [['r1', 'r2'], ['AA']];

describe('plans over 60,000 names', () => {
  it('has the names', async () => {
    const { names } = only(await test.db.query<{ names: number }>('select count(*) as names from boundary_name'));
    expect(names).toBeGreaterThan(60_000);
  });

  it.each<[StatementName, readonly unknown[]]>([
    ['search_names', ['sanbaber', 'sanbaber', null, false, ...all, 300, ...nowhere]],
    ['search_names', ['san', 'san', null, false, ...all, 300, ...nowhere]],
    ['search_names', ['san', 'san', 'r7', false, ...some, 300, ...nowhere]],
    ['search_names', ['1001', '1001', null, true, ...all, 300, ...nowhere]],
    ['search_names', ['1001', '1001', null, true, ...some, 300, ...nowhere]],
    ['search_typos', ['sanbabre', ['sanbaber', 'sanbabr'], '!', 200, ...all, ...nowhere]],
    ['search_typos', ['sanbabre', ['sanbaber', 'sanbabr'], '!', 200, ...some, ...nowhere]],
    ['search_typos', [null, oneEditAway('sanbx'), '!', 200, ...all, ...nowhere]],
    ['search_names', ['san', 'san', null, false, ...all, 300, ...somewhere]],
    ['search_typos', ['sanbabre', ['sanbaber', 'sanbabr'], '!', 200, ...all, ...somewhere]],
    ['search_exact', [['sanbaber', 'sanba'], ...nowhere, ...all, 100]],
    ['search_exact', [['sanbaber', 'sanba'], ...somewhere, ...some, 100]],
    ['search_containers', [['sanbaber', 'aa']]],
    ['search_near', ['san', [10, 10], [45, 47], [13, 13], ...all, 300]],
    ['search_near', ['sanbaber', [178, -182], [45, 47], [181, -179], ...some, 300]],
    [
      'boundary_resolve',
      [
        ['r1', 'r2', 'r3'],
        ['Q5', 'Q6'],
        ['AA-1', 'AA'],
      ],
    ],
  ])('%s reads no table of boundaries from end to end: %j', async (name, values) => {
    const plan = await planOf(name, values);
    expect(plan).toMatch(/(Index|Bitmap)/);
    expect(plan).not.toMatch(/Seq Scan on boundary(_name|_shape|_parent)?\b/);
  });

  it('uses the index made for each step', async () => {
    const names = await planOf('search_names', ['san', 'san', null, false, ...all, 300, ...nowhere]);
    expect(names).toContain('boundary_name_major');
    expect(names).toContain('boundary_name_prefix');
    const typos = await planOf('search_typos', ['sanbabre', ['sanbaber'], '!', 200, ...all, ...nowhere]);
    expect(typos).toContain('boundary_name_trigram');
    // One look for each spelling, not one walk over all names.
    expect(typos).toMatch(/Function Scan on unnest.*Limit.*Scan (using|on) boundary_name_prefix/s);
  });
});

describe('among thousands of matches', () => {
  const find = (search: Partial<Search> & { q: string }) =>
    searchBoundaries({ db: test.db, boundaries: createBoundaries(test.db) }, { limit: 40, ...search });

  it('finds what is one typo away, in words of every length', async () => {
    const names = await test.db.query<{ id: string; name: string }>(
      "select id, name from boundary where name ~ '^[A-Za-z]{4,14}$' order by md5(id) limit 60",
    );
    const random = generator();
    for (const { id, name } of names) {
      const at = 1 + Math.floor(random() * (name.length - 1));
      const [before, after] = [name.slice(0, at), name.slice(at)];
      const others = { missing: after.slice(1), wrong: `q${after.slice(1)}`, more: `q${after}` };
      for (const [typo, rest] of Object.entries(others)) {
        const found = await find({ q: before + rest, limit: 300 });
        const ids = found.map((one) => one.id);
        expect(ids, `${name}, one letter ${typo}: ${before + rest}`).toContain(id);
      }
    }
  });

  it('finds the important ones by a short start', async () => {
    const found = await find({ q: 'S' });
    expect(found).toHaveLength(40);
    expect(defined(found[0]).kind).toBe('state');
  });

  it('finds the nearest ones though a thousand come before them in the alphabet', async () => {
    const { id, lat, lon } = only(
      await test.db.query<{ id: string; lat: number; lon: number }>(
        `select id, lat / 1e7::float8 as lat, lon / 1e7::float8 as lon from boundary
       where name >= 'San z' and name < 'San {' and abs(lat) < 600000000 order by id limit 1`,
      ),
    );
    const found = await find({ q: 'San', kind: 'municipality', near: { lat, lon } });
    expect(found.map((one) => one.id).slice(0, 5)).toContain(id);
    expect((await find({ q: 'San', kind: 'municipality' })).map((one) => one.id)).not.toContain(id);
  });

  it('keeps filters when the start is short', async () => {
    const found = await find({ q: 'b', country: ['CC'], kind: 'municipality', adminLevel: 8 });
    expect(found).toHaveLength(40);
    for (const one of found) expect(one).toMatchObject({ country: 'CC', kind: 'municipality', admin_level: 8 });
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrationsFolder } from '../../src/db/migrate.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { type NamedBoundary, nameRows } from '../../src/domain/names/names.ts';
import { createNameIndex } from '../../src/domain/read_model/name_index.ts';
import type { Search } from '../../src/domain/search/hit.ts';
import { readingsOf } from '../../src/domain/search/readings.ts';
import { searchBoundaries } from '../../src/domain/search/search.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { type FixtureBoundary, insertFixtures } from './fixture_boundaries.ts';

/** Each has its name in one form only: Taiwan, mainland, Hong Kong, Japan. */
const TAIPEI: FixtureBoundary = { id: 'r1', name: '臺北市', kind: 'city', adminLevel: 4, country: 'TW' };
const WORLD: readonly FixtureBoundary[] = [
  TAIPEI,
  { id: 'r2', name: '广东省', kind: 'province', adminLevel: 4, country: 'CN' },
  { id: 'r3', name: '青衣島', kind: 'district', adminLevel: 8, country: 'HK' },
  { id: 'r4', name: '広島市', kind: 'city', adminLevel: 7, country: 'JP' },
  { id: 'r5', name: '大安區', kind: 'district', adminLevel: 7, country: 'TW', parents: ['r1'] },
  { id: 'r6', name: '大安区', kind: 'district', adminLevel: 7, country: 'CN', parents: ['r2', 'r7'] },
  { id: 'r7', name: '广州市', kind: 'city', adminLevel: 5, country: 'CN', parents: ['r2'] },
  { id: 'r8', name: '中区', kind: 'ward', adminLevel: 8, country: 'JP', parents: ['r4'] },
  { id: 'r9', name: '부산광역시', kind: 'city', adminLevel: 4, country: 'KR' },
  { id: 'r10', name: '중구', kind: 'district', adminLevel: 6, country: 'KR', parents: ['r9'] },
  { id: 'r11', name: '北区', kind: 'district', adminLevel: 6, country: 'KR', parents: ['r9'] },
  { id: 'r12', name: '北區', kind: 'district', adminLevel: 8, country: 'HK' },
];

let test: TestDatabase;
const search = async (q: string, more: Partial<Search> = {}) => {
  const services = { db: test.db, boundaries: createBoundaries(test.db) };
  return (await searchBoundaries(services, { q, limit: 10, ...more })).map(({ id }) => id);
};

beforeAll(async () => {
  test = await testDatabase();
  await insertFixtures(test.db, WORLD);
});
afterAll(() => test.close());

it.each([
  ['臺北市', 'r1'],
  ['台北市', 'r1'],
  ['臺北', 'r1'],
  ['台北', 'r1'],
  ['廣東', 'r2'],
  ['廣東省', 'r2'],
  ['広東', 'r2'],
  ['广东', 'r2'],
  ['青衣岛', 'r3'],
  ['廣島', 'r4'],
  ['广岛市', 'r4'],
])('finds %s, however it is written', async (q, id) => {
  expect((await search(q))[0]).toBe(id);
});

it.each([
  ['台北 大安区', 'r5'],
  ['臺北市大安區', 'r5'],
  ['台北大安', 'r5'],
  ['广东 大安區', 'r6'],
  ['廣東省廣州市大安區', 'r6'],
  ['廣東廣州', 'r7'],
  ['广州, 广东省', 'r7'],
  ['広島市中区', 'r8'],
  ['广岛 中区', 'r8'],
  ['부산 중구', 'r10'],
  ['부산광역시중구', 'r10'],
  ['부산중구', 'r10'],
])('understands %s: what a place lies in stands in front of it, with a blank or without', async (q, id) => {
  expect(await search(q)).toEqual([id]);
});

it('finds nothing for what no place in front of it has', async () => {
  expect(await search('臺北市中区')).toEqual([]);
  expect(await search('广东大学')).toEqual([]);
});

it('reads a long text in few ways', () => {
  for (const q of ['省市'.repeat(100), '北'.repeat(200), '中区'.repeat(66)]) {
    const readings = readingsOf(q);
    expect(readings.length).toBeLessThanOrEqual(40);
    for (const { within } of readings) expect(within.length).toBeLessThanOrEqual(4);
  }
});

it('completes either form, from memory as from the database', async () => {
  const names = createNameIndex(test.db, 2 ** 28);
  expect(await names.warm()).not.toBeNull();
  const services = { db: test.db, boundaries: createBoundaries(test.db) };
  for (const q of ['廣', '广', '臺', '台', '大安區']) {
    const found = await searchBoundaries({ ...services, names }, { q, prefix: true, limit: 10 });
    expect(found.length, q).toBeGreaterThan(0);
    expect(found, q).toEqual(await searchBoundaries(services, { q, prefix: true, limit: 10 }));
  }
});

/** What the release before stored for the boundary below. */
const BEFORE: readonly (readonly [type: string, lang: string | null, folded: string, ascii: string | null])[] = [
  ['name', null, '臺北市', 'poageviki'],
  ['name', 'zh', '台北市', 'gkwgeviki'],
  ['name', 'en', 'taipei', 'taipei'],
  ['alt_name', null, '臺灣 臺北', 'poam77 poagev'],
  ['alt_name', null, '台湾 台北', 'gkwltq gkwgev'],
  ['old_name', null, '臺北州', 'poageviji'],
  ['stripped', null, '臺北', 'poagev'],
  ['stripped', 'zh', '台北', 'gkwgev'],
  ['code', null, '100', null],
  ['wikidata', null, 'q1867', null],
];
const NAMED: NamedBoundary = {
  ...{ type: 'administrative', name: '臺北市', iso: null, countryCode: null, wikidata: 'Q1867', kind: 'city' },
  names: { zh: '台北市', 'zh-Hant': '臺北市', 'zh-Hans': '台北市', ja: '台北市', en: 'Taipei' },
  otherNames: [
    { type: 'alt_name', text: '臺灣 臺北;台湾 台北' },
    { type: 'old_name', text: '臺北州' },
  ],
  ...{ codes: ['100'], place: null, adminLevel: 4, population: null, areaKm2: null },
};

it('folds the names again that an earlier release stored', async () => {
  await test.db.query("delete from boundary_name where boundary_id = 'r1'");
  for (const row of BEFORE) {
    await test.db.query('insert into boundary_name values ($1, $2, $3, $4, $5, 7)', ['r1', ...row]);
  }
  await test.db.query(
    `insert into feedback_item (kind, status, title, details, folded, ascii, created_at)
     values ('issue', 'open', '臺北 Taipei', '', '臺北 taipei', '', now())`,
  );
  const others = () => test.db.query("select * from boundary_name where boundary_id <> 'r1' order by 1, 2, 3, 4");
  const untouched = await others();
  await test.db.exec(readFileSync(join(migrationsFolder(), '000091_ideographs.sql'), 'utf8'));
  const rows = await test.db.query<{ type: string; lang: string | null; folded: string; ascii: string | null }>(
    "select type, lang, folded, ascii from boundary_name where boundary_id = 'r1'",
  );
  const text = (list: readonly object[]) => list.map((row) => JSON.stringify(row)).sort();
  const wanted = nameRows(NAMED).map(({ type, lang, folded, ascii }) => ({ type, lang, folded, ascii }));
  expect(text(rows)).toEqual(text(wanted));
  expect(await others()).toEqual(untouched);
  expect((await search('台北'))[0]).toBe('r1');
  expect(await test.db.query('select folded from feedback_item')).toEqual([{ folded: '台北 taipei' }]);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { type MadeArea, middleOf, rowOf, storeMade } from './made_editions.ts';

let server: BoundaryTestServer;
let key: string;

const area = (id: string, name: string, cells: MadeArea['cells'], level = 8): MadeArea => ({ id, name, cells, level });
const canton = (cells: MadeArea['cells']) => area('K', 'Kanem', cells, 4);

/** 2010: A, B and C; 2015: A and B merged into D, C moved a border; 2020: D renamed. */
const EDITIONS: Readonly<Record<string, readonly MadeArea[]>> = {
  '2010-01-01': [
    canton(rowOf(0, 0, 6)),
    area('A', 'Abeche', rowOf(0, 0, 2)),
    area('B', 'Bol', rowOf(0, 2, 4)),
    area('C', 'Chari', rowOf(0, 4, 6)),
  ],
  '2015-01-01': [canton(rowOf(0, 0, 6)), area('D', 'Doba', rowOf(0, 0, 3)), area('C', 'Chari', rowOf(0, 3, 6))],
  '2020-01-01': [canton(rowOf(0, 0, 6)), area('D', 'Dourbali', rowOf(0, 0, 3)), area('C', 'Chari', rowOf(0, 3, 6))],
};

beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key());
  for (const date of ['2015-01-01', '2010-01-01', '2020-01-01']) await storeMade(server, date, EDITIONS[date] ?? []);
}, 120_000);
afterAll(() => server.close());

const search = async (q: string, date?: string) => {
  const { json } = await server.get(
    `/v1/boundaries/search?q=${q}&kind=&`.replace('&kind=&', date ? `&as_of=${date}` : ''),
    key,
  );
  return json.items.map(({ name, valid_from, valid_to }) => [name, valid_from, valid_to]);
};
const idOf = async (q: string, date: string) =>
  (await server.get(`/v1/boundaries/search?q=${q}&as_of=${date}`, key)).json.items[0]?.id as string;

it('finds by name what was in force, and nothing of the past today', async () => {
  expect(await search('Abeche', '2012-05-01')).toEqual([['Abeche', '2010-01-01', '2015-01-01']]);
  expect(await search('Abeche', '2015-01-01')).toEqual([]);
  expect(await search('Doba', '2019-12-31')).toEqual([['Doba', '2015-01-01', '2020-01-01']]);
  expect(await search('Dourbali', '2021-01-01')).toEqual([['Dourbali', '2020-01-01', null]]);
  expect(await search('Chari', '2021-01-01')).toEqual([['Chari', '2015-01-01', null]]);
  expect(await search('Chari')).toEqual([]);
});

it('gives the polygon, the subdivisions and the place of a point as of a date', async () => {
  const id = await idOf('Chari', '2012-01-01');
  expect(await idOf('Chari', '2022-01-01')).toBe(id);
  const before = (await server.get(`/v1/boundaries/${id}?as_of=2012-01-01&detail=full`, key)).json;
  const after = (await server.get(`/v1/boundaries/${id}@2022-01-01?detail=full`, key)).json;
  expect(before.properties.valid_to).toBe('2015-01-01');
  expect((after.properties.area_km2 as number) / (before.properties.area_km2 as number)).toBeCloseTo(1.5, 6);
  const kanem = await idOf('Kanem', '2012-01-01');
  const children = async (date: string) =>
    (await server.get(`/v1/boundaries/${kanem}/children?as_of=${date}`, key)).json.items.map(({ name }) => name);
  expect(await children('2012-01-01')).toEqual(['Abeche', 'Bol', 'Chari']);
  expect(await children('2016-01-01')).toEqual(['Chari', 'Doba']);
  const { lat, lon } = middleOf(3, 0);
  const there = async (date: string) =>
    (await server.get(`/v1/boundaries/reverse?lat=${lat}&lon=${lon}&as_of=${date}`, key)).json.items.map(
      ({ name }) => name,
    );
  expect(await there('2012-01-01')).toEqual(['Kanem', 'Bol']);
  expect(await there('2016-01-01')).toEqual(['Kanem', 'Chari']);
  expect(await there('2009-12-31')).toEqual([]);
});

it('merges boundaries of one date exactly, and of several dates by an overlay', async () => {
  const [a, b, c] = await Promise.all(['Abeche', 'Bol', 'Chari'].map((name) => idOf(name, '2012-01-01')));
  const area_km2 = async (input: object) => (await server.rpc('union_boundaries', input, key)).json.properties;
  const one = await area_km2({ include: [a, b], as_of: '2012-01-01', detail: 'full' });
  expect(one.exact).toBe(true);
  const moved = await area_km2({ include: [`${c}@2022-01-01`], exclude: [`${c}@2012-01-01`], detail: 'full' });
  expect(moved).toMatchObject({ exact: false, include: [`${c}@2022-01-01`], exclude: [`${c}@2012-01-01`] });
  expect((moved.area_km2 as number) / (one.area_km2 as number)).toBeCloseTo(0.25, 4);
});

it('refuses dates that are none, of the future, or that contradict each other', async () => {
  const id = await idOf('Chari', '2012-01-01');
  for (const query of ['as_of=2015-02-30', 'as_of=2999-01-01', 'as_of=yesterday']) {
    expect((await server.get(`/v1/boundaries/${id}?${query}`, key)).json.code).toBe('invalid_input');
  }
  expect((await server.get(`/v1/boundaries/${id}@2012-01-01?as_of=2013-01-01`, key)).json.code).toBe('invalid_input');
  expect((await server.get(`/v1/boundaries/${id}?as_of=2009-01-01`, key)).status).toBe(404);
});

it('compares the areas of two dates, and keeps an id when its source is imported without a date', async () => {
  const kanem = await idOf('Kanem', '2012-01-01');
  const side = { children_of: kanem };
  const { json } = await server.rpc('crosswalk', { a: side, b: side, as_of: '2012-01-01', as_of_b: '2016-01-01' }, key);
  const items = json.items as unknown as { a: string; b: string; share_of_a: number }[];
  const ids = new Map<string, string>();
  for (const name of ['Abeche', 'Bol', 'Chari']) ids.set(await idOf(name, '2012-01-01'), name);
  ids.set(await idOf('Doba', '2016-01-01'), 'Doba');
  expect(items.map(({ a, b, share_of_a }) => `${ids.get(a)} ${ids.get(b)} ${share_of_a.toFixed(3)}`).sort()).toEqual([
    'Abeche Doba 1.000',
    'Bol Chari 0.500',
    'Bol Doba 0.500',
    'Chari Chari 1.000',
  ]);
  await storeMade(server, null, EDITIONS['2020-01-01'] ?? []);
  const today = await server.get('/v1/boundaries/search?q=Chari', key);
  expect(today.json.items[0]?.id).toBe(await idOf('Chari', '2012-01-01'));
}, 60_000);

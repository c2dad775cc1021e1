import { afterAll, beforeAll, expect, it } from 'vitest';
import { servicesAsOf } from '../../src/core/dated.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { MADE, type MadeArea, middleOf, rowOf, storeMade } from './made_editions.ts';

let server: BoundaryTestServer;
let key: string;

const area = (id: string, name: string, from: number, to: number, more: Partial<MadeArea> = {}): MadeArea => ({
  id,
  name,
  cells: rowOf(0, from, to),
  ...more,
});
const country = area('TD', 'Tchad', 0, 6, { level: 2, iso: 'TD' });
const coverage = { ...MADE, map: { ...MADE.map, iso: 'iso', wikidata: 'wikidata', 'code:zone': 'id' } };

beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key());
  const three = [area('A', 'Abeche', 0, 2), area('B', 'Bol', 2, 4, { wikidata: 'Q987654' }), area('C', 'Chari', 4, 6)];
  await storeMade(server, '2010-01-01', [country, ...three], coverage);
  await storeMade(
    server,
    '2015-01-01',
    [country, area('A', 'Abeche', 0, 3), area('D', 'Doba', 3, 6, { wikidata: 'Q987655' })],
    coverage,
  );
}, 120_000);
afterAll(() => server.close());

const get = async (path: string) => (await server.get(`/v1/boundaries/${path}`, key)).json;
const idOf = async (q: string, date: string) => (await get(`search?q=${q}&as_of=${date}`)).items[0]?.id as string;

it('continues a list only as of its own date', async () => {
  const list = `${await idOf('Tchad', '2012-01-01')}/children?limit=1`;
  const neighbors = `${await idOf('Bol', '2012-01-01')}/neighbors?limit=1`;
  for (const path of [list, neighbors]) {
    const { next } = (await get(`${path}&as_of=2012-01-01`)) as unknown as { next: string };
    expect(next).toEqual(expect.any(String));
    expect((await get(`${path}&as_of=2012-01-01&cursor=${next}`)).items).toHaveLength(1);
    // The form of the date does not matter, nor which one of those without a change between them; others are other lists.
    const inId = path.replace('/', '@2012-01-01/');
    expect((await get(`${inId}&cursor=${next}`)).items).toHaveLength(1);
    expect((await get(`${path}&as_of=2012-01-02&cursor=${next}`)).items).toHaveLength(1);
    const { code } = await get(`${path}&as_of=2016-01-01&cursor=${next}`);
    // Bol has ended by then.
    expect(code).toBe(path === list ? 'invalid_input' : 'not_found');
  }
}, 60_000);

it('adds subdivisions to a boundary that is named with its date', async () => {
  const id = await idOf('Tchad', '2012-01-01');
  for (const path of [`${id}@2012-01-01?include=children`, `${id}?as_of=2012-01-01&include=children`]) {
    const { properties } = await get(path);
    const children = properties.children as { name: string }[];
    expect(children.map(({ name }) => name)).toEqual(['Abeche', 'Bol', 'Chari']);
  }
});

it('answers where a point is without reading all boundaries of its date', async () => {
  const { lat, lon } = middleOf(2, 0);
  for (const [date, name] of [
    ['2012-01-01', 'Bol'],
    ['2016-01-01', 'Abeche'],
  ] as const) {
    const { items } = await get(`reverse?lat=${lat}&lon=${lon}&as_of=${date}`);
    expect(items.map((one) => one.name)).toEqual(['Tchad', name]);
    const { boundaries } = await servicesAsOf(server.services, date);
    // Only what is asked for often is read whole (as_of_cost.test.ts).
    expect(boundaries.held().boxes).toBe(0);
  }
});

it('gives no population of today to the past', async () => {
  const { properties } = await get(`${await idOf('Tchad', '2012-01-01')}?as_of=2012-01-01`);
  expect(properties.population).toBeNull();
  expect(properties.population_source).toBeUndefined();
  const found = (await get('search?q=Tchad&as_of=2012-01-01')).items[0];
  expect(found?.population).toBeNull();
});

it('finds the versions of an ended boundary by every form of its id', async () => {
  const id = await idOf('Bol', '2012-01-01');
  const number = id.slice(1);
  for (const form of [
    id,
    `relation/${number}`,
    `-${number}`,
    `https://www.openstreetmap.org/relation/${number}`,
    'wikidata:q987654',
    'ZONE:b',
    'iso:TD',
  ]) {
    const { json: answer } = await server.rpc('list_versions', { id: form }, key);
    const whose = form === 'iso:TD' ? await idOf('Tchad', '2012-01-01') : id;
    expect(answer.id, form).toBe(whose);
    expect((answer.items[0] as unknown as { valid_from: string }).valid_from).toBe('2010-01-01');
  }
  expect((await get(`${encodeURIComponent('wikidata:Q1')}/versions`)).code).toBe('not_found');
  expect((await get(`${encodeURIComponent('no id at all')}/versions`)).code).toBe('invalid_id');
});

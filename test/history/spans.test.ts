import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { MADE, type MadeArea, rowOf, storeMade } from './made_editions.ts';

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key());
}, 120_000);
afterAll(() => server.close());

const area = (id: string, name: string, from: number, to: number, level = 8): MadeArea => ({
  id,
  name,
  level,
  cells: rowOf(0, from, to),
});
const of = (source: string) => ({ ...MADE, source });

/** Imports areas without a date, as if on a day of the past; all others keep their days. */
async function storeOn(day: string, areas: readonly MadeArea[], source: string) {
  const { db } = server.services;
  await storeMade(server, null, areas, of(source));
  const ids = areas.map(({ id }) => id);
  await db.query('update boundary set imported_at = $1::date where source = $2 and source_id = any ($3)', [
    day,
    source,
    ids,
  ]);
  // What is in memory is of the data before that update.
  await storeMade(server, '2000-01-01', [area('X', 'Xanten', 100, 101)], of(`${source}-next`));
}

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly valid_from: string;
  readonly valid_to: string | null;
}
async function inForce(name: string, date: string): Promise<readonly Shown[]> {
  const { json } = await server.get(`/v1/boundaries/search?q=${name}&as_of=${date}`, key);
  return (json.items as unknown as Shown[]).filter((one) => one.name === name);
}
const spans = async (name: string, date: string) =>
  (await inForce(name, date)).map(({ valid_from, valid_to }) => `${valid_from} ${valid_to}`);

it('keeps the boundaries of an edition beside those of its level that were imported without a date', async () => {
  const level = [area('A', 'Abeche', 0, 2), area('B', 'Bol', 2, 4), area('C', 'Chari', 4, 6)];
  await storeMade(server, '2010-01-01', level, of('holes'));
  // Only Abeche was fetched in 2017, and Chari is imported again with another border in 2019.
  await storeOn('2017-01-01', [area('A', 'Abeche', 0, 2)], 'holes');
  await storeOn('2019-01-01', [area('C', 'Chari', 4, 7)], 'holes');
  for (const date of ['2012-01-01', '2017-01-01', '2018-06-01', '2019-06-01']) {
    for (const { name } of level) expect(await inForce(name, date), `${name} ${date}`).toHaveLength(1);
  }
  expect(await spans('Abeche', '2012-01-01')).toEqual(['2010-01-01 2017-01-01']);
  expect(await spans('Abeche', '2018-06-01')).toEqual(['2017-01-01 null']);
  expect(await spans('Bol', '2019-06-01')).toEqual(['2010-01-01 null']);
  expect(await spans('Chari', '2018-06-01')).toEqual(['2010-01-01 2019-01-01']);
}, 60_000);

it('ends a boundary of today with the next edition of its level that does not have it', async () => {
  await storeOn(
    '2018-01-01',
    [area('E', 'Erda', 10, 12), area('F', 'Fada', 12, 14), area('R', 'Region', 10, 14, 4)],
    'ends',
  );
  await storeMade(server, '2020-01-01', [area('G', 'Goz', 10, 14)], of('ends'));
  expect(await spans('Erda', '2019-06-01')).toEqual(['2018-01-01 2020-01-01']);
  expect(await spans('Erda', '2020-01-01')).toEqual([]);
  expect(await spans('Fada', '2021-01-01')).toEqual([]);
  expect(await spans('Goz', '2021-01-01')).toEqual(['2020-01-01 null']);
  // The edition says nothing of other levels.
  expect(await spans('Region', '2021-01-01')).toEqual(['2018-01-01 null']);
}, 60_000);

it('has a state again that two editions have, with another of today between them', async () => {
  const before = area('H', 'Haraz', 20, 22);
  await storeMade(server, '2010-01-01', [before], of('again'));
  await storeMade(server, '2020-01-01', [before], of('again'));
  await storeOn('2015-01-01', [area('H', 'Haraze', 20, 23)], 'again');
  expect(await spans('Haraz', '2012-01-01')).toEqual(['2010-01-01 2015-01-01']);
  expect(await spans('Haraze', '2016-01-01')).toEqual(['2015-01-01 2020-01-01']);
  expect(await spans('Haraz', '2016-01-01')).toEqual([]);
  expect(await spans('Haraz', '2021-01-01')).toEqual(['2020-01-01 null']);
  expect(await spans('Haraze', '2021-01-01')).toEqual([]);
}, 60_000);

it('says of a boundary that is stored today from when on it can be asked for', async () => {
  await storeOn('2019-03-01', [area('Z', 'Zouar', 30, 32)], 'later');
  const [{ id = '' } = {}] = await server.services.db.query<{ id: string }>(
    "select id from boundary where name = 'Zouar'",
  );
  const { status, json } = await server.get(`/v1/boundaries/${id}?as_of=2019-02-28`, key);
  expect(status).toBe(404);
  expect((json as unknown as { detail: string }).detail).toContain(`${id} is stored since 2019-03-01`);
  expect((await server.get(`/v1/boundaries/${id}?as_of=2019-03-01`, key)).status).toBe(200);
}, 60_000);

it('says of every boundary and date what the list of its versions says', async () => {
  const { db } = server.services;
  const ids = await db.query<{ id: string }>(
    'select boundary_id as id from edition_interval union select id from boundary where source_id is not null order by 1',
  );
  const dates = [
    '2009-12-31',
    '2010-01-01',
    '2014-12-31',
    '2015-01-01',
    '2018-01-01',
    '2019-12-31',
    '2020-01-01',
    '2026-01-01',
  ];
  let compared = 0;
  for (const { id } of ids.slice(0, 20)) {
    const { json } = await server.get(`/v1/boundaries/${id}/versions`, key);
    const versions = json.items as unknown as Shown[];
    for (const date of dates) {
      const { status, json: one } = await server.get(`/v1/boundaries/${id}?as_of=${date}`, key);
      const said = versions.filter(
        ({ valid_from, valid_to }) => valid_from <= date && (valid_to === null || valid_to > date),
      );
      expect(said, `${id} ${date}`).toHaveLength(status === 200 ? 1 : 0);
      if (status !== 200) continue;
      const { valid_from, valid_to } = one.properties as unknown as Shown;
      expect([valid_from, valid_to], `${id} ${date}`).toEqual([said[0]?.valid_from, said[0]?.valid_to]);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(30);
}, 60_000);

import { afterAll, beforeAll, expect, it } from 'vitest';
import { today } from '../../src/common/dates.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { type Decoded, decodeTile } from '../tiles/decode.ts';
import { type MadeArea, middleOf, rowOf, storeMade } from './made_editions.ts';

let server: BoundaryTestServer;
let key: string;

const area = (id: string, name: string, from: number, to: number, level = 8): MadeArea => ({
  id,
  name,
  level,
  cells: rowOf(0, from, to),
});
const canton = area('K', 'Kanem', 0, 6, 4);
const OLD = [canton, area('A', 'Abeche', 0, 2), area('B', 'Bol', 2, 4), area('C', 'Chari', 4, 6)];
const NEW = [canton, area('A', 'Abeche', 0, 3), area('C', 'Chari', 3, 6)];
const NOW = [canton, area('A', 'Abeche', 0, 1), area('C', 'Chari', 1, 6)];

beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key());
  await storeMade(server, '2010-01-01', OLD);
  await storeMade(server, '2020-01-01', NEW);
  await storeMade(server, null, NOW);
}, 120_000);
afterAll(() => server.close());

const Z = 9;
/** The tile of the middle of the made cells. */
function place(): string {
  const { lat, lon } = middleOf(3, 0);
  const sine = Math.sin((lat * Math.PI) / 180);
  const x = Math.floor((lon / 360 + 0.5) * 2 ** Z);
  const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** Z);
  return `${Z}/${x}/${y}`;
}
const tile = (query = '') => server.get(`/tiles/boundaries/${place()}.mvt${query}`);
const namesIn = (layers: Record<string, Decoded[]>) =>
  [...new Set((layers.areas ?? []).map(({ properties }) => properties.name))].sort();

it('draws the boundaries of a date, and others today', async () => {
  const shown = async (query: string) => namesIn(decodeTile((await tile(query)).bytes));
  expect(await shown('?as_of=2010-01-01')).toEqual(['Abeche', 'Bol', 'Chari', 'Kanem']);
  expect(await shown('?as_of=2019-12-31')).toEqual(['Abeche', 'Bol', 'Chari', 'Kanem']);
  expect(await shown('?as_of=2020-01-01')).toEqual(['Abeche', 'Chari', 'Kanem']);
  expect((await tile('?as_of=2009-12-31')).status).toBe(204);
  expect((await tile(`?as_of=${today()}`)).bytes.equals((await tile()).bytes)).toBe(true);
  expect((await tile('?as_of=2021-01-01')).bytes.equals((await tile()).bytes)).toBe(false);
  expect((await tile('?as_of=')).headers.etag).toBe((await tile()).headers.etag);
});

it('gives features of editions the number of their id, as maps keep state by it', async () => {
  const { areas = [] } = decodeTile((await tile('?as_of=2010-01-01')).bytes);
  expect(areas.length).toBeGreaterThan(2);
  for (const { id, properties } of areas) expect(`r${id}`).toBe(properties.id);
});

it('draws a tile once for all dates between two changes', async () => {
  const { tiles } = server.services.cache.tiers;
  await tile('?as_of=2012-01-01&lang=fr');
  const { misses, hits } = { ...tiles };
  const first = await tile('?as_of=2012-01-01&lang=fr');
  for (let day = 1; day <= 28; day++) {
    const other = await tile(`?as_of=2013-02-${String(day).padStart(2, '0')}&lang=fr`);
    expect(other.headers.etag).toBe(first.headers.etag);
  }
  expect([tiles.misses - misses, tiles.hits - hits]).toEqual([0, 29]);
});

it('describes the tiles of a date with their address', async () => {
  const { json } = await server.get('/tiles/boundaries.json?as_of=2012-01-01&lang=fr');
  const { tiles, attribution } = json as unknown as { tiles: string[]; attribution: string };
  expect(tiles[0]).toMatch(/\/tiles\/boundaries\/\{z\}\/\{x\}\/\{y\}\.mvt\?lang=fr&as_of=2012-01-01$/);
  expect(attribution).toContain('Made for tests');
  const style = (await server.get('/tiles/style.json?as_of=2012-01-01')).json as unknown as {
    sources: { boundaries: { url: string } };
  };
  expect(style.sources.boundaries.url).toMatch(/\/tiles\/boundaries\.json\?as_of=2012-01-01$/);
});

it.each(['2015-02-30', '2999-01-01', 'yesterday', '2015-01-01T00:00:00Z', '%00', '0000-01-01'])(
  'refuses the date %s of tiles and of features',
  async (date) => {
    for (const path of [`/tiles/boundaries/${place()}.mvt`, '/tiles/boundaries.json', '/tiles/style.json']) {
      const { status, json } = await server.get(`${path}?as_of=${date}`);
      expect([status, json.code]).toEqual([400, 'invalid_input']);
    }
    if (date.endsWith('Z')) return;
    expect((await server.get(`/ogc/collections/level-8/items?datetime=${date}`)).status).toBe(400);
  },
);

interface Page {
  readonly features: readonly { readonly id: string; readonly properties: { readonly name: string } }[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}
const items = async (query: string) => {
  const { status, json } = await server.get(`/ogc/collections/level-8/items?${query}`);
  return { status, page: json as unknown as Page };
};
const named = ({ page }: Awaited<ReturnType<typeof items>>) => page.features.map(({ properties }) => properties.name);

it('gives features as of a date, a moment, and an interval in which nothing changes', async () => {
  expect(named(await items('datetime=2012-01-01')).sort()).toEqual(['Abeche', 'Bol', 'Chari']);
  expect(named(await items('datetime=2012-01-01T23:59:59Z')).sort()).toEqual(['Abeche', 'Bol', 'Chari']);
  // It is the day before in UTC.
  expect(named(await items('datetime=2020-01-01T00:30:00%2B02:00')).sort()).toEqual(['Abeche', 'Bol', 'Chari']);
  expect(named(await items('datetime=2011-01-01/2019-12-31')).sort()).toEqual(['Abeche', 'Bol', 'Chari']);
  expect(named(await items('datetime=2021-01-01/2022-01-01')).sort()).toEqual(['Abeche', 'Chari']);
  expect((await items('datetime=2011-01-01/2020-01-01')).status).toBe(400);
  expect((await items('datetime=2012-01-01/..')).status).toBe(400);
  for (const wrong of ['2012-01-02/2012-01-01', 'a/b', '2012-01-01/2013-01-01/2014-01-01', '2012-01-01T25:00:00Z']) {
    expect((await items(`datetime=${wrong}`)).status).toBe(400);
  }
  const whole = await server.get('/ogc/collections/level-8/items?datetime=../..');
  const plain = await server.get('/ogc/collections/level-8/items');
  expect((whole.json as unknown as Page).features).toEqual((plain.json as unknown as Page).features);
  const earlier = await server.get('/ogc/collections/level-8/items?datetime=2009-01-01');
  expect([earlier.status, earlier.json.detail]).toEqual([
    404,
    expect.stringMatching(/^There is no collection level-8 at 2009-01-01; .* lists those of today\.$/),
  ]);
});

it('pages through the features of a date, whose ids have 16 digits, and gives one of them', async () => {
  const seen: string[] = [];
  let path = '/ogc/collections/level-8/items?limit=1&datetime=2012-01-01';
  for (let pages = 0; path !== '' && pages < 9; pages++) {
    const { status, json } = await server.get(path);
    expect(status).toBe(200);
    const { features, links } = json as unknown as Page;
    for (const { id } of features) seen.push(id);
    const next = links.find(({ rel }) => rel === 'next')?.href;
    path = next === undefined ? '' : next.slice(next.indexOf('/ogc/'));
  }
  expect(new Set(seen).size).toBe(3);
  const bol = (await server.get('/v1/boundaries/search?q=Bol&as_of=2012-01-01', key)).json.items[0]?.id ?? '';
  expect(seen).toContain(bol);
  const one = await server.get(`/ogc/collections/level-8/items/${bol}?datetime=2012-01-01`);
  expect((one.json as unknown as Page['features'][number]).properties.name).toBe('Bol');
  expect(one.text).toContain(`/items/${bol}?datetime=2012-01-01`);
  expect((await server.get(`/ogc/collections/level-8/items/${bol}`)).status).toBe(404);
});

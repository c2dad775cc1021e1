import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { type MadeArea, rowOf, storeMade } from './made_editions.ts';

let server: BoundaryTestServer;
let key: string;

const area = (id: string, name: string, cells: MadeArea['cells'], level = 8): MadeArea => ({ id, name, cells, level });

/** Two regions of ten cells each, one above the other. */
const REGIONS = [area('N', 'North', [...rowOf(1, 0, 10)], 4), area('S', 'South', [...rowOf(0, 0, 10)], 4)];

const EDITIONS: readonly (readonly [date: string, areas: readonly MadeArea[]])[] = [
  [
    '2010-01-01',
    [
      ...REGIONS,
      area('1', 'Ati', rowOf(1, 0, 2)),
      area('2', 'Bili', rowOf(1, 2, 4)),
      area('3', 'Chem', rowOf(1, 4, 6)),
      area('4', 'Dari', rowOf(1, 6, 10)),
      area('5', 'Erda', rowOf(0, 0, 4)),
      area('6', 'Fada', rowOf(0, 4, 8)),
      area('7', 'Goz', rowOf(0, 8, 10)),
    ],
  ],
  [
    '2015-01-01',
    [
      ...REGIONS,
      // Bili joined Ati, Chem was renamed, Dari was split into two, Erda gave a cell to Fada, Goz has another code.
      area('1', 'Ati', rowOf(1, 0, 4)),
      area('3', 'Chem-le-Grand', rowOf(1, 4, 6)),
      area('8', 'Dari Est', rowOf(1, 6, 8)),
      area('9', 'Dari Ouest', rowOf(1, 8, 10)),
      area('5', 'Erda', rowOf(0, 0, 3)),
      area('6', 'Fada', rowOf(0, 3, 8)),
      area('70', 'Goz', rowOf(0, 8, 10)),
    ],
  ],
];

beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key());
  for (const [date, areas] of EDITIONS) await storeMade(server, date, areas);
}, 120_000);
afterAll(() => server.close());

interface Answer {
  readonly items: readonly {
    readonly type: string;
    readonly name: string;
    readonly from?: string;
    readonly to?: string;
    readonly gained_km2?: number;
    readonly lost_km2?: number;
    readonly predecessors?: readonly { readonly name: string; readonly share_of_it: number }[];
    readonly successors?: readonly { readonly name: string; readonly share_of_this: number }[];
    readonly with?: readonly { readonly name: string }[];
  }[];
  readonly total: number;
  readonly code: string;
}
const changes = async (query: string) => (await server.get(`/v1/changes?${query}`, key)).json as unknown as Answer;

it('names every change between two dates, with its parts', async () => {
  const { items } = await changes('from=2010-01-01&to=2015-01-01&source=made&limit=1000');
  const shown = items.map(({ type, name, predecessors = [], successors = [], with: others = [] }) =>
    [type, name, ...[...predecessors, ...successors, ...others].map((one) => one.name).sort()].join(' '),
  );
  expect(shown.sort()).toEqual(
    [
      'merged Ati Ati Bili',
      'ended Bili Ati',
      'renamed Chem-le-Grand',
      'split Dari Dari Est Dari Ouest',
      'ended Dari Dari Est Dari Ouest',
      'created Dari Est Dari',
      'created Dari Ouest Dari',
      'border_moved Erda Fada',
      'border_moved Fada Erda',
      'recoded Goz Goz',
    ].sort(),
  );
  const erda = items.find(({ type, name }) => type === 'border_moved' && name === 'Erda');
  const fada = items.find(({ type, name }) => type === 'border_moved' && name === 'Fada');
  expect(erda?.lost_km2).toBeGreaterThan(100);
  expect(erda?.lost_km2).toBeCloseTo(fada?.gained_km2 ?? 0, 9);
  const dari = items.find(({ type }) => type === 'split');
  expect(dari?.successors?.map((one) => one.share_of_this.toFixed(4))).toEqual(['0.5000', '0.5000']);
});

it('lists only what is asked for, in pages and as a table', async () => {
  const north = await server.get('/v1/boundaries/search?q=North&as_of=2012-01-01', key);
  const within = (north.json.items[0] as { id: string }).id;
  const some = await changes(`from=2010-01-01&to=2015-01-01&within=${within}&types=merged,renamed`);
  expect(some.items.map(({ type, name }) => `${type} ${name}`)).toEqual(['merged Ati', 'renamed Chem-le-Grand']);
  const page = await changes('from=2010-01-01&to=2015-01-01&admin_level=8&limit=2&offset=1');
  expect([page.items.length, page.total]).toEqual([2, 10]);
  const { text } = await server.get('/v1/changes?from=2010-01-01&to=2015-01-01&admin_level=8&format=csv', key);
  expect(text.split('\n')[0]).toContain('type,id,name');
  expect(text).toContain('merged');
});

it('compares once for all thresholds, and costs a unit for every ten shapes that differ', async () => {
  const compare = vi.spyOn(server.services.engine.relations, 'crosswalk');
  const used = await server.used(key);
  const totals: string[] = [];
  for (const share of ['0.005', '0.1', '0.3', '0.3000001']) {
    const { items } = await changes(`from=2010-01-02&to=2015-01-02&source=made&min_share=${share}`);
    totals.push(
      items
        .filter(({ type }) => type === 'border_moved')
        .map(({ name }) => name)
        .join(' '),
    );
  }
  expect(compare).toHaveBeenCalledTimes(1);
  compare.mockRestore();
  expect(totals).toEqual(['Erda Fada', 'Erda Fada', '', '']);
  // Six shapes of the first date and six of the second differ.
  expect((await server.used(key)) - used).toBe(4 * 2);
});

it('refuses dates in the wrong order, types that are none, and a comparison of everything', async () => {
  for (const query of [
    'from=2015-01-01&to=2010-01-01&source=made',
    'from=2010-01-01&to=2015-01-01',
    'from=2010-01-01&to=2015-01-01&source=made&types=vanished',
    'from=2010-13-01&to=2015-01-01&source=made',
  ]) {
    expect((await changes(query)).code).toBe('invalid_input');
  }
});

it('lists the versions of a boundary, and when one existed that does not today', async () => {
  const found = await server.get('/v1/boundaries/search?q=Chem&as_of=2012-01-01', key);
  const { id } = found.json.items[0] as { id: string };
  const { json } = await server.get(`/v1/boundaries/${id}/versions`, key);
  const items = json.items as unknown as {
    name: string;
    valid_from: string;
    valid_to: string;
    changed: string[];
    url: string;
  }[];
  expect(items.map(({ name, valid_from, valid_to, changed }) => [name, valid_from, valid_to, changed])).toEqual([
    ['Chem', '2010-01-01', '2015-01-01', []],
    ['Chem-le-Grand', '2015-01-01', null, ['name']],
  ]);
  const bili = (await server.get('/v1/boundaries/search?q=Bili&as_of=2012-01-01', key)).json.items[0] as { id: string };
  const missing = await server.get(`/v1/boundaries/${bili.id}?as_of=2016-01-01`, key);
  expect([missing.status, missing.json.detail]).toEqual([404, expect.stringContaining('2010-01-01 to 2015-01-01')]);
});

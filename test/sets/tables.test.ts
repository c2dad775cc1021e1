/** Cells, maps, joins and matched names of areas of sets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type LibraryTestServer,
  type OrgMember,
  type OrgMembers,
  openLibraryTestServer,
} from '../library/library_test_server.ts';
import { SOUTH, WEST } from '../ops/fixture_world.ts';
import { ROUTES, type Route } from '../setup/routes.ts';
import { cell, fileOf } from './made_set.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;

let server: LibraryTestServer;
let staff: OrgMembers;
let others: OrgMembers;
const AREAS = { north: cell(0.2, 1.2), south: cell(0.2, 0.2) };
const ask = async (op: string, input: Record<string, unknown>, by: OrgMember = staff.member, route: Route = 'http') => {
  const { status, headers, body } = await server.call(route, op, input, by);
  return { status, headers, body: body as Any };
};
beforeAll(async () => {
  server = await openLibraryTestServer();
  staff = await server.staff();
  others = await server.staff();
  const made = await ask('create_area_set', { name: 'zones', content: fileOf(AREAS) });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  await ask('create_area_set', { name: 'secret', content: fileOf({ x: cell(2.2, 2.2) }), visibility: 'restricted' });
});
afterAll(() => server?.close());

const isPrivate = (url: string) => /\/v1\/files\/file_\w+\/content$/.test(url);

it.each(ROUTES)('cover_boundaries, draw_map and join read them, by %s', async (route) => {
  const cells = await ask('cover_boundaries', { set: 'zones', grid: 'h3', resolution: 4 }, staff.viewer, route);
  expect(cells.status, JSON.stringify(cells.body)).toBe(200);
  if (route !== 'cli') expect(cells.body.items.length).toBe(2);
  const rows = [{ id: 'set:zones/north', value: 3 }];
  for (const format of ['svg', 'png', 'pdf']) {
    const map = await ask('draw_map', { rows, around: { set: 'zones' }, title: 'Zones', format }, staff.member, route);
    expect(map.status, JSON.stringify(map.body)).toBe(200);
    if (route === 'rpc' || route === 'mcp') {
      expect([isPrivate(map.body.url), map.body.areas, map.body.without_figure]).toEqual([true, 2, 1]);
      expect((await server.get(`/v1/exports/${map.body.sha256}.${format}`)).status).toBe(404);
      const picture = await server.content(map.body.url, staff.member);
      expect([picture.status, picture.bytes.length]).toEqual([200, map.body.bytes]);
      expect((await server.content(map.body.url, staff.other)).status).toBe(404);
    } else expect(map.headers['content-location']).toBeUndefined();
  }
  const csv = 'id,people\nset:zones/north,5\nset:zones/south,7\nr111,1\n';
  const joined = await ask('join', { csv, format: 'csv' }, staff.member, route);
  expect(joined.status, JSON.stringify(joined.body)).toBe(200);
  if (route !== 'rpc' && route !== 'mcp') return;
  expect([isPrivate(joined.body.url), joined.body.count]).toEqual([true, 3]);
  expect((await server.get(`/v1/exports/${joined.body.sha256}.csv`)).status).toBe(404);
  const table = (await server.content(joined.body.url, staff.member)).text;
  expect(table).toMatch(/set:zones\/south,.*,7[,\r\n]/);
});

const BOX = [WEST, SOUTH, WEST + 4, SOUTH + 4];
const POINT = { lat: SOUTH + 0.5, lon: WEST + 0.5 };
const idsOf = (items: Any) => items.map(({ id }: Any) => id);
/** Calls that find boundaries by name or place, with a set named beside or not: the ids that they find. */
const FINDS: readonly (readonly [op: string, input: object, found: (body: Any) => readonly string[]])[] = [
  ['search_boundaries', { q: 'Area south' }, ({ items }) => idsOf(items)],
  ['reverse_boundaries', POINT, ({ items }) => idsOf(items)],
  ['locate_points', { points: [[POINT.lon, POINT.lat]] }, ({ items: [{ boundaries }] }) => idsOf(boundaries)],
  ['match_names', { rows: [{ name: 'Area south' }] }, ({ rows }) => rows.map((row: Any) => row.boundary?.id ?? '')],
  [
    'match_names',
    { rows: [{ name: 'Area south' }, { code: 'set:zones/north' }] },
    ({ rows: [row, named] }) => (named.boundary.id === 'set:zones/north' ? [row.boundary?.id ?? ''] : ['not named']),
  ],
  ['create_area', { plan: { steps: [{ op: 'place', name: 'Area south' }] } }, areaMembers],
  [
    'create_area',
    {
      plan: {
        steps: [
          { op: 'place', id: 'set:zones/north' },
          { op: 'place', name: 'Area south' },
          { op: 'union', of: [0, 1] },
        ],
      },
    },
    areaMembers,
  ],
];
function areaMembers(body: Any): readonly string[] {
  return JSON.stringify(body).includes('set:zones/south') ? ['set:zones/south'] : [];
}
describe.each(ROUTES)('by %s', (route) => {
  it.each(FINDS)('%s %j finds areas of a set by name and place only where scope says so', async (op, input, found) => {
    for (const [scope, isOwn] of [
      [undefined, false],
      ['official', false],
      ['own', true],
      ['all', true],
    ] as const) {
      const { status, body } = await ask(op, { ...input, ...(scope && { scope }) }, staff.member, route);
      const ids = status === 200 ? found(body) : [body.code];
      if (status !== 200) expect([op, body.code, isOwn]).toEqual(['create_area', 'could_not_map', false]);
      expect(
        ids.some((id) => id.startsWith('set:zones/')),
        `${scope}: ${JSON.stringify(body)}`,
      ).toBe(isOwn);
    }
  });
});

it.each(ROUTES)('a box selects official boundaries, also in a call that names a set, by %s', async (route) => {
  const call = async (op: string, input: Record<string, unknown>): Promise<Any> => {
    const { status, body } = await ask(op, input, staff.member, route);
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body;
  };
  const a = { within: BOX };
  const { items } = await call('crosswalk', { a, b: { set: 'zones' } });
  expect(items.length).toBeGreaterThan(2);
  expect(items.filter((pair: Any) => pair.a.startsWith('set:'))).toEqual([]);
  const [beside, alone] = [
    await call('create_job', { op: 'crosswalk', input: { a, b: ['set:zones/north'] } }),
    await call('create_job', { op: 'crosswalk', input: { a, b: ['r111'] } }),
  ];
  expect(beside.total).toBe(alone.total);
});

it('a table names areas of sets by their ids, as rows do', async () => {
  const body = 'id,staff\nset:zones/north,3\nset:zones/south,5\nset:secret/x,7\n';
  const matched = async ({ key }: OrgMember) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'text/csv' };
    const reply = await fetch(`${server.address}/v1/match`, { method: 'POST', headers, body });
    const text = await reply.text();
    expect(reply.status, text).toBe(200);
    return text
      .split('\n')
      .slice(1, 4)
      .map((line) => line.split(',')[2]);
  };
  expect(await matched(staff.member)).toEqual(['set:zones/north', 'set:zones/south', 'set:secret/x']);
  expect(await matched(staff.other)).toEqual(['set:zones/north', 'set:zones/south', '']);
  expect(await matched(others.owner)).toEqual(['', '', '']);
});

it('the HTTP route of join sends the file, and has no public address of it', async () => {
  const csv = 'id,people\nset:zones/north,5\nset:zones/south,7\n';
  const reply = await server.ask('POST', '/v1/join', { key: staff.member.key, json: { csv, format: 'csv' } });
  expect([reply.status, reply.text.split('\n').filter(Boolean).length], reply.text).toEqual([200, 3]);
  expect(reply.headers['content-location']).toBeUndefined();
  expect(reply.headers['cache-control']).toMatch(/private|no-store/);
});

it('those of others are not found, however they are named', async () => {
  for (const [by, name] of [
    [others.owner, 'zones'],
    [staff.other, 'secret'],
  ] as const) {
    const id = `set:${name}/${name === 'zones' ? 'north' : 'x'}`;
    for (const [op, input] of [
      ['cover_boundaries', { ids: [id], grid: 'h3', resolution: 4 }],
      ['cover_boundaries', { set: name, grid: 'h3', resolution: 4 }],
      ['draw_map', { rows: [{ id, value: 1 }], title: 'x' }],
      ['draw_map', { rows: [{ id: 'r111', value: 1 }], around: { set: name }, title: 'x' }],
      ['draw_map', { csv: `id,v\n${id},1\n`, title: 'x' }],
      ['join', { csv: `id,v\n${id},1\n` }],
      ['match_names', { rows: [{ name: 'x' }], within: id }],
      ['save_match_corrections', { rows: [{ name: 'Nord', id }] }],
    ] as const) {
      const { status, body } = await ask(op, input, by);
      expect([op, status, body.code]).toEqual([op, 404, 'not_found']);
    }
    const { body } = await ask('match_names', { rows: [{ name: 'Area x' }, { code: id }], scope: 'own' }, by);
    expect(body.rows.map((one: Any) => one.match)).toEqual(['not_found', 'not_found']);
  }
});

it('match_names reads them by scope, and what was corrected to them', async () => {
  const rows = [{ name: 'Area north' }, { name: 'Nordzone' }];
  const matched = async (scope: string | undefined, by = staff.member) => {
    const { status, body } = await ask('match_names', { rows, ...(scope && { scope }) }, by);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.rows.map((one: Any) => one.boundary?.id ?? one.match);
  };
  expect(await matched(undefined)).toEqual(['not_found', 'not_found']);
  expect(await matched('own')).toEqual(['set:zones/north', 'not_found']);
  const saved = await ask('save_match_corrections', { rows: [{ name: 'Nordzone', id: 'set:zones/north' }] });
  expect([saved.status, saved.body.saved], JSON.stringify(saved.body)).toEqual([200, 1]);
  expect(await matched('all')).toEqual(['set:zones/north', 'set:zones/north']);
  const table = await server.ask('POST', '/v1/match?scope=own', {
    key: staff.member.key,
    headers: { 'Content-Type': 'text/csv' },
    text: 'name\nArea south\nNordzone\n',
  });
  const coded = await ask('match_names', { rows: [{ code: 'set:zones/south' }] });
  expect(coded.body.rows[0].boundary.id).toBe('set:zones/south');
  expect(table.text, table.text).toMatch(/Area south,set:zones\/south,/);
});

it('corrections to areas of a set are listed for those who may read it', async () => {
  const row = { name: 'Geheim', id: 'set:secret/x' };
  expect((await ask('save_match_corrections', { rows: [row] })).status).toBe(200);
  const listed = async (by: OrgMember) => {
    const { items, total } = (await ask('list_match_corrections', {}, by)).body;
    return [total, items.map((one: Any) => one.id)];
  };
  expect(await listed(staff.member)).toEqual([2, ['set:secret/x', 'set:zones/north']]);
  expect(await listed(staff.other)).toEqual([1, ['set:zones/north']]);
  const { body } = await ask('match_names', { rows: [{ name: 'Geheim' }], scope: 'own' }, staff.other);
  expect(body.rows[0].match).toBe('not_found');
});

it('create_area reads "our" before the name of an area of a set, in four languages, and takes nothing else for it', async () => {
  const place = async (description: string, more: object = {}) => {
    const { status, body } = await ask('create_area', { description, scope: 'all', dry_run: true, ...more });
    const { plan, code } = body as { plan?: { steps: { op: string; id?: string; own?: boolean }[] }; code?: string };
    const step = plan?.steps.find(({ op }) => op === 'place');
    return status === 200 ? [step?.id, step?.own] : [status, code];
  };
  const said = [
    'our Area North',
    'our area north region',
    'our area south and our area north',
    'nuestra area north',
    'notre area north',
    'unsere area north',
  ];
  for (const words of said) {
    const [id, own] = await place(words);
    expect([words, own]).toEqual([words, true]);
    expect(id).toBe(words.includes('our area south') ? 'set:zones/south' : 'set:zones/north');
  }
  // Official boundaries are not ours, nor are the sets of others, nor any without the scope.
  const [{ name = '' } = {}] = await server.services.db.query<{ name: string }>(
    "select name from boundary where type = 'administrative' and has_geometry order by id limit 1",
  );
  expect((await place(`our ${name}`))[1]).toBe('could_not_map');
  expect((await place('our nowhere'))[1]).toBe('could_not_map');
  expect((await place('our area north', { scope: 'official' }))[1]).toBe('could_not_map');
  const stranger = await ask(
    'create_area',
    { description: 'our area north', scope: 'all', dry_run: true },
    others.member,
  );
  expect(stranger.status).not.toBe(200);
});

it('areas of one name and place in two sets are two, in a search and in a table', async () => {
  expect((await ask('create_area_set', { name: 'copy', content: fileOf(AREAS) })).status).toBe(201);
  const both = ['set:copy/south', 'set:zones/south'];
  const found = await ask('search_boundaries', { q: 'Area south', scope: 'own' });
  expect(idsOf(found.body.items).sort()).toEqual(both);
  const { body } = await ask('match_names', { rows: [{ name: 'Area south' }], scope: 'own' });
  expect([body.rows[0].match, idsOf(body.rows[0].candidates).sort()]).toEqual(['ambiguous', both]);
  expect((await ask('delete_area_set', { name: 'copy' })).status).toBeLessThan(300);
});

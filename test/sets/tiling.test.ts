/** Sets whose areas are snapped to official borders, whose gaps and overlaps are reported and given away, and edited by two. */
import { afterAll, beforeAll, expect, it } from 'vitest';
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
beforeAll(async () => {
  server = await openLibraryTestServer();
  staff = await server.staff();
  others = await server.staff();
});
afterAll(() => server?.close());
const ask = async (op: string, input: Record<string, unknown>, by: OrgMember = staff.member, route: Route = 'http') => {
  const { status, body } = await server.call(route, op, input, by);
  return { status, body: body as Any };
};
async function create(name: string, areas: Record<string, number[][]>, more: object = {}) {
  const { status, body } = await ask('create_area_set', { name, content: fileOf(areas), ...more });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}
const full = async (id: string) => (await ask('get_boundary', { id, detail: 'full' })).body;
/** The edges of a polygon, each in one direction. */
const edgesOf = ({ geometry }: Any): Set<string> => {
  const rings = (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates).flat() as number[][][];
  return new Set(
    rings.flatMap((ring) => ring.slice(1).map((point, i) => [String(ring[i]), String(point)].sort().join(' '))),
  );
};

it('snap=official takes the borders of official boundaries exactly, and says what was moved', async () => {
  const official = await full('r111');
  // The same ring, with each vertex off by a few meters.
  const [ring] = official.geometry.coordinates as number[][][];
  const off = (ring ?? [])
    .slice(0, -1)
    .map(([x = 0, y = 0], i) => [x + (i % 2 ? 3e-5 : -3e-5), y + (i % 3 ? 2e-5 : -2e-5)]);
  const areas = { own: [...off, off[0] as number[]] };
  const plain = await create('drawn', areas);
  expect([plain.report.snapped, edgesOf(await full('set:drawn/own'))]).not.toEqual([undefined, edgesOf(official)]);
  const { report } = await create('snapped', areas, { snap: 'official', snap_m: 15 });
  expect(report.snapped).toMatchObject({ tolerance_m: 15, moved: { total: 1 }, left: { total: 0 } });
  expect(report.snapped.moved.items[0].km2).toBeGreaterThan(0.01);
  expect(edgesOf(await full('set:snapped/own'))).toEqual(edgesOf(official));
  const narrow = await create('narrow', areas, { snap: 'official', snap_m: 0.5 });
  expect(narrow.report.snapped).toMatchObject({ tolerance_m: 0.5, moved: { total: 0 }, left: { total: 0 } });
});

const AROUND = {
  south: cell(0, 0, 3, 1),
  north: cell(0, 2, 3, 1),
  west: cell(0, 1, 1, 1),
  east: cell(2, 1, 1, 1),
};

it.each(ROUTES)('gaps and overlaps are a collection that can be downloaded, by %s', async (route) => {
  const name = `seams-${route}`;
  const areas = { ...AROUND, over: cell(2.5, 0.5, 1, 0.25) };
  const made = await ask('create_area_set', { name, content: fileOf(areas) }, staff.member, route);
  expect([200, 201], JSON.stringify(made.body)).toContain(made.status);
  const { gaps, overlaps } = made.body.report;
  expect([gaps.total, overlaps.total]).toEqual([1, 1]);
  expect([...gaps.items[0].areas].sort()).toEqual(['east', 'north', 'south', 'west']);
  const { status, body } = await ask('list_set_gaps', { name }, staff.viewer, route);
  expect(status, JSON.stringify(body)).toBe(200);
  const [gap, overlap] = body.features;
  expect([gap.properties.what, overlap.properties.what, body.features.length]).toEqual(['gap', 'overlap', 2]);
  expect([gap.properties.km2, overlap.properties.km2]).toEqual([
    expect.closeTo(gaps.items[0].km2, 9),
    expect.closeTo(overlaps.items[0].km2, 9),
  ]);
  expect(overlap.properties.areas.sort()).toEqual([`set:${name}/over`, `set:${name}/south`]);
  const corners = (feature: Any) => {
    const points = feature.geometry.coordinates.flat(2) as number[][];
    return [Math.min(...points.map(([x = 0]) => x)) - WEST, Math.min(...points.map(([, y = 0]) => y)) - SOUTH];
  };
  expect([corners(gap), corners(overlap)].flat().map((one) => Math.round(1e6 * one) / 1e6)).toEqual([1, 1, 2.5, 0.5]);
  expect((await ask('list_set_gaps', { name }, others.owner, route)).body.code).toBe('not_found');
});

it('gaps=longest_border and overlaps=smallest let the areas tile', async () => {
  const areas = { ...AROUND, over: cell(2.5, 0.5, 1, 0.25) };
  const kept = await create('kept', areas);
  const { report } = await create('tiled', areas, { gaps: 'longest_border', overlaps: 'smallest' });
  expect([report.gaps.total, report.overlaps.total]).toEqual([0, 0]);
  expect(report.given).toMatchObject({ gaps: 1, overlaps: 1 });
  expect(report.given.gaps_km2).toBeCloseTo(kept.report.gaps.items[0].km2, 6);
  const km2 = async (set: string) => {
    const { items } = (await ask('list_set_areas', { name: set })).body;
    return Object.fromEntries(items.map((one: Any) => [one.id.split('/')[1], one.area_km2]));
  };
  const [before, after] = [await km2('kept'), await km2('tiled')];
  const sum = (all: Record<string, number>) => Object.values(all).reduce((total, one) => total + one, 0);
  expect(sum(after)).toBeCloseTo(sum(before) + report.given.gaps_km2 - report.given.overlaps_km2, 3);
  expect(after.over).toBeCloseTo(before.over, 6);
  expect(after.south).toBeCloseTo(before.south - report.given.overlaps_km2, 3);
  const whole = await ask('union_boundaries', {
    include: Object.keys(areas).map((code) => `set:tiled/${code}`),
    detail: 'full',
  });
  expect(
    whole.body.geometry.type === 'Polygon' && whole.body.geometry.coordinates.length,
    JSON.stringify(whole.body),
  ).toBe(1);
  const { features } = (await ask('list_set_gaps', { name: 'tiled' })).body;
  expect(features.map((one: Any) => one.properties.what)).toEqual(['filled_gap', 'given_overlap']);
});

it('gaps=nearest divides a gap among the areas around it', async () => {
  const [kept, shared] = [await create('undivided', AROUND), await create('divided', AROUND, { gaps: 'nearest' })];
  const { gaps, given } = shared.report;
  expect([gaps.total, given.gaps, shared.report.options.gaps]).toEqual([0, 1, 'nearest']);
  expect(given.gaps_km2).toBeCloseTo(kept.report.gaps.items[0].km2, 6);
  // A square, of which each neighbor gets the triangle on its side.
  const gained = given.areas.items.map((one: Any) => one.gained_km2);
  expect([gained.length, given.areas.items.every((one: Any) => one.lost_km2 < 1e-6)]).toEqual([4, true]);
  expect(gained.reduce((sum: number, km2: number) => sum + km2, 0)).toBeCloseTo(given.gaps_km2, 3);
  const { features } = (await ask('list_set_gaps', { name: 'divided' })).body;
  expect(features.map((one: Any) => one.properties.what)).toEqual(['filled_gap']);
  const north = (await ask('reverse_boundaries', { lat: SOUTH + 1.9, lon: WEST + 1.5, scope: 'own' })).body;
  expect(JSON.stringify(north)).toContain('set:divided/north');
  expect(JSON.stringify(north)).not.toContain('set:divided/east');
});

it.each([
  ['first', 'south'],
  ['longest_border', 'south'],
  ['smallest', 'over'],
] as const)('overlaps=%s gives what several have to %s', async (overlaps, winner) => {
  const areas = { ...AROUND, over: cell(2.5, 0.5, 1, 0.25) };
  const { report } = await create(`by-${overlaps.replace('_', '-')}`, areas, { overlaps });
  const loser = winner === 'south' ? 'over' : 'south';
  expect([report.overlaps.total, report.gaps.total]).toEqual([0, 1]);
  const { total, items } = report.given.areas;
  expect([total, items[0].id, items[0].gained_km2]).toEqual([1, loser, 0]);
  expect(items[0].lost_km2).toBeCloseTo(report.given.overlaps_km2, 6);
});

it('an island within a gap is not a part of it, and a gap within the island is another', async () => {
  const square = (at: number) => cell(at, at, 5 - 2 * at, 5 - 2 * at);
  const ringed = (id: string, at: number) => ({
    type: 'Feature',
    properties: { id, name: id },
    geometry: { type: 'Polygon', coordinates: [square(at), square(at + 0.5)] },
  });
  const features = [ringed('inner', 1), ringed('outer', 0)];
  await create('nested', {}, { content: undefined, features });
  const listed = (await ask('list_set_gaps', { name: 'nested' })).body.features;
  expect(listed.map(({ properties, geometry }: Any) => [properties.areas, geometry.coordinates.length])).toEqual([
    [['set:nested/outer', 'set:nested/inner'], 1],
    [['set:nested/inner'], 1],
  ]);
  expect(listed.map(({ geometry }: Any) => geometry.coordinates[0].length)).toEqual([2, 1]);
  const { report } = await create('nested-filled', {}, { content: undefined, features, gaps: 'longest_border' });
  expect([report.overlaps.total, report.gaps.total, report.given.gaps]).toEqual([0, 0, 2]);
  expect((await full('set:nested-filled/inner')).geometry.coordinates).toHaveLength(1);
  expect((await full('set:nested-filled/outer')).geometry.coordinates).toHaveLength(2);
});

it('features that were drawn are areas with their properties, and two editors do not overwrite each other', async () => {
  const feature = (id: string, ring: number[][], color: string) => ({
    type: 'Feature',
    properties: { id, name: `Area ${id}`, color },
    geometry: { type: 'Polygon', coordinates: [ring] },
  });
  const features = [feature('a', cell(0, 0), 'red'), feature('b', cell(1, 0), 'blue')];
  const made = await ask('create_area_set', { name: 'edited', features, valid_from: '2020-01-01' });
  expect([made.status, made.body.versions?.[0].made_from], JSON.stringify(made.body)).toEqual([201, 'features']);
  const { items } = (await ask('list_set_areas', { name: 'edited' })).body;
  expect(items.map((one: Any) => one.properties.color)).toEqual(['red', 'blue']);
  const base = made.body.versions[0].recorded_at;
  // One municipality of the first editor's A goes to B, while the second moves another one.
  const moved = { groups: { a: ['r111'], b: ['r112', 'r113'] }, replace: true, valid_from: '2020-01-01' };
  const first = await ask('create_area_set', { name: 'edited', ...moved, base });
  expect(first.status, JSON.stringify(first.body)).toBe(201);
  const second = await ask('create_area_set', { name: 'edited', ...moved, base }, staff.other);
  expect([second.status, second.body.code]).toEqual([400, 'invalid_input']);
  expect((second.body as Any).issues[0]).toMatchObject({ path: 'base', code: 'changed' });
  const again = await ask(
    'create_area_set',
    { name: 'edited', ...moved, base: first.body.versions[0].recorded_at },
    staff.other,
  );
  expect(again.status).toBe(201);
  const none = await ask('create_area_set', { name: 'nothing-yet', ...moved, base });
  expect((none.body as Any).issues[0].path).toBe('base');
});

it('what is not a feature is refused by name', async () => {
  for (const features of [[], [{ type: 'Point', coordinates: [0, 0] }], 'x', [{ type: 'Feature', properties: {} }]]) {
    const { status, body } = await ask('create_area_set', { name: 'wrong', features });
    expect([status, body.code]).toEqual([400, 'invalid_input']);
  }
  for (const more of [{ snap: 'x' }, { snap_m: 0 }, { snap_m: 1e9 }, { gaps: 'all' }, { base: 'yesterday' }]) {
    const { body } = await ask('create_area_set', { name: 'wrong', content: fileOf({ a: cell(0, 0) }), ...more });
    expect(body.code).toBe('invalid_input');
  }
});

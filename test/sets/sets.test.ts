import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/core/op.ts';
import { withSets } from '../../src/core/with_sets.ts';
import { ops } from '../../src/ops/index.ts';
import { acting } from '../../src/ops/orgs/org.ts';
import { type LibraryTestServer, type OrgMembers, openLibraryTestServer } from '../library/library_test_server.ts';
import { drawn } from '../proof/rounds.ts';
import { ROUTES, type Route } from '../setup/routes.ts';
import { cell, fileOf } from './made_set.ts';

let server: LibraryTestServer;
let staff: OrgMembers;
let others: OrgMembers;
beforeAll(async () => {
  server = await openLibraryTestServer();
  staff = await server.staff();
  others = await server.staff();
});
afterAll(() => server?.close());

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;
const ask = async (op: string, input: Record<string, unknown>, by = staff.member, route: Route = 'http') => {
  const { status, body } = await server.call(route, op, input, by);
  return { status, body: body as Any };
};
const AREAS = { north: cell(0.2, 1.2, 1, 1), south: cell(0.2, 0.2, 1, 1), 'a b': cell(1.2, 0.2, 1, 2) };

describe('a set from a file', () => {
  it('has its areas with ids that work wherever an id does', async () => {
    const made = await ask('create_area_set', { name: 'zones', title: 'Our zones', content: fileOf(AREAS) });
    expect([made.status, made.body.code ?? null], JSON.stringify(made.body)).toEqual([201, null]);
    expect(made.body).toMatchObject({ name: 'zones', access: 'admin', versions: [{ areas: 3, made_from: 'file' }] });
    const listed = await ask('list_set_areas', { name: 'zones' });
    expect(listed.body.items.map((one: Any) => one.id)).toEqual([
      'set:zones/a-b',
      'set:zones/north',
      'set:zones/south',
    ]);
    const north = await ask('get_boundary', { id: 'set:zones/north', detail: 'full' });
    expect([north.status, north.body.properties?.name], JSON.stringify(north.body)).toEqual([200, 'Area north']);
    expect(north.body.properties.source).toBe('set:zones');
  });

  it.each(ROUTES)('is read by %s', async (route) => {
    const { status, body } = await ask('get_boundary', { id: 'set:zones/north' }, staff.viewer, route);
    expect([status, body.properties?.id], JSON.stringify(body)).toEqual([200, 'set:zones/north']);
    const exported = await ask('export_boundary', { id: 'set:zones/north', format: 'kml' }, staff.member, route);
    expect(exported.status, JSON.stringify(exported.body)).toBe(200);
  });

  it('is in no file with a public address', async () => {
    const before = await ask('list_files', {});
    for (const route of ['rpc', 'mcp', 'cli'] as const) {
      const whole = { children_of: undefined, set: 'zones', format: 'geojson', detail: 'full' };
      const { status, body } = await ask('export_collection', JSON.parse(JSON.stringify(whole)), staff.member, route);
      if (route === 'cli') continue;
      expect([status, /\/v1\/files\/file_\w+\/content$/.test(body.url)], JSON.stringify(body)).toEqual([200, true]);
      const { sha256 } = body;
      expect((await server.get(`/v1/exports/${sha256}.geojson`)).status).toBe(404);
      expect((await server.content(body.url, staff.member)).status).toBe(200);
      expect((await server.content(body.url, staff.other)).status).toBe(404);
      expect((await server.content(body.url, others.owner)).status).toBe(404);
    }
    expect((await ask('list_files', {})).body.total).toBeGreaterThan(before.body.total);
    const { headers } = await server.call('http', 'export_boundary', { id: 'set:zones/north' }, staff.member);
    expect([headers['content-location'], headers['cache-control']]).toEqual([undefined, 'private, no-cache']);
  });

  it('is not there for another organization, and for callers without a key', async () => {
    for (const by of [others.owner, undefined]) {
      const { status, body } = await server.call('http', 'get_boundary', { id: 'set:zones/north' }, by);
      const nobodys = await server.call('http', 'get_boundary', { id: 'set:nothing/north' }, by);
      expect([status, body.code, nobodys.status]).toEqual([404, 'not_found', 404]);
    }
    expect((await ask('get_area_set', { name: 'zones' }, others.owner)).status).toBe(404);
  });
});

it('is in the audit log, each version', async () => {
  const content = fileOf({ one: AREAS.north });
  for (const valid_from of ['2019-01-01', '2020-01-01']) {
    expect((await ask('create_area_set', { name: 'logged', content, valid_from })).status).toBe(201);
  }
  const { items } = (await ask('list_audit_log', { limit: 100 }, staff.admin)).body;
  const logged = items.filter((one: Any) => one.target.name === 'logged').map((one: Any) => one.action);
  expect(logged).toEqual(['set.version', 'set.create']);
});

describe('unions', () => {
  it('of areas of one set are exact, with official boundaries they are overlaid', async () => {
    const own = await ask('union_boundaries', { include: ['set:zones/north', 'set:zones/south'], detail: 'full' });
    expect([own.status, own.body.properties?.exact], JSON.stringify(own.body)).toEqual([200, true]);
    const mixed = await ask('union_boundaries', { include: ['set:zones/north', 'r111'], detail: 'full' });
    expect([mixed.status, mixed.body.properties?.exact], JSON.stringify(mixed.body)).toEqual([200, false]);
  });

  it('collections, neighbors, dissolve, crosswalk, reverse, locate and search read them', async () => {
    const collection = await ask('export_collection', { set: 'zones', format: 'geojson' });
    expect(collection.body.features?.length, JSON.stringify(collection.body)).toBe(3);
    const neighbors = await ask('list_neighbors', { id: 'set:zones/north' });
    expect(
      neighbors.body.items?.map((one: Any) => one.id),
      JSON.stringify(neighbors.body),
    ).toEqual(['set:zones/a-b', 'set:zones/south']);
    const merged = await ask('dissolve', { groups: { all: { set: 'zones' }, one: ['r111'] } });
    expect(merged.body.features?.length, JSON.stringify(merged.body)).toBe(2);
    const walk = await ask('crosswalk', { a: { set: 'zones' }, b: ['r111', 'r112'] });
    expect([walk.status, walk.body.total > 0], JSON.stringify(walk.body)).toEqual([200, true]);
    const [lat, lon] = [30.5, -29.5];
    const at = async (scope?: string) =>
      (await ask('reverse_boundaries', { lat, lon, ...(scope && { scope }) })).body.items?.map((one: Any) => one.id);
    expect(await at('own')).toEqual(['set:zones/south']);
    expect(await at()).not.toContain('set:zones/south');
    expect(await at('all')).toEqual(expect.arrayContaining(['set:zones/south', ...(await at())]));
    const located = await ask('locate_points', { points: [[lon, lat]], scope: 'own' });
    expect(located.body.items?.[0].boundaries.map((one: Any) => one.id)).toEqual(['set:zones/south']);
    const found = await ask('search_boundaries', { q: 'Area north', scope: 'all' });
    expect(found.body.items?.[0]?.id, JSON.stringify(found.body)).toBe('set:zones/north');
    expect((await ask('search_boundaries', { q: 'Area north' })).body.items).toEqual([]);
    // Alone, a common word names no official boundary.
    const begun = await ask('search_boundaries', { q: 'area', scope: 'own' });
    expect(begun.body.items?.map((one: Any) => one.id)).toContain('set:zones/north');
  });
});

it('a new title is that of its areas from then on, whatever is in memory', async () => {
  await ask('create_area_set', { name: 'titled', title: 'Title before', content: fileOf(AREAS) });
  const source = async (scope: 'own' | 'all') => {
    const call = { caller: await server.callerOf(staff.member), services: server.services } as Context;
    const { services } = await withSets(call, { scope });
    return (await services.boundaries.get('set:titled/north')).source.name;
  };
  expect([await source('own'), await source('all')]).toEqual(['Title before', 'Title before']);
  await ask('update_area_set', { name: 'titled', title: 'Title after' });
  expect([await source('own'), await source('all')]).toEqual(['Title after', 'Title after']);
});

it.each(drawn(ROUTES, 2))('a version by %s changes no visibility of its set, and says so', async (route) => {
  const name = `seen-${route}`;
  const content = fileOf({ one: AREAS.north });
  const create = (valid_from: string, more: object) =>
    ask('create_area_set', { name, content, valid_from, ...more }, staff.member, route);
  expect((await create('2019-01-01', { visibility: 'restricted' })).status).toBeLessThan(300);
  const refused = await create('2020-01-01', { visibility: 'org' });
  expect([refused.body.code, refused.body.issues?.[0]?.path], JSON.stringify(refused.body)).toEqual([
    'invalid_input',
    'visibility',
  ]);
  expect((await create('2020-01-01', {})).status).toBeLessThan(300);
  expect((await create('2021-01-01', { visibility: 'restricted' })).status).toBeLessThan(300);
  const { body } = await ask('get_area_set', { name });
  expect([body.visibility, body.versions.length]).toEqual(['restricted', 3]);
});

it.each(drawn(ROUTES, 2))(
  'a version by %s has the attribution of the one before, and says how it was made',
  async (route) => {
    const name = `kept-${route}`;
    const content = fileOf({ one: AREAS.north });
    const create = async (valid_from: string, more: object) => {
      const given = { name, content, valid_from, ...more };
      const { status, body } = await ask('create_area_set', given, staff.member, route);
      expect(status, JSON.stringify(body)).toBeLessThan(300);
      return body;
    };
    const rules = { snap: 'official', snap_m: 10, overlaps: 'first', gaps: 'longest_border', kind: 'municipality' };
    await create('2019-01-01', { title: 'Zones', attribution: '© Surveyors', ...rules });
    await create('2021-01-01', { attribution: '© Others' });
    await create('2020-01-01', {});
    await create('2018-01-01', {});
    await create('2019-01-01', { replace: true, title: 'Our zones' });
    const { body } = await ask('get_area_set', { name }, staff.member, route);
    const plain = { snap: 'none', snap_m: 25, overlaps: 'keep', gaps: 'keep', kind: 'district' };
    expect([body.title, body.report.options]).toEqual(['Our zones', plain]);
    expect(body.versions.map(({ valid_from, attribution }: Any) => [valid_from, attribution])).toEqual([
      ['2018-01-01', '© Surveyors'],
      ['2019-01-01', '© Surveyors'],
      ['2020-01-01', '© Surveyors'],
      ['2021-01-01', '© Others'],
    ]);
    const made = await create('2022-01-01', rules);
    expect(made.report.options).toEqual(rules);
    const optionsOn = async (on: string) => (await ask('get_area_set', { name, on }, staff.member, route)).body;
    expect((await optionsOn('2021-06-01')).report.options).toEqual(plain);
    expect((await optionsOn('2022-06-01')).report.options).toEqual(rules);
    expect((await optionsOn('2017-06-01')).issues?.[0]).toMatchObject({ path: 'on', code: 'out_of_range' });
  },
);

it('a version is recorded when its transaction has its turn, not when that began', async () => {
  const { db, areaSets } = server.services;
  const by = acting({ caller: await server.callerOf(staff.member) } as Context);
  await ask('create_area_set', { name: 'turns', content: fileOf({ one: AREAS.north }), valid_from: '2019-01-01' });
  const about = { name: 'turns', title: undefined, visibility: undefined, madeFrom: 'file' as const, replace: true };
  const more = { attribution: undefined, areas: 0, vertices: 0, report: {}, seams: '[]', base: undefined };
  const { began, turn } = await db.transaction(async (tx) => {
    await tx.query('select pg_sleep(0.05)');
    const [times] = await tx.query<{ began: Date; turn: Date }>('select now() as began, clock_timestamp() as turn');
    await areaSets.putVersion(tx, by, { ...about, ...more, validFrom: '2020-01-01' });
    return times as { began: Date; turn: Date };
  });
  const { versions } = await areaSets.get(by, 'turns');
  expect(turn.getTime()).toBeGreaterThan(began.getTime());
  expect(Date.parse(versions.at(-1)?.recorded_at ?? '')).toBeGreaterThanOrEqual(turn.getTime());
});

describe('the id of an area where official boundaries are read only', () => {
  const id = 'set:zones/north';
  it.each([
    ['list_versions', { id }, 'get_area_set (name=zones)'],
    ['list_changes', { from: '2020-01-01', to: '2021-01-01', within: id }, 'crosswalk'],
    ['get_change_feed', { boundary: id }, 'crosswalk'],
    ['create_subscription', { boundary: `${id}@2020-01-01`, mail: true }, 'crosswalk'],
    ['export_collection', { children_of: id }, '{"set": "zones"}'],
    ['dissolve', { groups: { a: { children_of: id } } }, '{"set": "zones"}'],
    ['create_job', { op: 'export_collection', input: { children_of: id } }, '{"set": "zones"}'],
  ] as const)('%s says what to do instead', async (op, input, instead) => {
    const { status, body } = await ask(op, input);
    expect([status, body.code], JSON.stringify(body)).toEqual([400, 'invalid_input']);
    expect(body.detail).toContain(`${id} is an area of a set`);
    expect(body.detail).toContain(instead);
  });

  it('is refused alike whether the area exists', async () => {
    const of = async (area: string, by = staff.member) => (await ask('list_versions', { id: area }, by)).body.detail;
    const reported = await of(id);
    expect(await of(id, others.member)).toBe(reported);
    expect(await of('set:zones/none')).toBe(reported.replaceAll('zones/north', 'zones/none'));
  });

  it('works in the examples of every operation, or is named', async () => {
    const isId = (value: unknown) =>
      typeof value === 'string' &&
      /^(?:[rwR]\d+|relation\/\d+|-\d+|iso:.+|wikidata:.+|https:\/\/www\.open.+)$/.test(value);
    const replaced = (value: unknown): unknown => {
      if (isId(value)) return id;
      if (Array.isArray(value)) return value.slice(0, 1).map(replaced);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one)]));
    };
    const { member } = await server.staff('self_hosted');
    await ask('create_area_set', { name: 'zones', content: fileOf(AREAS) }, member);
    const tried = new Set<string>();
    for (const op of ops) {
      for (const { input: given, problem } of op.examples) {
        const input = replaced(given) as Record<string, unknown>;
        if (problem || !JSON.stringify(input).includes(id)) continue;
        const { status, body } = await ask(op.name, input, member);
        const about = `${op.name} ${JSON.stringify(input)}: ${status} ${body?.detail}`;
        expect(status, about).toBeLessThan(500);
        // A table of an example may have boundaries that are not stored here.
        const isOther = /iso:|it has areas of sets/.test(body?.detail ?? '');
        if (status >= 400 && !isOther) expect(body.detail, about).toContain(`${id} is an area of a set`);
        tried.add(op.name);
      }
    }
    expect(tried.size).toBeGreaterThan(15);
  }, 60_000);
});

it('dates behind a hundred thousand ids are read once each', async () => {
  const ids = Array.from({ length: 100_000 }, () => 'r111@2015-01-01');
  const { status, body } = await ask('create_job', { op: 'export_collection', input: { ids }, dry_run: true });
  expect([status, body.code], JSON.stringify(body).slice(0, 200)).toEqual([404, 'not_found']);
  const several = await ask('create_job', {
    op: 'export_collection',
    input: { ids: [...ids.slice(1), 'r111@2016-01-01'] },
    dry_run: true,
  });
  expect([several.status, several.body.detail]).toEqual([400, expect.stringContaining('ids of several dates')]);
});

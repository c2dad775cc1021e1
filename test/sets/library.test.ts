/** Files of the library with areas of sets, and the areas of a set as a list. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type LibraryTestServer,
  type OrgMember,
  type OrgMembers,
  openLibraryTestServer,
} from '../library/library_test_server.ts';
import { ROUTES, type Route } from '../setup/routes.ts';
import { cell, fileOf } from './made_set.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;

let server: LibraryTestServer;
let staff: OrgMembers;
let others: OrgMembers;
const AREAS = { north: cell(0.2, 1.2), south: cell(0.2, 0.2) };
const ask = async (op: string, input: Record<string, unknown>, by: OrgMember = staff.member, route: Route = 'http') => {
  const { status, body } = await server.call(route, op, input, by);
  return { status, body: body as Any };
};
const store = (areas: Record<string, number[][]>, more = {}) =>
  ask('create_area_set', { name: 'zones', content: fileOf(areas), valid_from: '2020-01-01', ...more });
beforeAll(async () => {
  server = await openLibraryTestServer();
  staff = await server.staff();
  others = await server.staff();
  expect((await store(AREAS)).status).toBe(201);
});
afterAll(() => server?.close());

const SAVED = {
  area: { boundary_id: 'set:zones/north', format: 'kml' },
  land: { boundary_id: 'set:zones/north', area: 'all', format: 'wkt' },
  union: { union: { include: ['set:zones/north', 'set:zones/south'] } },
  collection: { collection: { set: 'zones' }, format: 'csv' },
  plan: { area: { plan: { steps: [{ op: 'place', id: 'set:zones/south' }] } } },
} as const;

it.each(Object.entries(SAVED))('save_file saves %s of a set, restricted unless asked otherwise', async (_, input) => {
  const made = await ask('save_file', input);
  expect([made.status, made.body.visibility], JSON.stringify(made.body)).toEqual([201, 'restricted']);
  expect(made.body).toMatchObject({ boundary_id: null, current: null });
  const again = await ask('save_file', input);
  expect([again.status, again.body.id]).toEqual([200, made.body.id]);
  expect((await server.content(made.body.url, staff.member)).status).toBe(200);
  for (const by of [staff.other, staff.viewer, others.owner]) {
    expect((await server.content(made.body.url, by)).status).toBe(404);
    expect((await ask('get_file', { id: made.body.id }, by)).status).toBe(404);
  }
  const { code } = (await ask('save_file', input, others.owner)).body;
  expect(['not_found', 'could_not_map']).toContain(code);
  const open = await ask('save_file', { ...input, visibility: 'org' }, staff.other);
  expect([open.status, open.body.visibility]).toEqual([201, 'org']);
});

it('a file of a set makes it again with the same ids, after it was deleted', async () => {
  const lost = { name: 'lost', content: fileOf(AREAS), valid_from: '2020-01-01' };
  expect((await ask('create_area_set', lost)).status).toBe(201);
  const shapeOf = async (code: string) =>
    (await ask('export_boundary', { id: `set:lost/${code}`, format: 'wkt' })).body;
  const before = await shapeOf('north');
  const { id } = (await ask('save_file', { collection: { set: 'lost' }, detail: 'full' })).body;
  expect((await ask('delete_area_set', { name: 'lost' })).status).toBe(200);
  expect((await ask('get_boundary', { id: 'set:lost/north' })).status).toBe(404);
  const again = await ask('create_area_set', { name: 'lost', file_id: id, valid_from: '2020-01-01' });
  expect([again.status, JSON.stringify(again.body)]).toEqual([201, expect.any(String)]);
  const { items } = (await ask('list_set_areas', { name: 'lost' })).body;
  expect(items.map((one: Any) => one.id).toSorted()).toEqual(['set:lost/north', 'set:lost/south']);
  expect(await shapeOf('north')).toEqual(before);
  // Areas of two sets keep their whole ids, as two of one code may be there.
  const two = { 'set:lost/north': cell(0.2, 1.2), 'set:zones/north': cell(0.2, 0.2) };
  expect((await ask('create_area_set', { name: 'both', content: fileOf(two) })).status).toBe(201);
  const both = (await ask('list_set_areas', { name: 'both' })).body.items.map((one: Any) => one.id);
  expect(both.toSorted()).toEqual(['set:both/set:lost-north', 'set:both/set:zones-north']);
  for (const name of ['lost', 'both']) await ask('delete_area_set', { name });
});

it('a new version of a set is another file, with its own shapes', async () => {
  const input = SAVED.collection;
  const before = (await ask('save_file', input)).body;
  expect((await store({ west: cell(3.2, 0.2) }, { replace: true })).status).toBe(201);
  const after = await ask('save_file', input);
  expect([after.status, after.body.id === before.id]).toEqual([201, false]);
  expect((await server.content(after.body.url, staff.member)).text).toMatch(/set:zones\/west/);
  expect((await server.content(before.url, staff.member)).text).toMatch(/set:zones\/north/);
  expect((await ask('save_file', SAVED.area)).body.code).toBe('not_found');
  expect((await store(AREAS, { replace: true })).status).toBe(201);
});

it.each(ROUTES)('list_children of a set lists its areas, by %s', async (route) => {
  const { status, body } = await ask('list_children', { id: 'set:zones' }, staff.viewer, route);
  expect([status, body.items?.map((one: Any) => one.id), body.total], JSON.stringify(body)).toEqual([
    ...[200, ['set:zones/north', 'set:zones/south'], 2],
  ]);
  const none = await ask('list_children', { id: 'set:zones' }, others.owner, route);
  const nobodys = await ask('list_children', { id: 'set:nothing' }, others.owner, route);
  expect([none.body.code, nobodys.body.code]).toEqual(['not_found', 'not_found']);
});

it('list_children of a set at a date lists its areas of that date', async () => {
  const ids = async (id: string, by = staff.viewer) => {
    const { body } = await ask('list_children', { id }, by);
    return body.items?.map((one: Any) => one.id) ?? body.code;
  };
  const areas = ['set:zones/north', 'set:zones/south'];
  expect(await ids('set:zones@2020-06-01')).toEqual(areas);
  expect(await ids('set:zones@2019-06-01')).toEqual([]);
  expect([await ids('set:zones@2020-06-01', others.owner), await ids('set:none@2020-06-01')]).toEqual([
    'not_found',
    'not_found',
  ]);
});

it('the slash of an id may be unencoded in an address', async () => {
  const get = async (path: string, by = staff.viewer) => {
    const { status, json } = await server.ask('GET', `/v1/boundaries/${path}`, { key: by.key });
    return [status, (json as Any).properties?.id ?? (json as Any).total ?? (json as Any).code];
  };
  expect(await get('set:zones/north')).toEqual([200, 'set:zones/north']);
  expect(await get('set%3Azones/north?detail=low')).toEqual([200, 'set:zones/north']);
  expect((await get('set:zones/north/neighbors'))[0]).toBe(200);
  expect(await get('set:zones/children')).toEqual([200, 2]);
  expect(await get('set:zones/north', others.owner)).toEqual([404, 'not_found']);
});

it('list_children of a set pages it, and refuses a level and a cursor of an older version', async () => {
  const first = (await ask('list_children', { id: 'set:zones', limit: 1 })).body;
  const { next: cursor } = first;
  const second = (await ask('list_children', { id: 'set:zones', limit: 1, cursor })).body;
  expect([...first.items, ...second.items].map((one: Any) => one.id)).toEqual(['set:zones/north', 'set:zones/south']);
  expect(second.next).toBeNull();
  expect((await ask('list_children', { id: 'set:zones', admin_level: 4 })).body.code).toBe('invalid_input');
  await store(AREAS, { replace: true });
  expect((await ask('list_children', { id: 'set:zones', limit: 1, cursor })).body.code).toBe('invalid_input');
  expect((await ask('list_children', { id: 'set:zones', as_of: '2019-01-01' })).body.total).toBe(0);
});

it('a description reads only the sets that its caller may read', async () => {
  const names = ['words-open', 'words-closed', 'words-shared', 'words-none'];
  const visible = { 'words-open': 'org', 'words-closed': 'restricted', 'words-shared': 'restricted' };
  for (const [name, visibility] of Object.entries(visible))
    expect((await store(AREAS, { name, visibility })).status).toBe(201);
  expect((await ask('share_area_set', { name: 'words-shared', user: staff.viewer.email })).status).toBe(200);
  const found = async (by: OrgMember) => {
    const all = names.map((name) => ask('create_area', { description: `set:${name}/north` }, by, 'rpc'));
    return (await Promise.all(all)).map(({ status, body }) =>
      status === 200 ? 200 : body.detail.replaceAll(/words-\w+/g, 'NAME'),
    );
  };
  const none = '"set:NAME/north" (character 1) is not found.';
  expect(await found(staff.member)).toEqual([200, 200, 200, none]);
  expect(await found(staff.viewer)).toEqual([200, none, 200, none]);
  expect(await found(staff.other)).toEqual([200, none, none, none]);
  expect(await found(others.owner)).toEqual([none, none, none, none]);
});

it.each(['set:zones/north@2020-06-01', 'r111@2020-06-01'])('search says that %s is an id with a date', async (q) => {
  for (const scope of ['own', 'official']) {
    const { status, body } = await ask('search_boundaries', { q, scope });
    expect([status, body.issues?.[0]?.path, body.issues?.[0]?.message]).toEqual([
      ...[400, 'q', expect.stringMatching(/the date as as_of/)],
    ]);
  }
});

it('search finds an area by its id as of a date', async () => {
  const { body } = await ask('search_boundaries', { q: 'set:zones/north', scope: 'all', as_of: '2020-06-01' });
  expect(body.items[0]?.id).toBe('set:zones/north');
});

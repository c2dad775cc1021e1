/**
 * What a call does does not tell whether a set that its caller may not read exists: it sends the statements that it sends
 * for a set that no one has, in number and in text. So its time tells nothing either.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type LibraryTestServer,
  type OrgMember,
  type OrgMembers,
  openLibraryTestServer,
} from '../library/library_test_server.ts';
import { watchStatements } from '../setup/watched.ts';
import { cell, fileOf } from './made_set.ts';

let server: LibraryTestServer;
let staff: OrgMembers;
let others: OrgMembers;
let sent: string[] = [];
const AREAS = { north: cell(0.2, 1.2, 1, 1), south: cell(0.2, 0.2, 1, 1) };
const ZONES = { name: 'zones', content: fileOf(AREAS), visibility: 'restricted', valid_from: '2020-01-01' };

beforeAll(async () => {
  server = await openLibraryTestServer();
  staff = await server.staff();
  others = await server.staff();
  await server.ok('create_area_set', ZONES, staff.member);
  watchStatements(server.services.db, (sql) => sent.push(sql));
});
afterAll(() => server?.close());

/** Calls that name a set: the last one has what a set of that name would have at that place. */
const NAMING: Readonly<Record<string, (name: string) => Record<string, unknown>>> = {
  get_boundary: (name) => ({ id: `set:${name}/north` }),
  export_boundary: (name) => ({ id: `set:${name}/north`, format: 'kml' }),
  list_children: (name) => ({ id: `set:${name}` }),
  list_neighbors: (name) => ({ id: `set:${name}/north` }),
  union_boundaries: (name) => ({ include: [`set:${name}/north`, 'r111'] }),
  dissolve: (name) => ({ groups: { a: { set: name }, b: ['r112'] } }),
  crosswalk: (name) => ({ a: { set: name }, b: ['r111'] }),
  export_collection: (name) => ({ set: name, format: 'geojson' }),
  cover_boundaries: (name) => ({ set: name, grid: 'h3', resolution: 3 }),
  create_area: (name) => ({ plan: { steps: [{ op: 'place', id: `set:${name}/north` }] } }),
  match_names: (name) => ({ rows: [{ name: `set:${name}/north` }, { name: 'North', within: `set:${name}/north` }] }),
  join: (name) => ({ csv: `id,value\nset:${name}/north,1\n`, format: 'csv' }),
  save_file: (name) => ({ boundary_id: `set:${name}/north` }),
  create_job: (name) => ({ op: 'export_collection', input: { set: name, format: 'csv' }, dry_run: true }),
  get_area_set: (name) => ({ name }),
  list_set_areas: (name) => ({ name }),
  list_set_gaps: (name) => ({ name }),
  share_area_set: (name) => ({ name, user: 'stranger@example.org' }),
  delete_area_set: (name) => ({ name }),
};
/** Calls that name none: "Area north" is the name of an area, which holds this point. */
const OPEN: Readonly<Record<string, Record<string, unknown>>> = {
  search_boundaries: { q: 'Area north' },
  reverse_boundaries: { lat: 31.5, lon: -29.5 },
  locate_points: { points: [[-29.5, 31.5]], fields: ['id'] },
  create_area: { description: 'Area north' },
  list_children: { id: 'r1' },
  match_names: { rows: [{ name: 'Area north' }] },
};

/** Addresses of tiles and of OGC API that name a set. */
const ADDRESSES: Readonly<Record<string, (name: string) => string>> = {
  'a tile of a set': (name) => `/tiles/sets/${name}/0/0/0.mvt`,
  'a tile of a set as of a date': (name) => `/tiles/sets/${name}/0/0/0.mvt?as_of=2021-01-01`,
  'the description of its tiles': (name) => `/tiles/sets/${name}.json`,
  'its collection': (name) => `/ogc/collections/set-${name}`,
  'what can be asked of it': (name) => `/ogc/collections/set-${name}/queryables`,
  'its features': (name) => `/ogc/collections/set-${name}/items`,
  'its features in a box': (name) => `/ogc/collections/set-${name}/items?bbox=-30,30,-28,32`,
  'its features by property': (name) => `/ogc/collections/set-${name}/items?filter=name%3D%27north%27`,
  'a feature': (name) => `/ogc/collections/set-${name}/items/set%3A${name}%2Fnorth`,
};
/** Addresses that name none, and hold its areas for those who may read them. */
const OPEN_ADDRESSES = [
  '/ogc/collections',
  '/ogc/collections/level-4/items',
  '/tiles/boundaries/0/0/0.mvt',
  '/tiles/boundaries.json',
];

/** Statements about sets and boundaries, and transactions; a server reads callers and counts usage every now and then. */
const ABOUT_DATA = /^begin|area_set|boundary|search_path/;

/** What `ask` answers, and the statements that it sends after it was asked once: caches are warm. */
async function work<T>(ask: () => Promise<T>): Promise<{ answer: T; sent: string[] }> {
  await ask();
  sent = [];
  const answer = await ask();
  return { answer, sent: sent.filter((sql) => ABOUT_DATA.test(sql)) };
}

async function workOf(op: string, input: Record<string, unknown>, by: OrgMember) {
  const { answer, sent } = await work(() => server.call('http', op, input, by));
  return { status: answer.status, body: JSON.stringify(answer.body), sent };
}

async function workAt(path: string, by?: OrgMember) {
  const { answer, sent } = await work(() => server.ask('GET', path, { key: by?.key }));
  return { status: answer.status, body: answer.text, headers: Object.keys(answer.headers).sort(), sent };
}

/** A body without the name of the set, and without what differs in every answer. */
const plain = (body: string): string =>
  body.replaceAll(/zone[sz]/g, 'zone').replaceAll(/"(?:instance|trace_id|request_id|timeStamp)":"[^"]*",?/g, '');

it.each(Object.keys(NAMING))('%s does the same for a set of others and for none', async (op) => {
  const input = NAMING[op] as (typeof NAMING)[string];
  for (const by of [others.owner, staff.viewer]) {
    const [theirs, none] = [await workOf(op, input('zones'), by), await workOf(op, input('zonez'), by)];
    expect(theirs.sent, op).toEqual(none.sent);
    expect([theirs.status, plain(theirs.body)]).toEqual([none.status, plain(none.body)]);
  }
  // It is not that no call reads sets.
  if (op !== 'share_area_set' && op !== 'delete_area_set')
    expect(await workOf(op, input('zones'), staff.member)).not.toMatchObject({ sent: [] });
});

it.each(Object.keys(ADDRESSES))('%s: the same is done for a set of others and for none', async (what) => {
  const path = ADDRESSES[what] as (typeof ADDRESSES)[string];
  for (const by of [undefined, others.owner, staff.viewer]) {
    const [theirs, none] = [await workAt(path('zones'), by), await workAt(path('zonez'), by)];
    expect(none.status).toBeGreaterThanOrEqual(400);
    expect({ ...theirs, body: plain(theirs.body) }).toEqual({ ...none, body: plain(none.body) });
  }
  const own = await workAt(path('zones'), staff.member);
  expect(own).not.toMatchObject({ sent: [] });
  expect(own.status, own.body.slice(0, 300)).toBe(200);
});

it.each(OPEN_ADDRESSES)('%s: the same is done, whether others have a set there', async (path) => {
  const before = await workAt(path, others.owner);
  await server.ok(
    'create_area_set',
    { name: `beside-${OPEN_ADDRESSES.indexOf(path)}`, content: fileOf(AREAS) },
    staff.member,
  );
  expect(await workAt(path, others.owner)).toEqual(before);
  expect(before.status).toBe(200);
});

it.each(Object.keys(OPEN))('%s asks for no set where the call names none', async (op) => {
  for (const by of [others.owner, staff.member]) {
    const { status, sent: own } = await workOf(op, OPEN[op] ?? {}, by);
    expect(status).toBeLessThan(500);
    expect(own.filter((sql) => /area_set|set_member|set_version/.test(sql))).toEqual([]);
  }
});

it.each(['search_boundaries', 'reverse_boundaries', 'locate_points', 'match_names'])(
  '%s does the same in the scope of all, whether others have a set there',
  async (op) => {
    const input = { ...OPEN[op], scope: 'all' };
    const before = await workOf(op, input, others.owner);
    await server.ok(
      'create_area_set',
      { name: `more-${op.replaceAll('_', '-')}`, content: fileOf(AREAS) },
      staff.member,
    );
    const after = await workOf(op, input, others.owner);
    expect([after.status, after.sent]).toEqual([before.status, before.sent]);
    expect(after.body).not.toContain('set:');
    // Their own sets are read.
    expect((await workOf(op, input, staff.member)).body).toContain('set:more-');
  },
);

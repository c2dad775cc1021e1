/**
 * Generated reads over all operations and transports, by members of three organizations and without a key, while shares,
 * visibility and teams change: no answer has anything of a set that its caller may not read at that moment.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ops } from '../../src/ops/index.ts';
import {
  type LibraryTestServer,
  type OrgMember,
  type OrgMembers,
  openLibraryTestServer,
} from '../library/library_test_server.ts';
import { rounds } from '../proof/rounds.ts';
import { ROUTES, type Route } from '../setup/routes.ts';
import { cell, fileOf } from './made_set.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;

const PEOPLE = ['owner', 'admin', 'member', 'other', 'viewer'] as const;
type Person = (typeof PEOPLE)[number];
/** A set, with what decides who may read it, kept apart from the service. */
interface Model {
  readonly house: number;
  readonly name: string;
  /** A word of its names, to search for, and one that no call has: the areas, the title and the attribution have both. */
  readonly marker: string;
  readonly secret: string;
  readonly creator: Person;
  visibility: 'org' | 'restricted';
  readonly shares: Map<Person | 'team', string>;
}
/** MADE_SEED in the environment draws others. */
const SEED = Number(process.env.MADE_SEED ?? 20_261_126);
let seed = SEED;
const random = (below: number): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
};
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;

let server: LibraryTestServer;
const houses: OrgMembers[] = [];
const teams: { readonly id: string; readonly members: Set<Person> }[] = [];
const sets: Model[] = [];
/** Files that save_file saved, by who saved them, who keep them when a set is shared no longer. */
const saved = new Set<string>();
const savedIds: string[] = [];
const savedBy = (at: number | null, person: Person, id: unknown): string => `${at} ${person} ${id}`;
const who = (house: number, person: Person): OrgMember => (houses[house] as OrgMembers)[person];

beforeAll(async () => {
  server = await openLibraryTestServer();
  for (let house = 0; house < 3; house++) {
    houses.push(await server.staff());
    teams.push({
      id: await server.team(houses[house] as OrgMembers, 'readers', who(house, 'other')),
      members: new Set(['other']),
    });
    for (const [k, creator] of (['member', 'member', 'admin'] as const).entries()) {
      // The first has the same name, codes and place in every organization.
      const name = k === 0 ? 'zones' : `zones-${house}-${k}`;
      const marker = `Marker${house}${k}x${random(1e9).toString(36)}`;
      const secret = `Secret${house}${k}x${random(1e9).toString(36)}`;
      const visibility = pick(['org', 'restricted'] as const);
      const content = fileOf(
        { one: cell(0.2, 0.2), two: cell(1.2, 0.2) },
        { name: `${marker} ${secret}`, note: secret },
      );
      const input = { name, title: `${marker} ${secret}`, attribution: secret, content, visibility };
      const { status, body } = await server.call('http', 'create_area_set', input, who(house, creator));
      if (status !== 201) throw new Error(JSON.stringify(body));
      sets.push({ house, name, marker, secret, creator, visibility, shares: new Map() });
    }
  }
}, 300_000);
afterAll(() => server?.close());

/** Whether a person may read a set, in words of its own: docs/sets.md. */
function mayRead({ house, creator, visibility, shares }: Model, at: number | null, person: Person): boolean {
  if (at !== house) return false;
  if (visibility === 'org' || person === creator || person === 'owner' || person === 'admin') return true;
  return shares.has(person) || (shares.has('team') && teams[house]?.members.has(person) === true);
}

/** Changes who may read some set. */
async function change(): Promise<void> {
  const set = pick(sets);
  const by = who(set.house, set.creator);
  const ok = async (op: string, input: object) => {
    const { status, body } = await server.call(pick(ROUTES), op, { name: set.name, ...input }, by);
    if (status >= 300) throw new Error(`${op}: ${JSON.stringify(body)}`);
    return body as Any;
  };
  const what = random(4);
  if (what === 0) {
    set.visibility = set.visibility === 'org' ? 'restricted' : 'org';
    await ok('update_area_set', { visibility: set.visibility });
    return;
  }
  if (what === 1) {
    const team = teams[set.house] as (typeof teams)[number];
    const person = pick(['member', 'other', 'viewer'] as const);
    const path = `/v1/orgs/teams/${team.id}/members/${who(set.house, person).id}`;
    const isIn = team.members.has(person);
    await server.ask(isIn ? 'DELETE' : 'PUT', path, { key: who(set.house, 'owner').key });
    if (isIn) team.members.delete(person);
    else team.members.add(person);
    return;
  }
  const to = pick(['other', 'viewer', 'team'] as const);
  const had = set.shares.get(to);
  if (had !== undefined) {
    await ok('unshare_area_set', { grant_id: had });
    set.shares.delete(to);
    return;
  }
  const { items } = await ok('share_area_set', to === 'team' ? { team: 'readers' } : { user: who(set.house, to).id });
  const grant = items.find((one: Any) => (to === 'team' ? one.team : one.user?.id === who(set.house, to).id));
  set.shares.set(to, grant.grant_id);
}

const [LAT, LON] = [30.5, -29.5];
type Read = (id: string, name: string) => Record<string, unknown>;
/** Reads of an area or a set that succeed for whoever may read it. */
const READS: Readonly<Record<string, Read>> = {
  get_boundary: (id) => ({ id, detail: pick(['low', 'full']) }),
  export_boundary: (id) => ({ id, format: pick(['geojson', 'kml', 'wkt']) }),
  list_neighbors: (id) => ({ id, ...pick([{}, { scope: 'all' }, { admin_level: 4 }]) }),
  union_boundaries: (id) => ({ include: [id, ...(random(2) ? ['r111'] : [])] }),
  dissolve: (id, name) => ({ groups: { a: random(2) ? [id] : { set: name }, b: ['r112'] } }),
  crosswalk: (id, name) => ({ a: random(2) ? [id] : { set: name }, b: ['r111'] }),
  convert_values: (id) => ({ csv: 'id,people\nr111,5\n', b: [id], counts: ['people'] }),
  export_collection: (id, name) => ({ ...(random(2) ? { ids: [id, 'r111'] } : { set: name }), format: 'geojson' }),
  create_area: (id) => ({ plan: { steps: [{ op: 'place', id }] } }),
  cover_boundaries: (id, name) => ({
    ...(random(2) ? { ids: [id] } : { set: name }),
    ...{ grid: 'h3', resolution: 3, format: pick(['json', 'csv']) },
  }),
  draw_map: (id, name) => ({
    rows: [{ id, value: 1 }],
    ...(random(2) ? { around: { set: name } } : {}),
    ...{ title: 'Figures', format: pick(['svg', 'png']) },
  }),
  join: (id) => ({ csv: `id,value\n${id},1\n`, format: pick(['csv', 'geojson']) }),
  list_children: (_id, name) => ({ id: `set:${name}` }),
  save_file: (id, name) =>
    pick([
      { boundary_id: id, format: 'kml' },
      { union: { include: [id, 'r111'] } },
      { collection: { set: name }, format: 'csv' },
      { area: { plan: { steps: [{ op: 'place', id }] } } },
    ]),
  get_area_set: (_id, name) => ({ name }),
  list_set_areas: (_id, name) => ({ name }),
  list_set_gaps: (_id, name) => ({ name }),
  create_job: (_id, name) => ({ op: 'export_collection', input: { set: name, format: 'csv' }, dry_run: true }),
};
/** Reads of everything that the caller may read. */
const SCOPED: Readonly<Record<string, () => Record<string, unknown>>> = {
  reverse_boundaries: () => ({ lat: LAT, lon: LON, scope: pick(['own', 'all']) }),
  locate_points: () => ({ points: [[LON, LAT]], fields: ['id', 'name'], scope: pick(['own', 'all']) }),
  search_boundaries: () => ({ q: pick(sets).marker, scope: pick(['own', 'all']) }),
  match_names: () => ({ rows: [{ name: pick(sets).marker }, { name: 'Area' }], scope: pick(['own', 'all']) }),
  list_neighbors: () => ({ id: 'r111', scope: 'all' }),
  list_area_sets: () => ({ limit: 100 }),
};
/** Calls that are not about sets, whatever they are given: no one reads a set by them. */
const OTHERS: Readonly<Record<string, Read>> = {
  list_versions: (id) => ({ id }),
  list_changes: (id) => ({ from: '2020-01-01', to: '2021-01-01', within: id }),
  match_names: () => ({ rows: [{ name: pick(sets).marker }] }),
  create_subscription: (id) => ({ boundary: id, mail: true }),
  get_change_feed: (id) => ({ boundary: id }),
  reverse_boundaries: () => ({ lat: LAT, lon: LON }),
  locate_points: () => ({ points: [[LON, LAT]] }),
  search_boundaries: () => ({ q: pick(sets).marker }),
  list_neighbors: () => ({ id: 'r111' }),
  create_area: () => ({ description: pick(sets).marker }),
  list_kinds: () => ({}),
  get_data_status: () => ({}),
  get_pricing: () => ({}),
  list_files: () => ({}),
  list_jobs: () => ({}),
  list_feedback: () => ({}),
  list_match_corrections: () => ({}),
  list_members: () => ({}),
  // A file of the library, of whomever: its areas have the names of those of sets.
  compare_file: () => ({ file_id: savedIds.length > 0 ? pick(savedIds) : 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB' }),
};
/** Operations whose answers by other routes than their own are files, as those of join are by any. */
const FILES: readonly string[] = ['export_boundary', 'export_collection', 'draw_map'];
/** Operations on accounts, organizations and boards, which take no boundary. */
const APART =
  /account|api_key|org|member|invite|team|oauth|review|vote|upvote|feedback|plan|usage|audit|request_feature|report_issue|corrections|_subscriptions?$|_file|_job|_area_set$/;

/** A call and whether it must succeed (true), fail (false), or may do either (null). */
function generated(
  at: number | null,
  person: Person,
): { op: string; input: Record<string, unknown>; may: boolean | null } {
  const kind = random(10);
  if (kind < 6) {
    const set = at !== null && random(2) ? pick(sets.filter(({ house }) => house === at)) : pick(sets);
    const [op, read] = pick(Object.entries(READS));
    // A name that several organizations have means the caller's own.
    const meant = sets.find(({ house, name }) => house === at && name === set.name);
    const may = meant !== undefined && mayRead(meant, at, person);
    const isBarred = (op === 'create_job' || op === 'save_file') && person === 'viewer';
    return { op, input: read(`set:${set.name}/one`, set.name), may: isBarred ? false : may };
  }
  const [op, read] = pick(Object.entries(kind < 8 ? SCOPED : OTHERS)) as [string, Read];
  return {
    op,
    input: read(`set:${pick(sets).name}/${pick(['one', 'two'])}`, ''),
    may: kind < 8 && at === null ? false : null,
  };
}

it('names every operation that takes boundaries or sets', () => {
  const known = new Set([...Object.keys(READS), ...Object.keys(SCOPED), ...Object.keys(OTHERS)]);
  expect(ops.map(({ name }) => name).filter((name) => !known.has(name) && !APART.test(name))).toEqual([]);
});

it('no answer has anything of a set that its caller may not read', async () => {
  const leaks: string[] = [];
  const wrong: string[] = [];
  let read = 0;
  const total = rounds(10_000);
  for (let n = 0; n < total; n++) {
    if (n % 7 === 0) await change();
    const at = random(10) === 0 ? null : random(3);
    const person = pick(PEOPLE);
    const route: Route = pick(ROUTES);
    const { op, input, may: mayBe } = generated(at, person);
    // What is not a document is a file of the library, which viewers make none of.
    const isFile = op === 'join' || (route !== 'http' && FILES.includes(op));
    const may = isFile && person === 'viewer' ? false : mayBe;
    const by = at === null ? undefined : who(at, person);
    const { status, body, headers } = await server.call(route, op, input, by);
    const { items, id } = (body ?? {}) as { items?: readonly { id?: unknown }[]; id?: unknown };
    if (op === 'save_file' && status < 300) {
      saved.add(savedBy(at, person, id));
      savedIds.push(id as string);
    }
    const isKept = op === 'compare_file' && saved.has(savedBy(at, person, input.file_id));
    const others = items?.filter((one) => !saved.has(savedBy(at, person, one.id)));
    const text = JSON.stringify([op === 'list_files' ? others : body, headers]);
    const asked = JSON.stringify(input);
    const reported = `${n} ${route} ${op} ${asked} by ${at} ${person}: ${status} ${text.slice(0, 300)}`;
    for (const set of sets) {
      if (text.includes(set.secret) && !mayRead(set, at, person) && !isKept) leaks.push(reported);
    }
    if (may === false && status < 400) leaks.push(reported);
    if (may === true && status >= 400 && status !== 429) wrong.push(reported);
    if (may === true && status < 400) read++;
    if (op in SCOPED && op === 'list_area_sets' && at !== null && status < 400) {
      const seen = sets.filter((set) => mayRead(set, at, person)).length;
      if (body.total !== seen) leaks.push(`${reported}: ${seen} expected`);
    }
  }
  console.info(`seed ${SEED}: ${total} calls, ${read} of them reads of sets that succeeded`);
  expect([leaks.length, leaks.slice(0, 5)]).toEqual([0, []]);
  expect([wrong.length, wrong.slice(0, 5)]).toEqual([0, []]);
  expect(read).toBeGreaterThan(total / 20);
}, 3_600_000);

it('a job of a set that is no longer shared makes no file', async () => {
  const set = sets.find(({ name }) => name === 'zones') as Model;
  const [creator, other] = [who(set.house, set.creator), who(set.house, 'other')];
  const made = async (by: OrgMember) => {
    const input = { op: 'export_collection', input: { set: 'zones', format: 'csv' }, visibility: 'restricted' };
    const { status, body } = await server.call('http', 'create_job', input, by);
    return { status, id: (body as Any).id as string };
  };
  const state = async (id: string, by: OrgMember) =>
    ((await server.call('http', 'get_job', { id }, by)).body as Any).state;
  await server.call('http', 'update_area_set', { name: 'zones', visibility: 'org' }, creator);
  const first = await made(other);
  const second = await made(other);
  expect([first.status, second.status]).toEqual([201, 201]);
  await server.jobRunner.runDue();
  expect(await state(first.id, other)).toBe('done');
  const third = await made(other);
  await server.call('http', 'update_area_set', { name: 'zones', visibility: 'restricted' }, creator);
  for (const grant of set.shares.values()) {
    await server.call('http', 'unshare_area_set', { name: 'zones', grant_id: grant }, creator);
  }
  await server.jobRunner.runDue();
  expect(await state(third.id, other)).toBe('failed');
});

it('answers to those who name no set are the same, whatever sets there are', async () => {
  const paths = [
    '/v1/boundaries/reverse?lat=30.5&lon=-29.5',
    '/v1/boundaries/search?q=area',
    '/v1/boundaries/r111/neighbors',
    '/v1/boundaries/r111?detail=full',
    '/v1/boundaries/r100/children',
    '/v1/kinds',
    '/tiles/boundaries/5/13/13.mvt',
    '/tiles/boundaries.json',
  ];
  const answers = async () => {
    const all: string[] = [];
    for (const path of paths) {
      const { status, headers, bytes } = await server.get(path, who(0, 'member').key);
      all.push(`${path} ${status} ${headers.etag} ${bytes.toString('base64')}`);
    }
    return all;
  };
  const before = await answers();
  const content = fileOf({ one: cell(0.1, 0.1), two: cell(1.1, 0.1) });
  const made = await server.call('http', 'create_area_set', { name: 'more', content }, who(0, 'member'));
  expect(made.status).toBe(201);
  expect(await answers()).toEqual(before);
  await server.call('http', 'delete_area_set', { name: 'more' }, who(0, 'member'));
  expect(await answers()).toEqual(before);
});

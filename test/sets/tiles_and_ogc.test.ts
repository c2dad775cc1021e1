/** Tiles and OGC collections of area sets: for those who may read them at that moment, and for no one else. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type LibraryTestServer,
  type OrgMember,
  type OrgMembers,
  openLibraryTestServer,
} from '../library/library_test_server.ts';
import { rounds } from '../proof/rounds.ts';
import { cell, fileOf } from './made_set.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;

const SECRET = 'Geheimgebiet';
let server: LibraryTestServer;
let houses: OrgMembers[];
beforeAll(async () => {
  server = await openLibraryTestServer();
  houses = [await server.staff(), await server.staff()];
  for (const [i, { member }] of houses.entries()) {
    // Both have a set of this name; its areas are elsewhere.
    await create('zones', { [`a${i}`]: cell(0.2 + i, 0.2), [`b${i}`]: cell(0.2 + i, 1.2) }, member);
    await create(`more-${i}`, { x: cell(2.2, 2.2 + i) }, member, 'restricted');
  }
}, 300_000);
afterAll(() => server?.close());

async function create(name: string, areas: Record<string, number[][]>, by: OrgMember, visibility = 'org') {
  const content = fileOf(areas, { name: `${SECRET} ${name}` });
  const input = {
    name,
    title: `${SECRET} ${name}`,
    attribution: SECRET,
    content,
    visibility,
    valid_from: '2020-01-01',
  };
  const { status, body } = await server.call('http', 'create_area_set', input, by);
  if (status !== 201) throw new Error(JSON.stringify(body));
}
const get = async (path: string, by?: OrgMember) => {
  const { json, ...reply } = await server.ask('GET', path, { key: by?.key });
  return { ...reply, json: json as Any };
};
const member = (house: number) => houses[house]?.member as OrgMember;
const TILE = '0/0/0';
const select = async (selection: object, by?: OrgMember) =>
  server.ask('POST', '/tiles/selections', { key: by?.key, json: selection });

it('tiles of a set have its areas and nothing else, for the caller alone', async () => {
  const tile = await get(`/tiles/sets/zones/${TILE}.mvt`, member(0));
  expect([tile.status, tile.headers['cache-control']]).toEqual([200, 'private, no-cache']);
  const text = tile.bytes.toString('latin1');
  expect([text.includes('set:zones/a0'), text.includes('set:zones/a1'), text.includes('r111')]).toEqual([
    ...[true, false, false],
  ]);
  const other = await get(`/tiles/sets/zones/${TILE}.mvt`, member(1));
  expect([other.bytes.toString('latin1').includes('set:zones/a1'), other.headers.etag === tile.headers.etag]).toEqual([
    ...[true, false],
  ]);
  const about = (await get('/tiles/sets/zones.json', member(0))).json;
  expect([about.attribution, about.tiles[0]]).toEqual([
    ...[SECRET, expect.stringMatching(/\/tiles\/sets\/zones\/\{z\}\/\{x\}\/\{y\}\.mvt$/)],
  ]);
  expect((await get(`/tiles/sets/zones/${TILE}.mvt?as_of=2019-01-01`, member(0))).status).toBe(404);
  expect((await get(`/tiles/sets/zones/${TILE}.mvt?as_of=2021-01-01`, member(0))).status).toBe(200);
});

it('a selection with areas of sets is for those who may read them, at every tile', async () => {
  const made = await select({ ids: ['set:more-0/x', 'r111'] }, member(0));
  expect(made.status, made.text).toBe(201);
  const path = `/tiles/selections/${made.json.sha256}`;
  const tile = await get(`${path}/${TILE}.mvt`, member(0));
  const text = tile.bytes.toString('latin1');
  expect([text.includes('set:more-0/x'), text.includes('r111')]).toEqual([true, true]);
  for (const by of [undefined, houses[0]?.other, member(1)]) {
    for (const address of [`${path}/${TILE}.mvt`, `${path}.json`]) {
      const { status, text: said } = await get(address, by);
      expect([status >= 400, said.includes(SECRET)]).toEqual([true, false]);
    }
  }
  const share = { name: 'more-0', user: houses[0]?.other.id, access: 'read' };
  const { body } = await server.call('http', 'share_area_set', share, member(0));
  expect((await get(`${path}/${TILE}.mvt`, houses[0]?.other)).status).toBe(200);
  const grant_id = (body as Any).items[0].grant_id;
  await server.call('http', 'unshare_area_set', { name: 'more-0', grant_id }, member(0));
  expect((await get(`${path}/${TILE}.mvt`, houses[0]?.other)).status).toBe(404);
});

it('a stored selection of a set says nothing of sets of the same name', async () => {
  const [first, second] = [await select({ set: 'zones' }, member(0)), await select({ set: 'zones' }, member(1))];
  expect([first.status, second.status, first.json.sha256 === second.json.sha256]).toEqual([201, 201, false]);
  expect((await select({ set: 'zones' }, member(0))).status).toBe(200);
  expect((await select({ set: 'zones' })).status).toBe(404);
  expect((await select({ set: 'more-0' }, member(1))).json.code).toBe('not_found');
});

it('a set is a collection of OGC API, with pages and features', async () => {
  const { collections } = (await get('/ogc/collections', member(0))).json;
  const own = collections.filter((one: Any) => one.id.startsWith('set-')).map((one: Any) => one.id);
  expect(own).toEqual(['set-more-0', 'set-zones']);
  expect((await get('/ogc/collections/set-zones', member(0))).json.title).toBe(`${SECRET} zones`);
  const first = await get('/ogc/collections/set-zones/items?limit=1', member(0));
  expect([first.status, first.headers['cache-control']], first.text).toEqual([200, 'private, no-cache']);
  const next = first.json.links.find((one: Any) => one.rel === 'next').href as string;
  const second = (await get(next.slice(next.indexOf('/ogc')), member(0))).json;
  const ids = [...first.json.features, ...second.features].map((one: Any) => one.id);
  expect([ids, second.links.some((one: Any) => one.rel === 'next')]).toEqual([['set:zones/a0', 'set:zones/b0'], false]);
  const item = await get(`/ogc/collections/set-zones/items/${encodeURIComponent('set:zones/a0')}`, member(0));
  expect([item.status, item.json.properties?.name], item.text).toEqual([200, `${SECRET} zones`]);
  const self = item.json.links[0].href as string;
  expect((await get(self.slice(self.indexOf('/ogc')), member(0))).status).toBe(200);
  expect((await get('/ogc/collections/set-zones/items/r111', member(0))).status).toBe(404);
  expect((await get('/ogc/collections/set-zones/items?bbox=-30,30.3,-28,30.4', member(0))).json.numberReturned).toBe(1);
  expect((await get('/ogc/collections/set-zones/items?datetime=2019-01-01', member(0))).json.numberReturned).toBe(0);
  const across = '/ogc/collections/set-zones/items?datetime=2019-01-01/2021-01-01';
  expect((await get(across, member(0))).json.code).toBe('invalid_input');
});

it('no one reads more than their own, in any order of callers', async () => {
  let seed = 7;
  const pick = <T>(list: readonly T[]): T => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return list[Math.floor((seed / 2 ** 32) * list.length)] as T;
  };
  const people = [
    undefined,
    ...houses.flatMap((house, at) =>
      (['owner', 'member', 'other', 'viewer'] as const).map((role) => ({ at, role, by: house[role] })),
    ),
  ];
  const readable = (one: (typeof people)[number]) => {
    if (one === undefined) return [];
    const all = one.role === 'owner' || one.role === 'member';
    return ['zones', ...(all ? [`more-${one.at}`] : [])];
  };
  const selections = new Map<string, string>();
  for (const [at, name] of [
    [0, 'zones'],
    [0, 'more-0'],
    [1, 'more-1'],
  ] as const) {
    selections.set(name, (await select({ set: name }, member(at))).json.sha256);
  }
  const wrong: string[] = [];
  let read = 0;
  for (let n = 0; n < rounds(2_000); n++) {
    const one = pick(people);
    const name = pick(['zones', 'more-0', 'more-1', 'nothing']);
    const sha256 = selections.get(name);
    const own = [
      ...[`/tiles/sets/${name}/${TILE}.mvt`, `/tiles/sets/${name}.json`],
      ...[`/ogc/collections/set-${name}`, `/ogc/collections/set-${name}/items`],
    ];
    const kept =
      sha256 === undefined ? [] : [`/tiles/selections/${sha256}/${TILE}.mvt`, `/tiles/selections/${sha256}.json`];
    const all = ['/ogc/collections', '/ogc/collections/level-4/items', `/tiles/boundaries/${TILE}.mvt`];
    const path = pick([...own, ...kept, ...all]);
    const { status, bytes, headers } = await get(path, one?.by);
    const text = bytes.toString('latin1') + JSON.stringify(headers);
    const reported = `${n} ${path} by ${one?.at} ${one?.role}: ${status} ${text.slice(0, 200)}`;
    const may = readable(one);
    if (status === 429) continue;
    // The selection of zones is that of the first organization.
    const mayThis = may.includes(name) && !(kept.includes(path) && name === 'zones' && one?.at === 1);
    if (!all.includes(path) && status < 400 !== mayThis) wrong.push(reported);
    if (!all.includes(path) && status < 400) read++;
    const others = ['0', '1'].filter((at) => at !== String(one?.at));
    const secrets = [
      ...others.flatMap((at) => [`set:zones/a${at}`, `set:zones/b${at}`]),
      ...['0', '1'].filter((at) => !may.includes(`more-${at}`)).map((at) => `${SECRET} more-${at}`),
      ...(one === undefined || (all.includes(path) && path !== '/ogc/collections') ? [SECRET] : []),
    ];
    for (const secret of secrets) if (text.includes(secret)) wrong.push(`leak of ${secret}: ${reported}`);
  }
  expect([wrong.length, wrong.slice(0, 5)]).toEqual([0, []]);
  expect(read).toBeGreaterThan(20);
}, 600_000);

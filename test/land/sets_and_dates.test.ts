/** Land of what has none: areas of one's own, and boundaries of a date. It is never the whole area. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LibraryTestServer, type OrgMember, openLibraryTestServer } from '../library/library_test_server.ts';
import { fileOf } from '../sets/made_set.ts';
import { decodeTile } from '../tiles/decode.ts';
import { storeCoast, storeLake, storeSquares } from './made_coast.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;

const OWN = 'set:zones/a';
const OFFICIAL = 'r900';
const PARTS = [{ area: 'land' }, { area: 'water' }, { area: 'land', water: 'inland' }] as const;

let server: LibraryTestServer;
let member: OrgMember;
beforeAll(async () => {
  server = await openLibraryTestServer();
  await storeSquares(server);
  await storeCoast(server);
  await storeLake(server);
  ({ member } = await server.staff());
  // The half of r900 that the coast crosses.
  const ring = [
    [-40, 0],
    [-39.5, 0],
    [-39.5, 1],
    [-40, 1],
    [-40, 0],
  ];
  const content = fileOf({ a: ring });
  const input = { name: 'zones', title: 'Zones', attribution: 'own', content, valid_from: '2020-01-01' };
  const { status, body } = await server.call('http', 'create_area_set', input, member);
  expect([status, body]).toEqual([201, expect.any(Object)]);
}, 120_000);
afterAll(() => server?.close());

/** How each operation asks for a part of some boundaries. */
const ASKED: Readonly<Record<string, (ids: readonly string[]) => object>> = {
  get_boundary: ([id]) => ({ id, detail: 'full' }),
  export_boundary: ([id]) => ({ id, detail: 'full', format: 'geojson' }),
  union_boundaries: (ids) => ({ include: ids, detail: 'full' }),
  export_collection: (ids) => ({ ids, tolerance_m: 2, format: 'geojson' }),
  dissolve: (ids) => ({ groups: { all: ids }, tolerance_m: 2 }),
  crosswalk: (ids) => ({ a: ids, b: [OFFICIAL] }),
  create_area: (ids) => ({
    plan: { steps: [...ids.map((id) => ({ op: 'place', id })), { op: 'union', of: ids.map((_, i) => i) }] },
    detail: 'full',
  }),
  save_file: (ids) =>
    ids.length === 1 ? { boundary_id: ids[0], detail: 'full' } : { union: { include: ids }, detail: 'full' },
};

async function asked(op: string, input: Record<string, unknown>): Promise<Any> {
  return (await server.call('rpc', op, input, member)).body as Any;
}

/** What an answer shows of boundaries: the ids of features, or nothing where it is an error that says why. */
function shownIn(op: string, answer: Any): readonly string[] {
  if (answer.code !== undefined) {
    expect([op, answer.code, answer.detail]).toEqual([op, 'no_geometry', expect.stringMatching(/not known/)]);
    return [];
  }
  expect([op, answer.left_out?.count]).toEqual([op, 1]);
  return (answer.features ?? []).map((one: Any) => one.properties.id ?? one.id);
}

describe.each(PARTS)('%j', (part) => {
  it.each(Object.keys(ASKED))('of an area of one’s own is not its whole by %s', async (op) => {
    for (const ids of [[OWN], [OWN, OFFICIAL]]) {
      const input = ASKED[op]?.(ids) as { union?: object };
      // A union that is saved has a part of its own.
      const { union } = input;
      const answer = await asked(op, union ? { ...input, union: { ...union, ...part } } : { ...input, ...part });
      expect([op, shownIn(op, answer).includes(OWN)]).toEqual([op, false]);
    }
  });

  it.each(Object.keys(ASKED).filter((op) => op !== 'save_file'))('of a date is not its whole by %s', async (op) => {
    const today = new Date().toISOString().slice(0, 10);
    const answer = await asked(op, { ...ASKED[op]?.([OFFICIAL]), ...part, as_of: today });
    expect([op, shownIn(op, answer)]).toEqual([op, []]);
  });
});

it('tiles and features of a set have no land, and say why', async () => {
  const get = (path: string) => server.ask('GET', path, { key: member.key });
  const tile = await get('/tiles/sets/zones/0/0/0.mvt');
  expect(decodeTile(tile.bytes).areas).toHaveLength(1);
  for (const area of ['land', 'water', 'land&water=inland']) {
    const part = await get(`/tiles/sets/zones/0/0/0.mvt?area=${area}`);
    if (part.status === 200) expect([area, decodeTile(part.bytes).areas ?? []]).toEqual([area, []]);
    else expect([area, part.status]).toEqual([area, expect.toSatisfy((status) => status === 204 || status === 400)]);
    const items = (await get(`/ogc/collections/set-zones/items?area=${area}`)).json as Any;
    expect(items.features).toMatchObject([
      { id: OWN, geometry: null, properties: { area_km2: null, reason: expect.stringMatching(/not known/) } },
    ]);
  }
  for (const area of ['sea', 'LAND', '', 'land&area=water', 'land&water=', 'water&water=inland', 'all&water=inland']) {
    for (const path of [
      '/tiles/style.json',
      '/tiles/boundaries.json',
      '/tiles/sets/zones/0/0/0.mvt',
      '/tiles/boundaries/3/3/3.mvt',
      '/ogc/collections/set-zones/items',
    ]) {
      const { status } = await get(`${path}?area=${area}`);
      expect([path, area, status]).toEqual([path, area, 400]);
    }
  }
});

it('the style of land draws the tiles of land', async () => {
  const style = (await server.get('/tiles/style.json?area=land&lang=de')).json as Any;
  expect(style.sources.boundaries.url).toMatch(/\/tiles\/boundaries\.json\?lang=de&area=land$/);
});

it('a parameter given twice is refused', async () => {
  for (const path of [
    '/tiles/boundaries/3/3/3.mvt',
    '/tiles/boundaries.json',
    '/tiles/style.json',
    '/v1/boundaries/r900',
  ]) {
    for (const query of [
      'area=land&area=land',
      'as_of=2020-01-01&as_of=2021-01-01',
      'area=land&water=inland&water=inland',
    ]) {
      const reply = await server.ask('GET', `${path}?${query}`, { key: member.key });
      expect([path, query, reply.status, (reply.json as Any).code]).toEqual([path, query, 400, 'invalid_input']);
    }
  }
});

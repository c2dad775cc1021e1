import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepTileSelections } from '../../src/domain/boundaries/tile_selections.ts';
import {
  type LibraryTestServer,
  type OrgMember,
  type OrgMembers,
  openLibraryTestServer,
} from '../library/library_test_server.ts';
import { BASE_URL } from '../ops/boundary_test_server.ts';
import { SOUTH, WEST } from '../ops/fixture_world.ts';
import { decodeTile, doubleArea } from './decode.ts';

let server: LibraryTestServer;
let staff: OrgMembers;
let strangers: OrgMembers;
beforeAll(async () => {
  server = await openLibraryTestServer();
  staff = await server.staff();
  strangers = await server.staff();
});
afterAll(() => server?.close());

interface Kept {
  readonly sha256: string;
  readonly tiles: string;
  readonly tilejson: string;
  readonly count: number;
  readonly expires_at: string;
}

async function keep(input: object, by?: OrgMember): Promise<Kept & { status: number }> {
  const reply = await server.ask('POST', '/tiles/selections', { key: by?.key, json: input });
  if (reply.status >= 300) throw new Error(reply.text);
  return { status: reply.status, ...JSON.parse(reply.text) };
}

const tile = (sha256: string, z: number, x: number, y: number, by?: OrgMember, query = '') =>
  server.ask('GET', `/tiles/selections/${sha256}/${z}/${x}/${y}.mvt${query}`, { key: by?.key });

/** The tile of a zoom that holds a place of the made world, in degrees from its corner. */
function at(east: number, north: number, z: number): [z: number, x: number, y: number] {
  const [lon, lat] = [WEST + east, SOUTH + north];
  const sine = Math.sin((lat * Math.PI) / 180);
  const row = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z;
  return [z, Math.floor((lon / 360 + 0.5) * 2 ** z), Math.floor(row)];
}

const idsIn = (bytes: Uint8Array): unknown[] =>
  (bytes.length === 0 ? [] : (decodeTile(bytes).areas ?? [])).map(({ properties }) => properties.id).sort();

const bodyOf = (input: object) => server.ask('POST', '/tiles/selections', { json: input });

describe('languages of a selection', () => {
  it('load its members once, and unknown ones share the tile without a language', async () => {
    const { db, cache } = server.services;
    await db.query(`update boundary set names = '{"de": "Eins", "en": "One"}' where id = 'r111'`);
    const { sha256 } = await keep({ ids: ['r111', 'r113'] });
    const place = at(1, 0.5, 12);
    const { selections, tiles } = cache.tiers;
    const before = [selections.misses, tiles.misses];
    const nameOf = async (query: string) => {
      const { status, bytes } = await tile(sha256, ...place, undefined, query);
      expect(status).toBe(200);
      return (decodeTile(bytes).areas ?? []).find(({ properties }) => properties.id === 'r111')?.properties.name;
    };
    const local = await nameOf('');
    expect(await nameOf('?lang=de')).toBe('Eins');
    expect(await nameOf('?lang=en-GB,de')).toBe('One');
    for (let i = 0; i < 30; i++) expect(await nameOf(`?lang=x${'abcdefghij'[i % 10]}-${i}`)).toBe(local);
    expect(await nameOf('?lang=xx,de-AT-1996')).toBe('Eins');
    expect([selections.misses - (before[0] ?? 0), tiles.misses - (before[1] ?? 0)]).toEqual([1, 3]);
  });
});

describe('a selection', () => {
  it('is drawn with what it names and nothing else, as all boundaries are drawn', async () => {
    const { sha256 } = await keep({ ids: ['r111', 'r112'] });
    const place = at(1, 0.5, 12);
    const [own, all] = [await tile(sha256, ...place), await server.get(`/tiles/boundaries/${place.join('/')}.mvt`)];
    expect([own.status, own.headers['cache-control']]).toEqual([200, 'public, max-age=60']);
    const shapes = (bytes: Uint8Array) =>
      new Map(
        (decodeTile(bytes).areas ?? []).map(({ properties, parts }) => [
          properties.id,
          parts.reduce((sum, ring) => sum + doubleArea(ring), 0),
        ]),
      );
    const [drawn, others] = [shapes(own.bytes), shapes(all.bytes)];
    expect(drawn.size).toBeGreaterThan(0);
    for (const [id, area] of drawn) expect([id, area]).toEqual([id, others.get(id)]);
    expect([...drawn.keys()].filter((id) => id !== 'r111' && id !== 'r112')).toEqual([]);
    // A municipality, at a zoom at which /tiles/boundaries shows countries alone.
    expect(idsIn((await tile(sha256, ...at(1, 0.5, 4))).bytes)).toEqual(['r111', 'r112']);
  });

  it.each([
    ['what tiles another', { children_of: 'r100' }],
    ['a level below another', { children_of: 'r100', admin_level: 8 }],
    ['what lies in a box', { within: [WEST - 0.5, SOUTH - 0.5, WEST + 3, SOUTH + 3], admin_level: 8 }],
  ])('may be %s, and has the boundaries that export_collection has', async (_what, input) => {
    const { sha256, count } = await keep(input);
    const exported = await server.ask('POST', '/v1/collections', { json: input });
    const features = JSON.parse(exported.text).features as { properties: { id: string } }[];
    expect(features).toHaveLength(count);
    const wanted = features.map(({ properties }) => properties.id).sort();
    expect(idsIn((await tile(sha256, ...at(1, 0.5, 3))).bytes)).toEqual(wanted);
  });

  it('has one name, however its ids are written and ordered', async () => {
    const one = await keep({ ids: ['r121', 'r122'] });
    const again = await keep({ ids: ['relation/122', 'r121', 'r122'] });
    expect([one.status, again.status, again.sha256]).toEqual([201, 200, one.sha256]);
    expect(one.tiles).toBe(`${BASE_URL}/tiles/selections/${one.sha256}/{z}/{x}/{y}.mvt`);
  });

  it('is described by TileJSON with its box and attribution', async () => {
    const { sha256 } = await keep({ ids: ['r111'] });
    const described = JSON.parse((await server.get(`/tiles/selections/${sha256}.json?lang=de`)).text);
    expect(described).toMatchObject({
      tilejson: '3.0.0',
      tiles: [`${BASE_URL}/tiles/selections/${sha256}/{z}/{x}/{y}.mvt?lang=de`],
      attribution: 'the tests',
    });
    const [west, south, east, north] = described.bounds;
    expect([west < east, south < north, east - west < 5]).toEqual([true, true, true]);
  });

  it.each([
    ['two bases', { ids: ['r111'], children_of: 'r100' }, 400, 'invalid_input'],
    ['no base', {}, 400, 'invalid_input'],
    ['a field of a file', { ids: ['r111'], format: 'kml' }, 400, 'invalid_input'],
    ['an unknown id', { ids: ['r999999'] }, 404, 'not_found'],
    ['a file without a key', { file_id: 'file_x' }, 401, 'unauthorized'],
    ['more than 5,000 ids', { ids: Array.from({ length: 5_001 }, (_, i) => `r${i + 1}`) }, 413, 'too_large'],
  ])('with %s is refused', async (_what, input, status, code) => {
    const reply = await bodyOf(input);
    expect([reply.status, reply.json.code]).toEqual([status, code]);
  });
});

describe('what is not there', () => {
  const NONE = 'a'.repeat(64);
  it.each([
    ['a hash that nothing has', `${NONE}/0/0/0.mvt`, 404],
    ['the description of such a one', `${NONE}.json`, 404],
    ['a hash in capitals', `${NONE.toUpperCase()}/0/0/0.mvt`, 404],
    ['a hash that is too short', `${NONE.slice(1)}/0/0/0.mvt`, 404],
    ['something else', '../boundaries.json', 404],
  ])('%s is 404', async (_what, path, status) => {
    const reply = await server.get(`/tiles/selections/${path}`);
    expect([reply.status, reply.json.code]).toEqual([status, 'not_found']);
  });

  it('a place outside of the world is invalid, a zoom beyond the last not found', async () => {
    const { sha256 } = await keep({ ids: ['r111'] });
    expect((await tile(sha256, 2, 4, 0)).json.code).toBe('invalid_input');
    expect((await tile(sha256, 999, 999_999_999, 999_999_999)).status).toBe(404);
    expect((await tile(sha256, 10, 0, 0)).status).toBe(204);
  });
});

describe('a selection of a file', () => {
  it('is for who may read the file, asked for at every tile', async () => {
    const saved = await server.ok('save_file', { boundary_id: 'r112', visibility: 'restricted' }, staff.member);
    const { sha256 } = await keep({ file_id: saved.id }, staff.member);
    const place = at(1, 0.5, 5);
    const first = await tile(sha256, ...place, staff.member);
    expect([first.status, first.headers['cache-control'], idsIn(first.bytes)]).toEqual([
      200,
      'private, no-cache',
      ['r112'],
    ]);
    const asked = async (by?: OrgMember) => (await tile(sha256, ...place, by)).status;
    expect([await asked(), await asked(staff.other), await asked(strangers.owner)]).toEqual([401, 404, 404]);
    expect((await server.get(`/tiles/selections/${sha256}.json`)).status).toBe(401);
    const refused = await server.ask('POST', '/tiles/selections', {
      key: strangers.owner.key,
      json: { file_id: saved.id },
    });
    expect(refused.status).toBe(404);
    await server.ok('share_file', { id: saved.id, user: staff.other.email, access: 'read' }, staff.member);
    expect(await asked(staff.other)).toBe(200);
    await server.ok('delete_file', { id: saved.id }, staff.member);
    expect([await asked(staff.member), await asked(staff.other)]).toEqual([404, 404]);
  });
});

describe('how long a selection is kept', () => {
  const count = async (where: string): Promise<number> => {
    const [row] = await server.services.db.query<{ count: number }>(
      `select count(*)::integer as count from tile_selection where ${where}`,
    );
    return row?.count ?? -1;
  };

  it('a day after its use without a key, 30 days with one', async () => {
    const { db } = server.services;
    const [own, anyones] = [await keep({ ids: ['r131'] }, staff.member), await keep({ ids: ['r132'] })];
    await db.query(`update tile_selection set used_at = now() - interval '2 days' where sha256 = any ($1)`, [
      [own.sha256, anyones.sha256],
    ]);
    expect((await tile(anyones.sha256, 0, 0, 0)).status).toBe(404);
    expect((await tile(own.sha256, 0, 0, 0)).status).toBe(200);
    // Its use is what counts.
    expect(await count(`sha256 = '${own.sha256}' and used_at > now() - interval '1 minute'`)).toBe(1);
    await sweepTileSelections(db);
    expect([await count(`sha256 = '${anyones.sha256}'`), await count(`sha256 = '${own.sha256}'`)]).toEqual([0, 1]);
  });

  it('1,000 without a key at most, those used last, and none of an organization goes for them', async () => {
    const { db } = server.services;
    const own = await keep({ ids: ['r123'] }, staff.member);
    await db.query(
      `insert into tile_selection (sha256, selection, used_at)
       select lpad(to_hex(i), 64, '0'), '{"ids":["r111"]}', now() - interval '1 hour' from generate_series(1, 1200) i`,
    );
    await keep({ ids: ['r133'] });
    expect(await count('org is null')).toBe(1_000);
    expect(await count(`sha256 = '${own.sha256}'`)).toBe(1);
  });
});

it('is drawn once for 64 that ask for the same cold tiles at the same time', async () => {
  const { sha256 } = await keep({ children_of: 'r100', levels: 'all' });
  const before = server.engine.pool.counts.completed;
  const places = Array.from({ length: 64 }, (_, i) => at((i % 8) / 4, 0.5, 9));
  const replies = await Promise.all(places.map((place) => tile(sha256, ...place)));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  const different = new Set(places.map((place) => place.join())).size;
  expect(server.engine.pool.counts.completed - before).toBe(different);
});

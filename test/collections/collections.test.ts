import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { BASE_URL, type BoundaryTestServer, openBoundaryTestServer, type Reply } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { leading } from '../setup/elements.ts';

interface Collection {
  readonly type: string;
  readonly features: readonly {
    readonly id: string;
    readonly properties: Readonly<Record<string, string | number | null>>;
    readonly geometry: { readonly type: string; readonly coordinates: unknown };
  }[];
}

let server: BoundaryTestServer;
let key: string;
let org: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  ({ key, org } = await server.key());
});
afterAll(() => server?.close());

const post = (json: object, by = key) =>
  server.ask('POST', '/v1/collections', { json, key: by === '' ? undefined : by });
const problem = ({ status, json }: Reply) => [status, json.code];
const idsOf = ({ json }: Reply) => (json as unknown as Collection).features.map(({ id }) => id);
const reported = ({ headers }: Reply) => headers['boundary-collection'];

describe('a selection', () => {
  it('takes ids in any form, each once, in the order given', async () => {
    const reply = await post({ ids: ['r111', 'wikidata:Q111', 'r101', 'relation/111'] });
    expect([reply.status, idsOf(reply)]).toEqual([200, ['r111', 'r101']]);
    expect(reply.headers['content-type']).toBe('application/geo+json');
    expect(reply.headers['content-disposition']).toMatch(/^attachment; filename=".+\.geojson"/);
  });

  it('takes the subdivisions of a boundary: direct ones, those of a level, or all', async () => {
    expect(idsOf(await post({ children_of: 'r100' })).sort()).toEqual(['r101', 'r102', 'r103']);
    expect(idsOf(await post({ children_of: 'r100', admin_level: 8 }))).toHaveLength(9);
    expect(idsOf(await post({ children_of: 'r100', levels: 'all' }))).toHaveLength(13);
  });

  it('takes a kind or an admin level in a country', async () => {
    expect(idsOf(await post({ country: 'xa', admin_level: 8 }))).toHaveLength(9);
    const [{ kind }] = leading(
      (await server.services.boundaries.resolve(['r101'])).map(({ boundary }) => boundary),
      1,
    );
    expect(idsOf(await post({ country: 'XA', kind, admin_level: 4 })).sort()).toEqual(['r101', 'r102', 'r103']);
  });

  it('takes what lies in a box whole', async () => {
    const [one] = leading(await server.services.boundaries.resolve(['r102']), 1);
    const { west, south, east, north } = one.boundary.bbox as NonNullable<typeof one.boundary.bbox>;
    const found = idsOf(await post({ within: [west, south, east, north] }));
    expect(found).toEqual(expect.arrayContaining(['r102', 'r121', 'r122', 'r123']));
    expect(found).not.toContain('r100');
    expect(idsOf(await post({ within: [west, south, east, north], admin_level: 8 })).sort()).toEqual([
      'r121',
      'r122',
      'r123',
    ]);
    const whole = idsOf(await post({ within: [-180, -90, 180, 90] }));
    expect(whole).toEqual(expect.arrayContaining(['r100', 'r102']));
  });

  it('takes what a file of the library is made of', async () => {
    const saved = await server.ask('POST', '/v1/files', { key, json: { boundary_id: 'r111' } });
    expect(idsOf(await post({ file_id: saved.json.id }))).toEqual(['r111']);
    expect(problem(await post({ file_id: 'file_00000000000000000000000000' }))).toEqual([404, 'not_found']);
    const other = await server.key();
    expect(problem(await post({ file_id: saved.json.id }, other.key))).toEqual([404, 'not_found']);
    expect(problem(await post({ file_id: saved.json.id, detail: 'low' }, ''))).toEqual([401, 'unauthorized']);
  });

  it('says what has no polygon', async () => {
    const reply = await post({ ids: ['r111', 'r300'] });
    expect(idsOf(reply)).toEqual(['r111']);
    expect(reported(reply)).toMatch(/^count=1, tolerance_m=\d+, left_out=1, left_out_ids="r300"$/);
    expect(problem(await post({ ids: ['r300'] }))).toEqual([404, 'no_geometry']);
    const named = (await server.rpc('export_collection', { ids: ['r111', 'r300'] }, key)).json as unknown as {
      left_out: unknown;
      count: number;
    };
    expect(named.count).toBe(1);
    expect(named.left_out).toEqual({
      count: 1,
      items: [{ id: 'r300', name: expect.any(String), reason: expect.any(String) }],
    });
  });

  it.each([
    ['no base', {}],
    ['two bases', { ids: ['r100'], country: 'XA', admin_level: 8 }],
    ['a country alone', { country: 'XA' }],
    ['levels of ids', { ids: ['r100'], levels: 'all' }],
    ['levels and admin_level', { children_of: 'r100', levels: 'all', admin_level: 8 }],
    ['kind of children', { children_of: 'r100', kind: 'county' }],
    ['a box of three', { within: [1, 2, 3] }],
    ['a box beyond the world', { within: [-181, 0, 10, 10] }],
    ['a box upside down', { within: [0, 10, 10, 0] }],
    ['a box of text', { within: '1,2,3,4' }],
    ['ids that are not a list', { ids: 'r100' }],
    ['ids of numbers', { ids: [100] }],
    ['an empty list', { ids: [] }],
    ['both detail and tolerance_m', { ids: ['r100'], detail: 'low', tolerance_m: 64 }],
    ['no geometry but not csv', { ids: ['r100'], geometry: 'none' }],
    ['all names', { ids: ['r100'], names: 'all' }],
    ['an unknown format', { ids: ['r100'], format: 'shp' }],
    ['an unknown field', { ids: ['r100'], child: 1 }],
  ])('refuses %s', async (_, input) => {
    expect(problem(await post(input))).toEqual([400, 'invalid_input']);
  });

  it('refuses what cannot be resolved, and says what a name may mean', async () => {
    const named = await post({ ids: ['r111', 'Commune 21'] });
    expect(problem(named)).toEqual([400, 'invalid_id']);
    expect(defined((named.json as unknown as { candidates: { id: string }[] }).candidates[0]).id).toBe('r121');
    const parent = await post({ children_of: 'Atlantis' });
    expect(problem(parent)).toEqual([400, 'invalid_id']);
    expect(problem(await post({ ids: ['r999999'] }))).toEqual([404, 'not_found']);
    expect(problem(await post({ children_of: 'r112' }))).toEqual([404, 'not_found']);
    expect(problem(await post({ country: 'ZZ', admin_level: 4 }))).toEqual([404, 'not_found']);
  });

  it('refuses more than 5,000 with the count', async () => {
    const reply = await post({ ids: Array.from({ length: 5_001 }, (_, i) => `r${i + 1}`) });
    expect(problem(reply)).toEqual([413, 'too_large']);
    expect(reply.json.detail).toContain('5001');
    expect(reply.json.detail).toContain('job');
    const same = await post({ ids: Array.from({ length: 5_000 }, () => 'r111') });
    expect(idsOf(same)).toEqual(['r111']);
  });
});

describe('a collection', () => {
  it('has flat attributes, and names where they are asked for', async () => {
    const reply = await post({ ids: ['r111'], names: 'fr,de' });
    const [{ properties }] = leading((reply.json as unknown as Collection).features, 1);
    expect(Object.keys(properties)).toEqual([
      'id',
      'name',
      'local_name',
      'kind',
      'admin_level',
      'country',
      'iso',
      'wikidata',
      'population',
      'area_km2',
      'parent_id',
      'lat',
      'lon',
      'name:fr',
      'name:de',
    ]);
    const [one] = leading(await server.services.boundaries.resolve(['r111']), 1);
    expect(properties).toMatchObject({ id: 'r111', admin_level: 8, country: 'XA', area_km2: one.area_km2 });
    expect(properties.parent_id).toBe(one.boundary.parents.at(-1)?.id);
    expect(properties.lat).toBe(one.boundary.centroid?.lat);
  });

  it('has one tolerance for all: what get_boundary gives at that tolerance', async () => {
    const reply = await post({ children_of: 'r100', levels: 'all', detail: 'medium' });
    const tolerance = Number(/tolerance_m=(\d+)/.exec(reported(reply) as string)?.[1]);
    expect(tolerance).toBeGreaterThan(1);
    for (const { id, geometry } of (reply.json as unknown as Collection).features) {
      const one = await server.get(`/v1/boundaries/${id}?tolerance_m=${tolerance}`, key);
      expect(geometry, id).toEqual(one.json.geometry);
    }
  });

  it('is the same by name, at a url', async () => {
    const file = await post({ children_of: 'r100', format: 'geojson' });
    const { json } = await server.rpc('export_collection', { children_of: 'r100', format: 'geojson' }, key);
    expect(json).toMatchObject({ format: 'geojson', detail: 'medium', count: 3, bytes: file.bytes.length });
    const fetched = await server.get(json.url.slice(BASE_URL.length));
    expect(fetched.bytes.equals(file.bytes)).toBe(true);
    expect(fetched.headers['content-type']).toBe('application/geo+json');
    const drafts = readdirSync(join(server.dataDir, 'exports', 'tmp'));
    expect(drafts).toEqual([]);
  });
});

describe('its price', () => {
  it('is a unit a distinct boundary in the file, and nothing at low detail', async () => {
    const mine = await server.key();
    await post({ ids: ['r111', '-111', 'r101', 'r300'] }, mine.key);
    expect(await server.used(mine.key)).toBe(2);
    await post({ children_of: 'r100', detail: 'low' }, mine.key);
    expect(await server.used(mine.key)).toBe(2);
    await server.rpc('export_collection', { children_of: 'r100', tolerance_m: 64 }, mine.key);
    expect(await server.used(mine.key)).toBe(5);
    for (const input of [{ ids: ['r999999'] }, { ids: ['r300'] }, {}]) await post(input, mine.key);
    expect(await server.used(mine.key)).toBe(5);
  });

  it('is refused without units, before anything is made', async () => {
    const mine = await server.key('free');
    await server.spend(mine.org, 2);
    expect(problem(await post({ children_of: 'r100' }, mine.key))).toEqual([402, 'quota_exceeded']);
    expect((await post({ ids: ['r111', 'r101'] }, mine.key)).status).toBe(200);
    expect(problem(await post({ ids: ['r111'] }, mine.key))).toEqual([402, 'quota_exceeded']);
  });

  it('anyone has low detail, and nothing above it', async () => {
    const reply = await post({ children_of: 'r100' }, '');
    expect(idsOf(reply).length).toBe(3);
    for (const more of [{ detail: 'medium' }, { detail: 'full' }, { tolerance_m: 64 }]) {
      expect(problem(await post({ children_of: 'r100', ...more }, ''))).toEqual([401, 'unauthorized']);
    }
    expect(org).toBeTruthy();
  });
});

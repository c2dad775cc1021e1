import { createHash } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { importFile } from '../../src/sources/import.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { DETAILS } from '../../workers/contract.ts';
import { FORMATS } from '../../workers/formats/registry.ts';
import { canonicalRings, dataDir } from '../proof/environment.ts';
import { leading } from '../setup/elements.ts';
import {
  BASE_URL,
  type Body,
  type BoundaryTestServer,
  openBoundaryTestServer,
  type Reply,
} from './boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, fixtureWorld, Grid, HOSTILE, rectangle, ringsOf } from './fixture_world.ts';

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  const summary = await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  expect(summary.broken.map(({ id }) => id)).toEqual(['r300']);
  ({ key } = await server.key());
});
afterAll(() => server?.close());

const ids = ({ json }: Reply) => json.items.map(({ id }) => id);
const problem = ({ status, json }: Reply) => [status, json.code];
const union = (input: object, by = key) => server.ask('POST', '/v1/boundaries/union', { json: input, key: by });
const shape = async (id: string, detail = 'full') =>
  (await server.get(`/v1/boundaries/${id}?detail=${detail}`, key)).json;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const pathOf = (url: string) => url.slice(BASE_URL.length);

/** A way of its own to name commune 11, in every form of id there is. */
const FORMS = [
  'r111',
  'R111',
  'relation/111',
  '-111',
  'https://www.openstreetmap.org/relation/111',
  'https://openstreetmap.org/relation/111#map=10/30.5/-29.5',
  'wikidata:Q111',
  'iso:XA-C11',
];

describe('from a name to a polygon', () => {
  it('search, children, get and reverse tell of the same boundary', async () => {
    const found = await server.get('/v1/boundaries/search?q=atlantis&kind=country');
    expect(ids(found)).toEqual(['r100']);
    expect(found.json.items[0]).not.toHaveProperty('names');
    const provinces = await server.get(`/v1/boundaries/${defined(found.json.items[0]).id}/children`);
    expect(ids(provinces)).toEqual(['r101', 'r102', 'r103']);
    const communes = await server.get('/v1/boundaries/r102/children');
    expect(ids(communes).sort()).toEqual(['r121', 'r122', 'r123']);
    expect(ids(await server.get('/v1/boundaries/r100/children?admin_level=8'))).toHaveLength(9);
    const { json } = await server.get('/v1/boundaries/r121');
    expect(json).toMatchObject({ type: 'Feature', id: 'r121', geometry: { type: 'Polygon' } });
    expect(json.properties).toMatchObject({ name: 'Commune 21', country: 'XA', countries: ['XA'], disputed: false });
    expect((json.properties.parents as { id: string }[]).map(({ id }) => id)).toEqual(['r100', 'r102']);
    const { lat, lon } = json.properties.centroid as { lat: number; lon: number };
    expect(ids(await server.get(`/v1/boundaries/reverse?lat=${lat}&lon=${lon}`, key))).toEqual([
      'r100',
      'r102',
      'r121',
    ]);
  });

  it('get is low and free without a key, medium and one unit with one', async () => {
    const mine = (await server.key()).key;
    const anonymous = await server.get('/v1/boundaries/r100');
    expect([anonymous.status, anonymous.json.properties.detail]).toEqual([200, 'low']);
    expect((await server.get('/v1/boundaries/r100?detail=low', mine)).json.properties.detail).toBe('low');
    expect(await server.used(mine)).toBe(0);
    expect((await server.get('/v1/boundaries/r100', mine)).json.properties.detail).toBe('medium');
    expect(await server.used(mine)).toBe(1);
    for (const asked of ['detail=medium', 'detail=high', 'detail=full', 'tolerance_m=64']) {
      expect(problem(await server.get(`/v1/boundaries/r100?${asked}`)), asked).toEqual([401, 'unauthorized']);
    }
  });

  it('a higher detail has more vertices, and the area is that of the full shape', async () => {
    const answers = await Promise.all(DETAILS.map((detail) => shape('r100', detail)));
    const counts = answers.map(({ geometry }) => defined(canonicalRings(geometry)[0]).split(',').length);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(counts[0]).toBeLessThan(defined(counts[3]) / 2);
    expect(counts[3]).toBe(12 * 60);
    expect(new Set(answers.map(({ properties }) => properties.area_km2)).size).toBe(1);
    expect(answers.map(({ properties }) => properties.tolerance_m)).toEqual([256, 64, 8, 0]);
  });

  it('tolerance_m in place of detail; both, or no power of two, is invalid_input', async () => {
    const { json } = await server.get('/v1/boundaries/r111?tolerance_m=64', key);
    expect(json.properties).toMatchObject({ detail: null, tolerance_m: 64 });
    for (const asked of ['tolerance_m=64&detail=full', 'tolerance_m=65', 'tolerance_m=0.5', 'tolerance_m=65536']) {
      const reply = await server.get(`/v1/boundaries/r111?${asked}`, key);
      expect(problem(reply), asked).toEqual([400, 'invalid_input']);
      expect(reply.json.issues.map(({ path }) => path)).toEqual(['tolerance_m']);
    }
  });

  it('siblings of one tolerance share their border', async () => {
    const [west, east] = leading(
      await Promise.all(['r111', 'r121'].map((id) => server.get(`/v1/boundaries/${id}?tolerance_m=128`, key))),
      2,
    );
    const points = ({ json }: Reply) => new Set((json.geometry.coordinates as number[][][]).flat().map(String));
    const shared = [...points(west)].filter((point) => points(east).has(point));
    const near = (reply: Reply) =>
      [...points(reply)].filter((point) => Math.abs(Number(point.split(',')[0]) + 29) < 0.01);
    expect(shared.length).toBeGreaterThan(3);
    expect(near(west).filter((point) => !points(east).has(point))).toEqual([]);
  });

  it('neighbors of any level fit at one tolerance: a country keeps the corners of its communes', async () => {
    const points = ({ json }: Reply) => (json.geometry.coordinates as number[][][]).flat().map(String);
    const isOutside = (point: string) => {
      const [x, y] = leading(point.split(',').map(Number), 2);
      return Math.abs(x + 30) < 0.01 || Math.abs(y - 30) < 0.01;
    };
    for (const way of ['', '/export']) {
      const country = points(await server.get(`/v1/boundaries/r100${way}?tolerance_m=1024`, key));
      for (const id of ['r111', 'r112', 'r113', 'r121', 'r131']) {
        const commune = points(await server.get(`/v1/boundaries/${id}${way}?tolerance_m=1024`, key)).filter(isOutside);
        expect(commune.filter((point) => !country.includes(point))).toEqual([]);
      }
      expect(country).toEqual(expect.arrayContaining(['-29,30', '-28,30', '-30,31']));
    }
  });

  it('include=children adds the direct subdivisions', async () => {
    const { json } = await server.get('/v1/boundaries/r101?include=children');
    expect((json.properties.children as { id: string }[]).map(({ id }) => id).sort()).toEqual(['r111', 'r112', 'r113']);
    expect((await server.get('/v1/boundaries/r101')).json.properties).not.toHaveProperty('children');
    expect((await server.rpc('get_boundary', { id: 'r101', include: ['children'] })).json).toEqual(json);
    expect(problem(await server.get('/v1/boundaries/r101?include=parents'))).toEqual([400, 'invalid_input']);
  });

  it('only what is administrative has children', async () => {
    expect(problem(await server.get('/v1/boundaries/r200/children'))).toEqual([400, 'no_children']);
    expect((await server.get('/v1/boundaries/w500/children')).json.items).toEqual([]);
    expect(problem(await server.get('/v1/boundaries/r101/children?admin_level=4'))).toEqual([400, 'invalid_input']);
  });
});

describe('a name in the place of an id', () => {
  const candidates = [{ id: 'r100', name: 'Atlantis', parents: [] }];

  it('is invalid_id, and says what it may mean, on every operation that takes an id', async () => {
    const asked: readonly (readonly [op: string, input: object])[] = [
      ['list_children', { id: 'Atlantis' }],
      ['get_boundary', { id: 'Atlantis', include: ['children'] }],
      ['export_boundary', { id: 'Atlantis' }],
      ['union_boundaries', { include: ['r111', 'Atlantis', 'Province 1'], exclude: ['Lyonesse'] }],
      ['save_file', { boundary_id: 'Atlantis' }],
    ];
    for (const [op, input] of asked) {
      const { status, json } = await server.rpc(op, input, key);
      expect([status, json.code, json.detail], op).toEqual([
        400,
        'invalid_id',
        '"Atlantis" looks like a name. Search for it (search_boundaries) and use the id it returns.',
      ]);
      expect((json as unknown as { candidates: unknown }).candidates, op).toEqual(candidates);
    }
  });

  it('lists places whose names begin so, five at most, with where they lie', async () => {
    const { json } = await server.rpc('list_children', { id: 'Commune 1' });
    const { candidates } = json as unknown as { candidates: { id: string; parents: { id: string }[] }[] };
    expect(candidates).toHaveLength(3);
    expect(defined(candidates[0]).parents.map(({ id }) => id)).toEqual(['r100', expect.stringMatching(/^r10[123]$/)]);
  });

  it('is hidden from those who may not call: nothing is searched for them', async () => {
    expect((await server.rpc('export_boundary', { id: 'Atlantis' })).json).not.toHaveProperty('candidates');
    expect((await server.rpc('list_children', { id: 'r0' })).json).not.toHaveProperty('candidates');
    const unknown = await server.rpc('list_children', { id: 'Nowhere at all' });
    expect((unknown.json as unknown as { candidates: unknown }).candidates).toEqual([]);
  });

  it('an address with its slashes as they are says how to write it', async () => {
    const address = 'https://www.openstreetmap.org/relation/111';
    for (const after of ['', '/children', '/export']) {
      const raw = await server.get(`/v1/boundaries/${address}${after}?x=1`, key);
      expect([raw.status, raw.json.code]).toEqual([400, 'invalid_id']);
      const written = `/v1/boundaries/https%3A%2F%2Fwww.openstreetmap.org%2Frelation%2F111${after}`;
      expect(raw.json.detail).toBe(`Percent-encode the slashes of an id in a path: ${written}`);
      expect((await server.get(written, key)).status).toBe(200);
    }
    const written = '/v1/boundaries/https%3A%2F%2Fwww.openstreetmap.org%2Frelation%2F111';
    for (const start of ['https%3A//', 'https%3a//', 'https:%2F%2F', 'HTTPS%3A%2F/', 'https:/', 'https%3A/']) {
      for (const after of ['', '/children', '/export', '/neighbors', '/']) {
        const raw = await server.get(`/v1/boundaries/${start}www.openstreetmap.org/relation/111${after}`, key);
        expect([raw.status, raw.json.code], start + after).toEqual([400, 'invalid_id']);
        expect(raw.json.detail.toLowerCase()).toContain(`${written}${after === '/' ? '' : after}`.toLowerCase());
      }
    }
    for (const path of [
      'www.osm.org%2Frelation/111',
      'openstreetmap.org/way/500',
      'browse/relation/111',
      'way/500/export',
    ]) {
      expect(problem(await server.get(`/v1/boundaries/${path}`, key)), path).toEqual([400, 'invalid_id']);
    }
    expect(problem(await server.get('/v1/boundaries/way/500'))).toEqual([400, 'invalid_id']);
    expect(problem(await server.get('/v1/boundaries/osm.org/relation/111/children'))).toEqual([400, 'invalid_id']);
    expect(problem(await server.get('/v1/boundaries/r111/nothing'))).toEqual([404, 'not_found']);
    expect((await server.get(`/v1/boundaries/${encodeURIComponent('osm.org/browse/relation/111')}`)).json.id).toBe(
      'r111',
    );
  });
});

describe('languages', () => {
  beforeAll(async () => {
    const names = { de: 'Atlantis (de)', fr: 'Atlantide', 'pt-BR': 'Atlântida' };
    const { db } = server.services;
    await db.query('update boundary set names = $1::jsonb where id = $2', [JSON.stringify(names), 'r100']);
    await db.query('update boundary set names = $1::jsonb where id = $2', ['{"fr":"Première province"}', 'r101']);
  });

  type Named = { id: string; name: string; local_name: string; names?: object; parents: { name: string }[] };
  const asAsked = async (path: string, accept?: string): Promise<Named> => {
    const headers: Record<string, string> = accept === undefined ? {} : { 'Accept-Language': accept };
    const { json } = await server.ask('GET', path, { key, headers });
    const items = (json.properties ? [json.properties] : json.items) as unknown as Named[];
    return items.find(({ id }) => id === 'r101') as Named;
  };
  const PATHS = [
    '/v1/boundaries/search?q=Province%201',
    '/v1/boundaries/reverse?lat=30.4&lon=-29.6',
    '/v1/boundaries/r100/children?x',
    '/v1/boundaries/r101?detail=low',
  ].map((path) => path.replace('?x', '?admin_level=4'));

  it.each(PATHS)('name and parents follow lang, else Accept-Language, else they are local: %s', async (path) => {
    const reported = ({ name, local_name, names, parents }: Named) => [
      name,
      local_name,
      names,
      defined(parents[0]).name,
    ];
    expect(reported(await asAsked(path))).toEqual(['Province 1', 'Province 1', undefined, 'Atlantis']);
    expect(reported(await asAsked(`${path}&lang=de,fr`))).toEqual([
      'Première province',
      'Province 1',
      undefined,
      'Atlantis (de)',
    ]);
    expect((await asAsked(path, 'it, fr-CA;q=0.5')).name).toBe('Première province');
    expect((await asAsked(`${path}&lang=it`, 'fr')).name).toBe('Province 1');
    expect((await asAsked(path, 'fr;;')).name).toBe('Province 1');
    expect((await asAsked(`${path}&names=all`)).names).toEqual({ fr: 'Première province' });
    expect((await asAsked(`${path}&names=de,pt`)).names).toEqual({});
    for (const wrong of ['lang=de_CH', 'lang=', 'lang=*', 'names=1', `lang=${'de,'.repeat(80)}de`]) {
      const reply = await server.get(`${path}&${wrong}`, key);
      expect([problem(reply), defined(reply.json.issues[0]).path], wrong).toEqual([
        [400, 'invalid_input'],
        wrong.split('=')[0],
      ]);
    }
  });

  it('the same for the subdivisions in a Feature', async () => {
    const { json } = await server.get('/v1/boundaries/r100?include=children&lang=fr&names=pt');
    const [first] = leading(json.properties.children as Named[], 1);
    expect([json.properties.name, json.properties.names]).toEqual(['Atlantide', { 'pt-BR': 'Atlântida' }]);
    expect([first.name, first.names, defined(first.parents[0]).name]).toEqual(['Première province', {}, 'Atlantide']);
  });

  it('files, their tags and entries of the library have local names whoever asks', async () => {
    const file = (accept: string) =>
      server.ask('GET', '/v1/boundaries/r101/export?format=geojson', { key, headers: { 'Accept-Language': accept } });
    const [french, none] = [await file('fr'), await file('')];
    expect(french.json.properties.name).toBe('Province 1');
    expect(french.bytes.equals(none.bytes)).toBe(true);
    expect([french.headers.etag, french.headers['content-disposition']]).toEqual([
      none.headers.etag,
      none.headers['content-disposition'],
    ]);
    const saved = await server.ask('POST', '/v1/files', {
      key,
      json: { boundary_id: 'r101', format: 'kml', detail: 'low' },
      headers: { 'Accept-Language': 'fr' },
    });
    expect((saved.json as unknown as Named).name).toBe('Province 1 (kml, low)');
    const refused = await server.get('/v1/boundaries/r101/export?lang=fr', key);
    expect(problem(refused)).toEqual([400, 'invalid_input']);
  });

  it('an answer has the members of a boundary, absent ones null, and no others', async () => {
    const members = [
      ...['id', 'name', 'local_name', 'kind', 'admin_level', 'country', 'countries', 'disputed', 'parents', 'bbox'],
      ...['centroid', 'population', 'wikidata', 'iso', 'has_geometry', 'source', 'version', 'stale'],
    ];
    expect(Object.keys(await asAsked(defined(PATHS[1])))).toEqual([...members, 'contains', 'why', 'on']);
    expect(Object.keys(await asAsked(defined(PATHS[2])))).toEqual(members);
    expect(Object.keys(await asAsked(defined(PATHS[0])))).toEqual([...members, 'match', 'interpretation']);
    const { json } = await server.get('/v1/boundaries/r101?detail=low');
    expect(Object.keys(json)).toEqual(expect.arrayContaining(['type', 'id', 'bbox', 'properties', 'geometry']));
    expect(json.bbox).toHaveLength(4);
    expect(Object.keys(json.properties).sort()).toEqual(
      [...members, 'area_km2', 'land_km2', 'includes_water', 'detail', 'tolerance_m', 'attribution']
        .filter((member) => member !== 'bbox')
        .sort(),
    );
    expect([json.properties.stale, json.properties.disputed]).toEqual([null, false]);
    expect(json.properties.centroid).toEqual({ lat: expect.any(Number), lon: expect.any(Number) });
    const search = (await server.get('/v1/boundaries/search?q=Openland')).json.items[0];
    expect(search).toMatchObject({ bbox: null, centroid: null, has_geometry: false, wikidata: null, iso: null });
  });
});

describe('reverse', () => {
  const at = (lat: number | string, lon: number | string) =>
    server.get(`/v1/boundaries/reverse?lat=${lat}&lon=${lon}`, key);

  it('country first, the smallest last, postcode areas after all', async () => {
    const inside = await at(30.4, -29.6);
    expect(ids(inside)).toEqual(['r100', 'r101', 'r111', 'w500', 'r200']);
    expect(inside.json.completeness).toEqual({ postal_code: 'mapped' });
    expect(inside.json.coverage).toEqual(inside.json.completeness);
    const elsewhere = await at(31.5, -27.5);
    expect(ids(elsewhere)).toEqual(['r100', 'r103', 'r132']);
    expect(elsewhere.json.coverage).toEqual({ postal_code: 'mapped' });
    expect((await at(30.5, -24.5)).json.coverage).toEqual({ postal_code: 'not_mapped' });
  });

  it('on a border it gives both sides, on a corner all four', async () => {
    const { coordinates } = (await shape('r111')).geometry as { coordinates: [number, number][][] };
    const border = defined(coordinates[0]).find(
      ([lon, lat]) => Math.abs(lon + 29) < 0.01 && Math.abs(lat - 30.5) < 0.02,
    );
    const [lon, lat] = border as [number, number];
    expect(ids(await at(lat, lon)).filter((id) => id !== 'r200')).toEqual(['r100', 'r101', 'r102', 'r111', 'r121']);
    const corner = ids(await at(31, -29));
    expect(corner.filter((id) => /^r1[1-3][1-3]$/.test(id)).sort()).toEqual(['r111', 'r112', 'r121', 'r122']);
    expect(corner.slice(0, 1)).toEqual(['r100']);
    // Half a unit of the grid off the border is one side only.
    expect(ids(await at(lat, lon - 0.001)).filter((id) => /^r1[12]1$/.test(id))).toEqual(['r111']);
    expect(ids(await at(lat, lon + 0.001)).filter((id) => /^r1[12]1$/.test(id))).toEqual(['r121']);
    // The middle of a straight edge.
    expect(ids(await at(30.25, -29.6))).toContain('w500');
    expect(ids(await at(30.2499999, -29.6))).not.toContain('w500');
  });

  it('at sea there is nothing, and no postcodes are mapped', async () => {
    const sea = await at(0, -30);
    expect([sea.status, sea.json]).toEqual([
      200,
      {
        ...{ items: [], on: 'unknown' },
        ...{ completeness: { postal_code: 'not_mapped' }, coverage: { postal_code: 'not_mapped' } },
      },
    ]);
    expect(ids(await at(90, 0))).toEqual([]);
  });

  it('180 and -180 are one meridian, and the South Pole has no longitude', async () => {
    const [east, west] = [await at(11, 180), await at(11, -180)];
    expect(ids(east)).toEqual(['r600']);
    expect(west.text).toBe(east.text);
    expect(ids(await at(11, 179.5))).toEqual(['r600']);
    expect(ids(await at(11, -179.5))).toEqual(['r600']);
    expect(ids(await at(11, 177.9))).toEqual([]);
    for (const lon of [-180, -90, 0, 33.3, 180]) expect(ids(await at(-90, lon)), String(lon)).toEqual(['r700']);
    const box = defined((await at(11, 180)).json.items[0]).bbox;
    expect(box).toEqual({ west: 178, south: 10, east: -178, north: 12 });
  });

  it('says which numbers are out of range or none', async () => {
    for (const [lat, lon, paths] of [
      [91, 0, ['lat']],
      [0, 180.1, ['lon']],
      [-90.0001, -181, ['lat', 'lon']],
      ['north', '', ['lat', 'lon']],
      ['NaN', 'Infinity', ['lat', 'lon']],
    ] as const) {
      const reply = await at(lat, lon);
      expect(problem(reply), `${lat},${lon}`).toEqual([400, 'invalid_input']);
      expect(reply.json.issues.map(({ path }) => path)).toEqual(paths);
    }
    expect(problem(await server.get('/v1/boundaries/reverse?lat=1&lon=1'))).toEqual([401, 'unauthorized']);
  });

  it('a place that two countries claim belongs to both', async () => {
    const reply = await at(30.5, -23.5);
    expect(ids(reply)).toEqual(['r400', 'r410', 'r420']);
    expect(reply.json.items[2]).toMatchObject({ country: 'XB', countries: ['XB', 'XC'], disputed: true });
    expect(reply.json.items[0]).toMatchObject({ country: 'XB', countries: ['XB'], disputed: false });
    expect((await server.get('/v1/boundaries/search?q=Claimed&country=XC')).json.items.map(({ id }) => id)).toEqual([
      'r420',
    ]);
  });
});

describe('union', () => {
  it('of all parts is the whole, exactly', async () => {
    const country = await shape('r100');
    const rings = canonicalRings(country.geometry);
    const communes = [1, 2, 3].flatMap((x) => [1, 2, 3].map((y) => `r1${x}${y}`));
    for (const include of [
      communes,
      ['r101', 'r102', 'r103'],
      ['r100', ...communes],
      ['r101', 'r121', 'r122', 'r123', 'r103'],
    ]) {
      const { json } = await union({ include, detail: 'full' });
      expect(canonicalRings(json.geometry)).toEqual(rings);
      expect(json.properties.area_km2).toBeCloseTo(country.properties.area_km2 as number, 6);
      expect(json.properties).toMatchObject({ include, exclude: [], detail: 'full', tolerance_m: 0 });
      expect(json.bbox).toEqual(country.bbox);
    }
    expect(server.engine.strategies).toMatchObject({ arcs: 4, overlay: 0 });
  });

  it('at a tolerance has every vertex of its neighbors at that tolerance', async () => {
    const [west, east] = await Promise.all([
      union({ include: ['r101'], tolerance_m: 256 }),
      union({ include: ['r102'], tolerance_m: 256 }),
    ]);
    const edges = ({ json }: typeof west): string[] =>
      canonicalRings(json.geometry).flatMap((ring) => {
        const points = ring.split(',');
        return points.map((a, i) => [a, points[(i + 1) % points.length]].sort().join());
      });
    const shared = new Set(edges(west));
    const common = edges(east).filter((edge) => shared.has(edge));
    const whole = await union({ include: ['r101', 'r102'], tolerance_m: 256 });
    expect(new Set(edges(whole))).toEqual(
      new Set([...edges(west), ...edges(east)].filter((edge) => !common.includes(edge))),
    );
    expect(common.length).toBeGreaterThan(0);
    expect(west.json.properties).toMatchObject({ detail: null, tolerance_m: 256, exact: true });
    // One boundary alone is what get_boundary has at that tolerance.
    const one = await union({ include: ['r122'], tolerance_m: 64 });
    const same = await server.get('/v1/boundaries/r122?tolerance_m=64', key);
    expect(canonicalRings(one.json.geometry)).toEqual(canonicalRings(same.json.geometry));
    const two = await union({ include: ['r122'], detail: 'low', tolerance_m: 64 });
    expect(two.json).toMatchObject({ code: 'invalid_input', issues: [{ path: 'tolerance_m', code: 'conflict' }] });
    expect((await union({ include: ['r122'], tolerance_m: 100 })).json.code).toBe('invalid_input');
    const file = await union({ include: ['r430', 'r431'], tolerance_m: 64, format: 'kml' });
    expect(file.json).toMatchObject({ detail: null, tolerance_m: 64, exact: false, format: 'kml' });
  });

  it('exclude cuts a hole, and what is cut out comes back', async () => {
    const { json } = await union({ include: ['r100'], exclude: ['r122'], detail: 'full' });
    expect(json.geometry.type).toBe('Polygon');
    expect(canonicalRings(json.geometry)).toHaveLength(2);
    expect(canonicalRings(json.geometry)).toContain(canonicalRings((await shape('r122')).geometry)[0]);
    const parts = await Promise.all(['r100', 'r122'].map((id) => shape(id)));
    const [all, hole] = leading(
      parts.map(({ properties }) => properties.area_km2 as number),
      2,
    );
    expect(json.properties.area_km2).toBeCloseTo(all - hole, 6);
    const others = [1, 2, 3].flatMap((x) => [1, 2, 3].map((y) => `r1${x}${y}`)).filter((id) => id !== 'r122');
    const back = await union({ include: ['r100'], exclude: others, detail: 'full' });
    expect(canonicalRings(back.json.geometry)).toEqual(canonicalRings((await shape('r122')).geometry));
  });

  it('two corners that touch are two polygons', async () => {
    const { json } = await union({ include: ['r111', 'r122'] });
    expect([json.geometry.type, (json.geometry.coordinates as unknown[]).length]).toEqual(['MultiPolygon', 2]);
    expect(json.properties.detail).toBe('medium');
  });

  it('nothing left is an empty MultiPolygon of no area', async () => {
    const { status, json } = await union({ include: ['r101'], exclude: ['r100'] });
    expect([status, json.geometry]).toEqual([200, { type: 'MultiPolygon', coordinates: [] }]);
    expect(json.properties.area_km2).toBe(0);
    expect(json).not.toHaveProperty('bbox');
  });

  it('borders that cross off their vertices are overlaid, not guessed', async () => {
    const before = server.engine.strategies.overlay;
    const both = await union({ include: ['r430', 'r431'], detail: 'full' });
    const less = await union({ include: ['r430'], exclude: ['r431'], detail: 'full' });
    expect(server.engine.strategies.overlay).toBe(before + 2);
    expect([both, less].map(({ json }) => json.properties.exact)).toEqual([false, false]);
    // On either database the same bytes, not only the same area.
    expect(JSON.stringify(both.json.geometry.coordinates)).toBe(
      '[[[-19,30],[-19,30.5],[-18.5,30.5],[-18.5,31.5],[-19.5,31.5],[-19.5,31],[-20,31],[-20,30],[-19,30]]]',
    );
    const areas = await Promise.all(
      ['r430', 'r431'].map(async (id) => (await shape(id)).properties.area_km2 as number),
    );
    const overlap = defined(areas[0]) - (less.json.properties.area_km2 as number);
    expect(overlap / defined(areas[0])).toBeCloseTo(0.25, 2);
    // Edges are geodesics: a new vertex on a long edge moves the border a little (here by less than a thousandth).
    expect((both.json.properties.area_km2 as number) / (defined(areas[0]) + defined(areas[1]) - overlap)).toBeCloseTo(
      1,
      3,
    );
    const around = (points: [number, number][]) => canonicalRings({ type: 'Polygon', coordinates: [points] });
    const [a, b, c, d] = [-20, -19.5, -19, -18.5];
    expect(canonicalRings(both.json.geometry)).toEqual(
      around([
        [a, 30],
        [c, 30],
        [c, 30.5],
        [d, 30.5],
        [d, 31.5],
        [b, 31.5],
        [b, 31],
        [a, 31],
        [a, 30],
      ]),
    );
    expect(canonicalRings(less.json.geometry)).toEqual(
      around([
        [a, 30],
        [c, 30],
        [c, 30.5],
        [b, 30.5],
        [b, 31],
        [a, 31],
        [a, 30],
      ]),
    );
  });

  it('charges each distinct boundary once, however it is named', async () => {
    const mine = (await server.key()).key;
    const { json } = await union({ include: FORMS, exclude: ['r122', '-122', 'r111'], detail: 'low' }, mine);
    expect(json.properties).toMatchObject({ include: ['r111'], exclude: ['r122', 'r111'], area_km2: 0 });
    expect(await server.used(mine)).toBe(2);
    await union({ include: ['r100', 'r101', 'r102'] }, mine);
    expect(await server.used(mine)).toBe(5);
  });

  it('51 ids are too many before any is looked up; 50 are not', async () => {
    const many = (count: number) => Array.from({ length: count }, () => 'r111');
    expect(problem(await union({ include: [...many(50), 'r999999'] }))).toEqual([400, 'too_many_boundaries']);
    expect(problem(await union({ include: many(25), exclude: many(26) }))).toEqual([400, 'too_many_boundaries']);
    expect((await union({ include: many(25), exclude: many(25) })).status).toBe(200);
    expect(problem(await union({ include: [] }))).toEqual([400, 'invalid_input']);
    expect(problem(await union({ exclude: ['r111'] }))).toEqual([400, 'invalid_input']);
  });

  it('names every unknown id and charges nothing', async () => {
    const mine = (await server.key()).key;
    const reply = await union({ include: ['r111', 'r999998'], exclude: ['iso:ZZ'] }, mine);
    expect(problem(reply)).toEqual([404, 'not_found']);
    expect(reply.json.detail).toContain('r999998');
    expect(reply.json.detail).toContain('iso:ZZ');
    expect(reply.json.detail).not.toContain('r111');
    expect(await server.used(mine)).toBe(0);
  });

  it('a boundary without a polygon is no_geometry, with the reason and the place', async () => {
    const mine = (await server.key()).key;
    const replies = [
      await union({ include: ['r111', 'r300'] }, mine),
      await server.get('/v1/boundaries/r300'),
      await server.get('/v1/boundaries/r300/export', mine),
    ];
    for (const reply of replies) {
      expect(problem(reply)).toEqual([404, 'no_geometry']);
      expect(reply.json.detail).toMatch(/r300 \(Openland\).*: \S.+ near 4[01],-(20|19)\b/);
    }
    expect(await server.used(mine)).toBe(0);
    const [found] = (await server.get('/v1/boundaries/search?q=Openland')).json.items;
    expect(found).toMatchObject({ id: 'r300', has_geometry: false, bbox: null });
  });

  it('in another format it is the address of the very bytes', async () => {
    for (const format of FORMATS.filter((one) => one !== 'geojson')) {
      const { status, json } = await union({ include: ['r101', 'r102'], detail: 'low', format });
      expect([status, Object.keys(json)], format).toEqual([
        200,
        [
          ...['url', 'sha256', 'bytes', 'content_type', 'format', 'detail', 'boundary_id', 'version'],
          ...['tolerance_m', 'exact'],
        ],
      ]);
      const file = await server.get(pathOf(json.url));
      expect([file.status, file.headers['content-type']]).toEqual([200, json.content_type]);
      expect([sha256(file.bytes), file.bytes.length]).toEqual([json.sha256, json.bytes]);
    }
  });

  it('a refund that fails does not hide why the call failed', async () => {
    const { services } = server;
    const { key, org } = await server.key('free');
    await services.db.exec(`
      create function refuse_refund() returns trigger language plpgsql as $$ begin raise exception 'no refund'; end $$;
      create trigger refuse_refund before delete on unit_reservation for each row execute function refuse_refund()`);
    try {
      const small = await server.withLimit(5_000);
      const json = { include: ['r100'], detail: 'full' };
      const reply = await small.ask('POST', '/v1/boundaries/union', { key, json });
      expect(problem(reply)).toEqual([413, 'too_large']);
      const held = await services.db.query('select units from unit_reservation where org = $1', [org]);
      expect(held).toEqual([{ units: 1 }]);
    } finally {
      await services.db.exec('drop function refuse_refund() cascade');
    }
    await services.db.query("update unit_reservation set expires_at = now() - interval '1 second' where org = $1", [
      org,
    ]);
    await services.billing.sweep();
    expect(await server.used(key)).toBe(0);
  });

  it('what is bigger than one answer may be is too_large, and free', async () => {
    const mine = (await server.key()).key;
    const small = await server.withLimit(5_000);
    const ask = (input: object) => small.ask('POST', '/v1/boundaries/union', { json: input, key: mine });
    for (const format of FORMATS) {
      expect(problem(await ask({ include: ['r100'], detail: 'full', format })), format).toEqual([413, 'too_large']);
    }
    expect(problem(await small.ask('GET', '/v1/boundaries/r100?detail=full', { key: mine }))).toEqual([
      413,
      'too_large',
    ]);
    expect(problem(await small.ask('GET', '/v1/boundaries/r100/export?detail=full', { key: mine }))).toEqual([
      413,
      'too_large',
    ]);
    expect(await server.used(mine)).toBe(0);
    expect((await ask({ include: ['r430'], detail: 'low' })).status).toBe(200);
  });
});

describe('export', () => {
  const TYPES = {
    geojson: 'application/geo+json',
    kml: 'application/vnd.google-earth.kml+xml',
    wkt: 'text/plain; charset=utf-8',
    svg: 'image/svg+xml',
    gml: 'application/gml+xml; version=3.2',
  };
  const MARKS = { geojson: '"type":"Feature"', kml: '<kml', wkt: 'POLYGON', svg: '<svg', gml: 'gml:' };

  describe.each(FORMATS)('%s', (format) => {
    it.each(DETAILS)('at %s: the file itself by HTTP, its address by RPC', async (detail) => {
      const mine = (await server.key()).key;
      const path = `/v1/boundaries/r100/export?format=${format}&detail=${detail}`;
      const file = await server.get(path, mine);
      expect([file.status, file.headers['content-type']]).toEqual([200, TYPES[format]]);
      expect(file.text).toContain(MARKS[format]);
      const tag = `"${sha256(file.bytes)}"`;
      expect(file.headers.etag).toBe(tag);
      const disposition = file.headers['content-disposition'];
      expect(disposition).toBe(
        `attachment; filename="Atlantis (${detail}).${format}"; filename*=UTF-8''Atlantis%20%28${detail}%29.${format}`,
      );
      expect(await server.used(mine)).toBe(1);

      const known = await server.ask('GET', path, { key: mine, headers: { 'If-None-Match': tag } });
      expect([known.status, known.bytes.length, known.headers.etag]).toEqual([304, 0, tag]);
      expect(await server.used(mine)).toBe(1);

      const { json } = await server.rpc('export_boundary', { id: 'r100', format, detail }, mine);
      expect(json).toMatchObject({
        sha256: sha256(file.bytes),
        bytes: file.bytes.length,
        format,
        detail,
        boundary_id: 'r100',
      });
      expect(json.content_type).toBe(TYPES[format]);
      expect(file.headers['content-location']).toBe(json.url);
      expect((await server.get(pathOf(json.url))).bytes.equals(file.bytes)).toBe(true);
      expect(await server.used(mine)).toBe(2);
    });
  });

  it('a file that cannot be kept is answered all the same, without a permanent address', async () => {
    const exports = join(server.dataDir, 'exports');
    const { key: mine } = await server.key();
    const path = '/v1/boundaries/r100/export?format=wkt&tolerance_m=2';
    await rename(exports, `${exports}.away`);
    // In place of the folder, so that nothing can be written into it.
    await writeFile(exports, '');
    try {
      const file = await server.get(path, mine);
      expect([file.status, file.headers['content-location']]).toEqual([200, undefined]);
      expect(file.headers.etag).toBe(`"${sha256(file.bytes)}"`);
      expect(await server.used(mine)).toBe(1);
      // An answer that is an address alone fails, and costs nothing.
      expect((await server.rpc('export_boundary', { id: 'r100', format: 'wkt', tolerance_m: 2 }, mine)).status).toBe(
        500,
      );
      expect(await server.used(mine)).toBe(1);
    } finally {
      await rm(exports);
      await rename(`${exports}.away`, exports);
    }
    expect((await server.get(path, mine)).headers['content-location']).toContain('/v1/exports/');
  });

  it('a hostile name breaks no header and no document', async () => {
    for (const format of FORMATS) {
      const { status, headers, text } = await server.get(`/v1/boundaries/r122/export?format=${format}&detail=low`, key);
      expect([status, headers['set-cookie']], format).toEqual([200, undefined]);
      const disposition = headers['content-disposition'] as string;
      expect(disposition).toMatch(/^attachment; filename="[ -!#-[\]-~]*"; filename\*=UTF-8''[A-Za-z0-9._~%-]+$/);
      const file = decodeURIComponent(defined(disposition.split("''")[1]));
      expect(file).toMatch(/^東京.*\.[a-z]+$/);
      expect(file).not.toMatch(/[/\\<>"&;:\r\n]/);
      if (format === 'geojson') expect(JSON.parse(text).properties.name).toBe(HOSTILE);
      else expect(text).not.toContain('"<&>');
    }
  });

  it('geojson is the default, at medium, and is what get answers', async () => {
    const plain = await server.get('/v1/boundaries/r101/export', key);
    const asked = await server.get('/v1/boundaries/r101?detail=medium', key);
    expect(plain.text).toBe(asked.text);
    expect(plain.headers.link).toBe('<https://example.org/license>; rel="license"');
    expect(problem(await server.get('/v1/boundaries/r101/export?detail=low&tolerance_m=64', key))).toEqual([
      400,
      'invalid_input',
    ]);
    expect(problem(await server.get('/v1/boundaries/r101/export?format=shp', key))).toEqual([400, 'invalid_input']);
    expect(problem(await server.get('/v1/boundaries/r101/export?detail=low'))).toEqual([401, 'unauthorized']);
  });
});

describe('ids', () => {
  const inPath = (form: string) => [
    encodeURIComponent(form),
    ...(/[/#?]/.test(form) && !/^relation\/\d+$/.test(form) ? [] : [form]),
  ];

  it.each(FORMS)('%s names commune 11 wherever an id is taken', async (form) => {
    for (const path of inPath(form)) {
      expect((await server.get(`/v1/boundaries/${path}`)).json.id, path).toBe('r111');
      expect(ids(await server.get(`/v1/boundaries/${path}/children`)), path).toEqual(['w500']);
      expect((await server.get(`/v1/boundaries/${path}/export?detail=low`, key)).json.id, path).toBe('r111');
    }
    expect((await server.rpc('get_boundary', { id: form })).json.id).toBe('r111');
    expect(ids(await server.rpc('list_children', { id: form }))).toEqual(['w500']);
    expect((await server.rpc('export_boundary', { id: form }, key)).json).toMatchObject({ boundary_id: 'r111' });
    expect((await union({ include: [form] })).json.properties.include).toEqual(['r111']);
    expect((await union({ include: ['r112'], exclude: [form] })).json.properties.exclude).toEqual(['r111']);
  });

  it.each(['w500', 'W500', 'way/500', 'https://www.openstreetmap.org/way/500', 'wikidata:Q500', 'iso:XA-Q5'])(
    '%s is a way',
    async (form) => {
      expect((await server.get(`/v1/boundaries/${encodeURIComponent(form)}`)).json.id).toBe('w500');
      expect((await union({ include: [form] })).json.properties.include).toEqual(['w500']);
    },
  );

  it('a country answers to its code of two letters, an unknown code is not_found', async () => {
    expect((await server.get('/v1/boundaries/iso:XA')).json.id).toBe('r100');
    expect((await server.get('/v1/boundaries/iso:xa')).json.id).toBe('r100');
    for (const form of ['r4711', 'w111', 'wikidata:Q4711', 'iso:XZ', 'relation/4711']) {
      expect(problem(await server.get(`/v1/boundaries/${form}`)), form).toEqual([404, 'not_found']);
    }
  });

  it.each(['x1', 'r', 'r0', '62422', 'iso:', 'wikidata:64', 'node%2F1', 'https:%2F%2Fexample.org%2Frelation%2F111'])(
    '%s is none',
    async (form) => {
      for (const path of ['', '/children']) {
        expect(problem(await server.get(`/v1/boundaries/${form}${path}`))).toEqual([400, 'invalid_id']);
      }
      expect(problem(await server.get(`/v1/boundaries/${form}/export`, key))).toEqual([400, 'invalid_id']);
      expect(problem(await union({ include: ['r111', decodeURIComponent(form)] }))).toEqual([400, 'invalid_id']);
    },
  );
});

describe('one operation, two routes', () => {
  it('HTTP and RPC answer the same body', async () => {
    const pairs: [string, string, object][] = [
      ['/search?q=commune%2011&limit=3', 'search_boundaries', { q: 'commune 11', limit: 3 }],
      [
        '/search?q=Claimed&near=30.5,-23.5&kind=municipality',
        'search_boundaries',
        { q: 'Claimed', near: '30.5,-23.5', kind: 'municipality' },
      ],
      ['/r100/children?admin_level=8', 'list_children', { id: 'r100', admin_level: 8 }],
      ['/reverse?lat=30.4&lon=-29.6', 'reverse_boundaries', { lat: 30.4, lon: -29.6 }],
      ['/r100?detail=high', 'get_boundary', { id: 'r100', detail: 'high' }],
      ['/r999999', 'get_boundary', { id: 'r999999' }],
      ['/reverse?lat=99&lon=0', 'reverse_boundaries', { lat: 99, lon: 0 }],
    ];
    const same = ({ request_id: _, ...body }: Body & { request_id?: string }) => body;
    for (const [path, op, input] of pairs) {
      const [http, rpc] = [await server.get(`/v1/boundaries${path}`, key), await server.rpc(op, input, key)];
      expect([rpc.status, same(rpc.json)], path).toEqual([http.status, same(http.json)]);
      const asked = await server.get(`/v1/ops/${op}?input=${encodeURIComponent(JSON.stringify(input))}`, key);
      expect(same(asked.json)).toEqual(same(http.json));
    }
    const input = { include: ['r111', 'r112'], exclude: ['w500'], detail: 'high' };
    expect((await server.rpc('union_boundaries', input, key)).json).toEqual((await union(input)).json);
    expect(problem(await server.get('/v1/boundaries/union', key))).toEqual([405, 'method_not_allowed']);
  });
});

describe('units and the order of refusals', () => {
  it('every operation charges what it says', async () => {
    const { key: mine } = await server.key('free');
    await server.get('/v1/boundaries/search?q=commune', mine);
    await server.get('/v1/boundaries/r100/children', mine);
    await server.get('/v1/boundaries/r100?detail=low', mine);
    await server.get('/v1/boundaries/r100?tolerance_m=256', mine);
    await server.get('/v1/boundaries/reverse?lat=30.5&lon=-29.5', mine);
    await server.get('/v1/boundaries/r100/export', mine);
    await union({ include: ['r111', 'r112', 'r113'], exclude: ['w500'] }, mine);
    const { json } = await server.get('/v1/usage', mine);
    expect([json.used, json.limit]).toEqual([7, 1000]);
    const units = Object.fromEntries(json.by_op.map(({ op, calls, units }) => [op, [calls, units]]));
    expect(units).toEqual({
      get_boundary: [1, 1],
      reverse_boundaries: [1, 1],
      export_boundary: [1, 1],
      union_boundaries: [1, 4],
    });
  });

  it('402 comes before any work, and free calls go on', async () => {
    const { key: mine, org } = await server.key('free');
    await server.spend(org, 1);
    const strategies = { ...server.engine.strategies };
    const two = await union({ include: ['r131', 'r132'], detail: 'high' }, mine);
    expect([two.status, two.json.code, two.json.used, two.json.limit]).toEqual([402, 'quota_exceeded', 999, 1000]);
    expect((await server.get('/v1/boundaries/r133?detail=high', mine)).status).toBe(200);
    const { misses } = server.services.cache.tiers.documents;
    for (const reply of [
      await server.get('/v1/boundaries/r133?detail=full', mine),
      await server.get('/v1/boundaries/r133/export?format=gml', mine),
      await server.get('/v1/boundaries/reverse?lat=30&lon=-29', mine),
      await union({ include: ['r133'] }, mine),
    ]) {
      expect(problem(reply)).toEqual([402, 'quota_exceeded']);
    }
    expect([server.engine.strategies, server.services.cache.tiers.documents.misses]).toEqual([strategies, misses]);
    for (const path of ['search?q=commune', 'r100/children', 'r100', 'r100?detail=low']) {
      const reply = await server.get(`/v1/boundaries/${path}`, path === 'r100' ? undefined : mine);
      expect(reply.status, path).toBe(200);
    }
  });

  it('invalid_input before invalid_id before not_found before no_geometry before the quota', async () => {
    const { key: mine, org } = await server.key('free');
    await server.spend(org, 0);
    const cases: [object, string][] = [
      [{ include: ['x1', 'r999999', 'r300'], detail: 'huge' }, 'invalid_input'],
      [{ include: ['x1', 'r999999', 'r300'] }, 'invalid_id'],
      [{ include: ['r999999', 'r300', 'r111'] }, 'not_found'],
      [{ include: ['r300', 'r111'] }, 'no_geometry'],
      [{ include: ['r111'] }, 'quota_exceeded'],
    ];
    for (const [input, code] of cases) expect((await union(input, mine)).json.code).toBe(code);
    const get: [string, string][] = [
      ['x1?detail=full&tolerance_m=2', 'invalid_input'],
      ['r999999?tolerance_m=2&detail=full', 'invalid_input'],
      ['x1?detail=full', 'invalid_id'],
      ['r999999?detail=full', 'not_found'],
      ['r300?detail=full', 'no_geometry'],
      ['r111?detail=full', 'quota_exceeded'],
      ['x1?tolerance_m=3', 'invalid_input'],
      ['x1/export?tolerance_m=3', 'invalid_input'],
      ['r999999/export?tolerance_m=2&detail=low', 'invalid_input'],
      ['x1/export', 'invalid_id'],
      ['r999999/export', 'not_found'],
      ['r111/export', 'quota_exceeded'],
    ];
    for (const [path, code] of get)
      expect((await server.get(`/v1/boundaries/${path}`, mine)).json.code, path).toBe(code);
  });
});

describe('what an import changes', () => {
  const store = (boundaries: Parameters<typeof storeBoundaries>[1]['boundaries'], grid: Grid) =>
    storeBoundaries(
      { db: server.services.db, engine: server.engine },
      { source: FIXTURE_SOURCE, file: 'next', boundaries, ways: grid.ways },
    );

  it('a newer version replaces the older, an older one changes nothing', async () => {
    const square = (east: number) => ringsOf(rectangle(-10, 0, east, 1));
    const none = new Grid();
    await store([fixtureBoundary('r800', 'Growing', square(-9), { version: '2' })], none);
    const before = await server.get('/v1/boundaries/r800');
    await store([fixtureBoundary('r800', 'Grown', square(-8.8), { version: '3' })], none);
    const after = await server.get('/v1/boundaries/r800');
    expect([before.json.properties.version, after.json.properties.version]).toEqual([1, 2]);
    expect(after.json.properties).toMatchObject({ name: 'Grown', stale: null });
    expect((after.json.properties.area_km2 as number) / (before.json.properties.area_km2 as number)).toBeCloseTo(
      1.2,
      3,
    );
    expect(after.headers.etag).not.toBe(before.headers.etag);
    const late = await store([fixtureBoundary('r800', 'Late', square(-5), { version: '1' })], none);
    expect([late.older, late.replaced]).toEqual([1, 0]);
    expect((await server.get('/v1/boundaries/r800')).text).toBe(after.text);
    expect(ids(await server.get('/v1/boundaries/search?q=Growing'))).toEqual([]);
    expect(ids(await server.get('/v1/boundaries/reverse?lat=0.5&lon=-8.9', key))).toEqual(['r800']);
  });

  it('a version that does not close leaves the last good shape, which says that it is stale', async () => {
    const whole = new Grid();
    await store([fixtureBoundary('r810', 'Fragile', { ways: [whole.put(810, rectangle(-5, 0, -4, 1))] })], whole);
    const before = await server.get('/v1/boundaries/r810');
    const torn = new Grid();
    torn.put(810, rectangle(-5, 0, -4, 1).slice(0, 4), 2);
    const summary = await store([fixtureBoundary('r810', 'Fragile', { ways: [810] }, { version: '2' })], torn);
    expect(summary.broken.map(({ id }) => id)).toEqual(['r810']);
    const after = await server.get('/v1/boundaries/r810');
    expect(after.status).toBe(200);
    expect(after.json.geometry).toEqual(before.json.geometry);
    const stale = after.json.properties.stale as { reason: string; lat: number; since: string };
    expect(stale.reason).toMatch(/\S/);
    expect(stale.since).toMatch(/^\d{4}-.*Z$/);
    expect(stale.lat).toBeTypeOf('number');
    expect(before.json.properties.stale).toBeNull();
    expect((await union({ include: ['r810'] })).status).toBe(200);
    const repaired = new Grid();
    repaired.put(810, rectangle(-5, 0, -3.8, 1), 3);
    await store([fixtureBoundary('r810', 'Fragile', { ways: [810] }, { version: '3' })], repaired);
    const again = await server.get('/v1/boundaries/r810');
    expect(again.json.properties.stale).toBeNull();
    expect(again.json.bbox).toEqual([-5, 0, -3.8, 1]);
  });
});

describe.skipIf(!dataDir)('Liechtenstein', () => {
  beforeAll(async () => {
    const file = join(dataDir as string, 'osm/liechtenstein-2024.boundaries.osm.pbf');
    await importFile({ db: server.services.db, engine: server.engine }, file, null);
  });

  it('is found in several languages, with its communes', async () => {
    for (const q of [
      'Liechtenstein',
      'Fürstentum Liechtenstein',
      'Лихтенштейн',
      'リヒテンシュタイン',
      'iso:LI',
      'LI',
    ]) {
      expect(ids(await server.get(`/v1/boundaries/search?q=${encodeURIComponent(q)}&kind=country`))[0], q).toBe(
        'r1155955',
      );
    }
    expect(ids(await server.get('/v1/boundaries/iso:LI/children'))).toHaveLength(2);
    expect(ids(await server.get('/v1/boundaries/iso:LI/children?admin_level=8'))).toHaveLength(11);
  });

  it('the union of its communes is its border, at the same price as their number', async () => {
    const mine = (await server.key()).key;
    const include = ids(await server.get('/v1/boundaries/wikidata:Q347/children?admin_level=8'));
    const { json } = await union({ include, detail: 'full' }, mine);
    const country = await server.get('/v1/boundaries/relation/1155955?detail=full', key);
    expect(canonicalRings(json.geometry)).toEqual(canonicalRings(country.json.geometry));
    expect(json.properties.area_km2).toBeCloseTo(country.json.properties.area_km2 as number, 9);
    expect(json.properties.attribution).toMatch(/OpenStreetMap/);
    expect(await server.used(mine)).toBe(11);
  });

  it('Vaduz lies in its commune, its region and its country', async () => {
    const { json } = await server.get('/v1/boundaries/reverse?lat=47.1393&lon=9.5228', key);
    expect(json.items.map(({ name }) => name)).toEqual(['Liechtenstein', 'Oberland', 'Vaduz']);
    expect(json.items.map(({ country }) => country)).toEqual(['LI', 'LI', 'LI']);
    expect(json.coverage.postal_code).toBe('not_mapped');
  });

  it('postcode areas that the extract cuts are listed but have no polygon', async () => {
    const { count } = only(
      await server.services.db.query<{ count: number }>(
        `select count(*)::integer as count from boundary where type = 'postal_code' and not has_geometry and source = 'osm'`,
      ),
    );
    expect(count).toBe(3);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CoverageOptions } from '../../src/sources/coverage/options.ts';
import { importFile } from '../../src/sources/import.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from './boundary_test_server.ts';

let server: BoundaryTestServer;
let key: string;
const folder = mkdtempSync(join(tmpdir(), 'codes-are-ids-'));

const box = (x: number, y: number) => [[x, y], [x + 0.1, y], [x + 0.1, y + 0.1], [x, y + 0.1], [x, y]]; // biome-ignore format: a ring
const area = (x: number, y: number, properties: object) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: [box(x, y)] },
});
const load = (name: string, features: object[], options: Partial<CoverageOptions>) => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features }));
  return importFile(server.services, path, {
    ...{ source: 'test', license: 'test', attribution: 'test', adminLevel: 8 },
    ...options,
  });
};

/** A square relation of OpenStreetMap with tags. */
const relation = (id: number, x: number, y: number, tags: Record<string, string>): string => {
  const nodes = box(x, y).slice(0, 4);
  const all = { type: 'boundary', boundary: 'administrative', admin_level: '6', name: `Area ${id}`, ...tags };
  return `${nodes.map(([lon, lat], i) => `<node id="${id}${i}" version="1" lat="${lat}" lon="${lon}"/>`).join('')}
    <way id="${id}" version="1">${[0, 1, 2, 3, 0].map((i) => `<nd ref="${id}${i}"/>`).join('')}</way>
    <relation id="${id}" version="1"><member type="way" ref="${id}" role="outer"/>
    ${Object.entries(all)
      .map(([k, v]) => `<tag k="${k}" v="${v}"/>`)
      .join('')}</relation>`;
};

beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key());
  const map = { id: 'code', name: 'nom', 'code:insee': 'insee', 'code:gers': 'gers' };
  const communes = [
    area(2, 48, { code: 'F1', nom: 'Montreuil', insee: '93048', gers: '08b2A1' }),
    area(3, 48, { code: 'F2', nom: 'Vincennes', insee: '94080', gers: '08b2a2' }),
  ];
  await load('communes.geojson', communes, { source: 'communes', map });
  // A second source has one of these codes, and one code for two of its areas.
  const cantons = [
    area(3.5, 48, { id: 'A', nom: 'Vincennes-Ville', insee: '94080' }),
    area(4, 48, { id: 'B', nom: 'Nord', insee: '00001' }),
    area(4.5, 48, { id: 'C', nom: 'Sud', insee: '00001' }),
  ];
  await load('cantons.geojson', cantons, { source: 'cantons', adminLevel: 9, map: { id: 'id', name: 'nom', 'code:insee': 'insee' } }); // biome-ignore format: options
  const osm = join(folder, 'map.osm');
  const tags = { 'nist:fips_code': '48201', 'ref:nuts:3': 'DE212', 'de:amtlicher_gemeindeschluessel': '09162000' };
  writeFileSync(osm, `<osm version="0.6">${relation(71, 11, 48, tags)}</osm>`);
  await importFile(server.services, osm, null);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server?.close();
});

const get = (id: string, path = '') => server.get(`/v1/boundaries/${encodeURIComponent(id)}${path}`, key);
const nameOf = async (id: string): Promise<unknown> => {
  const { status, json } = await get(id);
  return status === 200 ? (json.properties as { name: string }).name : [status, json.code];
};

describe('a code with its scheme', () => {
  it.each([
    ['insee:93048', 'Montreuil'],
    ['INSEE:93048', 'Montreuil'],
    ['gers:08b2a1', 'Montreuil'],
    ['gers:08B2A2', 'Vincennes'],
    ['communes:F1', 'Montreuil'],
    ['fips:48201', 'Area 71'],
    ['nuts:DE212', 'Area 71'],
    ['nuts:de212', 'Area 71'],
    ['ags:09162000', 'Area 71'],
  ])('%s is an id', async (id, name) => {
    expect(await nameOf(id)).toBe(name);
  });

  it('is taken by every operation that takes an id, and gives what the id gives', async () => {
    const { json } = await get('fips:48201');
    expect(json.id).toBe('r71');
    const ask = (path: string, body: object) => server.ask('POST', path, { json: body, key });
    const union = await ask('/v1/boundaries/union', { include: ['fips:48201', 'insee:93048'], detail: 'low' });
    expect([union.status, union.json.properties]).toEqual([
      200,
      expect.objectContaining({ include: ['r71', (await get('insee:93048')).json.id] }),
    ]);
    expect((await get('fips:48201', '/children')).json).toEqual((await get('r71', '/children')).json);
    expect((await get('fips:48201', '/export?format=wkt')).text).toBe((await get('r71', '/export?format=wkt')).text);
    const saved = await ask('/v1/files', { boundary_id: 'gers:08b2a1', format: 'wkt', detail: 'low' });
    expect(saved.status).toBe(201);
  });

  it('is listed by get_boundary with its scheme, as the source writes it', async () => {
    expect((await get('r71')).json.properties).toMatchObject({
      codes: [
        { scheme: 'ags', code: '09162000' },
        { scheme: 'fips', code: '48201' },
        { scheme: 'nuts', code: 'DE212' },
      ],
    });
    expect((await get('insee:93048')).json.properties).toMatchObject({
      codes: [
        { scheme: 'insee', code: '93048' },
        { scheme: 'gers', code: '08b2A1' },
        { scheme: 'communes', code: 'F1' },
      ],
    });
  });

  it.each([
    ['nuts:DE212', ['Area 71']],
    ['DE212', ['Area 71']],
    ['insee:93048', ['Montreuil']],
    ['93048', ['Montreuil']],
    ['insee:00001', ['Nord', 'Sud']],
    ['insee:99999', []],
  ])('%s is found by a search', async (q, names) => {
    const { json } = await server.get(`/v1/boundaries/search?q=${encodeURIComponent(q)}`);
    const items = json.items as unknown as { name: string; match: string }[];
    expect(items.map(({ name }) => name).toSorted()).toEqual(names);
    for (const { match } of items) expect(match).toBe('exact');
  });

  it('of two boundaries of one source is an error that names both', async () => {
    const { status, json } = await get('insee:00001');
    expect([status, json.code]).toEqual([400, 'invalid_id']);
    expect(json.detail).toMatch(/^"insee:00001" is the code of several boundaries: r\d+ Nord, r\d+ Sud\. Use the id/);
    expect((json as unknown as { candidates: { name: string }[] }).candidates.map(({ name }) => name)).toEqual([
      'Nord',
      'Sud',
    ]);
  });

  it('of boundaries of two sources is one of them, and the other one is named', async () => {
    const { json } = await get('insee:94080');
    expect(json.properties).toMatchObject({
      name: 'Vincennes',
      source: 'communes',
      also: [expect.stringMatching(/^r\d/)],
    });
  });

  it.each([
    ['insee:99999', 404, 'not_found', 'No boundary insee:99999.'],
    ['nowhere:1', 400, 'invalid_id', '"nowhere:1" is not a boundary id; use r62422'],
    ['wikidata:64', 400, 'invalid_id', 'is not a boundary id'],
    ['iso:DEUTSCHLAND', 400, 'invalid_id', 'is not a boundary id'],
    ['r:5', 400, 'invalid_id', 'is not a boundary id'],
    ['https://example.com/relation/5', 400, 'invalid_id', 'is not a boundary id'],
    ['insee:', 400, 'invalid_id', 'is not a boundary id'],
    ['insee:9 3', 400, 'invalid_id', 'is not a boundary id'],
  ])('%s is refused with %d %s', async (id, status, code, detail) => {
    const found = await get(id);
    expect([found.status, found.json.code]).toEqual([status, code]);
    expect(found.json.detail).toContain(detail);
  });
});

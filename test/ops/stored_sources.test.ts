import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app/app.ts';
import { runCommand } from '../../src/cli/operator/index.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import type { CoverageOptions } from '../../src/sources/coverage/options.ts';
import { importFile } from '../../src/sources/import.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from './boundary_test_server.ts';

let server: BoundaryTestServer;
const folder = mkdtempSync(join(tmpdir(), 'stored-sources-'));
beforeAll(async () => {
  server = await openBoundaryTestServer();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server?.close();
});

const box = (x: number, y: number, size: number) => [[x, y], [x + size, y], [x + size, y + size], [x, y + size], [x, y]]; // biome-ignore format: a ring
const fileOf = (name: string, text: unknown): string => {
  writeFileSync(join(folder, name), typeof text === 'string' ? text : JSON.stringify(text));
  return join(folder, name);
};
const area = (code: string, nom: string, ring: number[][], more: object = {}) => ({
  type: 'Feature',
  properties: { code, nom, ...more },
  geometry: { type: 'Polygon', coordinates: [ring] },
});
const collection = (features: object[], more: object = {}) => ({ type: 'FeatureCollection', ...more, features });
const load = (file: string, source: string, more: Partial<CoverageOptions> = {}) =>
  importFile(server.services, file, {
    ...{ source, license: 'test', attribution: 'test', map: { id: 'code', name: 'nom' }, adminLevel: 8 },
    ...more,
  });

type Status = { sources: { id: string; reference_system: string | null; accuracy_m: number | null }[] };
const systems = async () => {
  const { json } = await server.ask('GET', '/v1/data-status');
  const { sources } = json as unknown as Status;
  return Object.fromEntries(sources.map((one) => [one.id, [one.reference_system, one.accuracy_m]]));
};

describe('the reference system of a source', () => {
  it('is that of its file, with the accuracy of the transformation', async () => {
    const lambert = { crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::2154' } } };
    const plane = collection([area('1', 'Plain', box(700_000, 6_600_000, 1000))], lambert);
    await load(fileOf('lambert.geojson', plane), 'lambert');
    await load(fileOf('degrees.geojson', collection([area('1', 'Degrees', box(3, 47, 0.1))])), 'degrees');
    const ring = box(4, 47, 0.1).map((place) => place.join(' ')).join(', '); // biome-ignore format: a ring
    await load(fileOf('silent.csv', `code,nom,wkt\n1,Silent,"POLYGON((${ring}))"\n`), 'silent');
    const nad27 = { crs: 'EPSG:4267' };
    await load(fileOf('old.geojson', collection([area('1', 'Old', box(-100, 40, 0.1))])), 'old', nad27);
    expect(await systems()).toEqual({
      lambert: ['EPSG:2154', 1],
      degrees: ['EPSG:4326', 0],
      silent: [null, null],
      old: ['EPSG:4267', expect.toSatisfy((meters) => meters > 1 && meters < 100)],
    });
  });

  it('changes when a file in another one is imported', async () => {
    await load(fileOf('lambert.geojson', collection([area('1', 'Plain', box(3, 46.5, 0.1))])), 'lambert');
    expect((await systems()).lambert).toEqual(['EPSG:4326', 0]);
  });
});

describe('the edition of a source', () => {
  const editionOf = async (id: string) => {
    const { json } = await server.ask('GET', '/v1/data-status');
    const { sources } = json as unknown as { sources: { id: string; edition: string | null }[] };
    return sources.find((one) => one.id === id)?.edition;
  };
  it('is that of the import, until a file without one is imported', async () => {
    const file = fileOf('dated.geojson', collection([area('1', 'Dated', box(5, 47, 0.1))]));
    await load(file, 'dated', { edition: '1 January 2024' });
    expect(await editionOf('dated')).toBe('1 January 2024');
    await load(file, 'dated', { edition: '2025' });
    expect(await editionOf('dated')).toBe('2025');
    await load(file, 'dated');
    expect(await editionOf('dated')).toBeNull();
  });
});

describe('two sources of one country', () => {
  const run = (name: string, input: object) => runCommand({ services: server.services } as App, name, input, () => {});
  const mapped = { map: { id: 'code', name: 'nom', iso: 'iso', 'code:fips': 'fips' }, country: 'FJ', adminLevel: 4 };
  const places = (code: string, shift: number) =>
    collection([
      area(`${code}1`, 'Northland', box(177 + shift, -17, 0.4), { iso: 'FJ-N', fips: '01' }),
      area(`${code}2`, 'Southland', box(177 + shift, -17.4, 0.4), { iso: 'FJ-C', fips: '02' }),
    ]);
  const sourceOf = async (id: string) => {
    const { json } = await server.get(`/v1/boundaries/${id}`);
    return (json.properties as { source: string }).source;
  };
  const searched = async (q: string, limit = 10) => {
    const { json } = await server.get(`/v1/boundaries/search?q=${encodeURIComponent(q)}&limit=${limit}`);
    return (json.items as unknown as { source: string }[]).map(({ source }) => source);
  };
  beforeAll(async () => {
    await load(fileOf('first.geojson', places('a', 0)), 'first', mapped);
    await load(fileOf('second.geojson', places('b', 0.01)), 'second', mapped);
  });

  it('live beside each other: without an order the lower id answers', async () => {
    expect(await Promise.all([sourceOf('iso:FJ-N'), sourceOf('fips:01')])).toEqual(['first', 'first']);
    expect(await searched('Northland')).toEqual(['first']);
  });

  it.each([
    [['second', 'first'], 'second'],
    [['first', 'second'], 'first'],
    [['second'], 'second'],
    [['lambert', 'second'], 'second'],
    [[], 'first'],
  ])('in the order %j, %s answers an ISO code, another code and a search, in any process', async (sources, first) => {
    const stored = (await run('sources_prefer', { sources })) as { id: string; position: number | null }[];
    expect(stored.filter(({ position }) => position !== null).map(({ id }) => id)).toEqual(sources);
    expect(await Promise.all([sourceOf('iso:FJ-N'), sourceOf('iso:FJ-C'), sourceOf('fips:02')])).toEqual([first, first, first]); // biome-ignore format: one line
    expect(await Promise.all([searched('Northland'), searched('Northland', 1), searched('southland')])).toEqual([
      [first],
      [first],
      [first],
    ]);
    const { status, json } = await server.ask('POST', '/v1/boundaries/union', {
      json: { include: ['iso:FJ-N', 'iso:FJ-C'], detail: 'low' },
      key: (await server.key()).key,
    });
    expect(status).toBe(200);
    const of = await Promise.all((json.properties as { include: string[] }).include.map(sourceOf));
    expect(of).toEqual([first, first]);
    // A process that starts now reads the same order.
    const again = createBoundaries(server.services.db);
    expect((await again.get('iso:FJ-N')).source.id).toBe(first);
  });

  it('refuses an order of sources that are not stored, with those that are', async () => {
    const refused = run('sources_prefer', { sources: ['second', 'nowhere'] });
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_input',
      message:
        'no source nowhere is stored; the stored sources are dated, degrees, first, lambert, old, second, silent',
    });
    await expect(run('sources_remove', { source: 'nowhere' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('refuses to remove seed data, which the next start would load again', async () => {
    await server.services.db.exec("update source set seed = true where id = 'degrees'");
    const refused = run('sources_remove', { source: 'degrees' });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('SEED') });
    await server.services.db.exec("update source set seed = false where id = 'degrees'");
  });

  it('removes one with all that is stored of it, and leaves the other as it was', async () => {
    const { db } = server.services;
    await run('sources_prefer', { sources: ['second', 'first'] });
    const kept = await server.get(`/v1/boundaries/first:a1?detail=low`);
    const removedId = (await server.get('/v1/boundaries/second:b1')).json.id as string;
    expect(await run('sources_remove', { source: 'second' })).toEqual({ id: 'second', boundaries: 2, restored: 0 });
    expect(await Promise.all([sourceOf('iso:FJ-N'), sourceOf('fips:02')])).toEqual(['first', 'first']);
    expect(await searched('Northland')).toEqual(['first']);
    const after = await server.get(`/v1/boundaries/first:a1?detail=low`);
    expect([after.json.geometry, after.json.properties]).toEqual([kept.json.geometry, kept.json.properties]);
    expect((await server.get('/v1/boundaries/second:b1')).status).toBe(400);
    // The same place of the other source answers for the id.
    expect(await sourceOf(removedId)).toBe('first');
    expect(Object.keys(await systems())).not.toContain('second');
    const orphans = await db.query<{ found: number }>(`select
      (select count(*) from source where id = 'second') + (select count(*) from boundary where source = 'second') +
      (select count(*) from boundary_version where source = 'second') +
      (select count(*) from import_run where source = 'second') + (select count(*) from boundary_gone) +
      (select count(*) from arc a where not exists (select from boundary_shape s where s.arc_ids @> array[a.id])) as found`);
    expect(Number(orphans[0]!.found)).toBe(0);
  });

  it('stores a removed source again, as from the start', async () => {
    const summary = await load(fileOf('second.geojson', places('b', 0.01)), 'second', mapped);
    expect(summary).toMatchObject({ added: 2, broken: [] });
    expect(await sourceOf('second:b1')).toBe('second');
    expect(await sourceOf('iso:FJ-N')).toBe('first');
  });
});

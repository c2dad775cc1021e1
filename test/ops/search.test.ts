import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchBoundariesOp } from '../../src/ops/boundaries/search_boundaries.ts';
import type { FixtureBoundary } from '../domain/fixture_boundaries.ts';
import { openSearchHarness, type SearchHarness } from './search_harness.ts';

const WORLD: readonly FixtureBoundary[] = [
  { id: 'r1', name: 'Ulmland', kind: 'country', adminLevel: 2, countryCode: 'DE', names: { fr: 'Pays d’Ulm' } },
  { id: 'r2', name: 'Ulm', kind: 'city', adminLevel: 6, country: 'DE', parents: ['r1'], population: 126_000 },
  { id: 'r3', name: 'Ulm', kind: 'city', adminLevel: 8, country: 'US', box: [-100, 40, -99, 41] },
  { id: 'r4', name: 'Ulmen', kind: 'municipality', adminLevel: 8, country: 'DE', parents: ['r1'] },
  ...Array.from(
    { length: 45 },
    (_, i) => ({ id: `r${100 + i}`, name: 'Neustadt', kind: 'city', adminLevel: 8 }) as FixtureBoundary,
  ),
];

let server: SearchHarness;

beforeAll(async () => {
  server = await openSearchHarness(WORLD);
});
afterAll(() => server?.database.close());

const ids = async (input: object) => (await server.ask(searchBoundariesOp, input)).items.map((item) => item.id);

describe('search_boundaries', () => {
  it('answers with the fields of a boundary and no names or polygon', async () => {
    const { items } = await server.ask(searchBoundariesOp, { q: ' ulm ', country: 'de', kind: 'city' });
    expect(items).toEqual([
      {
        id: 'r2',
        match: 'exact',
        interpretation: { name: 'ulm', within: null, kind: null, ignored: null },
        name: 'Ulm',
        local_name: 'Ulm',
        kind: 'city',
        admin_level: 6,
        country: 'DE',
        countries: ['DE'],
        disputed: false,
        parents: [{ id: 'r1', name: 'Ulmland', kind: 'country', admin_level: 2 }],
        bbox: { west: 0, south: 0, east: 1, north: 1 },
        centroid: { lat: 0.5, lon: 0.5 },
        population: 126_000,
        wikidata: null,
        iso: null,
        has_geometry: true,
        source: 'made',
        version: 3,
        stale: null,
      },
    ]);
  });

  it('gives ten at most by default, forty at most when asked', async () => {
    expect(await ids({ q: 'Neustadt' })).toHaveLength(10);
    expect(await ids({ q: 'Neustadt', limit: 40 })).toHaveLength(40);
    expect(await ids({ q: 'Neustadt', limit: 1 })).toEqual(['r100']);
  });

  it('takes every filter', async () => {
    expect(await ids({ q: 'Ulm' })).toEqual(['r2', 'r3', 'r1', 'r4']);
    expect(await ids({ q: 'Ulm', country: ' us , FR' })).toEqual(['r3']);
    expect(await ids({ q: 'Ulm', admin_level: 8 })).toEqual(['r3', 'r4']);
    expect(await ids({ q: 'Ulm', near: ' 40.5, -99.5 ' })).toEqual(['r3', 'r2', 'r1', 'r4']);
    expect(await ids({ q: 'Ulm', kind: 'ward' })).toEqual([]);
  });

  it('answers an empty list when nothing is found, also for signs alone', async () => {
    expect(await ids({ q: 'Xanadu' })).toEqual([]);
    expect(await ids({ q: '%' })).toEqual([]);
    expect(await ids({ q: '…' })).toEqual([]);
  });

  it.each<[object, string]>([
    [{}, 'q'],
    [{ q: '' }, 'q'],
    [{ q: '  ' }, 'q'],
    [{ q: 'a'.repeat(201) }, 'q'],
    [{ q: 7 }, 'q'],
    [{ q: 'a\0b' }, 'q'],
    [{ q: 'Ulm', country: '' }, 'country'],
    [{ q: 'Ulm', country: 'DEU' }, 'country'],
    [{ q: 'Ulm', country: 'DE,' }, 'country'],
    [{ q: 'Ulm', country: 'DE;FR' }, 'country'],
    [{ q: 'Ulm', country: ['DE'] }, 'country'],
    [{ q: 'Ulm', kind: 'village' }, 'kind'],
    [{ q: 'Ulm', admin_level: 0 }, 'admin_level'],
    [{ q: 'Ulm', admin_level: 6.5 }, 'admin_level'],
    [{ q: 'Ulm', limit: 0 }, 'limit'],
    [{ q: 'Ulm', limit: 41 }, 'limit'],
    [{ q: 'Ulm', near: '48' }, 'near'],
    [{ q: 'Ulm', near: '48,10,1' }, 'near'],
    [{ q: 'Ulm', near: '90.01,10' }, 'near'],
    [{ q: 'Ulm', near: '48,-180.5' }, 'near'],
    [{ q: 'Ulm', near: 'NaN,10' }, 'near'],
    [{ q: 'Ulm', near: '1e1,10' }, 'near'],
    [{ q: 'Ulm', near: ',' }, 'near'],
    [{ q: 'Ulm', nearby: '48,10' }, 'nearby'],
  ])('refuses %j', async (input, path) => {
    await expect(server.ask(searchBoundariesOp, input)).rejects.toMatchObject({
      code: 'invalid_input',
      extra: { issues: [{ path }] },
    });
  });

  it('names every problem at once', async () => {
    await expect(server.ask(searchBoundariesOp, { q: '', limit: 99, kind: 'x' })).rejects.toMatchObject({
      extra: { issues: [{ path: 'q' }, { path: 'kind' }, { path: 'limit' }] },
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { loadQuery } from '../../src/db/query.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { listSubdivisions, idsOf as piecesOf, requireSubdivided } from '../../src/domain/boundaries/children.ts';
import type { Boundaries } from '../../src/domain/boundaries/reads.ts';
import { LOCAL_NAMES } from '../../src/domain/names/languages.ts';
import { boundarySchema } from '../../src/ops/boundaries/schema.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { leading } from '../setup/elements.ts';
import { watchedQuery } from '../setup/watched.ts';
import { type FixtureBoundary, insertFixtures } from './fixture_boundaries.ts';

const stale = { reason: 'open_ring', lat: 49.5, lon: 6.1, since: '2026-01-02T03:04:05.000Z' };

const WORLD: readonly FixtureBoundary[] = [
  {
    id: 'r1',
    name: 'Aland',
    names: { de: 'Ahland' },
    kind: 'country',
    adminLevel: 2,
    countryCode: 'AA',
    iso: 'AA',
    wikidata: 'Q1',
    population: 5_000_000_000,
    box: [5.7357, 49.4479, 6.5309, 50.1827],
    areaKm2: 2586.4,
  },
  { id: 'r2', name: 'Zwei', kind: 'county', adminLevel: 6, country: 'AA', parents: ['r1'], box: [6, 49, 6.2, 49.2] },
  { id: 'r10', name: 'Älva', kind: 'county', adminLevel: 6, country: 'AA', parents: ['r1'], iso: 'AA-X' },
  { id: 'r9', name: 'Alva', kind: 'county', adminLevel: 6, country: 'AA', parents: ['r1'], box: null, stale },
  { id: 'r11', name: 'Alva', kind: 'county', adminLevel: 6, country: 'AA', parents: ['r1'] },
  { id: 'r30', name: 'Dorf', kind: 'municipality', adminLevel: 8, country: 'AA', parents: ['r1', 'r2'] },
  { id: 'w31', name: 'Dorf', kind: 'municipality', adminLevel: 8, country: 'AA', parents: ['r1', 'r2'] },
  { id: 'r40', name: 'Ecke', kind: 'neighbourhood', adminLevel: 10, country: 'AA', parents: ['r1', 'r2', 'r30'] },
  { id: 'r50', name: '4001', kind: 'postal_code', type: 'postal_code', country: 'AA', parents: ['r1', 'r2'] },
  // One wikidata id on many; the order of precedence is the other way round than the ids.
  { id: 'r99', name: 'Tie', kind: 'postal_code', type: 'postal_code', wikidata: 'Q7' },
  { id: 'r98', name: 'Tie', kind: 'city', adminLevel: 4, wikidata: 'Q7', box: null },
  { id: 'r97', name: 'Tie', kind: 'city', adminLevel: 8, wikidata: 'Q7' },
  { id: 'r120', name: 'Tie', kind: 'city', adminLevel: 6, wikidata: 'Q7' },
  { id: 'w5', name: 'Tie', kind: 'city', adminLevel: 6, wikidata: 'Q7' },
  { id: 'r96', name: 'Tie', kind: 'city', wikidata: 'Q7' },
  { id: 'r119', name: 'Tie', kind: 'city', adminLevel: 6, wikidata: 'Q7' },
  // A territory with two codes.
  { id: 'r60', name: 'Isle', kind: 'country', adminLevel: 4, countryCode: 'IL', iso: 'AA-IL', parents: ['r1'] },
  { id: 'r70', name: 'Bare', kind: 'region', countries: ['AA', 'BB'], country: 'AA' },
  { id: 'r71', name: 'Part', kind: 'district', parents: ['r70'] },
];

let test: TestDatabase;
let boundaries: Boundaries;

beforeAll(async () => {
  test = await testDatabase();
  await insertFixtures(test.db, WORLD);
  await test.db.query("insert into boundary_alias values ('r9000000000000', 'r2'), ('r1', 'r2')");
  boundaries = createBoundaries(test.db);
});
afterAll(() => test?.close());

describe('resolve', () => {
  it('gives the boundary and what geometry needs', async () => {
    const [found] = await boundaries.resolve(['https://www.openstreetmap.org/relation/1#map=1/2/3']);
    expect(found).toEqual({
      id: 'r1',
      name: 'Aland',
      admin_level: 2,
      type: 'administrative',
      has_geometry: true,
      broken: null,
      ring_hash: 'abcd',
      inherited: null,
      code_ids: null,
      source_position: null,
      imported_at: '2026-01-02T03:04:05.000Z',
      meta_hash: '0304',
      west: 57357000,
      south: 494479000,
      east: 65309000,
      north: 501827000,
      area_km2: 2586.4,
      source: {
        id: 'made',
        name: 'Made world',
        url: 'https://example.org/',
        license: 'CC0-1.0',
        attribution: 'the tests',
        seed: false,
      },
      population_source: null,
      also: [],
      boundary: {
        id: 'r1',
        name: 'Aland',
        kind: 'country',
        admin_level: 2,
        country: 'AA',
        countries: ['AA'],
        disputed: false,
        parents: [],
        bbox: { west: 5.7357, south: 49.4479, east: 6.5309, north: 50.1827 },
        centroid: { lat: 49.8153, lon: 6.1333 },
        population: 5_000_000_000,
        wikidata: 'Q1',
        iso: 'AA',
        has_geometry: true,
        source: 'made',
        version: 3,
        stale: null,
      },
    });
  });

  it('keeps order and repetitions over all forms', async () => {
    const asked = ['w31', 'iso:aa', 'r30', 'wikidata:q1', '-1', 'W31', 'relation/40', 'way/31'];
    const found = await boundaries.resolve(asked);
    expect(found.map((one) => one.id)).toEqual(['w31', 'r1', 'r30', 'r1', 'r1', 'w31', 'r40', 'w31']);
  });

  it('asks the database once, however many ids, and never for what it has asked for before', async () => {
    let statements = 0;
    const counting = createBoundaries({
      ...test.db,
      query: watchedQuery(test.db, (sql) => {
        if (sql !== loadQuery('data_revision')) statements++;
      }),
    });
    const all = ['r40', 'r30', 'w31', 'iso:AA-X', 'wikidata:Q7', 'r50'];
    const first = await counting.resolve(all);
    expect(statements).toBe(1);
    expect(await counting.resolve(all.toReversed())).toEqual(first.toReversed());
    expect(await counting.byIds(['r40', 'w31'])).toHaveLength(2);
    expect(await counting.shapes(['r40', 'w31'])).toHaveLength(2);
    expect(statements).toBe(1);
  });

  it('reads the shapes of many ids in pieces, so that others have turns, and names all that are unknown', async () => {
    const read: number[] = [];
    const counting = createBoundaries({
      ...test.db,
      query: watchedQuery(test.db, (sql, values) => {
        if (sql === loadQuery('boundary_shapes')) read.push((values[0] as string[]).length);
      }),
    });
    const unknown = Array.from({ length: 4_000 }, (_, i) => `r7${i}`);
    const ids = ['relation/40', ...unknown, 'w31', 'iso:aa'];
    await expect(counting.shapes(ids)).rejects.toMatchObject({ code: 'not_found' });
    expect(read).toEqual([2_000, 2_000, 2]);
    const known = Array.from({ length: 4_001 }, (_, i) => ['relation/40', 'w31', 'iso:aa'][i % 3] ?? '');
    const found = (await counting.shapes(known)).map(({ id }) => id);
    expect(found).toEqual(known.map((_, i) => ['r40', 'w31', 'r1'][i % 3]));
    expect(read).toHaveLength(3);
  });

  it('names every unknown id once, in one canonical form', async () => {
    const asked = ['r1', 'r404', 'R404', 'way/405', 'wikidata:q406', 'iso:zz-9', 'r2'];
    await expect(boundaries.resolve(asked)).rejects.toMatchObject({
      code: 'not_found',
      message: 'No boundary r404, w405, wikidata:Q406, iso:ZZ-9.',
    });
  });

  it('says invalid_id before not_found', async () => {
    await expect(boundaries.resolve(['r404', 'nonsense'])).rejects.toMatchObject({ code: 'invalid_id' });
  });

  it('follows an alias, but never past a boundary that has the id itself', async () => {
    const found = await boundaries.resolve(['r9000000000000', 'r1']);
    expect(found.map((one) => one.id)).toEqual(['r2', 'r1']);
  });

  it('settles ties: administrative, geometry, lowest level, lowest number; relations before ways', async () => {
    const { id, also } = await boundaries.get('wikidata:Q7');
    expect([id, ...also]).toEqual(['r119', 'r120', 'w5', 'r97', 'r96', 'r98', 'r99']);
  });

  it('finds ISO 3166-1 and 3166-2 codes of the same territory', async () => {
    expect((await boundaries.get('iso:IL')).id).toBe('r60');
    expect((await boundaries.get('iso:aa-il')).id).toBe('r60');
  });

  it('shapes() names the same boundaries, with one statement where all are ids of OpenStreetMap', async () => {
    const asked = ['w31', 'iso:aa', 'r30', 'wikidata:q7', '-1', 'r9000000000000', 'r9', 'relation/40', 'way/31'];
    const resolved = await boundaries.resolve(asked);
    const { id, name, admin_level, has_geometry, broken, ring_hash, source } = defined(resolved[2]);
    expect(await boundaries.shapes(['r30'])).toEqual([
      { id, name, admin_level, has_geometry, broken, ring_hash, source },
    ]);
    expect(await boundaries.shapes(asked)).toMatchObject(
      resolved.map((one) => ({ id: one.id, ring_hash: one.ring_hash, broken: one.broken, source: one.source })),
    );
    let statements = 0;
    const counting = createBoundaries({
      ...test.db,
      query: watchedQuery(test.db, (sql) => {
        if (sql !== loadQuery('data_revision')) statements++;
      }),
    });
    await counting.shapes(['r40', 'r30', 'w31', 'r30']);
    expect(statements).toBe(1);
    await expect(boundaries.shapes(['r1', 'r404', 'iso:zz-9'])).rejects.toMatchObject({
      code: 'not_found',
      message: 'No boundary r404, iso:ZZ-9.',
    });
    await expect(boundaries.shapes(['r404', 'nonsense'])).rejects.toMatchObject({ code: 'invalid_id' });
    expect(await boundaries.shapes([])).toEqual([]);
  });

  it('gives nothing for nothing', async () => {
    expect(await boundaries.resolve([])).toEqual([]);
    expect(await boundaries.byIds([])).toEqual([]);
  });

  it('shows a broken boundary as such, parents outermost first', async () => {
    const [broken, leaf] = leading(await boundaries.resolve(['r9', 'r40']), 2);
    expect(broken).toMatchObject({ has_geometry: false, broken: { reason: 'open_ring', lat: 49.5, lon: null } });
    expect(broken.boundary).toMatchObject({ bbox: null, centroid: null, has_geometry: false, stale });
    expect(leaf.boundary.parents).toEqual([
      { id: 'r1', name: 'Aland', kind: 'country', admin_level: 2 },
      { id: 'r2', name: 'Zwei', kind: 'county', admin_level: 6 },
      { id: 'r30', name: 'Dorf', kind: 'municipality', admin_level: 8 },
    ]);
  });

  it('answers what the schemas of the operations declare', async () => {
    const all = (await boundaries.byIds(WORLD.map((made) => made.id))).map(({ boundary }) => boundary);
    for (const shown of await boundaries.show(all, LOCAL_NAMES)) {
      expect(boundarySchema.strict().parse(shown)).toEqual(shown);
      expect(shown).not.toHaveProperty('names');
    }
    for (const shown of await boundaries.show(all, { prefer: ['de'], names: 'all' })) {
      expect(boundarySchema.strict().parse(shown)).toEqual(shown);
    }
  });

  it('names a boundary and its parents as the caller wants it, with one statement, and none for local names', async () => {
    let statements = 0;
    const counting = createBoundaries({
      ...test.db,
      query: watchedQuery(test.db, (sql) => {
        if (sql !== loadQuery('data_revision')) statements++;
      }),
    });
    const list = (await boundaries.byIds(['r1', 'r2'])).map(({ boundary }) => boundary);
    const [own, child] = leading(await counting.show(list, { prefer: ['de-ch', 'fr'], names: null }), 2);
    expect([own.name, own.local_name, child.name, child.local_name]).toEqual(['Ahland', 'Aland', 'Zwei', 'Zwei']);
    expect(child.parents.map(({ name }) => name)).toEqual(['Ahland']);
    expect(statements).toBe(1);
    expect((await counting.show(list, LOCAL_NAMES)).map(({ name }) => name)).toEqual(['Aland', 'Zwei']);
    expect(statements).toBe(1);
    const named = async (names: 'all' | string[]) =>
      (await counting.show(list, { prefer: [], names })).map((one) => one.names);
    expect(await named('all')).toEqual([{ de: 'Ahland' }, {}]);
    expect(await named(['de'])).toEqual([{ de: 'Ahland' }, {}]);
    expect(await named(['fr'])).toEqual([{}, {}]);
  });

  it('byIds keeps the order and leaves out the unknown and aliases', async () => {
    const found = await boundaries.byIds(['w31', 'r404', 'r9000000000000', 'r2', 'w31']);
    expect(found.map((one) => one.id)).toEqual(['w31', 'r2', 'w31']);
  });
});

describe('children', () => {
  const children = async (id: string, adminLevel?: number): Promise<string[]> => {
    const parent = await boundaries.get(id);
    requireSubdivided(parent, { adminLevel });
    return piecesOf(await listSubdivisions(test.db, parent, { adminLevel }), 0, 1000);
  };
  const idsOf = children;

  it('lists the next level that exists, by name without accents, then by number', async () => {
    // r60 is at level 4; level 3 has none.
    expect(await idsOf('r1')).toEqual(['r60']);
    expect(await idsOf('r2')).toEqual(['r30', 'w31']);
    expect(await idsOf('r1', 6)).toEqual(['r9', 'r11', 'r10', 'r2']);
  });

  it('lists all descendants at a level that is given', async () => {
    expect(await idsOf('r1', 10)).toEqual(['r40']);
    expect(await idsOf('r2', 10)).toEqual(['r40']);
    expect(await idsOf('r1', 7)).toEqual([]);
  });

  it('is empty for a leaf', async () => {
    expect(await idsOf('r40')).toEqual([]);
    expect(await idsOf('w31')).toEqual([]);
  });

  it('lists parts without a level where there are no others', async () => {
    expect(await idsOf('r70')).toEqual(['r71']);
  });

  it('refuses a level that is not below its own', async () => {
    for (const level of [6, 5, 2]) {
      await expect(children('r2', level)).rejects.toMatchObject({
        code: 'invalid_input',
        extra: { issues: [{ path: 'admin_level' }] },
      });
    }
  });

  it('says no_children of a postcode area, whatever the level', async () => {
    await expect(children('r50')).rejects.toMatchObject({ code: 'no_children' });
    await expect(children('r50', 8)).rejects.toMatchObject({ code: 'no_children' });
  });

  it('takes every form of id and follows aliases', async () => {
    expect(await idsOf('iso:AA')).toEqual(['r60']);
    expect(await idsOf('r9000000000000')).toEqual(['r30', 'w31']);
    await expect(children('r404')).rejects.toMatchObject({ code: 'not_found' });
    await expect(children('r0')).rejects.toMatchObject({ code: 'invalid_id' });
  });
});

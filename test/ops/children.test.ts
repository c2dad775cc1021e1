import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listChildren } from '../../src/ops/boundaries/list_children.ts';
import type { FixtureBoundary } from '../domain/fixture_boundaries.ts';
import { openSearchHarness, type SearchHarness } from './search_harness.ts';

const WORLD: readonly FixtureBoundary[] = [
  { id: 'r1', name: 'Land', kind: 'country', adminLevel: 2, countryCode: 'LI', iso: 'LI', wikidata: 'Q347' },
  { id: 'r3', name: 'Unten', kind: 'region', adminLevel: 4, country: 'LI', parents: ['r1'] },
  { id: 'r2', name: 'Oben', kind: 'region', adminLevel: 4, country: 'LI', parents: ['r1'], names: { en: 'Upper' } },
  { id: 'w4', name: 'Dorf', kind: 'municipality', adminLevel: 8, country: 'LI', parents: ['r1', 'r2'], box: null },
  { id: 'r5', name: '9490', kind: 'postal_code', type: 'postal_code', country: 'LI', parents: ['r1', 'r2'] },
];

let server: SearchHarness;

beforeAll(async () => {
  server = await openSearchHarness(WORLD);
});
afterAll(() => server?.database.close());

const ids = async (input: object) => (await server.ask(listChildren, input)).items.map((item) => item.id);

describe('list_children', () => {
  it.each(['r1', 'relation/1', '-1', 'iso:li', 'wikidata:Q347', 'https://openstreetmap.org/relation/1?x=1#map=2/3/4'])(
    'takes %s',
    async (id) => {
      expect(await ids({ id })).toEqual(['r2', 'r3']);
    },
  );

  it('answers whole boundaries, names by language where they are asked for', async () => {
    const { items } = await server.ask(listChildren, { id: 'r1', names: 'all' });
    expect(items[0]).toMatchObject({
      id: 'r2',
      name: 'Oben',
      local_name: 'Oben',
      names: { en: 'Upper' },
      parents: [{ id: 'r1', name: 'Land', kind: 'country', admin_level: 2 }],
    });
  });

  it('goes down to the level that is given, broken ones included', async () => {
    const { items } = await server.ask(listChildren, { id: 'r1', admin_level: 8 });
    expect(items).toMatchObject([{ id: 'w4', has_geometry: false, bbox: null, centroid: null }]);
    expect(await ids({ id: 'r1', admin_level: 6 })).toEqual([]);
  });

  it('is empty for a leaf', async () => {
    expect(await ids({ id: 'w4' })).toEqual([]);
  });

  it.each<[object, string]>([
    [{ id: 'r5' }, 'no_children'],
    [{ id: 'r404' }, 'not_found'],
    [{ id: 'iso:XX' }, 'not_found'],
    [{ id: 'Land' }, 'invalid_id'],
    [{ id: 'https://example.org/relation/1' }, 'invalid_id'],
    [{ id: '' }, 'invalid_input'],
    [{}, 'invalid_input'],
    [{ id: 'r'.padEnd(201, '1') }, 'invalid_input'],
    [{ id: 'r1', admin_level: 13 }, 'invalid_input'],
    [{ id: 'Land', admin_level: 0 }, 'invalid_input'],
    [{ id: 'r2', admin_level: 4 }, 'invalid_input'],
    [{ id: 'r2', admin_level: 2 }, 'invalid_input'],
    [{ id: 'r1', level: 4 }, 'invalid_input'],
  ])('refuses %j with %s', async (input, code) => {
    await expect(server.ask(listChildren, input)).rejects.toMatchObject({ code });
  });
});

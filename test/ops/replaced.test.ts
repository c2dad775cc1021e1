import { afterEach, beforeEach, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from './boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from './fixture_world.ts';

const SEED = { ...FIXTURE_SOURCE, id: 'seeds', name: 'Made seed data', seed: true };
const MINE = { ...FIXTURE_SOURCE, id: 'mine', name: 'A file' };

let server: BoundaryTestServer;
beforeEach(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries(server.services, { source: SEED, file: SEED.id, boundaries: seedWorld() });
});
afterEach(() => server?.close());

/** A country of two states with a county in each, in the Atlantic, and a neighbor to its east. */
function seedWorld(): SourceBoundary[] {
  const of = { country: 'WS' };
  return [
    fixtureBoundary('r10', 'Samoa', ringsOf(rectangle(-30, 30, -26, 32)), {
      ...{ adminLevel: 2, kind: 'country', countryCode: 'WS', country: 'WS', iso: 'WS', wikidata: 'Q683' },
      ...{ names: { en: 'Samoa', ja: 'サモア', de: 'Samoa' }, codes: ['WS', 'WSM'], population: 200_000 },
    }),
    fixtureBoundary('r11', 'Westland', ringsOf(rectangle(-30, 30, -28, 32)), {
      ...of,
      ...{ adminLevel: 4, iso: 'WS-AA', wikidata: 'Q11', codes: ['AA'], names: { fr: 'Pays de l’ouest' } },
    }),
    fixtureBoundary('r12', 'Eastland', ringsOf(rectangle(-28, 30, -26, 32)), { ...of, adminLevel: 4, iso: 'WS-VF' }),
    fixtureBoundary('r13', 'Harris County', ringsOf(rectangle(-30, 30, -29, 31)), { ...of, adminLevel: 6 }),
    fixtureBoundary('r14', 'Shore County', ringsOf(rectangle(-26.2, 30, -26, 31)), { ...of, adminLevel: 6 }),
    fixtureBoundary('r20', 'Fiji', ringsOf(rectangle(-26, 30, -24, 32)), {
      ...{ adminLevel: 2, kind: 'country', countryCode: 'FJ', country: 'FJ', iso: 'FJ', wikidata: 'Q712' },
    }),
  ];
}

const mine = (
  sourceId: string,
  name: string,
  box: readonly [number, number, number, number],
  more: Partial<SourceBoundary> = {},
) => ({ ...fixtureBoundary('r1', name, ringsOf(rectangle(...box)), more), id: null, sourceId });

const store = (boundaries: readonly SourceBoundary[], replace = false) =>
  storeBoundaries(server.services, { source: MINE, file: 'mine', boundaries, replace });
const remove = (id: string) =>
  storeBoundaries(server.services, { source: MINE, file: 'mine', boundaries: [], deleted: [{ id, version: 1 }] });

async function get(id: string) {
  const { status, json } = await server.get(`/v1/boundaries/${id}?names=all`);
  expect(status, id).toBe(200);
  return json;
}
const idsIn = async (path: string) => (await server.get(path)).json.items.map(({ id }) => id);
const children = (id: string, query = 'levels=all') => idsIn(`/v1/boundaries/${id}/children?${query}`);
const search = async (q: string) => (await idsIn(`/v1/boundaries/search?q=${encodeURIComponent(q)}`))[0];
const parentsOf = async (id: string) =>
  ((await get(id)).properties.parents as readonly { readonly id: string }[]).map((one) => one.id);

it('a shape that matches by name alone stands beside the seed boundary, and is named', async () => {
  const samoa = mine('w1', 'Samoa', [-30, 30, -26, 32], { adminLevel: 2, country: 'WS' });
  const summary = await store([samoa]);
  expect(summary).toMatchObject({ aliased: 0, namesakes: [{ name: 'Samoa', seed: 'r10', seedName: 'Samoa' }] });
  for (const id of ['iso:WS', 'r10', 'wikidata:Q683']) expect((await get(id)).id).toBe('r10');
  expect(await search('WS')).toBe('r10');
  expect(await children('r10')).toEqual(['r12', 'r13', 'r14', 'r11']);
  // Two countries of one code are not both around a state.
  expect(await parentsOf('r11')).toEqual(['r10']);
  // Asked for, the same file replaces.
  expect(await store([samoa], true)).toMatchObject({ unchanged: 1, aliased: 1, namesakes: [] });
  const heir = await get('iso:WS');
  expect(heir.properties).toMatchObject({ source: 'mine', iso: 'WS', wikidata: 'Q683', population: 200_000 });
});

it('a shape that replaces a seed boundary inherits what it does not bring, and gives it back', async () => {
  const before = { samoa: await get('r10'), all: await children('r10'), county: await get('r13') };
  const outline = mine('w1', 'Samoa i Sisifo', [-30, 30, -26.3, 32], {
    ...{ adminLevel: 2, iso: 'WS', countryCode: 'WS', country: 'WS', names: { de: 'Westsamoa' }, codes: ['w1'] },
  });
  expect(await store([outline])).toMatchObject({ aliased: 1 });
  const heir = await get('iso:WS');
  expect(heir.id).not.toBe('r10');
  for (const id of ['r10', 'wikidata:Q683']) expect((await get(id)).id).toBe(heir.id);
  expect(heir.properties).toMatchObject({
    ...{ name: 'Samoa i Sisifo', iso: 'WS', wikidata: 'Q683', population: 200_000, kind: 'country' },
    names: { en: 'Samoa', ja: 'サモア', de: 'Westsamoa' },
    inherited: { wikidata: 'seeds', population: 'seeds', names: 'seeds', codes: 'seeds' },
  });
  expect(heir.properties.inherited).not.toHaveProperty('iso');
  expect((await get('r20')).properties).not.toHaveProperty('inherited');
  for (const text of ['Samoa', 'サモア', 'WS', 'WSM', 'Westsamoa', 'w1'])
    expect(await search(text), text).toBe(heir.id);
  // A county outside the coarse outline stays in its country.
  expect(await children(heir.id)).toEqual(before.all);
  expect(await parentsOf('r14')).toEqual([heir.id, 'r12']);
  // A new version keeps what is inherited; loading the seed data again brings nothing back beside it.
  await store([{ ...outline, version: '2', names: { de: 'Neusamoa' } }]);
  expect((await get('iso:WS')).properties).toMatchObject({ wikidata: 'Q683', names: { ja: 'サモア', de: 'Neusamoa' } });
  await storeBoundaries(server.services, { source: SEED, file: SEED.id, boundaries: seedWorld() });
  expect((await get('r10')).id).toBe(heir.id);
  expect(await remove(heir.id)).toMatchObject({ deleted: 1, restored: 1 });
  const again = await get('iso:WS');
  expect(again.id).toBe('r10');
  expect({ ...again.properties, version: 0 }).toEqual({ ...before.samoa.properties, version: 0 });
  expect(again.geometry).toEqual(before.samoa.geometry);
  expect(await children('r10')).toEqual(before.all);
  expect((await get('r13')).properties).toEqual(before.county.properties);
});

it('an object of the map that takes over the id of a seed boundary inherits, and gives it back', async () => {
  const before = await get('r10');
  const relation = fixtureBoundary('r10', 'Samoa', ringsOf(rectangle(-30, 30, -26, 32)), {
    adminLevel: 2,
    country: 'WS',
  });
  await store([{ ...relation, version: '7' }]);
  expect((await get('iso:WS')).properties).toMatchObject({
    ...{ source: 'mine', wikidata: 'Q683', names: { ja: 'サモア' }, inherited: { iso: 'seeds', wikidata: 'seeds' } },
  });
  await remove('r10');
  const again = await get('iso:WS');
  expect({ ...again.properties, version: 0 }).toEqual({ ...before.properties, version: 0 });
});

it('a state whose code is another one passes the lookup of the code of the seed boundary on', async () => {
  const state = mine('s1', 'West', [-30, 30, -28.1, 32], {
    adminLevel: 4,
    wikidata: 'Q11',
    iso: 'WS-ZZ',
    country: 'WS',
  });
  expect(await store([state])).toMatchObject({ aliased: 1 });
  const { id } = await get('wikidata:Q11');
  for (const one of ['iso:WS-AA', 'iso:WS-ZZ', 'r11']) expect((await get(one)).id, one).toBe(id);
  expect(await search('Harris County, Westland')).toBe('r13');
  expect(await search('Harris County, AA')).toBe('r13');
  expect(await children(id)).toEqual(['r13']);
});

it('several areas with one code do not take the place of the country that carries it', async () => {
  const of = { adminLevel: 6, iso: 'WS', countryCode: 'WS', country: 'WS' };
  await store([mine('a', 'A', [-30, 31, -29, 32], of), mine('b', 'B', [-29, 31, -28, 32], of)]);
  expect((await get('iso:WS')).id).toBe('r10');
});

it('the parents of a parent are parents, and a coarse outline of a neighbor is not beside a stated country', async () => {
  // Of the coast town most is outside every outline, and a border town lies in that of the neighbor.
  await store([
    mine('n1', 'New Eastland', [-28, 30, -25.5, 33], { adminLevel: 4, country: 'WS' }),
    mine('t1', 'Coast town', [-27, 32, -26.5, 33], { adminLevel: 8 }),
    mine('t2', 'Border town', [-25.9, 30, -25.5, 31], { adminLevel: 8 }),
    mine('t3', 'Stated town', [-25.4, 30, -25, 31], { adminLevel: 8, country: 'WS' }),
    mine('t4', 'Far town', [-27, 40, -26.5, 41], { adminLevel: 8, country: 'WS' }),
    mine('t5', 'Town of Fiji', [-24.9, 30, -24.5, 31], { adminLevel: 8 }),
  ]);
  const level = await children('r10', 'admin_level=8');
  expect(level).toHaveLength(4);
  const { key } = await server.key();
  const asked = await server.ask('POST', '/v1/collections', {
    key,
    json: { country: 'WS', admin_level: 8, format: 'geojson' },
  });
  const features = (asked.json as unknown as { features: readonly { id: string }[] }).features.map(({ id }) => id);
  expect(features.sort()).toEqual([...level].sort());
  for (const id of level) expect(await parentsOf(id)).not.toContain('r20');
  expect(await children('r20', 'admin_level=8')).toHaveLength(1);
});

it('a state that an extract cuts is not counted beside the whole one, and others are marked', async () => {
  const cut = { adminLevel: 4, country: 'WS' };
  const border = { ways: [900] };
  await storeBoundaries(server.services, {
    source: { ...MINE, id: 'extract' },
    file: 'extract',
    boundaries: [
      fixtureBoundary('r30', 'Westland', border, { ...cut, iso: 'WS-AA' }),
      fixtureBoundary('r31', 'Northland', border, { ...cut, iso: 'WS-NN' }),
    ],
  });
  const { json } = await server.get('/v1/boundaries/r10/children?admin_level=4');
  expect(json).toMatchObject({ total: 3, without_geometry: 1 });
  expect(json.items.map(({ id }) => id)).toEqual(['r12', 'r31', 'r11']);
  const { json: whole } = await server.get('/v1/boundaries/r11/children');
  expect(whole).not.toHaveProperty('without_geometry');
});

it('a code with its scheme finds the heir of a seed boundary, and the seed boundary again', async () => {
  const fips = { adminLevel: 6, country: 'WS', codes: ['48201'], codeIds: ['fips:48201'] };
  const seed = fixtureBoundary('r30', 'Harris', ringsOf(rectangle(-10, 30, -9, 31)), fips);
  await storeBoundaries(server.services, { source: SEED, file: SEED.id, boundaries: [seed] });
  expect((await get('fips:48201')).properties).toMatchObject({ codes: [{ scheme: 'fips', code: '48201' }] });
  const outline = mine('w1', 'Harris', [-10, 30, -9.01, 31], { ...fips, codes: ['w1'], codeIds: ['mine:w1'] });
  expect(await store([outline], true)).toMatchObject({ aliased: 1 });
  const heir = await get('fips:48201');
  expect(heir.properties).toMatchObject({
    source: 'mine',
    codes: [
      { scheme: 'mine', code: 'w1' },
      { scheme: 'fips', code: '48201' },
    ],
  });
  await remove(heir.id);
  expect((await get('fips:48201')).properties).toMatchObject({
    source: 'seeds',
    codes: [{ scheme: 'fips', code: '48201' }],
  });
});

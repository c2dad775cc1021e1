/** Borders at sea by the tag of their ways, as OpenStreetMap marks them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { applyChange } from '../../src/sources/update/apply.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { saidAt } from './lines_at.ts';

/**
 * Two countries side by side, West (r1) and East (r2), with a common border of two ways, of which the southern one (122)
 * is at sea, as are 111 and part of the outline of the east (125 is 5 to 10 by 50).
 *
 *   1----2----3
 *   |    |    |
 *   |    20   |
 *   |    |    |
 *   6----7----8
 */
const PLACES: Readonly<Record<number, readonly [number, number]>> = {
  ...{ 1: [-40, 1], 2: [-39, 1], 3: [-38, 1], 20: [-39, 0.5], 21: [-39.02, 0.25] },
  ...{ 6: [-40, 0], 7: [-39, 0], 8: [-38, 0] },
};
const WAYS: Readonly<Record<number, readonly number[]>> = {
  ...{ 101: [1, 2], 102: [2, 3], 111: [6, 7], 112: [7, 8] },
  ...{ 120: [1, 6], 121: [2, 20], 122: [20, 21, 7], 123: [3, 8] },
};
const MEMBERS = { 1: [101, 121, 122, 111, 120], 2: [102, 123, 112, 122, 121] };

type Tags = Readonly<Record<string, string>>;
const tagsOf = (tags: Tags) => Object.entries(tags).map(([k, v]) => `<tag k="${k}" v="${v}"/>`);
const way = (id: number, tags: Tags, version = 1) =>
  [
    `<way id="${id}" version="${version}">`,
    ...(WAYS[id] ?? []).map((ref) => `<nd ref="${ref}"/>`),
    ...tagsOf(tags),
    '</way>',
  ].join('');
const relation = (id: 1 | 2) =>
  [
    `<relation id="${id}" version="1">`,
    ...MEMBERS[id].map((ref) => `<member type="way" ref="${ref}" role="outer"/>`),
    ...tagsOf({ type: 'boundary', boundary: 'administrative', admin_level: '2', name: `Country ${id}` }),
    '</relation>',
  ].join('');
const nodes = () =>
  Object.entries(PLACES).map(([id, [lon, lat]]) => `<node id="${id}" version="1" lon="${lon}" lat="${lat}"/>`);
const map = (tagged: Readonly<Record<number, Tags>>) =>
  `<osm version="0.6">${[...nodes(), ...Object.keys(WAYS).map((id) => way(Number(id), tagged[Number(id)] ?? {})), relation(1), relation(2)].join('')}</osm>`;

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key('business'));
});
afterAll(() => server?.close());
const deps = () => ({ db: server.services.db, engine: server.engine });
function file(name: string, text: string): string {
  const path = join(server.dataDir, name);
  writeFileSync(path, text);
  return path;
}

const NORTH = [-39, 0.75] as const;
const SOUTH = [-39.01, 0.125] as const;
const WEST_END = [-39.5, 0] as const;
const EAST_END = [-38.5, 0] as const;
const REST = [-40, 0.5] as const;

/** What lines say at these places, at several zooms, where all must agree. */
async function said(path?: string): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const [lon, lat] of [NORTH, SOUTH, WEST_END, EAST_END, REST]) {
    const zooms: unknown[][] = [];
    for (const z of [4, 8, 11])
      zooms.push(await saidAt({ get: (one) => server.get(one, key), ...(path && { path }) }, lon, lat, z));
    expect(zooms).toEqual(zooms.map(() => zooms[0]));
    all.push(...(zooms[0] ?? []));
  }
  return all;
}
async function maritime(id: string, query = ''): Promise<unknown[]> {
  const { json } = await server.get(`/v1/boundaries/${id}/neighbors?levels=all${query}`, key);
  return (json.items as unknown as { maritime: unknown }[]).map((one) => one.maritime);
}

it('are marked in tiles and selections from the import on, without any coast, and in no other place', async () => {
  const tags = {
    122: { maritime: 'yes' },
    111: { boundary_type: 'maritime' },
    112: { maritime: 'no' },
    102: { boundary: 'administrative' },
  };
  await importFile(deps(), file('map.osm', map(tags)), null);
  expect(await said()).toEqual([undefined, true, true, undefined, undefined]);
  const { json } = await server.ask('POST', '/tiles/selections', { key, json: { ids: ['r1', 'r2'] } });
  const { tilejson } = json as unknown as { tilejson: string };
  const path = `/tiles/selections/${/([0-9a-f]{64})\.json$/.exec(tilejson)?.[1]}`;
  expect(await said(path)).toEqual([undefined, true, true, undefined, undefined]);
});

it('are not a border at sea to a neighbor beside which only a part of the border is one', async () => {
  expect(await maritime('r1')).toEqual([null]);
});

it('follow changes of the map, of a tag alone, too', async () => {
  const change = (at: string, tags: Readonly<Record<number, Tags>>, version: number) => {
    const ways = Object.entries(tags).map(([id, one]) =>
      way(Number(id), one, version).replace('<way', `<way timestamp="${at}"`),
    );
    return file(`${version}.osc`, `<osmChange version="0.6"><modify>${ways.join('')}</modify></osmChange>`);
  };
  const apply = (path: string) => applyChange(deps(), path, { address: '', sequence: null });
  await apply(change('2030-01-01T00:00:00Z', { 121: { maritime: 'yes' }, 111: {} }, 2));
  expect(await said()).toEqual([true, true, undefined, undefined, undefined]);
  expect([await maritime('r1'), await maritime('r2')]).toEqual([[true], [true]]);
  // Recorded before: as it was is not known.
  expect((await server.get('/v1/boundaries/r1/neighbors?as_of=2020-01-01', key)).status).not.toBe(500);
  await apply(change('2030-01-02T00:00:00Z', { 121: {}, 122: {} }, 3));
  expect(await said()).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect(await maritime('r1')).toEqual([null]);
});

it('are at sea where a coast says otherwise, as who maps them knows better than its gaps', async () => {
  // Land is south of the coast.
  const coast = [
    '<node id="90" version="1" lon="-37.5" lat="0.6"/><node id="91" version="1" lon="-40.5" lat="0.6"/>',
    '<way id="900" version="1"><nd ref="90"/><nd ref="91"/><tag k="natural" v="coastline"/></way>',
  ].join('');
  const text = map({ 122: { maritime: 'yes' } })
    .replaceAll('version="1"', 'version="9"')
    .replace('<relation', `${coast}<relation`);
  await importFile(deps(), file('again.osm', text), null);
  expect(await said()).toEqual([true, true, false, false, false]);
});

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { importLand } from '../../src/sources/import_land.ts';
import { removeSource } from '../../src/sources/stored.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { MadeMap, square } from './made_map.ts';

let server: BoundaryTestServer;
let key: string;
const deps = () => ({ db: server.services.db, engine: server.engine });
beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key('business'));
}, 120_000);
afterAll(() => server?.close());

/** Two squares beside each other, and a coast that leaves the end of the second in the sea. */
function island(more?: string): MadeMap {
  const admin = (name: string) => ({ type: 'boundary', boundary: 'administrative', admin_level: '6', name });
  const [a, b, c, d]: [number, number][] = [
    [20, 0],
    [20.1, 0],
    [20.1, 0.1],
    [20, 0.1],
  ];
  const [e, f]: [number, number][] = [
    [20.2, 0],
    [20.2, 0.1],
  ];
  return new MadeMap(more)
    .way(1, [c as [number, number], d as [number, number], a as [number, number], b as [number, number]])
    .way(2, [b as [number, number], c as [number, number]])
    .way(3, [b as [number, number], e as [number, number], f as [number, number], c as [number, number]])
    .way(4, square(19.9, -0.1, 20.195, 0.2), { natural: 'coastline' })
    .relation(
      900,
      [
        [1, 'outer'],
        [2, 'outer'],
      ],
      admin('West'),
    )
    .relation(
      901,
      [
        [3, 'outer'],
        [2, 'outer'],
      ],
      admin('East'),
    );
}

/** A lake across the border with an island, a river in it, a pond, and a swamp. */
const lakes = (map: MadeMap): MadeMap =>
  map
    .way(10, [
      [20.08, 0.02],
      [20.12, 0.02],
      [20.12, 0.06],
    ])
    // Tags of the lake on its outer border too, as old maps have them.
    .way(
      11,
      [
        [20.12, 0.06],
        [20.08, 0.06],
        [20.08, 0.02],
      ],
      { natural: 'water' },
    )
    .way(12, square(20.09, 0.03, 20.11, 0.05))
    .way(13, square(20.01, 0.08, 20.02, 0.09), { waterway: 'riverbank' })
    .way(14, square(20.03, 0.08, 20.031, 0.081), { natural: 'water', water: 'pond' })
    .way(15, square(20.15, 0.01, 20.19, 0.09), { natural: 'wetland' })
    .relation(
      1000,
      [
        [10, 'outer'],
        [11, 'outer'],
        [12, 'inner'],
      ],
      { type: 'multipolygon', natural: 'water', water: 'lake' },
    );

const read = (path: string, km2: number | null) => importFile(deps(), path, null, { waterKm2: km2 });
const ask = async (id: string, query: string) =>
  (await server.get(`/v1/boundaries/${id}?detail=full&${query}`, key)).json;
const inland = async (id: string) => {
  const { properties, code } = await ask(id, 'area=land&water=inland');
  return properties === undefined ? code : (properties.inland_water_km2 as number);
};
/** Square kilometers of so many square degrees at the equator. */
const KM2 = 12_308.8;

describe('inland water of a file of OpenStreetMap', () => {
  it('is not known without --inland-water, and a file without any is refused before it is stored', async () => {
    await read(lakes(island()).write(server.dataDir, 'lakes.osm'), null);
    expect(await inland('r900')).toBe('no_geometry');
    await expect(read(island().write(server.dataDir, 'none.osm'), 1)).rejects.toThrow(/has no inland water/);
  });

  it('is cut out of both sides of a border from the size that is asked for', async () => {
    const summary = await read(lakes(island()).write(server.dataDir, 'lakes.osm'), 1);
    expect(summary.inland).toEqual({ known: 2, unknown: 0, broken: [] });
    expect(summary.notices[0]).toMatch(/2 boundaries .* 2 lakes and rivers of at least 1 km2, 1 smaller/);
    expect(await inland('r900')).toBeCloseTo(KM2 * (0.0006 + 0.0001), 1);
    expect(await inland('r901')).toBeCloseTo(KM2 * 0.0006, 1);
    await read(lakes(island()).write(server.dataDir, 'lakes.osm'), 0);
    expect(await inland('r900')).toBeCloseTo(KM2 * (0.0007 + 0.000001), 2);
    await read(lakes(island()).write(server.dataDir, 'lakes.osm'), 2);
    expect(await inland('r900')).toBeCloseTo(KM2 * 0.0006, 1);
  });

  it('is read from PBF as well, in parts too', async () => {
    await removeSource(deps(), 'osm');
    const pbf = join(server.dataDir, 'lakes.osm.pbf');
    execFileSync('osmium', ['cat', '-O', '-o', pbf, lakes(island()).write(server.dataDir, 'lakes.osm')]);
    await importFile(deps(), pbf, null, { partSize: { bytes: 1, nodes: 20 }, waterKm2: 1 });
    expect(await inland('r900')).toBeCloseTo(KM2 * 0.0007, 1);
    expect(await inland('r901')).toBeCloseTo(KM2 * 0.0006, 1);
  });

  it('that a newer file lacks is removed; what only lies elsewhere stays', async () => {
    const river = (map: MadeMap) => map.way(13, square(20.01, 0.08, 20.02, 0.09), { waterway: 'riverbank' });
    await read(river(island()).write(server.dataDir, 'river.osm'), 1);
    expect([await inland('r900'), await inland('r901')]).toEqual([expect.closeTo(KM2 * 0.0001, 1), 0]);
    const far = new MadeMap().way(50, square(60, 0, 60.1, 0.1), { natural: 'water' });
    await read(far.write(server.dataDir, 'far.osm'), 1);
    expect(await inland('r900')).toBeCloseTo(KM2 * 0.0001, 1);
  });

  it('is unknown where the file has it in part, with the reason, and elsewhere known', async () => {
    await removeSource(deps(), 'osm');
    const cut = island()
      .way(60, [
        [20.15, 0.02],
        [20.18, 0.02],
        [20.18, 0.05],
      ])
      .relation(
        1001,
        [
          [60, 'outer'],
          [61, 'outer'],
        ],
        { type: 'multipolygon', natural: 'water' },
      );
    const summary = await read(cut.write(server.dataDir, 'cut.osm'), 1);
    expect(summary.inland?.broken).toMatchObject([{ id: 'r901', reason: 'r1001: the file lacks way 61' }]);
    expect([await inland('r900'), await inland('r901')]).toEqual([0, 'no_geometry']);
    expect((await ask('r901', 'area=land&water=inland')).detail).toMatch(/r1001: the file lacks way 61/);
  });

  it('says nothing of boundaries that reach beyond the extent that the file states', async () => {
    await removeSource(deps(), 'osm');
    const map = lakes(island('<bounds minlat="-1" minlon="19" maxlat="1" maxlon="20.1"/>'));
    await read(map.write(server.dataDir, 'bounds.osm'), 1);
    expect([await inland('r900'), await inland('r901')]).toEqual([expect.closeTo(KM2 * 0.0007, 1), 'no_geometry']);
    // A file of lakes decides for the others only.
    const about = { source: 'lakes', license: 'CC0-1.0', attribution: 'the tests', bbox: [19, -1, 21, 1] as const };
    const path = join(server.dataDir, 'lake.geojson');
    writeFileSync(path, JSON.stringify({ type: 'Polygon', coordinates: [square(20, 0, 20.2, 0.05)] }));
    await importLand(deps(), path, about, undefined, 'water');
    expect([await inland('r900'), await inland('r901')]).toEqual([
      expect.closeTo(KM2 * 0.0007, 1),
      expect.closeTo(KM2 * 0.00475, 1),
    ]);
  });
});

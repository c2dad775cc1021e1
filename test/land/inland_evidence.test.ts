import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { MadeMap, square } from './made_map.ts';

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key('business'));
}, 120_000);
afterAll(() => server?.close());

const WATER = { natural: 'water' };
const LAKE = { type: 'multipolygon', natural: 'water' };
const admin = (name: string, level = 6) => ({
  type: 'boundary',
  boundary: 'administrative',
  admin_level: `${level}`,
  name,
});
/** A map with a coast around the place of its boundaries, at a longitude. */
const mapAt = (x: number) =>
  new MadeMap('', 1_000 * x).way(100 * x, square(x - 0.4, -1, x + 0.4, 0.0995), { natural: 'coastline' });
/** A map with a square boundary r(100 x + 1) of a tenth of a degree. */
const boundaryAt = (x: number) =>
  mapAt(x)
    .way(100 * x + 1, square(x, 0, x + 0.1, 0.1))
    .relation(100 * x + 1, [[100 * x + 1, 'outer']], admin(`At ${x}`));
const deps = () => ({ db: server.services.db, engine: server.engine });
const read = (map: MadeMap, km2: number | null = 1, timestamp?: string) =>
  importFile(deps(), map.write(server.dataDir, 'map.osm', timestamp), null, { waterKm2: km2 });
const ask = async (id: string) =>
  (await server.get(`/v1/boundaries/${id}?detail=full&area=land&water=inland`, key)).json;
const inland = async (id: string) => {
  const { properties, code } = await ask(id);
  return properties === undefined ? code : Math.round(properties.inland_water_km2 as number);
};

describe('inland water that a file has in part', () => {
  it('is of unknown shape where a closed way lacks a node', async () => {
    const map = boundaryAt(10).way(1003, square(10.02, 0.02, 10.08, 0.08), WATER);
    map.lack([10.08, 0.08]).way(1004, square(10.001, 0.001, 10.0011, 0.0011), WATER);
    const summary = await read(map);
    expect(summary.notices.join()).toMatch(/w1003: the file lacks node/);
    expect(await inland('r1001')).toBe('no_geometry');
    expect((await ask('r1001')).detail).toMatch(/w1003: the file lacks node/);
  });

  it('is of unknown shape in PBF as well', async () => {
    const map = boundaryAt(9)
      .way(903, square(9.02, 0.02, 9.08, 0.08), WATER)
      .lack([9.08, 0.08]);
    const pbf = join(server.dataDir, 'lacking.osm.pbf');
    execFileSync('osmium', ['cat', '-O', '-o', pbf, map.write(server.dataDir, 'lacking.osm')]);
    await importFile(deps(), pbf, null, { partSize: { bytes: 1, nodes: 20 }, waterKm2: 1 });
    expect((await ask('r901')).detail).toMatch(/w903: the file lacks node/);
  });

  it('stays as it is stored, and a file that has no vertex of unknown water says nothing', async () => {
    const whole = boundaryAt(11).way(1103, square(11.02, 0.02, 11.08, 0.08));
    await read(whole.relation(1104, [[1103, 'outer']], LAKE));
    expect(await inland('r1101')).toBe(44);
    const without = () => boundaryAt(11).way(1106, square(11.001, 0.001, 11.0011, 0.0011), WATER);
    await read(without().relation(1104, [[1103, 'outer']], LAKE));
    expect(await inland('r1101')).toBe(44);
    const lost = boundaryAt(12).way(1206, square(12.001, 0.001, 12.0011, 0.0011), WATER);
    const { notices } = await read(lost.relation(1204, [[1203, 'outer']], LAKE));
    expect(notices.join()).toMatch(/says the inland water of no boundary: .*r1204 \(the file lacks way 1203\)/);
    expect(await inland('r1201')).toBe('no_geometry');
    // A relation without a way is not an area.
    const none = boundaryAt(12).way(1206, square(12.001, 0.001, 12.0011, 0.0011), WATER);
    await read(none.relation(1204, [[1203, 'label']], LAKE));
    expect(await inland('r1201')).toBe(0);
  });

  it('never replaces what is stored whole', async () => {
    const [a, b] = [
      [
        [13.02, 0.02],
        [13.08, 0.02],
        [13.08, 0.08],
      ],
      [
        [13.08, 0.08],
        [13.02, 0.08],
        [13.02, 0.02],
      ],
    ] as [[number, number][], [number, number][]];
    const members = [
      [1303, 'outer'],
      [1304, 'outer'],
    ] as const;
    await read(boundaryAt(13).way(1303, a).way(1304, b).relation(1305, members, LAKE));
    expect(await inland('r1301')).toBe(44);
    const beside = boundaryAt(14).way(1403, square(14.02, 0.02, 14.04, 0.04), WATER);
    await read(beside.way(1303, a).relation(1305, members, LAKE));
    expect([await inland('r1301'), await inland('r1401')]).toEqual([44, 5]);
  });

  it('makes every boundary unknown that it may reach, by the parts of all files', async () => {
    const members = [
      [1503, 'outer'],
      [1603, 'outer'],
      [1604, 'outer'],
    ] as const;
    const part = (x: number) =>
      boundaryAt(x)
        .way(100 * x + 3, [
          [x + 0.02, 0.02],
          [x + 0.08, 0.02],
        ])
        .relation(1505, members, LAKE)
        .way(100 * x + 5, square(x + 0.001, 0.001, x + 0.0011, 0.0011), WATER);
    await read(part(15));
    await read(part(16));
    expect([await inland('r1501'), await inland('r1601')]).toEqual(['no_geometry', 'no_geometry']);
  });

  it('makes boundaries unknown that have a few of many vertices', async () => {
    const ring: [number, number][] = Array.from({ length: 3_000 }, (_, k) => [
      Math.round((17.1 + 0.08 * Math.cos((k * Math.PI) / 1_500)) * 1e7) / 1e7,
      Math.round((0.05 + 0.08 * Math.sin((k * Math.PI) / 1_500)) * 1e7) / 1e7,
    ]);
    const map = boundaryAt(17)
      .way(1703, ring)
      .way(1705, square(17.3, 0.03, 17.3011, 0.0311), WATER);
    // So small that no vertex of a sample is in it.
    const [x, y] = ring[1_001] as [number, number];
    const tiny = square(x - 1e-6, y - 1e-6, x + 1e-6, y + 1e-6).map(
      (point) => point.map((side) => Math.round(side * 1e7) / 1e7) as [number, number],
    );
    map.way(1706, tiny).relation(1706, [[1706, 'outer']], admin('Tiny', 8));
    await read(
      map.relation(
        1704,
        [
          [1703, 'outer'],
          [1799, 'outer'],
        ],
        LAKE,
      ),
    );
    expect([await inland('r1701'), await inland('r1706')]).toEqual(['no_geometry', 'no_geometry']);
  });
});

describe('stored inland water', () => {
  const lake = (map: MadeMap, x: number) => map.way(100 * x + 3, square(x + 0.02, 0.02, x + 0.08, 0.08), WATER);

  it('stays where a file of elsewhere has it as too small', async () => {
    await read(lake(boundaryAt(20), 20), 0.5);
    await read(lake(boundaryAt(21).way(2103, square(21.02, 0.02, 21.04, 0.04), WATER), 20), 100);
    expect([await inland('r2001'), await inland('r2101')]).toEqual([44, 0]);
    // A file of the place that was asked for large water only leaves it in the land.
    await read(lake(boundaryAt(20), 20), 100);
    expect(await inland('r2001')).toBe(0);
  });

  it('is not removed and its size not changed by older data', async () => {
    await read(lake(boundaryAt(22), 22), 1, '2024-05-01T00:00:00Z');
    await read(lake(boundaryAt(22), 22), 100, '2023-05-01T00:00:00Z');
    expect(await inland('r2201')).toBe(44);
    await read(lake(boundaryAt(22), 22), 100, '2024-06-01T00:00:00Z');
    expect(await inland('r2201')).toBe(0);
    // Nor does older data bring back what is gone.
    await read(lake(boundaryAt(22), 22), 1, '2022-05-01T00:00:00Z');
    expect(await inland('r2201')).toBe(0);
    // A boundary whose water it is the first to say has it all.
    const beside = lake(boundaryAt(22), 22).way(2205, square(22.1, 0, 22.2, 0.1));
    beside.relation(2205, [[2205, 'outer']], admin('Beside 22')).way(2206, square(22.09, 0.01, 22.11, 0.05), WATER);
    await read(beside, 1, '2022-05-01T00:00:00Z');
    expect(await inland('r2205')).toBe(5);
  });

  it('of an enclave stays when the country around it is read, which has none of it', async () => {
    const around = (map: MadeMap) =>
      map
        .way(2305, square(22.9, -0.1, 23.2, 0.2))
        .relation(
          2302,
          [
            [2305, 'outer'],
            // Roles are often wrong.
            [2301, ''],
          ],
          admin('Around', 2),
        )
        .way(2306, square(22.92, 0, 22.96, 0.05), WATER);
    const { notices } = await read(around(boundaryAt(23)));
    expect(notices.join()).toMatch(/may not have the inland water of r2301/);
    // Nothing says that the file has the water of the enclave.
    expect([await inland('r2301'), await inland('r2302')]).toEqual(['no_geometry', 25]);
    await read(lake(boundaryAt(23), 23));
    expect(await inland('r2301')).toBe(44);
    await read(around(boundaryAt(23)));
    expect([await inland('r2301'), await inland('r2302')]).toEqual([44, 25]);
  });

  it('is none of a boundary with others all around it that is part of one that the file has', async () => {
    const map = boundaryAt(26)
      .way(2602, square(26.04, 0.04, 26.06, 0.06))
      .relation(2602, [[2602, 'outer']], admin('Middle', 8))
      .relation(
        2603,
        [
          [2601, 'outer'],
          [2602, 'inner'],
        ],
        admin('Ring', 8),
      );
    await read(map.way(2604, square(26.01, 0.01, 26.03, 0.03), WATER));
    expect([await inland('r2601'), await inland('r2602'), await inland('r2603')]).toEqual([5, 0, 5]);
  });

  it('stays where the file has less than half of it, and goes where it has as much', async () => {
    const two = (map: MadeMap) =>
      map.way(2403, square(24.01, 0.01, 24.03, 0.03), WATER).way(2404, square(24.05, 0.01, 24.07, 0.03), WATER);
    const third = (map: MadeMap) => map.way(2405, square(24.05, 0.05, 24.07, 0.07), WATER);
    await read(third(two(boundaryAt(24))));
    expect(await inland('r2401')).toBe(15);
    const { notices } = await read(third(boundaryAt(24)));
    expect(notices.join()).toMatch(/w2403 stays: the file lacks most of that of r2401/);
    expect(await inland('r2401')).toBe(15);
    await read(two(boundaryAt(24)));
    expect(await inland('r2401')).toBe(10);
  });

  it('is not said by a file whose only water is a border', async () => {
    const map = mapAt(25)
      .way(2501, square(25, 0, 25.1, 0.1), WATER)
      .relation(2501, [[2501, 'outer']], admin('Lake'));
    const { notices } = await read(map);
    expect(notices.join()).toMatch(/no area of inland water that is not the border/);
    expect(await inland('r2501')).toBe('no_geometry');
  });
});

describe('a boundary that changed', () => {
  it('has its inland water only from files that have its shape', async () => {
    const lakes = (map: MadeMap) =>
      map.way(3003, square(30.02, 0.02, 30.04, 0.04), WATER).way(3004, square(30.12, 0.02, 30.15, 0.08), WATER);
    const grown = () =>
      mapAt(30)
        .way(3001, square(30, 0, 30.16, 0.1), {}, 2)
        .relation(3001, [[3001, 'outer']], admin('At 30'), 2);
    await read(boundaryAt(30).way(3003, square(30.02, 0.02, 30.04, 0.04), WATER));
    expect(await inland('r3001')).toBe(5);
    await read(grown(), null);
    expect(await inland('r3001')).toBe('no_geometry');
    await read(lakes(grown()));
    expect(await inland('r3001')).toBe(27);
  });

  it('renews those around it, counts each once, and leaves the others as they are', async () => {
    const country = (top: number, version: number) => {
      const map = mapAt(40)
        .way(4050, square(39.99, -0.01, 40.35, 0.1))
        .relation(4050, [[4050, 'outer']], admin('Country', 4))
        .way(4051, square(40.001, 0.001, 40.015, 0.015), WATER);
      for (let k = 0; k < 10; k++) {
        const west = Math.round((40 + 0.03 * k) * 100) / 100;
        const [east, v] = [Math.round((west + 0.02) * 100) / 100, k === 0 ? version : 1];
        map.way(4060 + k, square(west, 0, east, k === 0 ? top : 0.02), {}, v);
        map.relation(4060 + k, [[4060 + k, 'outer']], admin(`Town ${k}`), v);
      }
      return map;
    };
    expect((await read(country(0.02, 1))).inland).toEqual({ known: 11, unknown: 0, broken: [] });
    const past = async () =>
      server.services.db.query<{ id: string }>(
        `select distinct boundary_id as id from past_shape_apart
         where arrangement = 3 and (boundary_id = 'r4050' or boundary_id like 'r406_') order by 1`,
      );
    const before = await past();
    const changed = await read(country(0.021, 2), null);
    expect([changed.replaced, changed.inland?.known, changed.inland?.unknown]).toEqual([1, 1, 1]);
    const again = await read(country(0.021, 2));
    expect(again.inland).toEqual({ known: 2, unknown: 0, broken: [] });
    const unchanged = (await past()).map(({ id }) => id).filter((id) => !before.some((one) => one.id === id));
    expect(unchanged.every((id) => id === 'r4050' || id === 'r4060')).toBe(true);
  });
});

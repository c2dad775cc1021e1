import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from '../ops/fixture_world.ts';

const dataDir = process.env.REAL_DATA_DIR;
const oracleUrl = process.env.ORACLE_DATABASE_URL;

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key('business'));
});
afterAll(() => server?.close());

interface Neighbor {
  readonly id: string;
  readonly shared_km: number;
  readonly land_km: number | null;
  readonly sea_km: number | null;
  readonly maritime: boolean | null;
}

const neighbors = async (id: string, query = '') =>
  (await server.get(`/v1/boundaries/${id}/neighbors${query}`, key)).json.items as unknown as Neighbor[];

describe('common borders', () => {
  it('say how much of them is on land and how much at sea', async () => {
    const [first, ...others] = [-40, -39, -38, 10].map((west, k) =>
      fixtureBoundary(`r90${k}`, `Place ${k}`, ringsOf(rectangle(west, 0, west + 1, 1))),
    );
    const coast = [{ id: 9, version: 1, coords: Int32Array.from([-41, 0.25, -37.5, 0.25, -37.5, -1], (x) => x * 1e7) }];
    // Land is north of the coast up to 37.5 degrees west, and east of it.
    const waters = [-40, -39].map((west, k) =>
      fixtureBoundary(`r91${k}`, `Waters ${k}`, ringsOf(rectangle(west, -1, west + 1, 0))),
    );
    const boundaries = [first!, ...others, ...waters];
    const input = { source: FIXTURE_SOURCE, file: 'made', boundaries, coast, bbox: [-180, -90, 180, 90] as const };
    await storeBoundaries({ db: server.services.db, engine: server.engine }, input);
    const one = (await neighbors('r900')).find(({ id }) => id === 'r901');
    expect([one?.id, one?.maritime]).toEqual(['r901', false]);
    expect((one?.land_km as number) / (one?.shared_km as number)).toBeCloseTo(0.75, 3);
    expect((one?.sea_km as number) / (one?.shared_km as number)).toBeCloseTo(0.25, 3);
    const sea = (await neighbors('r910')).find(({ id }) => id === 'r911');
    expect(sea).toMatchObject({ id: 'r911', land_km: 0, sea_km: sea?.shared_km, maritime: true });
    const both = await neighbors('r901');
    expect(both.find(({ id }) => id === 'r900')).toMatchObject({
      land_km: expect.closeTo(one?.land_km as number, 9),
      sea_km: expect.closeTo(one?.sea_km as number, 9),
    });
  });

  it('do not say it where no coast is stored', async () => {
    const boundaries = [20, 21].map((west, k) =>
      fixtureBoundary(`r92${k}`, `Inland ${k}`, ringsOf(rectangle(west, 40, west + 1, 41))),
    );
    const { db } = server.services;
    await storeBoundaries({ db, engine: server.engine }, { source: FIXTURE_SOURCE, file: 'made', boundaries });
    expect(await neighbors('r920')).toMatchObject([{ id: 'r921', land_km: null, sea_km: null, maritime: null }]);
  });

  it.skipIf(!dataDir || !oracleUrl)(
    'of the islands and councils of Malta are those of their land and water by PostGIS',
    async () => {
      const { db } = server.services;
      const file = join(dataDir as string, 'osm/malta-2018.coast-and-boundaries.osm.pbf');
      await importFile({ db, engine: server.engine }, file, null);
      const oracle = new pg.Client({ connectionString: oracleUrl });
      await oracle.connect();
      try {
        const rows = await db.query<{ id: string }>(
          `select id from boundary where source = 'osm' and admin_level in (4, 8) and has_geometry order by id`,
        );
        const shapes = new Map<string, string | null>();
        const shapeOf = async (id: string, area: string) => {
          const name = `${id} ${area}`;
          if (!shapes.has(name)) {
            const { json } = await server.get(`/v1/boundaries/${id}?detail=full&area=${area}`, key);
            shapes.set(name, json.geometry === undefined ? null : JSON.stringify(json.geometry));
          }
          return shapes.get(name) ?? null;
        };
        let onLand = 0;
        let checked = 0;
        for (const { id } of rows.filter((_, i) => i % 3 === 0)) {
          for (const one of (await neighbors(id)).filter(({ shared_km }) => shared_km > 0)) {
            const measured = [];
            for (const area of ['land', 'water']) {
              const values = [await shapeOf(id, area), await shapeOf(one.id, area)];
              const { rows: found } = await oracle.query(
                `select coalesce(st_length(st_collectionextract(st_intersection(
                   st_boundary(st_setsrid(st_geomfromgeojson($1), 4326)),
                   st_boundary(st_setsrid(st_geomfromgeojson($2), 4326))), 2)::geography), 0) / 1000 as km`,
                values,
              );
              measured.push(values.includes(null) ? 0 : found[0].km);
            }
            // PostGIS takes the doubles of neighbors' equal vertices: the lines are the same.
            expect([id, one.id, one.land_km, one.sea_km]).toEqual([
              id,
              one.id,
              expect.closeTo(measured[0] as number, 5),
              expect.closeTo(measured[1] as number, 5),
            ]);
            checked++;
            if (one.land_km !== null && one.land_km > 0) onLand++;
          }
        }
        expect(checked).toBeGreaterThan(40);
        expect(onLand).toBeGreaterThan(40);
      } finally {
        await oracle.end();
      }
    },
    300_000,
  );
});

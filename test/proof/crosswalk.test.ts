import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { isNative } from '../setup/database.ts';
import { dataDir, openLuxembourg, type ProofEnvironment, refsOf } from './environment.ts';

const about = { license: 'test', attribution: 'test' };

/** Pairs with a common area, by PostGIS: km2 on the ellipsoid. */
const ORACLE = `
  select a.boundary_id as a, b.boundary_id as b, st_area(st_intersection(a.geom, b.geom)::geography) / 1e6 as km2
  from boundary_shape a join boundary_shape b on a.geom && b.geom
  where a.boundary_id = any ($1::text[]) and b.boundary_id = any ($2::text[])
    and st_area(st_intersection(a.geom, b.geom)) > 0`;

describe.skipIf(!dataDir || !isNative)('crosswalks of real boundaries', () => {
  let server: ProofEnvironment;
  beforeAll(async () => {
    server = await openLuxembourg();
    const deps = { db: server.test.db, engine: server.engine };
    const counties = join(dataDir as string, 'coverage/us-counties-10m.topo.json');
    for (const [object, adminLevel] of [
      ['states', 4],
      ['counties', 6],
    ] as const) {
      await importFile(deps, counties, { ...about, source: `us-${object}`, object, adminLevel, country: 'US' });
    }
  }, 300_000);
  afterAll(() => server?.close());

  async function idsAt(country: string, level: number, limit: number): Promise<string[]> {
    const rows = await server.test.db.query<{ id: string }>(
      'select id from boundary where has_geometry and admin_level = $1 and country = $2 order by md5(id) limit $3',
      [level, country, limit],
    );
    return rows.map(({ id }) => id);
  }

  it.each([
    ['LU', 8, 6, 1000],
    ['LU', 9, 8, 1000],
    ['LU', 6, 2, 1000],
    ['US', 6, 4, 600],
    ['US', 4, 6, 600],
  ])(
    '%s, level %i in level %i: areas are those of PostGIS',
    { timeout: 300_000 },
    async (country, one, other, limit) => {
      const [a, b] = [await idsAt(country, one, limit), await idsAt(country, other, limit)];
      const ids = [...new Set([...a, ...b])];
      const places = (list: readonly string[]) => list.map((id) => ids.indexOf(id));
      const wanted = { a: places(a), b: places(b), maxPairs: 200_000 };
      const ours = await server.engine.crosswalk(await refsOf(server, ids), wanted);
      const areas = new Map(Array.from(ours.a, (i, p) => [`${a[i]} ${b[ours.b[p]]}`, p]));
      const theirs = await server.test.db.query<{ a: string; b: string; km2: number }>(ORACLE, [a, b]);
      let exact = 0;
      for (const row of theirs) {
        const p = areas.get(`${row.a} ${row.b}`);
        const name = `${row.a} ${row.b} ${row.km2}`;
        // What PostGIS finds where borders only meet is what its own rounding leaves: less than a square meter.
        if (p === undefined) {
          expect(row.km2, name).toBeLessThan(1e-6);
          continue;
        }
        if (ours.exact[p]) {
          exact++;
          expect(Math.abs(ours.areaKm2[p] - row.km2), name).toBeLessThanOrEqual(1e-9 * row.km2 + 1e-9);
        } else expect(Math.abs(ours.areaKm2[p] - row.km2), name).toBeLessThanOrEqual(1e-6 * row.km2 + 1e-6);
        areas.delete(`${row.a} ${row.b}`);
      }
      // And nothing else but such leftovers.
      for (const [pair, p] of areas) expect(ours.areaKm2[p], pair).toBeLessThan(1e-6);
      expect(exact).toBeGreaterThan(0);
      console.log(`crosswalk ${country} ${one} ${other}: ${exact} exact of ${theirs.length} pairs`);
    },
  );
});

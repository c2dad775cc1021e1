import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { importFile } from '../../src/sources/import.ts';
import { isNative } from '../setup/database.ts';
import { dataDir, openCounties, openEnvironment, type ProofEnvironment, refsOf } from './environment.ts';
import { drawn } from './rounds.ts';

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
    server = await openCounties();
    const states = { ...about, source: 'us-states', object: 'states', adminLevel: 4, country: 'US' };
    const file = join(dataDir as string, 'coverage/us-counties-10m.topo.json');
    await importFile({ db: server.test.db, engine: server.engine }, file, states);
  }, 300_000);
  afterAll(() => server?.close());

  async function idsAt(country: string, level: number, limit: number): Promise<string[]> {
    const rows = await server.test.db.query<{ id: string }>(
      'select id from boundary where has_geometry and admin_level = $1 and country = $2 order by md5(id) limit $3',
      [level, country, limit],
    );
    return rows.map(({ id }) => id);
  }

  const cases = [
    ['LU', 8, 6, 1000],
    ['LU', 9, 8, 1000],
    ['LU', 6, 2, 1000],
    ['US', 6, 4, 600],
    ['US', 4, 6, 600],
  ] as const;
  it.each(drawn(cases, 2))(
    '%s, level %i in level %i: areas are those of PostGIS',
    { timeout: 300_000 },
    async (country, one, other, limit) => {
      const [a, b] = [await idsAt(country, one, limit), await idsAt(country, other, limit)];
      const ids = [...new Set([...a, ...b])];
      const places = (list: readonly string[]) => list.map((id) => ids.indexOf(id));
      const wanted = { a: places(a), b: places(b), maxPairs: 200_000 };
      const ours = await server.engine.relations.crosswalk(await refsOf(server, ids), wanted);
      const areas = new Map(Array.from(ours.a, (i, p) => [`${a[i]} ${b[defined(ours.b[p])]}`, p]));
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
          expect(Math.abs(defined(ours.areaKm2[p]) - row.km2), name).toBeLessThanOrEqual(1e-9 * row.km2 + 1e-9);
        } else expect(Math.abs(defined(ours.areaKm2[p]) - row.km2), name).toBeLessThanOrEqual(1e-6 * row.km2 + 1e-6);
        areas.delete(`${row.a} ${row.b}`);
      }
      // And nothing else but such leftovers.
      for (const [pair, p] of areas) expect(ours.areaKm2[p], pair).toBeLessThan(1e-6);
      expect(exact).toBeGreaterThan(0);
      console.log(`crosswalk ${country} ${one} ${other}: ${exact} exact of ${theirs.length} pairs`);
    },
  );
});

/** Pairs of an oracle with the length of what borders the common area, in meters. */
const ORACLE_WITH_BORDER = `
  select a.boundary_id as a, b.boundary_id as b, st_area(i.geom::geography) / 1e6 as km2,
         st_perimeter(i.geom::geography) as border
  from boundary_shape a
  join boundary_shape b on a.geom && b.geom
  cross join lateral st_collectionextract(st_intersection(a.geom, b.geom), 3) as i (geom)
  where a.boundary_id = any ($1::text[]) and b.boundary_id = any ($2::text[])`;

/**
 * What rounding moves a vertex of a common area at most, in meters: half a grid unit of 1e-7 degrees (11.1 mm) in each
 * direction is 7.9 mm. So an area changes by at most that along the whole of its border.
 */
const ROUNDED = 0.0079;

interface Feature {
  readonly properties: Readonly<Record<string, string>>;
}

/** The features of a gzipped file that fit, as the text of a collection. */
async function featuresOf(file: string, fits: (one: Feature, i: number) => boolean): Promise<string> {
  const text = gunzipSync(await readFile(join(dataDir as string, 'coverage', file))).toString();
  const { features } = JSON.parse(text) as { features: Feature[] };
  return JSON.stringify({ type: 'FeatureCollection', features: features.filter(fits) });
}

describe.skipIf(!dataDir || !isNative)('crosswalks of two sources whose borders nearly coincide', () => {
  let server: ProofEnvironment;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'boundary-crosswalk-'));
    server = await openEnvironment();
    const deps = { db: server.test.db, engine: server.engine };
    const [municipalities, provinces] = [join(folder, 'municipalities.geojson'), join(folder, 'provinces.geojson')];
    await writeFile(municipalities, await featuresOf('it-comuni.geojson.gz', (_, i) => i % 15 === 0));
    const isItalian = ({ properties }: Feature) => properties.adm1_code?.startsWith('ITA-') === true;
    await writeFile(provinces, await featuresOf('ne-admin1-10m.geojson.gz', isItalian));
    const municipal = { map: { id: 'com_istat_code' }, adminLevel: 8, country: 'IT' };
    await importFile(deps, municipalities, { ...about, source: 'comuni', ...municipal });
    const provincial = { map: { id: 'adm1_code' }, adminLevel: 6, country: 'IT' };
    await importFile(deps, provinces, { ...about, source: 'provinces', ...provincial });
  }, 600_000);
  afterAll(async () => {
    await server?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it('have the areas of PostGIS, within what rounding moves their borders', { timeout: 300_000 }, async () => {
    const idsAt = async (level: number) => {
      const sql = 'select id from boundary where has_geometry and admin_level = $1 order by id';
      return (await server.test.db.query<{ id: string }>(sql, [level])).map(({ id }) => id);
    };
    const [a, b] = [await idsAt(8), await idsAt(6)];
    expect(a.length).toBeGreaterThan(300);
    expect(b.length).toBeGreaterThan(100);
    const wanted = { a: a.map((_, i) => i), b: b.map((_, i) => a.length + i), maxPairs: 200_000 };
    const ours = await server.engine.relations.crosswalk(await refsOf(server, [...a, ...b]), wanted);
    const found = new Map(Array.from(ours.a, (i, p) => [`${a[i]} ${b[defined(ours.b[p])]}`, p]));
    const theirs = await server.test.db.query<{ a: string; b: string; km2: number; border: number }>(
      ORACLE_WITH_BORDER,
      [a, b],
    );
    let [overlaid, exact] = [0, 0];
    for (const row of theirs) {
      const p = found.get(`${row.a} ${row.b}`);
      const name = `${row.a} ${row.b} ${row.km2} km2, ${row.border} m`;
      const isExact = p !== undefined && ours.exact[p] === 1;
      if (isExact) exact++;
      else if (p !== undefined) overlaid++;
      const slack = isExact ? 1e-9 : (ROUNDED * row.border) / 1e6 + 1e-9;
      expect(Math.abs((p === undefined ? 0 : defined(ours.areaKm2[p])) - row.km2), name).toBeLessThanOrEqual(
        1e-9 * row.km2 + slack,
      );
      found.delete(`${row.a} ${row.b}`);
    }
    // No pair is left that PostGIS does not have.
    expect([...found.keys()]).toEqual([]);
    expect(overlaid).toBeGreaterThan(100);
    expect(exact).toBeGreaterThan(100);
  });
});

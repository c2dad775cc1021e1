import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { type Coverage, type CoverageOptions, readCoverage } from '../../src/sources/coverage.ts';
import type { Coords } from '../../workers/contract.ts';
import { doubleArea, geosCheck, nest, REAL_DATA_DIR, toWkb } from './coverage_support.ts';

const FILES: readonly (readonly [
  string,
  Omit<CoverageOptions, 'source' | 'adminLevel'>,
  { total: number; mended: number; lost: number },
])[] = [
  ['us-counties-10m.topo.json', { object: 'counties' }, { total: 3231, mended: 45, lost: 1 }],
  ['es-municipalities.topo.json', { object: 'municipalities' }, { total: 8213, mended: 296, lost: 29 }],
  ['it-comuni.geojson.gz', { map: { id: 'com_istat_code' }, country: 'IT' }, { total: 5217, mended: 1, lost: 0 }],
  ['fr-communes.geojson.gz', { map: { id: 'code', name: 'nom' }, country: 'FR' }, { total: 35357, mended: 1, lost: 0 }],
];

const read = new Map<string, Promise<Coverage>>();
const load = (file: string, options: Omit<CoverageOptions, 'source' | 'adminLevel'>) => {
  const known =
    read.get(file) ?? readCoverage(join(REAL_DATA_DIR!, 'coverage', file), { source: file, adminLevel: 8, ...options });
  read.set(file, known);
  return known;
};
const features = ({ boundaries }: Coverage) =>
  boundaries.map(({ border }) => ({ rings: 'rings' in border ? border.rings : ([] as readonly Coords[]) }));

describe.skipIf(REAL_DATA_DIR === undefined)('real coverages (REAL_DATA_DIR)', () => {
  it.each(FILES)(
    '%s: every feature valid, every edge matched, by GEOS',
    { timeout: 120_000 },
    async (file, options, expected) => {
      const coverage = await load(file, options);
      expect(coverage.boundaries.length + coverage.skipped.length).toBe(expected.total);
      expect(coverage.skipped).toHaveLength(expected.lost);
      expect(coverage.mended.count).toBe(expected.mended);
      expect(await geosCheck(features(coverage))).toEqual({ invalid: [], matches: true });
    },
  );

  it('mends the one commune of France that is invalid, and leaves its neighbours', async () => {
    const coverage = await load(FILES[3]![0], FILES[3]![1]);
    expect(coverage.mended.ids).toEqual(['14174']);
  });

  const url = process.env.ORACLE_DATABASE_URL;
  describe.skipIf(url === undefined)('by PostGIS (ORACLE_DATABASE_URL)', () => {
    const client = new pg.Client({ connectionString: url });
    afterAll(() => client.end());

    it.each(FILES.slice(0, 3))(
      '%s: valid, interiors disjoint, areas as read',
      { timeout: 240_000 },
      async (file, options) => {
        if (!('isReady' in client)) await client.connect().catch(() => {});
        Object.assign(client, { isReady: true });
        const coverage = features(await load(file, options));
        await client.query('create temporary table if not exists coverage_check (i int primary key, g geometry)');
        await client.query('truncate coverage_check');
        for (let from = 0; from < coverage.length; from += 1000) {
          const part = coverage.slice(from, from + 1000);
          await client.query(
            'insert into coverage_check select i, ST_GeomFromWKB(w) from unnest($1::int[], $2::bytea[]) as t(i, w)',
            [part.map((_, k) => from + k), part.map(({ rings }) => toWkb(rings))],
          );
        }
        await client.query('create index if not exists coverage_check_g on coverage_check using gist (g)');
        const invalid = await client.query(
          'select i, ST_IsValidReason(g) as reason from coverage_check where not ST_IsValid(g)',
        );
        expect(invalid.rows).toEqual([]);
        const overlapping = await client.query(
          `select a.i, b.i as other from coverage_check a join coverage_check b on a.i < b.i and a.g && b.g
          where a.i % 4 = 0 and ST_Relate(a.g, b.g, 'T********')`,
        );
        expect(overlapping.rows).toEqual([]);
        const { rows } = await client.query<{ area: number }>('select sum(ST_Area(g)) as area from coverage_check');
        const own = coverage.reduce((sum, { rings }) => {
          return (
            sum +
            nest(rings).reduce((all, [shell, ...holes]) => {
              const size = (ring: Coords) => Math.abs(doubleArea(ring)) / 2;
              return all + size(shell!) - holes.reduce((cut, hole) => cut + size(hole), 0);
            }, 0)
          );
        }, 0);
        expect(Math.abs(rows[0]!.area / own - 1)).toBeLessThan(1e-9);
      },
    );
  });
});

import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import type { Cleaner } from '../../src/sources/coverage/cleaner.ts';
import type { ReadOptions } from '../../src/sources/coverage/options.ts';
import { type Coverage, readCoverage } from '../../src/sources/coverage/read.ts';
import { type CleanCoverage, type CoverageFeature, cleanCoverage } from '../../workers/arcs/clean.ts';
import { SLIVER_SHARE } from '../../workers/arcs/slivers.ts';
import type { Coords } from '../../workers/contract.ts';
import { doubleArea, geosCheck, nest, REAL_DATA_DIR, toWkb } from '../sources/coverage_support.ts';
import { drawn } from './rounds.ts';

const FILES: readonly (readonly [
  string,
  Omit<ReadOptions, 'source' | 'adminLevel'>,
  { total: number; repairs: number; lost: number; overlaps: number },
])[] = [
  ['us-counties-10m.topo.json', { object: 'counties' }, { total: 3231, repairs: 45, lost: 1, overlaps: 6 }],
  ['es-municipalities.topo.json', { object: 'municipalities' }, { total: 8213, repairs: 295, lost: 29, overlaps: 100 }],
  [
    'it-comuni.geojson.gz',
    { map: { id: 'com_istat_code' }, country: 'IT' },
    { total: 5217, repairs: 1, lost: 0, overlaps: 0 },
  ],
  ['ne-admin1-10m.geojson.gz', { map: { id: 'adm1_code' } }, { total: 4596, repairs: 4, lost: 6, overlaps: 0 }],
  [
    'fr-communes.geojson.gz',
    { map: { id: 'code', name: 'nom' }, country: 'FR' },
    { total: 35357, repairs: 1, lost: 0, overlaps: 0 },
  ],
];

const read = new Map<string, Promise<Coverage>>();
const changes = new Map<string, number[]>();

/**
 * By how much of its planar area, from the rings as they are in the file, cleaning changed each feature whose rings did
 * not cross themselves: the loops of those count as areas that cancel where it is only drawn.
 */
function changesOf(given: readonly CoverageFeature[], { features: cleaned, repairs }: CleanCoverage): number[] {
  return repairs.flatMap(({ feature, reasons }) => {
    if (reasons.includes('rings')) return [];
    const { rings, polygonEnd } = given[feature]!;
    let before = 0;
    for (const [r, ring] of rings.entries()) {
      const isShell = r === 0 || polygonEnd!.includes(r);
      before += isShell ? Math.abs(doubleArea(ring)) : -Math.abs(doubleArea(ring));
    }
    const after = cleaned[feature]!.rings.reduce((sum, ring) => sum + doubleArea(ring), 0);
    return Math.abs(after / before - 1);
  });
}

const load = (file: string, options: Omit<ReadOptions, 'source' | 'adminLevel'>) => {
  const path = join(REAL_DATA_DIR!, 'coverage', file);
  const clean: Cleaner = async (given, slivers) => {
    const result = await cleanCoverage(given, slivers);
    changes.set(file, changesOf(given, result));
    return result;
  };
  const known = read.get(file) ?? readCoverage(path, { source: file, adminLevel: 8, ...options }, undefined, clean);
  read.set(file, known);
  return known;
};
const features = ({ boundaries }: Coverage) =>
  boundaries.map(({ border }) => ({ rings: 'rings' in border ? border.rings : ([] as readonly Coords[]) }));

describe.skipIf(REAL_DATA_DIR === undefined)('real coverages (REAL_DATA_DIR)', () => {
  it.each(drawn(FILES))(
    '%s: every feature valid, every edge matched, by GEOS',
    { timeout: 120_000 },
    async (file, options, expected) => {
      const coverage = await load(file, options);
      expect(coverage.boundaries.length + coverage.skipped.length).toBe(expected.total);
      expect(coverage.skipped).toHaveLength(expected.lost);
      expect(coverage.repaired).toHaveLength(expected.repairs);
      expect(coverage.overlaps).toHaveLength(expected.overlaps);
      const crossedItself = new Set<string>();
      for (const { id, reason, km2Before, km2After } of coverage.repaired) {
        // Of a ring that crosses itself, the loops count as areas that cancel where it is only drawn. A new vertex on a
        // long edge, straight in degrees, lies beside the geodesic that the edge was measured along: it counts in needles.
        if (reason.includes('crossed')) crossedItself.add(id);
        else expect(Math.abs(km2After / km2Before - 1), id).toBeLessThanOrEqual(1.5 * SLIVER_SHARE);
      }
      const change = changes.get(file)!;
      console.log(
        `${file}: ${crossedItself.size} crossed themselves; of ${change.length} others at most ${Math.max(0, ...change)} of an area changed`,
      );
      expect(Math.max(0, ...change)).toBeLessThanOrEqual(SLIVER_SHARE);
      expect(await geosCheck(features(coverage))).toEqual({ invalid: [], matches: expected.overlaps === 0 });
    },
  );

  it('repairs the one commune of France that is invalid, and leaves its neighbors', async () => {
    const coverage = await load(FILES[4]![0], FILES[4]![1]);
    expect(coverage.repaired).toMatchObject([{ id: '14174', reason: expect.stringContaining('repeated itself') }]);
  });

  const url = process.env.ORACLE_DATABASE_URL;
  describe.skipIf(url === undefined)('by PostGIS (ORACLE_DATABASE_URL)', () => {
    const client = new pg.Client({ connectionString: url });
    afterAll(() => client.end());

    it.each(drawn(FILES.slice(0, 3)))(
      '%s: valid, interiors disjoint but where overlaps are reported, areas as read',
      { timeout: 240_000 },
      async (file, options) => {
        if (!('isReady' in client)) await client.connect().catch(() => {});
        Object.assign(client, { isReady: true });
        const read = await load(file, options);
        const coverage = features(read);
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
        const idOf = (i: number) => read.boundaries[i]!.sourceId;
        const listed = new Set(read.overlaps.flatMap(({ a, b }) => [`${a} ${b}`, `${b} ${a}`]));
        const unlisted = overlapping.rows.filter(({ i, other }) => !listed.has(`${idOf(i)} ${idOf(other)}`));
        expect(unlisted).toEqual([]);
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

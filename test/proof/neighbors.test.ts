import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { neighborsOf } from '../../src/geometry/neighbors.ts';
import { importFile } from '../../src/sources/import.ts';
import { isNative } from '../setup/database.ts';
import { dataDir, openCounties, type ProofEnvironment } from './environment.ts';
import { generator } from './made.ts';
import { drawn, rounds } from './rounds.ts';

/** Boundaries of each country; CASES=2000 is the proof in full. */
const CASES = Number(process.env.CASES ?? rounds(40));
const SEED = Number(process.env.SEED ?? 20261122);

/**
 * What PostGIS says of a boundary and one other: kilometers of the common border, whether interiors are apart, whether
 * anything but the common line tells that the shapes overlap. The shapes are those that the import stored.
 */
const ORACLE = `
  with one as (select b.id, s.geom from boundary b join boundary_shape s on s.boundary_id = b.id where b.id = $1)
  select o.boundary_id as id, st_touches(one.geom, o.geom) as touches,
         st_length(st_collectionextract(st_intersection(st_boundary(one.geom), st_boundary(o.geom)), 2)::geography) / 1000 as km
  from one, boundary_shape o join boundary b on b.id = o.boundary_id
  where o.geom && one.geom and o.boundary_id <> one.id and b.admin_level = $2 and st_intersects(one.geom, o.geom)`;

describe.skipIf(!dataDir || !isNative)(`neighbors of ${CASES} random boundaries a country, seed ${SEED}`, () => {
  const cases = drawn(
    [
      ['LU', 6],
      ['LU', 8],
      ['LU', 9],
      ['US', 6],
      ['ES', 8],
    ] as const,
    3,
  );
  let server: ProofEnvironment;
  beforeAll(async () => {
    server = await openCounties();
    if (!cases.some(([country]) => country === 'ES')) return;
    const spain = { ...{ source: 'es', license: 'test', attribution: 'test' }, object: 'municipalities' };
    const file = join(dataDir as string, 'coverage/es-municipalities.topo.json');
    await importFile({ db: server.test.db, engine: server.engine }, file, { ...spain, adminLevel: 8, country: 'ES' });
  }, 300_000);
  afterAll(() => server?.close());

  it.each(cases)(
    '%s, level %i: lengths and touches are those of PostGIS',
    { timeout: 60_000 + CASES * 500 },
    async (country, level) => {
      const { db } = server.test;
      const rows = await db.query<{ id: string }>(
        'select id from boundary where has_geometry and admin_level = $1 and country = $2 order by id',
        [level, country],
      );
      const random = generator(SEED + level);
      const chosen = new Set(Array.from({ length: CASES }, () => defined(rows[Math.floor(random() * rows.length)]).id));
      const seen = { line: 0, point: 0, crossing: 0 };
      for (const one of await createBoundaries(db).resolve([...chosen])) {
        const ref = { id: one.id, ringHash: one.ring_hash as string, adminLevel: one.admin_level };
        const border = await server.engine.relations.border(ref);
        const ours = await neighborsOf(db, one, border, {});
        const theirs = await db.query<{ id: string; touches: boolean; km: number }>(ORACLE, [one.id, level]);
        const crossing = new Set(ours.crossing);
        const km = new Map(ours.ids.map((id, i) => [id, ours.km[i]]));
        for (const { id, touches, km: expected } of theirs) {
          // What lies across this border, without sharing it, is named and not counted.
          if (crossing.has(id)) {
            seen.crossing++;
            continue;
          }
          const ourKm = km.get(id);
          if (!touches) {
            // Areas that overlap: a double, or one inside the other.
            expect(ourKm === undefined || ourKm > 0, `${one.id} ${id}`).toBe(true);
            continue;
          }
          expect(ourKm, `${one.id} ${id}`).toBeDefined();
          expect(Math.abs((ourKm as number) - expected), `${one.id} ${id}`).toBeLessThanOrEqual(1e-6 * expected);
          seen[expected > 0 ? 'line' : 'point']++;
        }
        const known = new Set(theirs.map(({ id }) => id));
        expect(ours.ids.filter((id) => !known.has(id))).toEqual([]);
      }
      expect(seen.line).toBeGreaterThan(0);
      console.log(`neighbors ${country} ${level}: ${JSON.stringify(seen)}`);
    },
  );
});

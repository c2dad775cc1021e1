import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import type { Context } from '../../src/core/op.ts';
import { pointsIn } from '../../src/ops/boundaries/locate.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { isNative } from '../setup/database.ts';
import { luxembourgAndCounties } from '../setup/luxembourg.ts';
import { dataDir } from './environment.ts';
import { generator } from './made.ts';
import { rounds } from './rounds.ts';

/** POINTS=2000000 is the proof in full. */
const POINTS = Number(process.env.POINTS ?? rounds(10_000));
const SEED = Number(process.env.SEED ?? 20261122);
const BATCH = 2_000;

describe.skipIf(!dataDir || !isNative)(`${POINTS} random points, seed ${SEED}`, () => {
  let server: BoundaryTestServer;
  beforeAll(async () => {
    server = await openBoundaryTestServer({}, {}, undefined, luxembourgAndCounties);
    // On integers, as they are stored: in degrees, what lies on a border is beside it by a rounding.
    await server.services.db.query(
      `create table exact_shape as
       select boundary_id, st_snaptogrid(st_scale(st_setsrid(geom, 0), 1e7, 1e7), 1) as geom from boundary_shape`,
    );
    await server.services.db.query('create index on exact_shape using gist (geom)');
  }, 300_000);
  afterAll(() => server?.close());

  /** Places anywhere around Luxembourg and the United States, vertices of borders, and what lies one unit beside them. */
  async function places(random: () => number, count: number): Promise<Int32Array> {
    const rows = await server.services.db.query<{ x: number; y: number }>(
      `select round(st_x(p.geom) * 1e7)::integer as x, round(st_y(p.geom) * 1e7)::integer as y
       from (select geom from boundary_shape order by md5(boundary_id || $1::text) limit 200) s
       cross join lateral st_dumppoints(s.geom) p limit 100000`,
      [String(random())],
    );
    const points = new Int32Array(2 * count);
    for (let i = 0; i < count; i++) {
      const kind = random();
      if (kind < 0.4) {
        const [west, south, east, north] = random() < 0.5 ? [5.7, 49.4, 6.6, 50.2] : [-180, 15, -60, 72];
        points[2 * i] = Math.round((west + (east - west) * random()) * 1e7);
        points[2 * i + 1] = Math.round((south + (north - south) * random()) * 1e7);
        continue;
      }
      const { x, y } = defined(rows[Math.floor(random() * rows.length)]);
      const beside = kind < 0.7 ? 0 : 1;
      points[2 * i] = Math.max(-1_800_000_000, x + beside * Math.round(2 * random() - 1));
      points[2 * i + 1] = y + beside * Math.round(2 * random() - 1);
    }
    return points;
  }

  it('are in what ST_Covers says', { timeout: 120_000 + POINTS * 20 }, async () => {
    const ctx = { services: server.services, signal: new AbortController().signal } as unknown as Context;
    const random = generator(SEED);
    let [hits, several] = [0, 0];
    for (let done = 0; done < POINTS; done += BATCH) {
      const points = await places(random, Math.min(BATCH, POINTS - done));
      const { members, end, items } = await pointsIn(ctx, { levels: [], kinds: [] }, points);
      const rows = await server.services.db.query<{ n: number; ids: string[] }>(
        `select p.n::integer as n, array_agg(s.boundary_id order by s.boundary_id collate "C") as ids
         from unnest($1::integer[], $2::integer[]) with ordinality as p (x, y, n)
         join exact_shape s on st_covers(s.geom, st_makepoint(p.x, p.y))
         group by p.n`,
        [points.filter((_, i) => i % 2 === 0), points.filter((_, i) => i % 2 === 1)],
      );
      const expected = new Map(rows.map(({ n, ids }) => [n - 1, ids]));
      for (let i = 0; i < end.length; i++) {
        const found = Array.from(
          items.subarray(i === 0 ? 0 : end[i - 1], end[i]),
          (k) => defined(members[k]).id,
        ).sort();
        const about = `point ${done + i}: ${points[2 * i]} ${points[2 * i + 1]}`;
        if (found.join() !== (expected.get(i) ?? []).join()) expect(found, about).toEqual(expected.get(i) ?? []);
        hits += found.length;
        if (found.length > 1) several++;
      }
    }
    expect(hits).toBeGreaterThan(POINTS / 2);
    expect(several).toBeGreaterThan(POINTS / 10);
    console.log(`locate_points: ${POINTS} points, ${hits} times inside, ${several} in several`);
  });
});

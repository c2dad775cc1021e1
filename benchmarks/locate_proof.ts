/**
 * `DATABASE_URL=… POINTS=2000000 tsx benchmarks/locate_proof.ts`: looks up random points in the level 8 boundaries of a
 * filled database, with locate_points and with ST_Covers on the same integers, and compares the results one by one. A
 * third of the points is anywhere in the box of a boundary, a third on a border vertex, a third one unit (1e-7 degrees)
 * next to one. Needs a native database; creates one table and drops it. Exits with 1 at the first difference.
 */
import { rmSync } from 'node:fs';
import { openApp } from '../src/app/app.ts';
import { seeded } from '../src/bench/random.ts';
import { loadConfig } from '../src/config.ts';
import type { Context } from '../src/core/op.ts';
import { pointsIn } from '../src/ops/boundaries/locate.ts';

const POINTS = Number(process.env.POINTS ?? 2_000_000);
const SEED = Number(process.env.SEED ?? 20_261_123);
const BATCH = 10_000;
const LEVEL = 8;

const folder = `/tmp/boundary-locate-proof-${process.pid}`;
const config = loadConfig({ DATABASE_URL: process.env.DATABASE_URL, DATA_DIR: folder, LOG_LEVEL: 'silent' });
const app = await openApp(config);
const { db } = app.services;
const ctx = { services: app.services, signal: new AbortController().signal } as unknown as Context;
const next = seeded(SEED);
try {
  // In integers, as stored: in degrees, rounding moves a point off its border.
  await db.exec(`
    drop table if exists proof_shape;
    create table proof_shape as
      select boundary_id, st_snaptogrid(st_scale(st_setsrid(geom, 0), 1e7, 1e7), 1) as geom
      from boundary_shape join boundary b on b.id = boundary_id where b.admin_level = ${LEVEL};
    create index on proof_shape using gist (geom);
    analyze proof_shape;`);
  const vertices = await db.query<{ x: number; y: number }>(
    `select st_x(p.geom)::integer as x, st_y(p.geom)::integer as y
     from (select geom from proof_shape order by md5(boundary_id || $1::text) limit 4000) s
     cross join lateral st_dumppoints(s.geom) p limit 200000` as string,
    [String(SEED)],
  );
  const boxes = await db.query<{ w: number; s: number; e: number; n: number }>(
    `select st_xmin(geom)::integer as w, st_ymin(geom)::integer as s, st_xmax(geom)::integer as e,
            st_ymax(geom)::integer as n from proof_shape order by boundary_id` as string,
    [],
  );
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)];
  let [hits, several, none] = [0, 0, 0];
  for (let done = 0; done < POINTS; done += BATCH) {
    const count = Math.min(BATCH, POINTS - done);
    const points = new Int32Array(2 * count);
    for (let i = 0; i < count; i++) {
      if (i % 3 === 0) {
        const { w, s, e, n } = pick(boxes);
        points[2 * i] = Math.round(w + (e - w) * next());
        points[2 * i + 1] = Math.round(s + (n - s) * next());
      } else {
        const { x, y } = pick(vertices);
        points[2 * i] = x + (i % 3 === 1 ? 0 : Math.round(2 * next() - 1));
        points[2 * i + 1] = y + (i % 3 === 1 ? 0 : Math.round(2 * next() - 1));
      }
    }
    const { members, end, items } = await pointsIn(ctx, { levels: [LEVEL], kinds: [] }, points);
    const rows = await db.query<{ n: number; ids: string }>(
      `select p.n::integer as n, string_agg(s.boundary_id, ',' order by s.boundary_id collate "C") as ids
       from unnest($1::integer[], $2::integer[]) with ordinality as p (x, y, n)
       join proof_shape s on st_covers(s.geom, st_makepoint(p.x, p.y)) group by p.n` as string,
      [points.filter((_, i) => i % 2 === 0), points.filter((_, i) => i % 2 === 1)],
    );
    const expected = new Map(rows.map(({ n, ids }) => [n - 1, ids]));
    for (let i = 0; i < count; i++) {
      const inside = items.subarray(i === 0 ? 0 : end[i - 1], end[i]);
      const found = Array.from(inside, (k) => members[k].id).sort();
      if (found.join() !== (expected.get(i) ?? '')) {
        throw new Error(`${points[2 * i]} ${points[2 * i + 1]}: ${found.join()}; ST_Covers: ${expected.get(i) ?? ''}`);
      }
      hits += found.length;
      if (found.length > 1) several++;
      if (found.length === 0) none++;
    }
    if ((done / BATCH) % 20 === 0) process.stderr.write(`${done + count} points\n`);
  }
  process.stdout.write(
    `${POINTS} points among ${boxes.length} boundaries, seed ${SEED}: ${hits} times inside, ${several} in several, ${none} in none; all as ST_Covers\n`,
  );
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  await db.exec('drop table if exists proof_shape');
  await app.close();
  rmSync(folder, { recursive: true, force: true });
}

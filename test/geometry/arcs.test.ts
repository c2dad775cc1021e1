import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../src/bench/random.ts';
import { defined } from '../../src/common/elements.ts';
import type { Queryable } from '../../src/db/connect.ts';
import { ArcsMoved, type Lease } from '../../src/geometry/arc_leases.ts';
import { ArcStore } from '../../src/geometry/arcs.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import { type ArcTable, FULL } from '../../workers/contract.ts';
import { openHeap } from '../../workers/heap.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { leading } from '../setup/elements.ts';
import { watchedQuery } from '../setup/watched.ts';
import { circles } from './large.ts';

let server: BoundaryTestServer;
let hashes: Map<string, string>;
let statements = 0;
/** The database, its statements counted. */
let db: Queryable;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  const real = server.services.db;
  await storeBoundaries({ db: real, engine: server.engine }, fixtureWorld());
  await storeBoundaries({ db: real, engine: server.engine }, circles(8, 700));
  const rows = await real.query<{ id: string; hash: string }>(
    `select id, encode(ring_hash, 'hex') as hash from boundary where has_geometry`,
  );
  hashes = new Map(rows.map(({ id, hash }) => [id, hash]));
  db = {
    query: watchedQuery(real, () => statements++),
    exec: (sql) => real.exec(sql),
  };
});
afterAll(() => server?.close());

const wanted = (...ids: string[]) => ids.map((id) => ({ id, ringHash: hashes.get(id) as string }));
/** Each fills most of a region of the smallest heap there is (4,096 vertices in four regions). */
const CIRCLES = [1, 2, 3, 4, 5, 6, 7, 8].map((i) => `r${i}`);
const COMMUNES = [1, 2, 3].flatMap((x) => [1, 2, 3].map((y) => `r1${x}${y}`));

/** How many statements it takes to have these in memory. */
async function counted(store: ArcStore, ids: string[]): Promise<[number, Lease]> {
  statements = 0;
  const lease = await store.load(db, wanted(...ids));
  return [statements, lease];
}

/** The shapes of a lease laid out, as text. */
function shapesOf(store: ArcStore, lease: Lease): string[] {
  const table: ArcTable = lease.heap ? openHeap(lease.heap, lease.heap.buffer).table : store.heap.heap.table;
  return lease.shapes.map(({ ringEnd, polygonEnd }, i) => {
    const { coords } = materialize(table, { refs: defined(lease.refs[i]), ringEnd, polygonEnd }, FULL, 0);
    return coords.join(' ');
  });
}

describe('one statement at most', () => {
  it('for rings and arcs that are not there, and none once they are', async () => {
    const store = new ArcStore(4e6);
    const [first, lease] = await counted(store, ['r100', ...COMMUNES]);
    expect([first, lease.heap, lease.conflict]).toEqual([1, null, false]);
    lease.release();
    for (const ids of [['r100'], COMMUNES, ['r111', 'r100', 'r111']]) {
      const [again, held] = await counted(store, ids);
      expect(again).toBe(0);
      expect(store.leaseIfCached(wanted(...ids))?.shapes.map(({ id }) => id)).toEqual(ids);
      held.release();
    }
    const [other, province] = await counted(store, ['r101', 'w500', 'r111']);
    expect([other, store.leaseIfCached(wanted('r102'))]).toEqual([1, null]);
    province.release();
  });

  it('gives the same shapes whatever was in memory before', async () => {
    const fresh = new ArcStore(4e6);
    const whole = shapesOf(fresh, (await counted(fresh, ['r100', 'r122', 'r600']))[1]);
    const used = new ArcStore(4e6);
    for (const id of COMMUNES) (await counted(used, [id]))[1].release();
    expect(shapesOf(used, (await counted(used, ['r100', 'r122', 'r600']))[1])).toEqual(whole);
  });

  it('tells of arcs that are recorded to cross', async () => {
    const store = new ArcStore(4e6);
    const [, both] = await counted(store, ['r430', 'r431', 'r111']);
    expect([both.conflict, both.crossing(0, 1), both.crossing(0, 2)]).toEqual([true, true, false]);
    expect((await counted(store, ['r430', 'r111']))[1].conflict).toBe(false);
  });

  it('a shape of another ring_hash has moved', async () => {
    const store = new ArcStore(4e6);
    await expect(store.load(db, [{ id: 'r111', ringHash: 'beef' }])).rejects.toBeInstanceOf(ArcsMoved);
    await expect(store.load(db, [{ id: 'r999', ringHash: 'beef' }])).rejects.toBeInstanceOf(ArcsMoved);
    (await counted(store, ['r111']))[1].release();
  });
});

describe('bounded', () => {
  it('what the common heap has no room for is read into memory of its own, in one statement, and given back', async () => {
    const large = new ArcStore(4e6);
    const right = shapesOf(large, (await counted(large, CIRCLES))[1]);
    const small = new ArcStore(1);
    const before = (await counted(small, ['r1']))[1];
    const [first, apart] = await counted(small, CIRCLES);
    expect([first, apart.heap === null, small.privateBytes > 0]).toEqual([1, false, true]);
    expect(shapesOf(small, apart)).toEqual(right);
    apart.release();
    before.release();
    expect(small.privateBytes).toBe(0);
    expect(small.heap.bytes).toBeLessThanOrEqual(small.heap.heap.buffer.byteLength);
  });

  it('two that each need memory of their own do not take more than the bound together', async () => {
    const small = new ArcStore(1);
    const [, first] = await counted(small, CIRCLES.slice(0, 4));
    expect(first.heap).not.toBeNull();
    await expect(small.load(db, wanted(...CIRCLES))).rejects.toMatchObject({ code: 'rate_limited' });
    first.release();
    (await small.load(db, wanted(...CIRCLES))).release();
  });

  it('eviction while a lease is held leaves what it holds as it was', async () => {
    const small = new ArcStore(1);
    const [, held] = await counted(small, ['r1']);
    const shape = shapesOf(small, held);
    for (let round = 0; round < 5; round++) {
      for (const id of CIRCLES) (await counted(small, [id]))[1].release();
    }
    expect(small.heap.evictions).toBeGreaterThan(0);
    expect(shapesOf(small, held)).toEqual(shape);
    held.release();
    expect(shapesOf(small, (await counted(small, ['r1']))[1])).toEqual(shape);
  });

  it('a shape whose arcs were stored again is counted once, however often that happens', async () => {
    // Room for the rings of eight circles many times over, and for the arcs of few.
    const small = new ArcStore(20_000);
    for (let round = 0; round < 300; round++) {
      for (const id of CIRCLES) (await counted(small, [id]))[1].release();
      await server.services.db.query(
        `update arc set revision = revision + 1
         where id in (select abs(ref) from boundary_shape, unnest(arcs) as r (ref) where boundary_id = $1)`,
        [CIRCLES[round % CIRCLES.length]],
      );
    }
    for (const id of CIRCLES) (await counted(small, [id]))[1].release();
    const before = small.counts.misses;
    for (const id of CIRCLES) (await counted(small, [id]))[1].release();
    expect(small.counts.misses - before).toBe(0);
  });
});

it('points are found alike however little room there is for arcs', async () => {
  const all = wanted(...CIRCLES, ...COMMUNES);
  const boxes = await server.services.db.query<{ w: number; s: number; e: number; n: number }>(
    `select st_xmin(geom) as w, st_ymin(geom) as s, st_xmax(geom) as e, st_ymax(geom) as n
     from unnest($1::text[]) with ordinality as a (id, place) join boundary_shape on boundary_id = id order by place`,
    [all.map(({ id }) => id)],
  );
  expect(boxes).toHaveLength(all.length);
  const engines = [4e6, 1].map(
    (arcBytes) =>
      new Engine(server.services.db, { threads: 1, arcBytes, cache: createCache(1e6), maxResponseBytes: 1e6 }),
  );
  try {
    const random = seeded(20_261_123);
    let inside = 0;
    for (let batch = 0; batch < 30; batch++) {
      // Some of the boundaries at a time: batches meet what is there, what is not, and what was evicted.
      const some = all.flatMap((_, place) => (random() < 0.1 + 0.03 * batch ? [place] : []));
      const points = Int32Array.from(
        some.flatMap((place) => {
          const { w, s, e, n } = defined(boxes[place]);
          return [w + (e - w) * random(), s + (n - s) * random()].map((degrees) => Math.round(degrees * 1e7));
        }),
      );
      const candidates = {
        from: Uint32Array.from(some, (_, i) => i * some.length),
        end: Uint32Array.from(some, (_, i) => (i + 1) * some.length),
        items: Uint32Array.from(
          some.flatMap(() => some),
          (place) => place,
        ),
      };
      const [right, other] = leading(
        await Promise.all(engines.map((one) => one.points.locateAmong(all, points, candidates))),
        2,
      );
      expect(other).toEqual(right);
      inside += right.reduce((sum, one) => sum + one, 0);
    }
    expect(inside).toBeGreaterThan(100);
    const [{ epoch: never }, { epoch: often }] = leading(
      engines.map((one) => one.arcs.heap),
      2,
    );
    expect(never).toBe(0);
    expect(often).toBeGreaterThan(3);
  } finally {
    for (const engine of engines) await engine.close();
  }
});

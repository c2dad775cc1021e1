import { afterAll, beforeAll, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary } from '../ops/fixture_world.ts';

let server: BoundaryTestServer;
let key: string;

/** Squares on a diagonal; those of another `phase` lie between them, so that each box has both. */
function islands(count: number, phase: number): Int32Array[] {
  return Array.from({ length: count }, (_, i) => {
    const [x, y] = [1e7 + 4e4 * i + 2e4 * phase, 2e7 + 4e4 * i + 2e4 * phase];
    return Int32Array.from([x, y, x + 1e4, y, x + 1e4, y + 1e4, x, y + 1e4, x, y]);
  });
}

/** A circle of `count` vertices with a radius of half a degree around `lon`. */
function circle(count: number, lon: number): Int32Array {
  const at = (i: number) => ((i % count) / count) * 2 * Math.PI;
  return Int32Array.from({ length: 2 * count + 2 }, (_, i) =>
    Math.round(i % 2 === 0 ? lon * 1e7 + 5e6 * Math.cos(at(i >> 1)) : 3e8 + 5e6 * Math.sin(at(i >> 1))),
  );
}

beforeAll(async () => {
  server = await openBoundaryTestServer({ threads: 1 });
  const boundaries = [30, 300].flatMap((count, k) =>
    [0, 1].map((phase) => {
      const id = `r${10 * (k + 1) + phase}`;
      return fixtureBoundary(id, `Islands ${id}`, { rings: islands(count, phase) });
    }),
  );
  boundaries.push(...[30, 31].map((n) => fixtureBoundary(`r${n}`, `Circle ${n}`, { rings: [circle(20_000, 2 * n)] })));
  await storeBoundaries(
    { db: server.services.db, engine: server.engine },
    { source: FIXTURE_SOURCE, file: 'islands', boundaries },
  );
  ({ key } = await server.key());
});
afterAll(() => server?.close());

const counts = () => {
  const { completed, small } = server.engine.pool.counts;
  return { completed, small };
};
const union = async (include: string[], exclude: string[] = [], detail = 'full') => {
  const answer = await server.ask('POST', '/v1/boundaries/union', { json: { include, exclude, detail }, key });
  expect(answer.status).toBe(200);
  return answer.json;
};

it('a merge of few vertices runs in the thread of the server', async () => {
  const before = counts();
  const { geometry } = await union(['r10', 'r11']);
  expect(geometry.coordinates).toHaveLength(60);
  expect(counts()).toEqual({ ...before, small: before.small + 1 });
});

it('one of few vertices whose arcs would be sought too long is left to a worker', async () => {
  const before = counts();
  const { geometry } = await union(['r20'], ['r21']);
  expect(geometry.coordinates).toHaveLength(300);
  expect(counts()).toEqual({ ...before, completed: before.completed + 1 });
});

it('what many vertices leave at a level is written in the thread of the server, and all of them by a worker', async () => {
  const before = counts();
  const medium = outlines(await union(['r30', 'r31'], [], 'medium'));
  expect(medium.map(({ length }) => length)).toEqual([few, few]);
  const one = await server.ask('GET', '/v1/boundaries/r30?detail=medium', { key });
  expect(
    (one.json.geometry as unknown as { coordinates: number[][][] }).coordinates.map(({ length }) => length),
  ).toEqual([few]);
  expect(counts()).toEqual({ ...before, small: before.small + 2 });

  const full = outlines(await union(['r30', 'r31']));
  expect(full.map(({ length }) => length)).toEqual([20_001, 20_001]);
  expect(counts()).toEqual({ completed: before.completed + 1, small: before.small + 2 });
});

const few = expect.toSatisfy((vertices: number) => vertices > 50 && vertices < 2_000);

/** The outer rings of a multipolygon. */
const outlines = ({ geometry }: { geometry?: unknown }): number[][][] =>
  (geometry as { coordinates: number[][][][] }).coordinates.map(([outline]) => defined(outline));

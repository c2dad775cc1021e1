import { afterAll, beforeAll, expect, it } from 'vitest';
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

beforeAll(async () => {
  server = await openBoundaryTestServer({ threads: 1 });
  const boundaries = [30, 300].flatMap((count, k) =>
    [0, 1].map((phase) => {
      const id = `r${10 * (k + 1) + phase}`;
      return fixtureBoundary(id, `Islands ${id}`, { rings: islands(count, phase) });
    }),
  );
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
const union = async (include: string[], exclude: string[] = []) => {
  const answer = await server.ask('POST', '/v1/boundaries/union', { json: { include, exclude, detail: 'full' }, key });
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
  expect(counts()).toEqual({ completed: before.completed + 1, small: before.small + 1 });
});

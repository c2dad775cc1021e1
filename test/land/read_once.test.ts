import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/connect.ts';
import { loadQuery } from '../../src/db/query.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { storeCoast, storeLake, storeSquares } from './made_coast.ts';

/** How often a call asks the database for land when memory holds nothing. */
describe('the statements of a call that read land', () => {
  let server: BoundaryTestServer;
  let key: string;
  let reads = 0;
  beforeAll(async () => {
    server = await openBoundaryTestServer({ cacheBytes: 0 });
    await storeSquares(server);
    await storeCoast(server);
    await storeLake(server);
    ({ key } = await server.key('business'));
    const { db } = server.services;
    const counting = new Proxy<Database>(db, {
      get(target, name) {
        const own = Reflect.get(target, name);
        if (typeof own !== 'function') return own;
        return (...words: unknown[]) => {
          if (name === 'query' && words[0] === loadQuery('land_of')) reads++;
          return Reflect.apply(own, target, words);
        };
      },
    });
    Object.assign(server.services, { boundaries: createBoundaries(counting, { bytes: 0 }) });
  });
  afterAll(() => server?.close());

  const squares = ['r900', 'r901'];
  it.each([
    ['union_boundaries', { include: squares }, 1],
    ['union_boundaries', { include: squares, area: 'land' }, 1],
    ['union_boundaries', { include: squares, area: 'water' }, 1],
    // The land with its lakes, too, for inland_water_km2.
    ['union_boundaries', { include: squares, area: 'land', water: 'inland' }, 2],
    ['dissolve', { groups: { a: squares }, area: 'land' }, 1],
    // Each side by itself.
    ['crosswalk', { a: { ids: ['r900'] }, b: { ids: ['r901'] }, area: 'land' }, 2],
  ])('%s %j', async (op, input, times) => {
    reads = 0;
    const reply = await server.rpc(op, input, key);
    expect([reply.status, reply.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    expect(reads).toBe(times);
  });
});

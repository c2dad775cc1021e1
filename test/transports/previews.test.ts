import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';

let testServer: BoundaryTestServer;
let ids: string[];
beforeAll(async () => {
  testServer = await openBoundaryTestServer({}, { BASE_URL: 'https://maps.example' });
  await storeBoundaries({ db: testServer.services.db, engine: testServer.engine }, fixtureWorld());
  const rows = await testServer.services.db.query<{ id: string }>(
    'select id from boundary where has_geometry order by id limit 30',
  );
  ids = rows.map(({ id }) => id);
});
afterAll(() => testServer?.close());

/** Width and height of a PNG, by its header. */
const sizeOf = (bytes: Buffer): readonly [number, number] => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];

describe('the picture of a link', () => {
  it('is a PNG of 1200 x 630, the same for the same boundaries', async () => {
    const first = await testServer.get(`/preview.png?ids=${ids[0]}`);
    expect([first.status, first.headers['content-type']]).toEqual([200, 'image/png']);
    expect(sizeOf(first.bytes)).toEqual([1200, 630]);
    expect((await testServer.get(`/preview.png?ids=${ids[0]}`)).bytes.equals(first.bytes)).toBe(true);
    const both = await testServer.get(`/preview.png?ids=${ids[0]},${ids[1]}`);
    expect(sizeOf(both.bytes)).toEqual([1200, 630]);
    expect(both.bytes.equals(first.bytes)).toBe(false);
  });

  it.each([
    ['no ids', '', 400],
    ['an id that cannot be read', 'ids=<b>', 400],
    ['a name', 'ids=Berlin', 400],
    ['an unknown id', 'ids=r1', 404],
    ['an area of a set', 'ids=set:mine/1', 404],
    ['too many', `ids=${Array.from({ length: 21 }, (_, i) => `r${i + 1}`)}`, 400],
  ])('refuses %s', async (_what, query, status) => {
    const reply = await testServer.get(`/preview.png?${query}`);
    expect([reply.status, reply.headers['content-type']]).toEqual([status, expect.stringContaining('problem+json')]);
  });
});

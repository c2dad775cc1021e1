import { afterAll, beforeAll, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from './boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from './fixture_world.ts';

let server: BoundaryTestServer;
beforeAll(async () => {
  server = await openBoundaryTestServer();
});
afterAll(() => server?.close());

it('keeps the country that a source states, where the outline of a neighbor reaches over the border', async () => {
  const outline = fixtureBoundary('r1', 'Coarse neighbor', ringsOf(rectangle(-30, 30, -28, 32)), {
    adminLevel: 2,
    countryCode: 'XB',
  });
  const stated = fixtureBoundary('r2', 'Border town', ringsOf(rectangle(-28.5, 31, -28, 31.5)), { country: 'XA' });
  const silent = fixtureBoundary('r3', 'Other town', ringsOf(rectangle(-29, 31, -28.5, 31.5)));
  await storeBoundaries(server.services, {
    source: FIXTURE_SOURCE,
    file: FIXTURE_SOURCE.id,
    boundaries: [outline, stated, silent],
  });
  const countries = async (id: string) => (await server.get(`/v1/boundaries/${id}`)).json.properties.countries;
  expect([await countries('r2'), await countries('r3')]).toEqual([['XA'], ['XB']]);
});

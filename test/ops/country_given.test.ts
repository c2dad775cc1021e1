import { afterAll, beforeAll, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryHouse, openBoundaryHouse } from './boundary_house.ts';
import { MADE_SOURCE, made, rectangle, ringsOf } from './made_world.ts';

let house: BoundaryHouse;
beforeAll(async () => {
  house = await openBoundaryHouse();
});
afterAll(() => house?.close());

it('keeps the country that a source states, where the outline of a neighbor reaches over the border', async () => {
  const outline = made('r1', 'Coarse neighbor', ringsOf(rectangle(-30, 30, -28, 32)), {
    adminLevel: 2,
    countryCode: 'XB',
  });
  const stated = made('r2', 'Border town', ringsOf(rectangle(-28.5, 31, -28, 31.5)), { country: 'XA' });
  const silent = made('r3', 'Other town', ringsOf(rectangle(-29, 31, -28.5, 31.5)));
  await storeBoundaries(house.services, {
    source: MADE_SOURCE,
    file: MADE_SOURCE.id,
    boundaries: [outline, stated, silent],
  });
  const countries = async (id: string) => (await house.get(`/v1/boundaries/${id}`)).json.properties.countries;
  expect([await countries('r2'), await countries('r3')]).toEqual([['XA'], ['XB']]);
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalRings, dataDir, type House, mergeFull, openHouse } from './house.ts';

async function idsAt(house: House, level: number, country: string): Promise<string[]> {
  const rows = await house.test.db.query<{ id: string }>(
    'select id from boundary where has_geometry and admin_level = $1 and country = $2 order by id',
    [level, country],
  );
  return rows.map(({ id }) => id);
}

describe.skipIf(!dataDir)('unions of real subdivisions', () => {
  let house: House;

  beforeAll(async () => {
    house = await openHouse(
      'osm/luxembourg-2018-boundaries.boundaries.osm.pbf',
      'osm/liechtenstein-2024.boundaries.osm.pbf',
    );
  });

  afterAll(async () => {
    await house?.close();
  });

  it("the 13 relations of level 6 are Luxembourg's outline", async () => {
    const parts = await idsAt(house, 6, 'LU');
    expect(parts).toHaveLength(13);
    const union = await mergeFull(house, parts);
    const country = await mergeFull(house, ['r2171347']);
    expect(canonicalRings(union.geometry)).toEqual(canonicalRings(country.geometry));
    expect(union.areaKm2).toBeCloseTo(country.areaKm2, 9);
  });

  it('the 11 communes and the 2 regions of Liechtenstein are the country', async () => {
    const [communes, regions] = [await idsAt(house, 8, 'LI'), await idsAt(house, 6, 'LI')];
    expect([communes.length, regions.length]).toEqual([11, 2]);
    const country = canonicalRings((await mergeFull(house, ['r1155955'])).geometry);
    expect(canonicalRings((await mergeFull(house, communes)).geometry)).toEqual(country);
    expect(canonicalRings((await mergeFull(house, regions)).geometry)).toEqual(country);
  });

  it('a commune keeps its exclaves and holes, and what is cut out of the country comes back', async () => {
    const communes = await idsAt(house, 8, 'LI');
    const rings = await Promise.all(
      communes.map(async (id) => canonicalRings((await mergeFull(house, [id])).geometry)),
    );
    expect(rings.filter((list) => list.length > 1).length).toBeGreaterThanOrEqual(7);
    for (const id of communes) {
      const others = communes.filter((other) => other !== id);
      const rest = await mergeFull(house, ['r1155955'], others);
      expect(canonicalRings(rest.geometry)).toEqual(canonicalRings((await mergeFull(house, [id])).geometry));
    }
  });

  it('the overlay rung agrees with the arcs', async () => {
    const communes = await idsAt(house, 8, 'LI');
    const arcs = await mergeFull(house, ['r1155955'], communes.slice(0, 4));
    const overlay = await mergeFull(house, ['r1155955'], communes.slice(0, 4), 'overlay');
    expect(canonicalRings(overlay.geometry)).toEqual(canonicalRings(arcs.geometry));
    expect(overlay.areaKm2 / arcs.areaKm2).toBeCloseTo(1, 9);
  });

  it('nothing is left of a country without itself', async () => {
    const nothing = await mergeFull(house, ['r2171347'], ['r2171347']);
    expect(nothing).toEqual({ geometry: { type: 'MultiPolygon', coordinates: [] }, areaKm2: 0 });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { canonicalRings, dataDir, mergeFull, openLuxembourg, type ProofEnvironment } from './environment.ts';
import { generator } from './made.ts';

async function idsAt(server: ProofEnvironment, level: number, country: string): Promise<string[]> {
  const rows = await server.test.db.query<{ id: string }>(
    'select id from boundary where has_geometry and admin_level = $1 and country = $2 order by id',
    [level, country],
  );
  return rows.map(({ id }) => id);
}

describe.skipIf(!dataDir)('unions of real subdivisions', () => {
  let server: ProofEnvironment;

  beforeAll(async () => {
    server = await openLuxembourg('osm/liechtenstein-2024.boundaries.osm.pbf');
  });

  afterAll(async () => {
    await server?.close();
  });

  it("the 13 relations of level 6 are Luxembourg's outline", async () => {
    const parts = await idsAt(server, 6, 'LU');
    expect(parts).toHaveLength(13);
    const union = await mergeFull(server, parts);
    const country = await mergeFull(server, ['r2171347']);
    expect(canonicalRings(union.geometry)).toEqual(canonicalRings(country.geometry));
    expect(union.areaKm2).toBeCloseTo(country.areaKm2, 9);
  });

  it('the 11 communes and the 2 regions of Liechtenstein are the country', async () => {
    const [communes, regions] = [await idsAt(server, 8, 'LI'), await idsAt(server, 6, 'LI')];
    expect([communes.length, regions.length]).toEqual([11, 2]);
    const country = canonicalRings((await mergeFull(server, ['r1155955'])).geometry);
    expect(canonicalRings((await mergeFull(server, communes)).geometry)).toEqual(country);
    expect(canonicalRings((await mergeFull(server, regions)).geometry)).toEqual(country);
  });

  it('a commune keeps its exclaves and holes, and what is cut out of the country comes back', async () => {
    const communes = await idsAt(server, 8, 'LI');
    const rings = await Promise.all(
      communes.map(async (id) => canonicalRings((await mergeFull(server, [id])).geometry)),
    );
    expect(rings.filter((list) => list.length > 1).length).toBeGreaterThanOrEqual(7);
    for (const id of communes) {
      const others = communes.filter((other) => other !== id);
      const rest = await mergeFull(server, ['r1155955'], others);
      expect(canonicalRings(rest.geometry)).toEqual(canonicalRings((await mergeFull(server, [id])).geometry));
    }
  });

  it('the overlay strategy agrees with the arcs', async () => {
    const communes = await idsAt(server, 8, 'LI');
    const arcs = await mergeFull(server, ['r1155955'], communes.slice(0, 4));
    const overlay = await mergeFull(server, ['r1155955'], communes.slice(0, 4), 'overlay');
    expect(canonicalRings(overlay.geometry)).toEqual(canonicalRings(arcs.geometry));
    expect(overlay.areaKm2 / arcs.areaKm2).toBeCloseTo(1, 9);
  });

  it('the overlay strategy, forced, gives the rings of the arcs for random sets of neighbors', async () => {
    const random = generator(6);
    const before = { ...server.engine.strategies };
    const sets = 12;
    for (let i = 0; i < sets; i++) {
      const [level, country] = i % 2 === 0 ? [8, 'LI'] : [6, 'LU'];
      const all = await idsAt(server, level, country);
      const chosen = all.filter(() => random() < 0.5);
      const [include, exclude] = [[...chosen, defined(all[0])], all.filter(() => random() < 0.3)];
      const arcs = await mergeFull(server, include, exclude, 'arcs');
      const overlay = await mergeFull(server, include, exclude, 'overlay');
      const about = `${include.join()} minus ${exclude.join()}`;
      expect(canonicalRings(overlay.geometry), about).toEqual(canonicalRings(arcs.geometry));
      expect(overlay.geometry.type, about).toBe(arcs.geometry.type);
      // One sums what is stored of each arc, the other measures the result.
      expect(Math.abs(overlay.areaKm2 - arcs.areaKm2), about).toBeLessThanOrEqual(1e-9 * arcs.areaKm2);
    }
    expect(server.engine.strategies).toEqual({ arcs: before.arcs + sets, overlay: before.overlay + sets });
  });

  it('nothing is left of a country without itself', async () => {
    const nothing = await mergeFull(server, ['r2171347'], ['r2171347']);
    expect(nothing).toEqual({ geometry: { type: 'MultiPolygon', coordinates: [] }, areaKm2: 0 });
  });
});

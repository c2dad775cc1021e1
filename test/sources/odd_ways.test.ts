import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { areaTrouble } from '../../src/sources/store/area_gate.ts';
import { openEnvironment, type ProofEnvironment } from '../proof/environment.ts';

type Corner = readonly [lon: number, lat: number];

/** Overpass JSON of relations, each with its ways as lists of corners; equal corners are one node. */
function overpass(
  relations: Readonly<Record<string, readonly (readonly Corner[])[]>>,
  base = 0,
  twice: readonly string[] = [],
) {
  const nodes = new Map<string, number>();
  const elements: object[] = [];
  const nodeOf = ([lon, lat]: Corner): number => {
    const key = `${lon} ${lat}`;
    const known = nodes.get(key);
    if (known !== undefined) return known;
    const id = 1_000 + base + nodes.size;
    nodes.set(key, id);
    elements.push({ type: 'node', id, lat, lon });
    return id;
  };
  let way = base;
  Object.entries(relations).forEach(([name, ways], r) => {
    const members = ways.map((corners, i) => {
      elements.push({ type: 'way', id: ++way, nodes: corners.map(nodeOf) });
      return { type: 'way', ref: way, role: i === 0 ? 'outer' : 'inner' };
    });
    const last = members.slice(-1);
    const tags = { type: 'boundary', boundary: 'administrative', admin_level: '8', name };
    elements.push({
      type: 'relation',
      id: base + r + 1,
      members: twice.includes(name) ? [...members, ...last] : members,
      tags,
    });
  });
  return JSON.stringify({ version: 0.6, elements });
}

const rect = (west: number, south: number, east: number, north: number): Corner[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

let server: ProofEnvironment;
beforeAll(async () => {
  server = await openEnvironment();
}, 120_000);
afterAll(() => server?.close());

async function stored(content: string) {
  const path = join(server.test.dataDir, 'odd.json');
  writeFileSync(path, content);
  const { broken } = await importFile({ db: server.test.db, engine: server.engine }, path, null);
  const rows = await server.test.db.query<{
    name: string;
    area_km2: number | null;
    wide: number | null;
    valid: boolean;
  }>(
    `select b.name, b.area_km2, max(st_xmax(d.geom) - st_xmin(d.geom)) as wide, bool_and(st_isvalid(d.geom)) as valid
     from boundary b left join boundary_shape g on g.boundary_id = b.id
     left join lateral st_dump(g.geom) d on true group by b.id order by b.id`,
  );
  return { rows, broken: broken.map(({ id, reason }) => `${id}: ${reason}`) };
}

describe('ways that no program should write', { timeout: 120_000 }, () => {
  it('that jump over 180 degrees are cut there, and a neighbor shares the border', async () => {
    const jumps = rect(179.9, -18, -179.9, -17.9);
    const parted = [jumps.slice(0, 2), jumps.slice(1, 3), jumps.slice(2)];
    const { rows, broken } = await stored(
      overpass({ Jumps: [jumps], Parted: parted, North: [rect(179.9, -17.9, -179.9, -17.8)] }),
    );
    expect(broken).toEqual([]);
    for (const { name, area_km2, wide, valid } of rows) {
      expect([valid, wide], name).toEqual([true, expect.closeTo(0.1, 9)]);
      expect(area_km2, name).toBeGreaterThan(232);
      expect(area_km2, name).toBeLessThan(236);
    }
    expect(rows[0]?.area_km2).toBe(rows[1]?.area_km2);
  });

  it('listed twice are refused where a hole would vanish', async () => {
    const hole = rect(5.02, 51.02, 5.08, 51.08);
    const content = overpass(
      { Once: [rect(5, 51, 5.1, 51.1), hole], Twice: [rect(6, 51, 6.1, 51.1), rect(6.02, 51.02, 6.08, 51.08)] },
      100,
      ['Twice'],
    );
    const { rows, broken } = await stored(content);
    expect(broken).toEqual(['r102: way 104 is a member twice']);
    const areas = Object.fromEntries(rows.map(({ name, area_km2 }) => [name, area_km2]));
    expect(areas.Once).toBeGreaterThan(40);
    expect(areas.Twice).toBeNull();
  });
});

it('an area of nothing is trouble, whatever was stored before', () => {
  const shape = { areaKm2: 0, center: [7, 8] } as unknown as Parameters<typeof areaTrouble>[2];
  const [run, candidate] = [{}, { id: 'r1', input: null, stored: null }] as unknown as Parameters<typeof areaTrouble>;
  expect(areaTrouble(run, candidate, shape)).toEqual({ trouble: 'it has no area', x: 7, y: 8 });
  expect(areaTrouble(run, candidate, { ...shape, areaKm2: 1e-9 })).toBeNull();
});

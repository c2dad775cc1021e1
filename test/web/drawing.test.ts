import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { boxOf, type Corner, crossesItself, inside } from '../../web/src/drawing/inside.ts';
import { areaOf, curved, lengthOf } from '../../web/src/tools/geodesic.ts';
import { random } from '../kernels/topology.ts';
import { rounds } from '../proof/rounds.ts';

const ORACLE = process.env.ORACLE_DATABASE_URL;
type Feature = GeoJSON.Feature<GeoJSON.Polygon | GeoJSON.MultiPolygon>;

const polygon = (...rings: number[][][]): Feature => ({
  type: 'Feature',
  properties: {},
  geometry: { type: 'Polygon', coordinates: rings },
});
const box = (west: number, south: number, east: number, north: number): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const isInside = async (feature: Feature, corners: readonly Corner[]): Promise<boolean> =>
  (await inside([feature], corners)).length === 1;

describe('what is in an outline that was drawn', () => {
  test('as PostGIS has it in the plane of the map', { timeout: 120_000 }, async ({ skip }) => {
    if (!ORACLE) return skip();
    const db = new pg.Client(ORACLE);
    await db.connect();
    try {
      const next = random(45);
      const between = (least: number, most: number): number => least + (most - least) * next();
      const seen = { inside: 0, outside: 0, crosses: 0 };
      for (let i = 0; i < rounds(2_000); i++) {
        const corners = Array.from(
          { length: 3 + Math.floor(next() * 5) },
          (): Corner => [between(0, 40), between(-20, 80)],
        );
        const first = corners[0] as Corner;
        const [x, y, size] = [between(5, 35), between(-10, 70), between(0.1, 6)];
        const ring = Array.from({ length: 5 }, (_, j) => {
          const angle = (j * 2 * Math.PI) / 5;
          return [x + size * Math.cos(angle) * between(0.5, 1), y + size * Math.sin(angle) * between(0.5, 1)];
        });
        const feature = polygon([...ring, ring[0] as number[]]);
        const outline = JSON.stringify({ type: 'LineString', coordinates: [...corners, first] });
        const { rows } = await db.query(
          `with o as (select st_transform(st_setsrid(st_geomfromgeojson($1), 4326), 3857) as line)
           select st_issimple(line) as simple, case when st_issimple(line) then
             st_within(st_transform(st_setsrid(st_geomfromgeojson($2), 4326), 3857), st_makepolygon(line)) end as within from o`,
          [outline, JSON.stringify(feature.geometry)],
        );
        const { simple, within } = rows[0];
        expect(crossesItself(corners), outline).toBe(!simple);
        if (!simple) {
          seen.crosses++;
          continue;
        }
        expect(await isInside(feature, corners), `${outline} ${JSON.stringify(feature.geometry)}`).toBe(within);
        seen[within ? 'inside' : 'outside']++;
      }
      expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
    } finally {
      await db.end();
    }
  });

  test('a part outside, an edge across a bay, and a hole decide', async () => {
    const outline: Corner[] = [
      [0, 0],
      [10, 0],
      [10, 10],
      [6, 10],
      [5, 2],
      [4, 10],
      [0, 10],
    ];
    expect(await isInside(polygon(box(1, 1, 3, 3)), outline)).toBe(true);
    // All of its vertices are inside, and an edge passes the bay.
    expect(await isInside(polygon(box(1, 5, 9, 6)), outline)).toBe(false);
    expect(await isInside(polygon(box(1, 1, 3, 3), box(1.5, 1.5, 2, 2)), outline)).toBe(true);
    const parts: Feature = {
      type: 'Feature',
      properties: {},
      geometry: { type: 'MultiPolygon', coordinates: [[box(1, 1, 3, 3)], [box(20, 1, 23, 3)]] },
    };
    expect(await isInside(parts, outline)).toBe(false);
    // One around the outline is not in it.
    expect(await isInside(polygon(box(-5, -5, 20, 20)), outline)).toBe(false);
    expect(await isInside({ ...polygon(), geometry: null } as unknown as Feature, outline)).toBe(false);
  });

  test('over the antimeridian, in any turn of the map', async () => {
    const fiji: Feature = {
      type: 'Feature',
      properties: {},
      geometry: { type: 'MultiPolygon', coordinates: [[box(177, -19, 180, -16)], [box(-180, -17, -178.5, -16)]] },
    };
    for (const turn of [-720, -360, 0, 360]) {
      const outline = (east: number): Corner[] =>
        [
          [175, -25],
          [east, -25],
          [east, -10],
          [175, -10],
        ].map(([lon = 0, lat = 0]): Corner => [lon + turn, lat]);
      expect(await isInside(fiji, outline(185))).toBe(true);
      expect(await isInside(fiji, outline(181))).toBe(false);
      expect(boxOf(outline(185))).toEqual({ west: 175, south: -25, east: -175, north: -10 });
    }
    const pole: Corner[] = [
      [-170, 60],
      [170, 60],
      [170, 85],
      [-170, 85],
    ];
    expect(await isInside(polygon(box(-160, 70, 160, 80)), pole)).toBe(true);
    expect(await isInside(polygon(box(-160, 70, 160, 90)), pole)).toBe(false);
  });

  test('an outline that goes back along itself crosses itself', () => {
    expect(
      crossesItself([
        [0, 0],
        [10, 0],
        [5, 0],
      ]),
    ).toBe(true);
    expect(
      crossesItself([
        [0, 0],
        [10, 0],
        [10, 10],
        [10, 5],
      ]),
    ).toBe(true);
    expect(
      crossesItself([
        [0, 0],
        [5, 0],
        [10, 0],
        [10, 10],
      ]),
    ).toBe(false);
    expect(
      crossesItself([
        [0, 0],
        [10, 10],
        [10, 0],
        [0, 10],
      ]),
    ).toBe(true);
  });
});

describe('what is measured', () => {
  test('as PostGIS has it on the ellipsoid', { timeout: 120_000 }, async ({ skip }) => {
    if (!ORACLE) return skip();
    const db = new pg.Client(ORACLE);
    await db.connect();
    try {
      const next = random(46);
      for (let i = 0; i < rounds(500); i++) {
        const [lon, lat, size] = [360 * next() - 180, 150 * next() - 75, 10 ** (3 * next() - 2)];
        // Beyond 180 as the map has it.
        const corners = Array.from({ length: 5 }, (_, j): Corner => {
          const angle = ((j + 0.8 * next()) * 2 * Math.PI) / 5;
          return [lon + size * Math.cos(angle), Math.max(-89, Math.min(89, lat + size * Math.sin(angle)))];
        });
        if (i % 2 === 0) corners.reverse();
        const wrapped = [...corners, corners[0] as Corner].map(([x, y]) => [((x + 540) % 360) - 180, y]);
        const { rows } = await db.query(
          `with o as (select st_setsrid(st_geomfromgeojson($1), 4326) as line)
           select st_length(line::geography) as length, st_area(st_makepolygon(line)::geography) as area from o`,
          [JSON.stringify({ type: 'LineString', coordinates: wrapped })],
        );
        const { m2, perimeter } = areaOf(corners);
        const about = JSON.stringify(corners);
        expect(Math.abs(lengthOf([...corners, corners[0] as Corner]) / rows[0].length - 1), about).toBeLessThan(1e-9);
        expect(Math.abs(perimeter / rows[0].length - 1), about).toBeLessThan(1e-9);
        expect(Math.abs(m2 / rows[0].area - 1), about).toBeLessThan(1e-6);
      }
    } finally {
      await db.end();
    }
  });

  test('a line is drawn as the shortest way, also over the antimeridian and in another turn of the map', () => {
    for (const turn of [-360, 0, 360]) {
      const line = curved([
        [140 + turn, 36],
        [238 + turn, 38],
      ]);
      expect(line.length).toBeGreaterThan(100);
      expect(line.at(-1)).toEqual([238 + turn, 38]);
      // The great circle from Japan to California passes near the Aleutians.
      expect(Math.max(...line.map(([, lat]) => lat))).toBeGreaterThan(46);
      line.slice(1).forEach(([lon], i) => {
        expect(lon - (line[i] as Corner)[0]).toBeGreaterThan(0);
        expect(lon - (line[i] as Corner)[0]).toBeLessThan(2);
      });
      const ways = line.slice(1).map((corner, i) => lengthOf([line[i] as Corner, corner]));
      expect(
        Math.abs(ways.reduce((a, b) => a + b) / lengthOf([line[0] as Corner, line.at(-1) as Corner]) - 1),
      ).toBeLessThan(1e-9);
    }
  });
});

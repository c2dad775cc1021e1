import pg from 'pg';
import { expect, test } from 'vitest';
import type { Corner } from '../../web/src/drawing/inside.ts';
import { type Rings, split, splitArea } from '../../web/src/sets/split.ts';
import { random } from '../kernels/topology.ts';
import { rounds } from '../proof/rounds.ts';

const ORACLE = process.env.ORACLE_DATABASE_URL;
const box = (west: number, south: number, east: number, north: number): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const AREA: Rings = [box(0, 0, 10, 10), box(1, 1, 2, 2), box(8, 1, 9, 2)];

test('a line through a polygon makes two of it, with the same border and each hole in its part', () => {
  const line: Corner[] = [
    [5, -1],
    [4, 5],
    [6, 11],
  ];
  const two = split(AREA, line);
  if (typeof two === 'string') throw new Error(two);
  expect(two.map((rings) => rings.length)).toEqual([2, 2]);
  const [left, right] = two.map(([outline = []]) => new Set(outline.map(String)));
  const common = [...(left as Set<string>)].filter((place) => right?.has(place));
  expect(common).toEqual(expect.arrayContaining(['4,5']));
  expect(common).toHaveLength(3);
});

test('a line that does not cross it twice from outside says so', () => {
  const twice = /Twice/;
  expect(split(AREA, [[5, -1], [5, 5]])).toMatch(twice); // biome-ignore format: a line
  expect(split(AREA, [[5, 5], [11, 5]])).toMatch(twice); // biome-ignore format: a line
  expect(split(AREA, [[20, 5], [21, 5]])).toMatch(twice); // biome-ignore format: a line
  // Through a hole.
  expect(split(AREA, [[1.5, -1], [1.5, 11]])).toMatch(twice); // biome-ignore format: a line
  // From inside out, in and out again.
  expect(split(AREA, [[5, 5], [11, 5], [11, 6], [5, 6]])).toMatch(twice); // biome-ignore format: a line
  expect(split(AREA, [[5, -1], [5, 8], [6, 5], [3, 5], [3, 11]])).toMatch(/Itself/); // biome-ignore format: a line
  expect(split(AREA, [[-1, -1], [11, 11]])).toMatch(/Corner/); // biome-ignore format: a line
  const far: GeoJSON.MultiPolygon = { type: 'MultiPolygon', coordinates: [[box(0, 0, 1, 1)], [box(5, 0, 6, 1)]] };
  const made = splitArea(far, [[5.5, -1], [5.4, 2]]); // biome-ignore format: a line
  if (typeof made === 'string') throw new Error(made);
  expect(made.map(({ coordinates }) => coordinates.length)).toEqual([2, 1]);
  expect(splitArea(far, [[-1, 0.5], [7, 0.4]])).toMatch(twice); // biome-ignore format: a line
});

test('the parts of random polygons are those of PostGIS', { timeout: 120_000 }, async ({ skip }) => {
  if (!ORACLE) return skip();
  const db = new pg.Client(ORACLE);
  await db.connect();
  try {
    const next = random(57);
    const seen = { split: 0, refused: 0 };
    for (let i = 0; i < rounds(1_000); i++) {
      const count = 4 + Math.floor(next() * 8);
      const ring = Array.from({ length: count }, (_, k) => {
        const [angle, far] = [(2 * Math.PI * k) / count, 1 + 2 * next()];
        return [far * Math.cos(angle), far * Math.sin(angle)].map((one) => Math.round(one * 1e7) / 1e7);
      });
      const rings = [[...ring, ring[0] as number[]]];
      const line = Array.from({ length: 2 + Math.floor(next() * 3) }, (): Corner => [8 * next() - 4, 8 * next() - 4]);
      const two = split(rings, line);
      const text = JSON.stringify({ type: 'Polygon', coordinates: rings });
      const drawn = JSON.stringify({ type: 'LineString', coordinates: line });
      const { rows } = await db.query(
        `with g as (select st_geomfromgeojson($1) as area, st_geomfromgeojson($2) as line)
         select st_issimple(line) as simple, st_npoints(st_intersection(st_boundary(area), line)) as crossings,
                st_intersects(area, st_startpoint(line)) or st_intersects(area, st_endpoint(line)) as inside,
                array(select st_area(d.geom) from st_dump(st_split(area, line)) d order by 1) as areas from g`,
        [text, drawn],
      );
      const { simple, crossings, inside, areas } = rows[0];
      if (!simple) continue;
      const isTwice = crossings === 2 && !inside;
      expect(typeof two !== 'string', `${text} ${drawn} ${JSON.stringify(two)}`).toBe(isTwice);
      if (typeof two === 'string') {
        seen.refused++;
        continue;
      }
      seen.split++;
      const { rows: ours } = await db.query(
        `select st_isvalid(a) and st_isvalid(b) as valid, array[least(st_area(a), st_area(b)), greatest(st_area(a), st_area(b))] as areas
         from (select st_geomfromgeojson($1) as a, st_geomfromgeojson($2) as b) g`,
        two.map((one) => JSON.stringify({ type: 'Polygon', coordinates: one })),
      );
      expect(ours[0].valid, `${text} ${drawn}`).toBe(true);
      expect(areas).toHaveLength(2);
      expect(Math.abs(ours[0].areas[0] - areas[0]) + Math.abs(ours[0].areas[1] - areas[1])).toBeLessThan(1e-5);
    }
    expect(Math.min(seen.split, seen.refused)).toBeGreaterThan(10);
  } finally {
    await db.end();
  }
});

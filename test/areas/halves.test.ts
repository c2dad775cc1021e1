import { describe, expect, it } from 'vitest';
import { polygonsArea } from '../../workers/arcs/area.ts';
import { isValid } from '../../workers/arcs/overlay.ts';
import { alongParallels, regionPolygons } from '../../workers/tasks/region.ts';
import { chain, tableOf, withAreas } from '../kernels/topology.ts';

const DEGREE = 1e7;
type Box = readonly [west: number, south: number, east: number, north: number];

/** The area in km2 of a ring (degrees), and of its parts in some boxes (degrees). */
async function areas(ring: readonly (readonly [number, number])[], ...boxes: readonly Box[]) {
  const table = withAreas(tableOf([chain(ring.map(([x, y]) => [Math.round(x * DEGREE), Math.round(y * DEGREE)]))]));
  const rings = { refs: Int32Array.of(0), ringEnd: Uint32Array.of(1), polygonEnd: Uint32Array.of(1) };
  const measure = async (box: Box | null): Promise<number> => {
    const set = { op: 'set', of: [0] } as const;
    const scaled = (box ?? []).map((value) => value * DEGREE) as unknown as Box;
    const tree = box === null ? set : ({ op: 'clip', of: set, boxes: [scaled] } as const);
    const document = { id: null, name: '', bbox: null, digits: 7, attribution: '', properties: {} };
    const about = { detail: 'full', level: null, format: 'geojson', document, maxBytes: 1e9 } as const;
    const task = { heap: null, boundaries: [rings], tree, conflict: false, ...about };
    const found = await regionPolygons(task, { common: table, isCanceled: () => false });
    if ('trouble' in found) throw new Error(found.trouble.reason);
    expect(await isValid(found)).toBeNull();
    return polygonsArea(found) / 1e6;
  };
  return { whole: await measure(null), parts: await Promise.all(boxes.map(measure)) };
}

/** A coast from 180 degrees east to 180 degrees west around a parallel. */
const coast = Array.from({ length: 721 }, (_, i): [number, number] => [
  180 - i / 2,
  -72 + (i % 720 === 0 ? 0 : 5 * Math.sin(i / 9)),
]);
/** A parallel, with a vertex every half of a degree. */
const along = (lat: number, from: number, to: number) =>
  Array.from({ length: 2 * Math.abs(to - from) + 1 }, (_, i): [number, number] => [
    from + (Math.sign(to - from) * i) / 2,
    lat,
  ]);
const AROUND_THE_POLE: [number, number][] = [[-180, -90], [180, -90], ...coast, [-180, -90]];

describe('the parts of an area on both sides of a line', () => {
  it.each<[string, [number, number][], Box, Box]>([
    ['south and north of what has a pole in it', AROUND_THE_POLE, [-180, -90, 180, -72], [-180, -72, 180, -60]],
    ['far south of it', AROUND_THE_POLE, [-180, -90, 180, -89.5], [-180, -89.5, 180, -60]],
    ['east and west of it', AROUND_THE_POLE, [-180, -90, 13, -60], [13, -90, 180, -60]],
    [
      'north and south of what is wider than half the globe',
      [...along(50, -170, 170), ...along(70, 170, -170), [-170, 50]],
      [-170, 55, 170, 90],
      [-170, 40, 170, 55],
    ],
  ])('%s add up to it', async (_what, ring, one, other) => {
    const { whole, parts } = await areas(ring, one, other);
    for (const part of parts) expect(part > 0 && part < whole, String(part)).toBe(true);
    expect((parts[0]! + parts[1]!) / whole).toBeCloseTo(1, 4);
  });

  /** The area in km2 of WGS84 for a degree of longitude, from the equator to a latitude. */
  const until = (degrees: number): number => {
    const { a, e2 } = { a: 6_378.137, e2: 0.006_694_379_990_141_3 };
    const e = Math.sqrt(e2);
    const sine = Math.sin((degrees * Math.PI) / 180);
    return (a * a * (1 - e2) * (sine / (1 - e2 * sine * sine) + Math.atanh(e * sine) / e)) / 2;
  };

  it('are drawn along the parallel, also where simplifying left only its ends', () => {
    const ends = [-10, 55, 10, 55, 10, 60, -10, 60, -10, 55].map((degrees) => degrees * DEGREE);
    const box = [-10, 55, 10, 60].map((degrees) => degrees * DEGREE) as unknown as Box;
    const simplified = {
      coords: Int32Array.from(ends),
      ringEnd: Uint32Array.of(5),
      polygonEnd: Uint32Array.of(1),
    };
    const drawn = alongParallels(simplified, { op: 'clip', of: { op: 'set', of: [0] }, boxes: [box] });
    const zone = ((20 * Math.PI) / 180) * (until(60) - until(55));
    expect(polygonsArea(simplified) / 1e6 / zone).not.toBeCloseTo(1, 3);
    expect(polygonsArea(drawn) / 1e6 / zone).toBeCloseTo(1, 5);
  });

  it('have the area of the zone between two parallels', async () => {
    const ring = [...along(40, -100, 10), ...along(80, 10, -100), [-100, 40] as const];
    const { parts } = await areas(ring, [-100, 55, 10, 65]);
    expect(parts[0]! / (((110 * Math.PI) / 180) * (until(65) - until(55)))).toBeCloseTo(1, 5);
  });
});

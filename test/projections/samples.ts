import { project } from '../../workers/projections/engine.ts';
import { middleOf, systemOf } from '../../workers/projections/systems.ts';
import type { Projected } from '../../workers/projections/table.ts';

/**
 * EPSG's codes of systems of all continents and projections; in none of them does GDAL use a grid: those whose best
 * transformation needs one that Debian has (DHDN, NTF, NZGD49) are left out.
 */
export const SYSTEMS = [
  // Europe
  2154, 27700, 29903, 25829, 25832, 25835, 31370, 3812, 28992, 31287, 2056, 21781, 3006, 3067, 2180, 5514, 5513, 23700,
  3765, 3763, 3035, 2100, 3844, 3346,
  // Asia
  6677, 5186, 2326, 3414, 32650, 3826, 2039,
  // Africa
  2048, 22234, 32735, 20137, 26191,
  // America
  3005, 5070, 3347, 2263, 32618, 32718, 31983, 3116, 26910, 2227, 3338, 2992, 24600,
  // Oceania, the poles, the world
  2193, 3577, 7855, 3832, 3031, 3413, 3995, 32661, 3857, 3395, 8857, 6933,
] as const;

export const PLACES = 1_000;

/** Random numbers from 0 to 1 that are the same in each run. */
export function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** PLACES places in a system's area of use, in its own coordinates, east before north; the same in each run. */
export function placesOf(code: string): Float64Array {
  const system = systemOf(code);
  const plane = system.plane as Projected;
  const [west, south, east, north] = system.area as readonly [number, number, number, number];
  const [middle] = middleOf([west, south, east, north]);
  const width = east < west ? east + 360 - west : east - west;
  const random = numbers(Number(code.slice(5)));
  const toPlane = project(plane.projection, plane.base.ellipsoid);
  const own = new Float64Array(2 * PLACES);
  const xy = new Float64Array(2);
  for (let i = 0; i < PLACES; i++) {
    xy[0] = middle + (random.next().value - 0.5) * width * 0.98 - plane.base.meridian;
    // The parallels of the poles are lines in some projections.
    xy[1] = south + (0.01 + 0.98 * random.next().value) * (north - south);
    toPlane(xy);
    const [x, y] = [xy[0] / plane.unit, xy[1] / plane.unit];
    const by: Readonly<Record<string, number>> = { E: x, W: -x, N: y, S: -y };
    const axes = system.axes === 'NE' ? 'EN' : system.axes;
    own[2 * i] = by[axes.charAt(0)] as number;
    own[2 * i + 1] = by[axes.charAt(1)] as number;
  }
  return own;
}

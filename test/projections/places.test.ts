import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { project } from '../../workers/projections/engine.ts';
import { middleOf, systemOf } from '../../workers/projections/systems.ts';
import type { Projected } from '../../workers/projections/table.ts';
import { transformer } from '../../workers/projections/transform.ts';

/**
 * 1,000 places of each reference system beside GDAL's gdaltransform. Systems of all continents and projections; in none of
 * them does GDAL use a grid: those whose best transformation needs one that Debian has (DHDN, NTF, NZGD49) are left out.
 */
const SYSTEMS = [
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

const PLACES = 1_000;

/** Meters. */
const LIMIT = 0.01;

/** Random numbers from 0 to 1 that are the same in each run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** Places in a system's area of use, in its own coordinates, east before north. */
function placesOf(code: string): { own: Float64Array; count: number } {
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
  return { own, count: PLACES };
}

function gdal(code: string, own: Float64Array): number[][] {
  const lines = Array.from({ length: own.length / 2 }, (_, i) => `${own[2 * i]} ${own[2 * i + 1]}`);
  const args = ['-s_srs', code, '-t_srs', 'EPSG:4326', '-output_xy'];
  const { stdout, stderr } = spawnSync('gdaltransform', args, { input: `${lines.join('\n')}\n`, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
}

describe('places of reference systems, beside gdaltransform', () => {
  test.each(SYSTEMS.map((code) => `EPSG:${code}`))('%s', (code) => {
    const { own } = placesOf(code);
    const expected = gdal(code, own);
    expect(expected).toHaveLength(PLACES);
    const found = own.slice();
    transformer(systemOf(code)).apply(found);
    let worst = { meters: 0, at: '' };
    for (const [i, [lon, lat]] of (expected as [number, number][]).entries()) {
      const turn = ((lon - (found[2 * i] as number) + 540) % 360) - 180;
      const meters = 111_320 * Math.hypot(turn * Math.cos((lat * Math.PI) / 180), lat - (found[2 * i + 1] as number));
      if (!(meters <= worst.meters)) worst = { meters, at: `${own[2 * i]} ${own[2 * i + 1]}` };
    }
    expect(worst.meters, `at ${worst.at}`).toBeLessThan(LIMIT);
  });
});

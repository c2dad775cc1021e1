import { expect, test } from 'vitest';
import { bends, METERS, turn } from '../../workers/projections/bends.ts';
import { systemOf } from '../../workers/projections/systems.ts';
import { transformer } from '../../workers/projections/transform.ts';
import { numbers, placesOf, SYSTEMS } from './samples.ts';

/** Parts of an edge: its ends, and what is between them. */
const PARTS = 8;

/** Meters. */
const [SHORTEST, LONGEST] = [100, 6_000];
/** An edge that bends by less than LITTLE must be known to bend by less than ENOUGH, in meters. */
const [LITTLE, ENOUGH] = [0.005, 0.0075];

/** Systems of Hong Kong and Singapore, whose area is smaller than what is measured at once. */
const SMALL = ['EPSG:2326', 'EPSG:3414'];

/** A projection that is interpolated from a table. */
const ROBINSON =
  'PROJCS["Robinson",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],' +
  'UNIT["degree",0.0174532925199433]],PROJECTION["Robinson"],PARAMETER["longitude_of_center",0],' +
  'PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1]]';

/** Codes, also of systems in degrees: on the datum NAD27, and in grads from Paris. */
const CODES = [...SYSTEMS, 4267, 4807].map((code) => `EPSG:${code}`);

test.each(CODES)('edges of %s bend by no more than the limit, and the limit is of use', (code) => {
  const system = systemOf(code);
  const { probe, isSmooth } = transformer(system);
  const { unit } = system.plane ?? system.base;
  const limit = bends({ apply: probe, isSmooth, unit, isDegrees: system.isDegrees });
  const own = system.isDegrees ? degreesIn(system.area as Box, unit) : placesOf(code);
  const random = numbers(7);
  const size = unit * (system.isDegrees ? METERS : 1);
  let [straight, seen] = [0, 0];
  for (let i = 0; i < own.length; i += 2) {
    const [px, py] = [own[i] as number, own[i + 1] as number];
    const length = (SHORTEST * (LONGEST / SHORTEST) ** random.next().value) / size;
    const angle = 2 * Math.PI * random.next().value;
    const [qx, qy] = [px + length * Math.cos(angle), py + length * Math.sin(angle)];
    const meters = limit(px, py, qx, qy);
    const bend = bendOf(probe, [px, py], [qx, qy]);
    if (!Number.isFinite(bend)) continue;
    expect(bend, `from ${px},${py} to ${qx},${qy}`).toBeLessThanOrEqual(meters + 1e-6);
    // Nothing is known beside the edges of areas of transformations, and these are most of a small country.
    if (bend > LITTLE || meters === Infinity) continue;
    straight++;
    if (meters <= ENOUGH) seen++;
  }
  expect(seen).toBeGreaterThanOrEqual(0.95 * straight);
  expect(seen).toBeGreaterThanOrEqual(SMALL.includes(code) ? 0 : own.length / 20);
});

test('nothing is known of edges beside a pole, of long ones, of a table, and across two areas of transformations', () => {
  const of = (code: string): ReturnType<typeof bends> => {
    const { probe, isSmooth } = transformer(systemOf(code));
    return bends({ apply: probe, isSmooth, unit: 1, isDegrees: false });
  };
  expect(of('EPSG:3995')(0, -2_000_000, 100, -2_000_000)).toBeLessThan(0.001);
  expect(of('EPSG:3995')(0, -100_000, 100, -100_000)).toBe(Infinity);
  expect(of('EPSG:2154')(700_000, 6_600_000, 701_000, 6_600_000)).toBeLessThan(0.05);
  expect(of('EPSG:2154')(700_000, 6_600_000, 710_000, 6_600_000)).toBe(Infinity);
  expect(of('EPSG:2154')(Number.NaN, 6_600_000, 701_000, 6_600_000)).toBe(Infinity);
  expect(of('EPSG:2154')(1e300, 6_600_000, 1e300, 6_600_000)).toBe(Infinity);
  expect(of('EPSG:2326')(836_000, 819_000, 836_100, 819_000)).toBe(Infinity);
  expect(of(ROBINSON)(700_000, 6_600_000, 700_100, 6_600_000)).toBe(Infinity);
});

type Box = readonly [number, number, number, number];

/** Positions in the middle of a box in degrees, in units. */
function degreesIn([west, south, east, north]: Box, unit: number): Float64Array {
  const random = numbers(11);
  return Float64Array.from({ length: 2_000 }, (_, i) => {
    const [from, to] = i % 2 === 0 ? [west, east] : [south, north];
    return (from + (0.2 + 0.6 * random.next().value) * (to - from)) / unit;
  });
}

/** Meters between the parts of an edge and those of the straight line between the places of its ends, at most. */
function bendOf(
  move: (coords: Float64Array) => void,
  [px, py]: readonly [number, number],
  [qx, qy]: readonly [number, number],
): number {
  const coords = new Float64Array(2 * PARTS + 2);
  for (let k = 0; k <= PARTS; k++) {
    coords[2 * k] = px + ((qx - px) * k) / PARTS;
    coords[2 * k + 1] = py + ((qy - py) * k) / PARTS;
  }
  move(coords);
  const at = (k: number, axis: number): number => coords[2 * k + axis] as number;
  const [east, north] = [turn(at(PARTS, 0) - at(0, 0)), at(PARTS, 1) - at(0, 1)];
  let most = 0;
  for (let k = 1; k < PARTS; k++) {
    const lon = turn(at(k, 0) - at(0, 0)) - (east * k) / PARTS;
    const lat = at(k, 1) - at(0, 1) - (north * k) / PARTS;
    most = Math.max(most, METERS * Math.hypot(lon * Math.cos((at(k, 1) * Math.PI) / 180), lat));
  }
  return most;
}

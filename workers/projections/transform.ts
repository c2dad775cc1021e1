/** From the coordinates of a reference system to longitude and latitude on WGS 84. */
import { type Move, project, shift, unproject } from './engine.ts';
import type { System } from './systems.ts';
import type { Box, Geographic, Projected } from './table.ts';

/** Changes positions in place. */
export interface Transformer {
  /**
   * @param coords x and y (or, of degrees, longitude and latitude) of each position, one after the other; they become
   *   longitude and latitude in degrees on WGS 84, NaN where the system has no such place
   */
  readonly apply: (coords: Float64Array) => void;
  /** The same of places that are not in the file: they do not count for the accuracy. */
  readonly probe: (coords: Float64Array) => void;
  /** Whether all places of a box of its coordinates are moved by one formula without breaks. */
  readonly isSmooth: (box: Box) => boolean;
  /** Whether it changes nothing: longitude and latitude on a datum that agrees with WGS 84. */
  readonly isIdentity: boolean;
  /** The accuracy in meters of what was used so far: the largest; null if a place had no published transformation. */
  readonly accuracy: () => number | null;
}

/** Projections that are interpolated from a table, so that their formulas have breaks. */
const INTERPOLATED = /^\+proj=robin\b/;

/**
 * @param order `authority`: coordinates come in the order of the authority's axes (GML by a URN); `xy`: east before north,
 *   as all other formats have them
 */
export function transformer(system: System, order: 'xy' | 'authority' = 'xy'): Transformer {
  const { base, plane } = system;
  const toPlane = turning(order === 'xy' && system.axes === 'NE' ? 'EN' : system.axes, (plane ?? base).unit);
  const toDegrees = plane === null ? null : unproject(plane.projection, base.ellipsoid);
  const isOnMap = plane === null ? null : mapOf(plane);
  const { choose, isUniform } = shifter(system);
  const xy = new Float64Array(2);
  const isInterpolated = plane !== null && INTERPOLATED.test(plane.projection);
  let accuracy: number | null = 0;
  const isTurned = order === 'authority' && system.axes !== 'EN';
  /** Moves the positions of a list in place, and tells which transformation each had. */
  const move = (coords: Float64Array, onPlace: (found: Choice | null) => void): void => {
    for (let i = 0; i < coords.length; i += 2) {
      xy[0] = coords[i];
      xy[1] = coords[i + 1];
      toPlane(xy);
      const [x, y] = xy;
      const found = choose(x, y);
      toDegrees?.(xy);
      if (isOnMap?.(x, y, xy[0], xy[1]) === false) xy.fill(Number.NaN);
      xy[0] += base.meridian;
      onPlace(found);
      found?.move?.(xy);
      coords[i] = toDegrees === null ? xy[0] : wrapped(xy[0]);
      coords[i + 1] = xy[1];
    }
  };
  const note = (found: Choice | null): void => {
    if (found === null) accuracy = null;
    else if (accuracy !== null) accuracy = Math.max(accuracy, found.accuracy);
  };
  return {
    isIdentity: plane === null && system.isWgs84 && !isTurned,
    apply: (coords) => move(coords, note),
    probe: (coords) => move(coords, () => {}),
    isSmooth: ([west, south, east, north]) => {
      if (isInterpolated) return false;
      const corners = [Float64Array.of(west, south), Float64Array.of(east, north)] as const;
      corners.forEach(toPlane);
      const [[ax, ay], [bx, by]] = corners;
      return isUniform([Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)]);
    },
    accuracy: () => accuracy,
  };
}

/** Degrees around the area of use of a system in which its formulas are trusted. */
const TRUSTED = 5;

/** Meters by which a position may differ from that of its own place. */
const SAME = 20;

/** Degrees to each side of a longitude, less than SAME. */
const SEAM = 1e-4;

/** Projections whose longitude grows with x, also more than once around the world. */
const CYLINDRICAL = /^\+proj=(?:merc|cea|eqc)\b/;

/**
 * Tests whether a position of a plane is the one of its place: proj4 has a place for most others, too, as behind the two
 * edges of a cone. Beside the area of use, the place is projected again.
 * @returns a function of x and y in meters, and of longitude and latitude in degrees from the system's own meridian
 */
function mapOf({ projection, base, area }: Projected): (x: number, y: number, lon: number, lat: number) => boolean {
  const [west, south, east, north] = area ?? [0, 0, 0, 0];
  const width = (east < west ? east + 360 : east) - west;
  const toPlane = project(projection, base.ellipsoid);
  const isCylindrical = CYLINDRICAL.test(projection);
  const xy = new Float64Array(2);
  return (x, y, lon, lat) => {
    if (!(Math.abs(x) < Infinity && Math.abs(y) < Infinity && Math.abs(lon) <= 540 && Math.abs(lat) <= 90))
      return false;
    const fromWest = (((lon + base.meridian - west + TRUSTED) % 360) + 360) % 360;
    const isNear = fromWest <= width + 2 * TRUSTED && lat >= south - TRUSTED && lat <= north + TRUSTED;
    if (isCylindrical || (area !== null && isNear)) return true;
    // Where a map begins, its end has the same longitude.
    return [0, SEAM, -SEAM].some((aside) => {
      xy[0] = lon + aside;
      xy[1] = lat;
      toPlane(xy);
      return Math.abs(xy[0] - x) <= SAME && Math.abs(xy[1] - y) <= SAME;
    });
  };
}

/** A longitude from -180 to 180. */
const wrapped = (lon: number): number => (lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon);

/** Puts the east coordinate first and counts both in meters or degrees, to the east and north. */
function turning(axes: string, unit: number): Move {
  const isTurned = axes[0] === 'N' || axes[0] === 'S';
  const [first, second] = [...axes].map((letter) => (letter === 'W' || letter === 'S' ? -unit : unit));
  return (xy) => {
    const [p, q] = [xy[0] * first, xy[1] * second];
    xy[0] = isTurned ? q : p;
    xy[1] = isTurned ? p : q;
  };
}

interface Choice {
  readonly accuracy: number;
  /** Null: the coordinates stay. */
  readonly move: Move | null;
}

/**
 * Chooses the transformation of a place as GDAL does: the most accurate of those whose area holds it, as a box of the
 * system's own coordinates; of equal ones the first. Where no area holds it, the coordinates stay: by a
 * transformation that says so, or by none (null).
 */
function shifter({ base, plane }: System): {
  readonly choose: (x: number, y: number) => Choice | null;
  /** Whether all places of a box have the same choice. */
  readonly isUniform: (box: Box) => boolean;
} {
  const used = plane?.area ?? null;
  const shifts = used === null ? base.shifts : base.shifts.filter(({ area }) => meet(area, used));
  const choices = shifts.map(({ steps, accuracy, area }): Choice & { box: Box } => ({
    accuracy,
    move: steps.length === 0 ? null : shift(steps, base.ellipsoid),
    box: boxIn(area, base, plane),
  }));
  const elsewhere = choices.find(({ move }) => move === null) ?? null;
  return {
    choose: (x, y) => {
      let best: Choice | null = null;
      for (const one of choices) {
        const [west, south, east, north] = one.box;
        if (!(x >= west && x <= east && y >= south && y <= north)) continue;
        if (best === null || one.accuracy < best.accuracy) best = one;
      }
      return best ?? elsewhere;
    },
    isUniform: ([w, s, e, n]) =>
      choices.every(({ box: [west, south, east, north] }) => {
        const isDisjoint = e < west || w > east || n < south || s > north;
        return isDisjoint || (w >= west && e <= east && s >= south && n <= north);
      }),
  };
}

/** Whether two boxes have a place in common. */
function meet([west, south, east, north]: Box, [w, s, e, n]: Box): boolean {
  if (south > n || s > north) return false;
  const [width, other] = [east < west ? east + 360 - west : east - west, e < w ? e + 360 - w : e - w];
  return (((w - west) % 360) + 360) % 360 <= width || (((west - w) % 360) + 360) % 360 <= other;
}

/** Points along each side of an area, from which its box in a plane is made. */
const SAMPLES = 20;

/** The box of an area in a plane; of degrees, the area itself. */
function boxIn(area: Box, base: Geographic, plane: Projected | null): Box {
  const [west, south] = area;
  let [, , east, north] = area;
  if (east < west) east += 360;
  if (plane === null) return [west, south, east, north];
  // A plane does not hold half of the world or more.
  if (east - west >= 180) return [-Infinity, -Infinity, Infinity, Infinity];
  const move = project(plane.projection, base.ellipsoid);
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  const xy = new Float64Array(2);
  const add = (lon: number, lat: number): void => {
    xy[0] = lon - base.meridian;
    xy[1] = lat;
    move(xy);
    if (!Number.isFinite(xy[0]) || !Number.isFinite(xy[1])) return;
    box[0] = Math.min(box[0], xy[0]);
    box[1] = Math.min(box[1], xy[1]);
    box[2] = Math.max(box[2], xy[0]);
    box[3] = Math.max(box[3], xy[1]);
  };
  for (let i = 0; i <= SAMPLES; i++) {
    const [lon, lat] = [west + ((east - west) * i) / SAMPLES, south + ((north - south) * i) / SAMPLES];
    add(lon, south);
    add(lon, north);
    add(west, lat);
    add(east, lat);
  }
  return box as unknown as Box;
}

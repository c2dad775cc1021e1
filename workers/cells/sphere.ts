/** Cells whose sides are great circles (H3, S2) as outlines on the plane of longitude and latitude. */
import { HALF_TURN, MARGIN, near, type Outline, QUARTER, type Span } from './grid.ts';

type Vector = readonly [number, number, number];

const RADIANS = Math.PI / HALF_TURN;
/** Sides longer than this (1e-7 degrees) are divided into more pieces. */
const LONG = 5_000_000;
/** Pieces of a short side, and of a long one. */
const PIECES = { short: 2, long: 16 } as const;

function vectorOf(x: number, y: number): Vector {
  const [lon, lat] = [x * RADIANS, y * RADIANS];
  return [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)];
}

/** The point at a fraction of the chord between two vectors, seen from the center of the sphere. */
function between(a: Vector, b: Vector, t: number, lon: number): readonly [number, number] {
  const [x, y, z] = a.map((one, i) => one + (b[i] - one) * t);
  return [near(Math.atan2(y, x) / RADIANS, lon), Math.atan2(z, Math.hypot(x, y)) / RADIANS];
}

/**
 * The outline of a cell whose sides are great circles. Its sides are replaced by short straight lines; `margin` is twice
 * the farthest distance of a side from these, and MARGIN.
 *
 * @param corners x, y of the corners in order, 1e-7 degrees
 * @param lon a longitude in the cell
 * @returns null when it goes round a pole, or nearly
 */
export function outlineOf(corners: readonly (readonly [number, number])[], lon: number): Outline | null {
  const ring: number[] = [];
  let deviation = 0;
  const placed = corners.map(([x, y]) => [near(x, lon), y] as const);
  for (let i = 0; i < placed.length; i++) {
    const [ax, ay] = placed[i];
    const [bx, by] = placed[(i + 1) % placed.length];
    if (Math.abs(bx - ax) > HALF_TURN / 2) return null;
    const [a, b] = [vectorOf(ax, ay), vectorOf(bx, by)];
    const pieces = Math.max(Math.abs(bx - ax), Math.abs(by - ay)) > LONG ? PIECES.long : PIECES.short;
    let [px, py] = [ax, ay];
    for (let k = 1; k <= pieces; k++) {
      const [qx, qy] = k === pieces ? [bx, by] : between(a, b, k / pieces, lon);
      ring.push(px, py);
      const [mx, my] = between(a, b, (k - 0.5) / pieces, lon);
      const length = Math.hypot(qx - px, qy - py);
      const cross = (qx - px) * (my - py) - (qy - py) * (mx - px);
      if (length > 0) deviation = Math.max(deviation, Math.abs(cross) / length);
      [px, py] = [qx, qy];
    }
  }
  return { ring: Float64Array.from(ring), margin: 2 * deviation + MARGIN };
}

/**
 * The rectangle around a circle on the sphere. @param radius in radians, at most a quarter turn
 */
export function circleSpan(x: number, y: number, radius: number): Span {
  const high = radius / RADIANS;
  const [south, north] = [Math.max(-QUARTER, y - high - MARGIN), Math.min(QUARTER, y + high + MARGIN)];
  const lat = y * RADIANS;
  if (Math.abs(lat) + radius >= Math.PI / 2 - 1e-9) return { west: -HALF_TURN, south, east: HALF_TURN, north };
  const wide = Math.asin(Math.min(1, Math.sin(radius) / Math.cos(lat))) / RADIANS + MARGIN;
  return { west: x - wide, south, east: x + wide, north };
}

/** The angle in radians between two points. */
export function angle(ax: number, ay: number, bx: number, by: number): number {
  const [a, b] = [vectorOf(ax, ay), vectorOf(bx, by)];
  return 2 * Math.asin(Math.min(1, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / 2));
}

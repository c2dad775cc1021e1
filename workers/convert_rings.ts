import { type PolygonRings, type Position, Unreadable } from './formats/reading/document.ts';
import { SEAM_LONGITUDE } from './formats/seam.ts';

export const DEGREE = 1e7;

/** A ring without area and with at most this extent (1e-7 degrees, about a centimeter) is a rounding artifact. */
const SPECK = 1;

/** The rings of a polygon on the grid, without those that collapse; none when the shell collapses. */
export function ringsOf(rings: PolygonRings, counts: { collapsed: number }, where = ''): number[][] {
  const kept: number[][] = [];
  for (const [i, positions] of rings.entries()) {
    const ring = onGrid(positions, where);
    const area = doubleArea(ring);
    // A large ring without area is an error, not rounding: it is kept, and the validity check reports its place.
    if ((ring.length < 8 || area === 0) && extent(ring) <= SPECK) {
      counts.collapsed++;
      if (i === 0) {
        counts.collapsed += rings.length - 1;
        return [];
      }
      continue;
    }
    kept.push(area === 0 || area > 0 === (i === 0) ? ring : reversed(ring));
  }
  return kept;
}

/** The longer side of a ring's bounding box. */
function extent(ring: readonly number[]): number {
  let [west, south] = ring;
  let [east, north] = ring;
  for (let i = 2; i < ring.length; i += 2) {
    west = Math.min(west, ring[i]);
    east = Math.max(east, ring[i]);
    south = Math.min(south, ring[i + 1]);
    north = Math.max(north, ring[i + 1]);
  }
  return Math.max(east - west, north - south);
}

/**
 * A closed ring of integers without repeated vertices.
 * @throws Unreadable when a position is out of range, or an edge may cross 180 degrees
 */
function onGrid(positions: readonly Position[], where: string): number[] {
  const ring: number[] = [];
  for (const [lon, lat] of positions) {
    if (!(Math.abs(lon) <= 180 && Math.abs(lat) <= 90)) {
      throw new Unreadable(`${where}${lon},${lat} is not a longitude and latitude in degrees`);
    }
    const x = Math.round(lon * DEGREE);
    const y = Math.round(lat * DEGREE);
    const n = ring.length;
    if (n === 0 || ring[n - 2] !== x || ring[n - 1] !== y) ring.push(x, y);
  }
  const n = ring.length;
  if (n > 0 && (ring[0] !== ring[n - 2] || ring[1] !== ring[n - 1])) ring.push(ring[0], ring[1]);
  for (let i = 2; i < ring.length; i += 2) {
    if (!jumpsSeam(ring, i)) continue;
    throw new Unreadable(
      `${where}an edge goes from longitude ${ring[i - 2] / DEGREE} to ${ring[i] / DEGREE}: an area across 180 degrees must be cut there (RFC 7946), which an import does and a conversion does not`,
    );
  }
  return ring;
}

/**
 * Whether the edge to a vertex spans more than 180 degrees of longitude, so that it may go the short way. Edges along a
 * pole, and from one side of the world to the other, are where maps are cut.
 */
function jumpsSeam(ring: readonly number[], to: number): boolean {
  const [x, y, fromX, fromY] = [ring[to], ring[to + 1], ring[to - 2], ring[to - 1]];
  if (Math.abs(x - fromX) <= 180 * DEGREE) return false;
  const isAtSeam = Math.abs(x) >= SEAM_LONGITUDE && Math.abs(fromX) >= SEAM_LONGITUDE;
  return !isAtSeam && !(Math.abs(y) === 90 * DEGREE && fromY === y);
}

/**
 * Twice the signed planar area of a closed ring, relative to its first vertex. Positive for a counterclockwise simple
 * ring.
 */
function doubleArea(ring: readonly number[]): number {
  let sum = 0;
  for (let i = 2; i + 3 < ring.length; i += 2) {
    sum += (ring[i] - ring[0]) * (ring[i + 3] - ring[1]) - (ring[i + 2] - ring[0]) * (ring[i + 1] - ring[1]);
  }
  return sum;
}

function reversed(ring: readonly number[]): number[] {
  const out: number[] = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) out.push(ring[i], ring[i + 1]);
  return out;
}

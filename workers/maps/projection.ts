/** The projection of a map: equal-area, so that the color of an area weighs as much as the area. */
import { geoAzimuthalEqualArea, geoConicEqualArea, geoEqualEarth } from 'd3-geo';
import type { CutEdge } from '../formats/seam.ts';

/** An extent in degrees; east may be above 180. */
export interface Extent {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Longitude and latitude in degrees to x (right) and y (down), in radians on the ground at the center. */
export type Project = (lon: number, lat: number) => readonly [number, number];

export const EARTH_M = 6_371_008;
/** Edges longer than this (degrees) are divided, because a straight line of a map of degrees is a curve here. */
const LONGEST = 1;

/**
 * The smallest extent of some cells of a degree: longitudes start east of the widest gap. @param columns the degrees of
 * longitude (-180 … 179) in use
 */
export function eastward(columns: Iterable<number>): readonly [west: number, east: number] {
  const used = [...new Set(columns)].sort((a, b) => a - b);
  let [gap, start] = [used[0] + 360 - used[used.length - 1], 0];
  for (let i = 1; i < used.length; i++) {
    if (used[i] - used[i - 1] > gap) [gap, start] = [used[i] - used[i - 1], i];
  }
  const west = used[start];
  const last = used[(start + used.length - 1) % used.length];
  return [west, (last < west ? last + 360 : last) + 1];
}

/**
 * Chooses a projection for an extent: Equal Earth for the world, azimuthal around a pole, near the equator or for what is
 * as high as wide, and a cone (Albers, with parallels a sixth from the top and the bottom) for what is wide.
 */
export function projectionFor({ west, south, east, north }: Extent): { name: string; project: Project } {
  const [lon, lat] = [(west + east) / 2, (south + north) / 2];
  const [wide, high] = [east - west, north - south];
  if (wide > 180 && high > 60 && Math.abs(lat) < 45) {
    // The map is cut at ±180, as areas are.
    return { name: 'Equal Earth', project: wrapped(geoEqualEarth().rotate([0, 0])) };
  }
  if (wide > 150 || Math.abs(lat) > 75) {
    const pole = lat < 0 ? -90 : 90;
    return { name: 'azimuthal equal-area', project: wrapped(geoAzimuthalEqualArea().rotate([-lon, -pole])) };
  }
  const conic = Math.abs(lat) > 15 && wide * Math.cos((lat * Math.PI) / 180) > 1.2 * high && south > -80 && north < 80;
  if (conic) {
    const parallels: [number, number] = [south + high / 6, north - high / 6];
    const cone = geoConicEqualArea().parallels(parallels).rotate([-lon, 0]).center([0, lat]);
    return { name: 'Albers equal-area conic', project: wrapped(cone) };
  }
  return { name: 'azimuthal equal-area', project: wrapped(geoAzimuthalEqualArea().rotate([-lon, -lat])) };
}

interface Raw {
  (point: [number, number]): [number, number] | null;
  scale(scale: number): Raw;
  translate(by: [number, number]): Raw;
}

function wrapped(raw: Raw): Project {
  const at = raw.scale(1).translate([0, 0]);
  return (lon, lat) => at([lon, lat]) ?? [0, 0];
}

/** Calls `visit` for a ring's vertices (closed, in 1e-7 degrees) in degrees, and for points on its long edges. */
export function alongRing(
  coords: Int32Array,
  from: number,
  to: number,
  visit: (lon: number, lat: number, vertex: number) => void,
): void {
  for (let v = from; v < to; v++) {
    const [x, y] = [coords[2 * v] / 1e7, coords[2 * v + 1] / 1e7];
    visit(x, y, v);
    if (v + 1 === to) break;
    const [dx, dy] = [coords[2 * v + 2] / 1e7 - x, coords[2 * v + 3] / 1e7 - y];
    // More than half a turn is a short edge across ±180.
    if (Math.abs(dx) > 180) continue;
    const pieces = Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)) / LONGEST);
    for (let k = 1; k < pieces; k++) visit(x + (dx * k) / pieces, y + (dy * k) / pieces, v);
  }
}

/** The vertices whose edges are where maps are cut, not borders. */
export const seamVertices = (edges: readonly CutEdge[]): ReadonlySet<number> =>
  new Set(edges.filter(({ border }) => border.length === 0).map(({ vertex }) => vertex));

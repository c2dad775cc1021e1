import type { Polygons } from '../contract.ts';
import { crossingsEast } from './locate.ts';
import { type Polygon, poleOf } from './pole.ts';

/** Scan lines tried at well-spread latitudes before every line of a thin polygon is tried. */
const SCANS = 64;
/** The most lines that are tried one after another. */
const LAST_RESORT = 8192;
/** Near a pole a degree of longitude has almost no length; this avoids a division by zero. */
const LEAST_SHORTENING = 0.001;

/** A point in 1e-7 degrees. */
export type PointUnits = readonly [x: number, y: number];

/** The places that the source gives for a boundary's center: OpenStreetMap's label and admin_centre nodes. */
export interface PlaceNodes {
  readonly label: PointUnits | null;
  readonly seat: PointUnits | null;
}

/**
 * A point to represent an area, in 1e-7 degrees, strictly inside it:
 *
 * 1. The label, if it is inside. If the seat is inside too, the label must be in the same polygon: labels of areas with
 *    wide waters are often placed in the middle of the whole area, at sea.
 * 2. The pole of inaccessibility of the polygon that contains the seat (border included).
 * 3. The pole of the largest polygon, by area in the plane of longitude (scaled by the cosine) and latitude.
 *
 * The result is tested exactly against the rings. In a polygon too thin for a pole it is the middle of the widest
 * interior stretch of a horizontal line; where none of the lines tried has one, it is a vertex of the polygon.
 * @throws RangeError when there are no polygons
 */
export function insideCenter(polygons: Polygons, { label, seat }: PlaceNodes = NO_PLACES): [number, number] {
  const parts = partsOf(polygons);
  const main = (seat && parts.find((part) => sideOf(part, seat) >= 0)) ?? null;
  if (label && (main ? [main] : parts).some((part) => sideOf(part, label) > 0)) return [label[0], label[1]];
  return insidePoint(main ?? largest(parts));
}

const NO_PLACES: PlaceNodes = { label: null, seat: null };

function insidePoint(polygon: Polygon): [number, number] {
  const box = shellBox(polygon);
  const [, south, , north] = box;
  const pole = poleOf(polygon, box, centroidOf(polygon), Math.max(LEAST_SHORTENING, shorteningOf(south, north)));
  if (pole && sideOf(polygon, pole) > 0) return pole;
  const height = north - south;
  for (let scan = 0; scan < SCANS; scan++) {
    const found = widestOnLine(polygon, Math.floor(south + height * vanDerCorput(scan + 1)));
    if (found) return found;
  }
  for (let y = south; y < north && y - south < LAST_RESORT; y++) {
    const found = widestOnLine(polygon, y);
    if (found) return found;
  }
  return [polygon.coords[polygon.starts[0]], polygon.coords[polygon.starts[0] + 1]];
}

/** 1/2, 1/4, 3/4, 1/8, 5/8, …: spreads over (0, 1) from the middle outward (van der Corput sequence). */
function vanDerCorput(index: number): number {
  let value = 0;
  let step = 0.5;
  for (let i = index; i > 0; i = Math.floor(i / 2), step /= 2) if (i % 2 === 1) value += step;
  return value;
}

function partsOf({ coords, ringEnd, polygonEnd }: Polygons): Polygon[] {
  let ring = 0;
  return Array.from(polygonEnd, (end) => {
    const [starts, ends]: [number[], number[]] = [[], []];
    for (; ring < end; ring++) {
      starts.push(ring === 0 ? 0 : 2 * ringEnd[ring - 1]);
      ends.push(2 * (ringEnd[ring] - 1));
    }
    return { coords, starts, ends };
  });
}

function largest(parts: readonly Polygon[]): Polygon {
  let best: Polygon | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (const part of parts) {
    const [, south, , north] = shellBox(part);
    let area = 0;
    for (let r = 0; r < part.starts.length; r++) area += moments(part, r).area;
    area *= shorteningOf(south, north);
    if (area > most) {
      most = area;
      best = part;
    }
  }
  if (best === null) throw new RangeError('an empty multipolygon has no center');
  return best;
}

/** The length of a degree of longitude relative to one of latitude, halfway between two latitudes (1e-7 degrees). */
function shorteningOf(south: number, north: number): number {
  return Math.cos(((south + north) / 2e7) * (Math.PI / 180));
}

function shellBox({ coords, starts, ends }: Polygon): [number, number, number, number] {
  let [west, south, east, north] = [2 ** 31, 2 ** 31, -(2 ** 31), -(2 ** 31)];
  for (let i = starts[0]; i <= ends[0]; i += 2) {
    west = Math.min(west, coords[i]);
    south = Math.min(south, coords[i + 1]);
    east = Math.max(east, coords[i]);
    north = Math.max(north, coords[i + 1]);
  }
  return [west, south, east, north];
}

/** Signed area and first moments of a ring, relative to the polygon's first vertex. */
function moments({ coords, starts, ends }: Polygon, ring: number): { area: number; x: number; y: number } {
  const ox = coords[starts[0]];
  const oy = coords[starts[0] + 1];
  let [area, x, y] = [0, 0, 0];
  for (let i = starts[ring]; i < ends[ring]; i += 2) {
    const px = coords[i] - ox;
    const py = coords[i + 1] - oy;
    const qx = coords[i + 2] - ox;
    const qy = coords[i + 3] - oy;
    const cross = px * qy - qx * py;
    area += cross / 2;
    x += (cross * (px + qx)) / 6;
    y += (cross * (py + qy)) / 6;
  }
  return { area, x, y };
}

function centroidOf(polygon: Polygon): [number, number] {
  let [area, x, y] = [0, 0, 0];
  for (let r = 0; r < polygon.starts.length; r++) {
    const part = moments(polygon, r);
    area += part.area;
    x += part.x;
    y += part.y;
  }
  const at = polygon.starts[0];
  if (area === 0) return [polygon.coords[at], polygon.coords[at + 1]];
  return [Math.round(polygon.coords[at] + x / area), Math.round(polygon.coords[at + 1] + y / area)];
}

/** 1 inside a polygon, 0 on its border, -1 outside. Exact. */
function sideOf({ coords, starts, ends }: Polygon, [x, y]: PointUnits): -1 | 0 | 1 {
  let crossings = 0;
  for (let r = 0; r < starts.length; r++) {
    const more = crossingsEast(coords, starts[r], ends[r], x, y);
    if (more < 0) return 0;
    crossings += more;
  }
  return (crossings & 1) === 1 ? 1 : -1;
}

/**
 * The middle of the widest interior stretch half a unit above a horizontal line, moved to a neighboring grid point;
 * null when no such point is strictly inside. Half a unit above, there are no vertices, so the stretches are
 * unambiguous.
 */
function widestOnLine(polygon: Polygon, y: number): [number, number] | null {
  const { coords, starts, ends } = polygon;
  const level = y + 0.5;
  const at: number[] = [];
  for (let r = 0; r < starts.length; r++) {
    for (let i = starts[r]; i < ends[r]; i += 2) {
      const py = coords[i + 1];
      const qy = coords[i + 3];
      if (py > level === qy > level) continue;
      at.push(coords[i] + ((level - py) / (qy - py)) * (coords[i + 2] - coords[i]));
    }
  }
  at.sort((a, b) => a - b);
  const stretches: [number, number][] = [];
  for (let i = 0; i + 1 < at.length; i += 2) stretches.push([at[i], at[i + 1]]);
  stretches.sort((a, b) => b[1] - b[0] - (a[1] - a[0]));
  for (const [from, to] of stretches.slice(0, 4)) {
    const x = Math.round((from + to) / 2);
    if (sideOf(polygon, [x, y]) > 0) return [x, y];
    if (sideOf(polygon, [x, y + 1]) > 0) return [x, y + 1];
  }
  return null;
}

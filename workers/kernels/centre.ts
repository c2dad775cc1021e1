import type { Polygons } from '../contract.ts';
import { crossingsEast } from './locate.ts';

/** A centroid nearer to the border than this share of the polygon's smaller extent is not used. */
const CLEARANCE = 0.02;
/** Scan lines tried before every line of a thin polygon is. */
const SCANS = 64;
/** The most lines that are all tried. */
const LAST_RESORT = 8192;

/** One polygon as rings of coordinates: ring r is `coords[starts[r]] … coords[ends[r] + 1]`. */
interface Polygon {
  readonly coords: Int32Array;
  /** Indexes of x of each ring's first and (equal) last vertex. */
  readonly starts: number[];
  readonly ends: number[];
}

/**
 * A point to show for an area, in 1e-7 degrees, strictly inside the largest polygon: its centroid where that is inside
 * and clear of the border, else the middle of the widest interior stretch of a level line near the middle, else of
 * other level lines. "Largest" and the centroid are of the plane of longitude and latitude, longitude shortened by the
 * cosine. The result has been tested against the rings exactly; only a polygon that holds no integer point at all gets
 * a vertex instead. Throws RangeError when there are no polygons.
 */
export function insideCentre(polygons: Polygons): [number, number] {
  const polygon = largest(polygons);
  const [west, south, east, north] = shellBox(polygon);
  const centroid = centroidOf(polygon);
  if (strictlyInside(polygon, centroid[0], centroid[1])) {
    const shorten = Math.cos((centroid[1] / 1e7) * (Math.PI / 180));
    const extent = Math.min((east - west) * shorten, north - south);
    if (distanceToBorder(polygon, centroid[0], centroid[1], shorten) >= CLEARANCE * extent) return centroid;
  }
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

/** 1/2, 1/4, 3/4, 1/8, 5/8, …: spreads over (0, 1) from the middle out. */
function vanDerCorput(index: number): number {
  let value = 0;
  let step = 0.5;
  for (let i = index; i > 0; i = Math.floor(i / 2), step /= 2) if (i % 2 === 1) value += step;
  return value;
}

function largest(polygons: Polygons): Polygon {
  let best: Polygon | null = null;
  let most = Number.NEGATIVE_INFINITY;
  let ring = 0;
  for (let p = 0; p < polygons.polygonEnd.length; p++) {
    const polygon: Polygon = { coords: polygons.coords, starts: [], ends: [] };
    for (; ring < polygons.polygonEnd[p]; ring++) {
      polygon.starts.push(ring === 0 ? 0 : 2 * polygons.ringEnd[ring - 1]);
      polygon.ends.push(2 * (polygons.ringEnd[ring] - 1));
    }
    const [, south, , north] = shellBox(polygon);
    let area = 0;
    for (let r = 0; r < polygon.starts.length; r++) area += moments(polygon, r).area;
    area *= Math.cos(((south + north) / 2e7) * (Math.PI / 180));
    if (area > most) {
      most = area;
      best = polygon;
    }
  }
  if (best === null) throw new RangeError('an empty multipolygon has no centre');
  return best;
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

/** Signed area and first moments of a ring about the polygon's first vertex. */
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

function strictlyInside({ coords, starts, ends }: Polygon, x: number, y: number): boolean {
  let crossings = 0;
  for (let r = 0; r < starts.length; r++) {
    const more = crossingsEast(coords, starts[r], ends[r], x, y);
    if (more < 0) return false;
    crossings += more;
  }
  return (crossings & 1) === 1;
}

/** The distance from a point to the nearest edge, in 1e-7 degrees of latitude. */
function distanceToBorder({ coords, starts, ends }: Polygon, x: number, y: number, shorten: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let r = 0; r < starts.length; r++) {
    for (let i = starts[r]; i < ends[r]; i += 2) {
      const px = (coords[i] - x) * shorten;
      const py = coords[i + 1] - y;
      const dx = (coords[i + 2] - coords[i]) * shorten;
      const dy = coords[i + 3] - coords[i + 1];
      const along = dx * dx + dy * dy;
      const t = along === 0 ? 0 : Math.min(1, Math.max(0, -(px * dx + py * dy) / along));
      nearest = Math.min(nearest, Math.hypot(px + t * dx, py + t * dy));
    }
  }
  return nearest;
}

/**
 * The middle of the widest interior stretch half a unit above a level line, moved to a grid point beside it; null when
 * no such point is strictly inside. Half a unit up there are no vertices, so the stretches are plain.
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
    if (strictlyInside(polygon, x, y)) return [x, y];
    if (strictlyInside(polygon, x, y + 1)) return [x, y + 1];
  }
  return null;
}

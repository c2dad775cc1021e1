/** The border of an area, as cells are compared with it. */
import { ArcsByLatitude } from '../arcs/locate_many.ts';
import type { ArcTable, Polygons } from '../contract.ts';
import { cutEdges, SEAM_LONGITUDE } from '../formats/seam.ts';
import { HALF_TURN, type Outline, type Span } from './grid.ts';

/** Vertices of a piece of a ring, for finding what is inside. */
const PIECE = 64;

/** The border of polygons: edges by the index of their first vertex. */
export class Border {
  /** Edges that are a border: not those along ±180 or a pole, on both sides of which the area continues. */
  readonly edges: Int32Array;
  private readonly coords: Int32Array;
  private readonly pieces: ArcsByLatitude;

  constructor(polygons: Polygons) {
    this.coords = polygons.coords;
    this.edges = bordersOf(polygons);
    this.pieces = piecesOf(polygons);
  }

  /** Whether a point (1e-7 degrees) that is not on the border is in the area. Exact. */
  contains(x: number, y: number): boolean {
    if (this.pieces.locate(x, y) >= 0) return true;
    return Math.abs(x) === HALF_TURN && this.pieces.locate(-x, y) >= 0;
  }

  /** Those of some edges that reach into a rectangle, and perhaps a few beside it. */
  within(edges: Int32Array, { west, south, east, north }: Span): Int32Array {
    const kept: number[] = [];
    const turns = turnsOf(west, east);
    for (let i = 0; i < edges.length; i++) {
      const at = 2 * edges[i];
      const [ay, by] = [this.coords[at + 1], this.coords[at + 3]];
      if ((ay < south && by < south) || (ay > north && by > north)) continue;
      for (const turn of turns) {
        const [ax, bx] = [this.coords[at] + turn, this.coords[at + 2] + turn];
        if ((ax < west && bx < west) || (ax > east && bx > east)) continue;
        // The corners are all on one side of the edge's line.
        const [dx, dy] = [bx - ax, by - ay];
        const least = dx * ((dx > 0 ? south : north) - ay) - dy * ((dy > 0 ? east : west) - ax);
        const most = dx * ((dx > 0 ? north : south) - ay) - dy * ((dy > 0 ? west : east) - ax);
        const slack = 4 * (Math.abs(dx) + Math.abs(dy));
        if (least > slack || most < -slack) continue;
        kept.push(edges[i]);
        break;
      }
    }
    return Int32Array.from(kept);
  }

  /** Whether any of some edges comes within the margin of an outline, or is inside it. */
  meets(edges: Int32Array, { ring, margin }: Outline): boolean {
    const span = spanOf(ring);
    for (const turn of turnsOf(span.west - margin, span.east + margin)) {
      for (let i = 0; i < edges.length; i++) {
        const at = 2 * edges[i];
        const [ax, ay] = [this.coords[at] + turn, this.coords[at + 1]];
        const [bx, by] = [this.coords[at + 2] + turn, this.coords[at + 3]];
        if (Math.max(ax, bx) < span.west - margin || Math.min(ax, bx) > span.east + margin) continue;
        if (Math.max(ay, by) < span.south - margin || Math.min(ay, by) > span.north + margin) continue;
        if (isInside(ring, ax, ay) || isNear(ring, margin, ax, ay, bx, by)) return true;
      }
    }
    return false;
  }
}

/** The turns by which edges are moved to compare them with longitudes from west to east. */
function turnsOf(west: number, east: number): number[] {
  return [0, 2 * HALF_TURN, -2 * HALF_TURN].filter((turn) => west - turn <= HALF_TURN && east - turn >= -HALF_TURN);
}

function spanOf(ring: Float64Array): Span {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < ring.length; i += 2) {
    west = Math.min(west, ring[i]);
    east = Math.max(east, ring[i]);
    south = Math.min(south, ring[i + 1]);
    north = Math.max(north, ring[i + 1]);
  }
  return { west, south, east, north };
}

function isInside(ring: Float64Array, x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    if (ring[i + 1] > y === ring[j + 1] > y) continue;
    const at = ring[i] + ((y - ring[i + 1]) / (ring[j + 1] - ring[i + 1])) * (ring[j] - ring[i]);
    if (at > x) inside = !inside;
  }
  return inside;
}

/** Whether a segment comes within `margin` of the lines of a ring. */
function isNear(ring: Float64Array, margin: number, ax: number, ay: number, bx: number, by: number): boolean {
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [px, py, qx, qy] = [ring[j], ring[j + 1], ring[i], ring[i + 1]];
    if (cross(ax, ay, bx, by, px, py) * cross(ax, ay, bx, by, qx, qy) <= 0) {
      if (cross(px, py, qx, qy, ax, ay) * cross(px, py, qx, qy, bx, by) <= 0) return true;
    }
    const least = Math.min(
      distance(px, py, qx, qy, ax, ay),
      distance(px, py, qx, qy, bx, by),
      distance(ax, ay, bx, by, px, py),
    );
    if (least <= margin) return true;
  }
  return false;
}

const cross = (ax: number, ay: number, bx: number, by: number, x: number, y: number): number =>
  (bx - ax) * (y - ay) - (by - ay) * (x - ax);

/** The distance of a point from a segment. */
function distance(ax: number, ay: number, bx: number, by: number, x: number, y: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const squared = dx * dx + dy * dy;
  const t = squared === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / squared));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

function bordersOf(polygons: Polygons): Int32Array {
  const { coords, ringEnd } = polygons;
  const cut = new Set<number>();
  // Where an area was cut beside ±180, a strip of the other side may be outside: such edges stay.
  if (!hasBeside(coords)) {
    for (const { vertex, border } of cutEdges(polygons)) if (border.length === 0) cut.add(vertex);
  }
  const edges: number[] = [];
  let v = 0;
  for (const end of ringEnd) {
    for (; v < end - 1; v++) if (!cut.has(v)) edges.push(v);
    v = end;
  }
  return Int32Array.from(edges);
}

function hasBeside(coords: Int32Array): boolean {
  for (let i = 0; i < coords.length; i += 2) {
    const x = Math.abs(coords[i]);
    if (x >= SEAM_LONGITUDE && x !== HALF_TURN) return true;
  }
  return false;
}

/** The rings as pieces of a few vertices, each an arc with its box. */
function piecesOf({ coords, ringEnd }: Polygons): ArcsByLatitude {
  const first: number[] = [];
  const length: number[] = [];
  const box: number[] = [];
  let from = 0;
  for (const end of ringEnd) {
    for (let v = from; v < end - 1; v += PIECE) {
      const last = Math.min(v + PIECE, end - 1);
      const { west, south, east, north } = spanOf(Float64Array.from(coords.subarray(2 * v, 2 * last + 2)));
      first.push(v);
      length.push(last - v + 1);
      box.push(west, south, east, north);
    }
    from = end;
  }
  const table = { coords, first: Uint32Array.from(first), length: Uint32Array.from(length), box: Int32Array.from(box) };
  return new ArcsByLatitude(
    table as unknown as ArcTable,
    Int32Array.from(first, (_, i) => i),
  );
}

/** Gaps among the areas around them: each place goes to the area whose border is nearest. */
import Delaunator from 'delaunator';
import type { Coords } from '../contract.ts';
import { cleanCoverage } from './clean.ts';
import { METERS_PER_UNIT } from './levels.ts';
import { widthAt } from './official_borders.ts';
import { regionsOf } from './regions.ts';

/** A piece of a border is at most this share of its distance to the border of another area, and not shorter in meters. */
const SHARE = 0.12;
const SHORTEST = 0.1;
/** Pieces of the borders of a gap at least, about. */
const LEAST_PIECES = 500;
/** Most pieces of the borders of one gap. */
const MOST_PIECES = 100_000;
/** Points on a circle far around a gap, so that the places of all pieces are bounded. */
const AROUND = 32;
/** Keeps every overlap as it is. */
const KEPT = { meters: 0, share: 0 };
/** The largest coordinate of a place. */
const FAR = 2_000_000_000;

/** A piece of a border, in meters from the middle of the gap. */
interface Piece {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  readonly owner: number;
}

/**
 * Divides a gap. The borders around it are cut into pieces, the shorter the nearer another area is, and each place goes to
 * the area of the piece whose middle is nearest (a Voronoi diagram). So the dividing line is within a fiftieth of its
 * distance to either border. Distances are those of the plane at the middle latitude of the gap.
 * @param rings of the gap: closed, in 1e-7 degrees
 * @param ownerOf the area that has an edge of it
 * @returns for each area, rings of what it gets; slivers of a centimeter may be left
 */
export async function nearestShares(
  rings: readonly Coords[],
  ownerOf: (x: number, y: number, toX: number, toY: number) => number | undefined,
): Promise<ReadonlyMap<number, Coords[]>> {
  const plane = planeOf(rings);
  const pieces = refined(piecesOf(rings, plane, ownerOf));
  const places = placesOf(pieces.list, pieces.triangles, plane);
  const shares = new Map<number, Coords[]>();
  const owners = [...places.keys()];
  const { features } = await cleanCoverage(
    [{ rings }, ...owners.map((owner) => ({ rings: places.get(owner) ?? [] }))],
    KEPT,
  );
  for (const { holders, rings: part } of regionsOf(features, (all) => all[0] === 0 && all.length === 2)) {
    const owner = owners[holders[1] - 1];
    shares.set(owner, [...(shares.get(owner) ?? []), ...part]);
  }
  return shares;
}

/** The middle of a gap, and the meters of one unit of longitude there. */
interface Plane {
  readonly x: number;
  readonly y: number;
  readonly wide: number;
}

function planeOf(rings: readonly Coords[]): Plane {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      [west, east] = [Math.min(west, ring[i]), Math.max(east, ring[i])];
      [south, north] = [Math.min(south, ring[i + 1]), Math.max(north, ring[i + 1])];
    }
  }
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  return { x, y, wide: widthAt(y) };
}

function piecesOf(
  rings: readonly Coords[],
  { x, y, wide }: Plane,
  ownerOf: Parameters<typeof nearestShares>[1],
): Piece[] {
  const pieces: Piece[] = [];
  for (const ring of rings) {
    for (let i = 2; i < ring.length; i += 2) {
      const owner = ownerOf(ring[i - 2], ring[i - 1], ring[i], ring[i + 1]);
      if (owner === undefined) continue;
      const [ax, ay] = [(ring[i - 2] - x) * wide, (ring[i - 1] - y) * METERS_PER_UNIT];
      pieces.push({ ax, ay, bx: (ring[i] - x) * wide, by: (ring[i + 1] - y) * METERS_PER_UNIT, owner });
    }
  }
  return pieces;
}

/** Pieces that are short enough for their distance to those of other areas, with the triangulation of their middles. */
function refined(first: Piece[]): { readonly list: readonly Piece[]; readonly triangles: Delaunator<Float64Array> } {
  let list = first;
  const around = first.reduce((sum, { ax, ay, bx, by }) => sum + Math.hypot(bx - ax, by - ay), 0);
  for (;;) {
    const triangles = triangulate(list);
    const near = distances(list, triangles);
    const next: Piece[] = [];
    for (const [p, piece] of list.entries()) {
      const { ax, ay, bx, by, owner } = piece;
      const most = Math.max(SHORTEST, Math.min(around / LEAST_PIECES, SHARE * near[p]));
      const parts = Math.min(8, Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) / most)));
      for (let k = 0; k < parts; k++) {
        const [from, to] = [k / parts, (k + 1) / parts];
        next.push({
          ...{ ax: ax + (bx - ax) * from, ay: ay + (by - ay) * from },
          ...{ bx: ax + (bx - ax) * to, by: ay + (by - ay) * to, owner },
        });
      }
    }
    if (next.length === list.length || next.length > MOST_PIECES) return { list, triangles };
    list = next;
  }
}

/** The Delaunay triangulation of the middles of pieces, and of points far around them, which come last. */
function triangulate(pieces: readonly Piece[]): Delaunator<Float64Array> {
  const points = new Float64Array(2 * (pieces.length + AROUND));
  let radius = 1;
  for (const [p, { ax, ay, bx, by }] of pieces.entries()) {
    points[2 * p] = (ax + bx) / 2;
    points[2 * p + 1] = (ay + by) / 2;
    radius = Math.max(radius, Math.hypot(points[2 * p], points[2 * p + 1]));
  }
  for (let i = 0; i < AROUND; i++) {
    const angle = (2 * Math.PI * i) / AROUND;
    points[2 * (pieces.length + i)] = 3 * radius * Math.cos(angle);
    points[2 * (pieces.length + i) + 1] = 3 * radius * Math.sin(angle);
  }
  return new Delaunator(points);
}

const following = (h: number): number => (h % 3 === 2 ? h - 2 : h + 1);

/** The meters from each piece to the nearest neighbor of another area; infinite where no neighbor is of another. */
function distances(pieces: readonly Piece[], { triangles, coords }: Delaunator<Float64Array>): Float64Array {
  const near = new Float64Array(pieces.length).fill(Infinity);
  for (let h = 0; h < triangles.length; h++) {
    const [p, q] = [triangles[h], triangles[following(h)]];
    if (p >= pieces.length || q >= pieces.length || pieces[p].owner === pieces[q].owner) continue;
    const meters = Math.hypot(coords[2 * p] - coords[2 * q], coords[2 * p + 1] - coords[2 * q + 1]);
    near[p] = Math.min(near[p], meters);
    near[q] = Math.min(near[q], meters);
  }
  return near;
}

/** The places that are nearest to pieces of each area, as rings: the borders between their Voronoi cells. */
function placesOf(
  pieces: readonly Piece[],
  { triangles, halfedges, coords }: Delaunator<Float64Array>,
  { x, y, wide }: Plane,
): Map<number, Coords[]> {
  const ownerAt = (h: number): number => pieces[triangles[h]]?.owner ?? -1;
  const center = (t: number): [number, number] => {
    const [px, py, mx, my] = circumcenter(coords, triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]);
    // What is far away is outside the gap.
    const within = (value: number): number => Math.round(Math.max(-FAR, Math.min(FAR, value)));
    return [within(x + (px + mx) / wide), within(y + (py + my) / METERS_PER_UNIT)];
  };
  const places = new Map<number, Coords[]>();
  const seen = new Uint8Array(triangles.length);
  for (let start = 0; start < triangles.length; start++) {
    const owner = ownerAt(start);
    if (seen[start] === 1 || owner < 0 || ownerAt(following(start)) === owner) continue;
    const ring: number[] = [];
    let h = start;
    do {
      seen[h] = 1;
      const [cx, cy] = center(Math.floor(h / 3));
      if (cx !== ring.at(-2) || cy !== ring.at(-1)) ring.push(cx, cy);
      // Out of the triangle by its other edge between the area and another, on the side of the area.
      let out = following(h);
      while (ownerAt(following(out)) !== owner) out = following(out);
      h = halfedges[out];
    } while (h !== start);
    if (ring[0] !== ring.at(-2) || ring[1] !== ring.at(-1)) ring.push(ring[0], ring[1]);
    if (ring.length >= 8) places.set(owner, [...(places.get(owner) ?? []), Int32Array.from(ring)]);
  }
  return places;
}

/** The point with the same distance to three: the first of them, and the way from it. */
function circumcenter(coords: ArrayLike<number>, a: number, b: number, c: number): [number, number, number, number] {
  const [ax, ay] = [coords[2 * a], coords[2 * a + 1]];
  const [dx, dy, ex, ey] = [coords[2 * b] - ax, coords[2 * b + 1] - ay, coords[2 * c] - ax, coords[2 * c + 1] - ay];
  const [bl, cl, twice] = [dx * dx + dy * dy, ex * ex + ey * ey, 2 * (dx * ey - dy * ex)];
  return [ax, ay, (ey * bl - dy * cl) / twice, (dx * cl - ex * bl) / twice];
}

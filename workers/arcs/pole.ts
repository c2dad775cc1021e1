/** One polygon as rings of coordinates. Ring r is `coords[starts[r]] … coords[ends[r] + 1]`. */
export interface Polygon {
  readonly coords: Int32Array;
  /** Indexes of x of each ring's first and last vertex, which are equal. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** West, south, east, north. */
type Box = readonly [number, number, number, number];

/** The search ends when no point can be farther from the border than the best one by more than this share. */
const MARGIN = 0.1;
/** The most cells per level that are divided; the most promising ones are chosen. */
const MOST_CELLS = 128;
/** The depth from which a cell's edges are pruned. Above it, nearly every edge is near every cell. */
const PRUNED_FROM = 1;

/** Polygons with more vertices are first searched on a thinned border. */
const THINNED_FROM = 100;
/** The tolerance of thinning, as a share of the shorter side of the box. */
const THINNING = 1 / 200;
/** A point found on a thinned border is accepted when its distance from it exceeds the tolerance by this factor. */
const CLEAR_OF_THINNED = 20;

/** Edge e goes from (x[e], y[e]) to (x[e] + dx[e], y[e] + dy[e]). */
interface Edges {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly dx: Float64Array;
  readonly dy: Float64Array;
}

/** A square of the plane, by its center. */
interface Cell {
  readonly x: number;
  readonly y: number;
  readonly inside: boolean;
  /** Distance from the center to the nearest edge. */
  readonly distance: number;
  /** All edges that can be the nearest edge of a point of the cell. */
  readonly edges: Int32Array;
}

/**
 * The pole of inaccessibility of a polygon: its point farthest from the border, to within 10 % of that distance (20 %
 * for more than THINNED_FROM vertices), in whole 1e-7 degrees. Null when no point was found inside, as in a polygon of
 * almost no width. `start`, which may be outside, wins when it is as good. Longitude is scaled by `shorten`, the cosine
 * of the latitude.
 *
 * Long borders are thinned first, which takes a quarter of the time for the boundaries of Luxembourg. The thinned
 * border is nowhere farther than e from the full one, so a point at a distance d > e from it is on the same side of
 * both, and at least d - e from the full one. With D the distance of the true pole, the thinned search finds d >= (D -
 * e) / 1.1. It is accepted when d > CLEAR_OF_THINNED * e, so its distance from the full border is at least 0.8 D; over
 * 2,381 real boundaries the minimum was 0.97 of what the full search finds. All other polygons are searched in full.
 */
export function poleOf(
  polygon: Polygon,
  box: Box,
  start: readonly [number, number],
  shorten: number,
): [number, number] | null {
  const [west, south, east, north] = box;
  const edges = edgesOf(polygon, west, south, shorten);
  if (edges.x.length > THINNED_FROM) {
    const tolerance = Math.min((east - west) * shorten, north - south) * THINNING;
    const { point, distance } = search(thinned(edges, polygon, tolerance), box, start, shorten);
    if (point && distance > CLEAR_OF_THINNED * tolerance) return point;
  }
  return search(edges, box, start, shorten).point;
}

/**
 * The quadtree search of polylabel (V. Agafonkin, "A new algorithm for finding a visual center of a polygon", 2016,
 * after D. Garcia-Castellanos and U. Lombardo, "Poles of inaccessibility", 2007), level by level: a cell is divided
 * while a point of it may be farther from the border than the best one. A cell passes on only the edges that matter in
 * it, so the work hardly grows with depth. At most MOST_CELLS cells of a level are divided, which bounds the work.
 */
function search(
  edges: Edges,
  [west, south, east, north]: Box,
  start: readonly [number, number],
  shorten: number,
): { point: [number, number] | null; distance: number } {
  const all = Int32Array.from(edges.x, (_, e) => e);
  // A point certainly outside: the side of every other point follows from the border crossings on the way to it.
  const outside = { x: -1.37, y: -1.41, inside: false };
  let half = Math.max((east - west) * shorten, north - south) / 2;
  let best = cellAt(edges, all, outside, (start[0] - west) * shorten, start[1] - south);
  // Slightly off the center, where edges and vertices often are.
  let cells = [cellAt(edges, all, outside, ((east - west) * shorten) / 2 + 0.0137, (north - south) / 2 + 0.0141)];
  if (clearance(cells[0]) > clearance(best)) best = cells[0];
  for (let depth = 0; half >= 0.5; depth++) {
    const reach = half * Math.SQRT2;
    const enough = clearance(best) * (1 + MARGIN);
    let open = cells.filter((cell) => (cell.inside ? cell.distance : -cell.distance) + reach > enough);
    if (open.length === 0) break;
    if (open.length > MOST_CELLS) open = open.sort((a, b) => clearance(b) - clearance(a)).slice(0, MOST_CELLS);
    half /= 2;
    cells = open.flatMap((cell) => {
      const near = depth < PRUNED_FROM ? cell.edges : edgesNear(edges, cell, cell.distance + 2 * reach);
      return [
        cellAt(edges, near, cell, cell.x - half, cell.y - half),
        cellAt(edges, near, cell, cell.x + half, cell.y - half),
        cellAt(edges, near, cell, cell.x - half, cell.y + half),
        cellAt(edges, near, cell, cell.x + half, cell.y + half),
      ];
    });
    for (const cell of cells) if (clearance(cell) > clearance(best)) best = cell;
  }
  const point: [number, number] = [Math.round(west + best.x / shorten), Math.round(south + best.y)];
  return { point: best.inside ? point : null, distance: best.distance };
}

const clearance = ({ inside, distance }: Cell) => (inside ? distance : 0);

function edgesOf({ coords, starts, ends }: Polygon, west: number, south: number, shorten: number): Edges {
  let count = 0;
  for (let r = 0; r < starts.length; r++) count += (ends[r] - starts[r]) / 2;
  const [x, y, dx, dy] = [0, 0, 0, 0].map(() => new Float64Array(count));
  let e = 0;
  for (let r = 0; r < starts.length; r++) {
    for (let i = starts[r]; i < ends[r]; i += 2, e++) {
      x[e] = (coords[i] - west) * shorten;
      y[e] = coords[i + 1] - south;
      dx[e] = (coords[i + 2] - coords[i]) * shorten;
      dy[e] = coords[i + 3] - coords[i + 1];
    }
  }
  return { x, y, dx, dy };
}

/**
 * The same rings with fewer vertices: no point of either border is farther than `tolerance` from the other.
 *
 * One pass over each ring. After a kept vertex, vertices are skipped while the next one is inside the cone of
 * directions that pass all skipped ones within `near` (J. Sklansky and V. Gonzalez, "Fast polygonal approximation of
 * digitized curves", 1980), and while none goes back by more than `near`. Each condition allows a vertex to be `near`
 * away from the new edge, both together the square root of two times as much.
 */
function thinned(edges: Edges, { starts, ends }: Polygon, tolerance: number): Edges {
  const near = tolerance / Math.SQRT2;
  const [x, y, dx, dy] = [0, 0, 0, 0].map(() => new Float64Array(edges.x.length));
  let count = 0;
  let first = 0;
  for (let r = 0; r < starts.length; r++) {
    const size = (ends[r] - starts[r]) / 2;
    let kept = first;
    // The cone, from its right side counterclockwise to its left side; while both are 0 it is all directions.
    let [rightX, rightY, leftX, leftY, farthest] = [0, 0, 0, 0, 0];
    for (let k = 1; k <= size; k++) {
      // The last vertex of a ring is its first.
      const at = k === size ? first : first + k;
      let vx = edges.x[at] - edges.x[kept];
      let vy = edges.y[at] - edges.y[kept];
      let distance = Math.sqrt(vx * vx + vy * vy);
      if (rightX * vy < rightY * vx || vx * leftY < vy * leftX || distance < farthest - near) {
        const last = first + k - 1;
        x[count] = edges.x[kept];
        y[count] = edges.y[kept];
        dx[count] = edges.x[last] - edges.x[kept];
        dy[count++] = edges.y[last] - edges.y[kept];
        kept = last;
        rightX = rightY = leftX = leftY = farthest = 0;
        vx = edges.x[at] - edges.x[kept];
        vy = edges.y[at] - edges.y[kept];
        distance = Math.sqrt(vx * vx + vy * vy);
      }
      if (distance <= near) continue;
      if (distance > farthest) farthest = distance;
      const sin = near / distance;
      const cos = Math.sqrt(1 - sin * sin);
      const [rx, ry] = [vx * cos + vy * sin, vy * cos - vx * sin];
      const [lx, ly] = [vx * cos - vy * sin, vy * cos + vx * sin];
      const any = rightX === 0 && rightY === 0;
      if (any || rightX * ry > rightY * rx) [rightX, rightY] = [rx, ry];
      if (any || lx * leftY > ly * leftX) [leftX, leftY] = [lx, ly];
    }
    x[count] = edges.x[kept];
    y[count] = edges.y[kept];
    dx[count] = edges.x[first] - edges.x[kept];
    dy[count++] = edges.y[first] - edges.y[kept];
    first += size;
  }
  return {
    x: x.subarray(0, count),
    y: y.subarray(0, count),
    dx: dx.subarray(0, count),
    dy: dy.subarray(0, count),
  };
}

/**
 * The cell around a place. It is on the same side of the border as `from` when the way there, east or west and then
 * north or south, crosses the border an even number of times. `near` must include every edge on that way.
 */
function cellAt(
  { x, y, dx, dy }: Edges,
  near: Int32Array,
  from: Pick<Cell, 'x' | 'y' | 'inside'>,
  cx: number,
  cy: number,
): Cell {
  const fx = from.x;
  const fy = from.y;
  let inside = from.inside;
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < near.length; k++) {
    const e = near[k];
    const px = x[e];
    const py = y[e];
    const ex = dx[e];
    const ey = dy[e];
    if (py > fy !== py + ey > fy) {
      const at = px + ((fy - py) / ey) * ex;
      if (at > fx !== at > cx) inside = !inside;
    }
    if (px > cx !== px + ex > cx) {
      const at = py + ((cx - px) / ex) * ey;
      if (at > fy !== at > cy) inside = !inside;
    }
    const squared = squaredDistance(cx - px, cy - py, ex, ey);
    if (squared < least) least = squared;
  }
  return { x: cx, y: cy, inside, distance: Math.sqrt(least), edges: near };
}

/** The edges of a cell within `distance` of its center. */
function edgesNear({ x, y, dx, dy }: Edges, cell: Cell, distance: number): Int32Array {
  return cell.edges.filter((e) => squaredDistance(cell.x - x[e], cell.y - y[e], dx[e], dy[e]) <= distance * distance);
}

/** The squared distance of a point from an edge, both relative to the edge's start. */
function squaredDistance(x: number, y: number, dx: number, dy: number): number {
  const along = dx * dx + dy * dy;
  let t = along === 0 ? 0 : (x * dx + y * dy) / along;
  if (t < 0) t = 0;
  else if (t > 1) t = 1;
  const u = x - t * dx;
  const v = y - t * dy;
  return u * u + v * v;
}

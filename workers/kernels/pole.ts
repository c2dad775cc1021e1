/** One polygon as rings of coordinates: ring r is `coords[starts[r]] … coords[ends[r] + 1]`. */
export interface Polygon {
  readonly coords: Int32Array;
  /** Indexes of x of each ring's first and (equal) last vertex. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** The search ends when no point can be farther from the border than what was found by more than this share. */
const MARGIN = 0.1;
/** The most cells of a level that are divided: the most promising ones. */
const MOST_CELLS = 128;
/** On the first levels nearly every edge is near every cell, and none is looked for that is not. */
const PRUNED_FROM = 1;

/** Edge e runs from (x[e], y[e]) by (dx[e], dy[e]). */
interface Edges {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly dx: Float64Array;
  readonly dy: Float64Array;
}

/** A square of the plane by its middle. */
interface Cell {
  readonly x: number;
  readonly y: number;
  readonly inside: boolean;
  /** From the middle to the nearest edge. */
  readonly distance: number;
  /** All edges that can be the nearest of a point of the cell. */
  readonly edges: Int32Array;
}

/**
 * The pole of inaccessibility of a polygon: the point of it that is farthest from its border, to within 10 % of that
 * distance, in 1e-7 degrees and rounded to them; null when none was found inside, as in a polygon of next to no width.
 * `start`, which may lie outside, wins where it is as good. Longitude is shortened by `shorten`, the cosine of the latitude.
 *
 * The quadtree search of polylabel (V. Agafonkin, "A new algorithm for finding a visual center of a polygon", 2016, after
 * D. Garcia-Castellanos and U. Lombardo, "Poles of inaccessibility", 2007), level by level: a cell is divided while a
 * point of it may be farther from the border than the best one. A cell hands on only the edges that matter in it, so
 * that the work hardly grows with the levels; of one level at most MOST_CELLS are divided, so that it is bounded.
 */
export function poleOf(
  polygon: Polygon,
  [west, south, east, north]: readonly [number, number, number, number],
  start: readonly [number, number],
  shorten: number,
): [number, number] | null {
  const edges = edgesOf(polygon, west, south, shorten);
  const all = Int32Array.from(edges.x, (_, e) => e);
  // A point that is surely outside: from there, crossings tell the side of every other one.
  const outside = { x: -1.37, y: -1.41, inside: false };
  let half = Math.max((east - west) * shorten, north - south) / 2;
  let best = cellAt(edges, all, outside, (start[0] - west) * shorten, start[1] - south);
  // Not quite the middle, which edges and vertices are fond of.
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
  return best.inside ? [Math.round(west + best.x / shorten), Math.round(south + best.y)] : null;
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
 * The cell about a place. It lies on the side of `from` when the way there, east or west and then north or south, crosses
 * the border an even number of times; `near` has every edge on that way.
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

/** The edges of a cell that are not farther from its middle. */
function edgesNear({ x, y, dx, dy }: Edges, cell: Cell, distance: number): Int32Array {
  return cell.edges.filter((e) => squaredDistance(cell.x - x[e], cell.y - y[e], dx[e], dy[e]) <= distance * distance);
}

/** Of a place from an edge, both relative to where the edge starts. */
function squaredDistance(x: number, y: number, dx: number, dy: number): number {
  const along = dx * dx + dy * dy;
  let t = along === 0 ? 0 : (x * dx + y * dy) / along;
  if (t < 0) t = 0;
  else if (t > 1) t = 1;
  const u = x - t * dx;
  const v = y - t * dy;
  return u * u + v * v;
}

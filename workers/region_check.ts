import { locate } from './arcs/locate.ts';
import { type IsCanceled, throwIfCanceled } from './cancel.ts';
import type { ArcTable, Polygons, RegionTree } from './contract.ts';

/** Most vertices of a result that are checked. */
const MAX_CHECKED = 400;
/** Tolerance in 1e-7 degrees: an overlay on the grid moves a vertex by at most one unit per step. */
const SLACK = 2;
const SLACK_OFFSETS = [
  [0, 0],
  [SLACK, SLACK],
  [-SLACK, -SLACK],
  [SLACK, -SLACK],
  [-SLACK, SLACK],
] as const;

/**
 * A vertex (1e-7 degrees) of the polygons that is outside the region its tree describes, judged from the arcs of the
 * boundaries alone; null when none is found. Checks about 400 vertices, including the first of each ring, with a slack
 * of 2 units. Buffers are not checked.
 * @throws DOMException named AbortError when canceled
 */
export function findStrayVertex(
  table: ArcTable,
  boundaries: readonly Int32Array[],
  tree: RegionTree,
  { coords, ringEnd }: Polygons,
  isCanceled: IsCanceled,
): { readonly x: number; readonly y: number } | null {
  const looked = new Set<number>();
  for (let ring = 0; ring < ringEnd.length && looked.size < MAX_CHECKED / 2; ring++) {
    looked.add(ring === 0 ? 0 : (ringEnd[ring - 1] as number));
  }
  const count = coords.length / 2;
  const step = Math.max(1, Math.ceil(count / (MAX_CHECKED / 2)));
  for (let vertex = 0; vertex < count; vertex += step) looked.add(vertex);
  for (const vertex of looked) {
    throwIfCanceled(isCanceled);
    const [x, y] = [coords[2 * vertex] as number, coords[2 * vertex + 1] as number];
    if (!mayContain(table, boundaries, tree, x, y)) return { x, y };
  }
  return null;
}

/** Whether a point may be in a region or on its border: false only when it is clearly outside. */
function mayContain(
  table: ArcTable,
  boundaries: readonly Int32Array[],
  tree: RegionTree,
  x: number,
  y: number,
): boolean {
  const inner = (part: RegionTree): boolean => mayContain(table, boundaries, part, x, y);
  switch (tree.op) {
    case 'set':
      return tree.of.some((i) => isNear(table, boundaries[i], x, y));
    case 'union':
      return tree.of.some(inner);
    case 'difference':
      return inner(tree.of) && !mustContain(table, boundaries, tree.minus, x, y);
    case 'intersection':
      return inner(tree.of) && inner(tree.with);
    case 'clip':
      return inner(tree.of) && tree.boxes.some((box) => inBox(box, x, y, SLACK));
    case 'buffer':
      return true;
  }
}

/** Whether a point is clearly inside a region, away from its border. */
function mustContain(
  table: ArcTable,
  boundaries: readonly Int32Array[],
  tree: RegionTree,
  x: number,
  y: number,
): boolean {
  const inner = (part: RegionTree): boolean => mustContain(table, boundaries, part, x, y);
  switch (tree.op) {
    case 'set':
      return tree.of.some((i) => {
        const arcs = boundaries[i];
        return arcs !== undefined && SLACK_OFFSETS.every(([dx, dy]) => locate(table, arcs, x + dx, y + dy) > 0);
      });
    case 'union':
      return tree.of.some(inner);
    case 'difference':
      return inner(tree.of) && !mayContain(table, boundaries, tree.minus, x, y);
    case 'intersection':
      return inner(tree.of) && inner(tree.with);
    case 'clip':
      return inner(tree.of) && tree.boxes.some((box) => inBox(box, x, y, -SLACK));
    case 'buffer':
      // A buffer contains at least the region it was made from.
      return inner(tree.of);
  }
}

function isNear(table: ArcTable, arcs: Int32Array | undefined, x: number, y: number): boolean {
  return arcs !== undefined && SLACK_OFFSETS.some(([dx, dy]) => locate(table, arcs, x + dx, y + dy) >= 0);
}

const inBox = (
  [west, south, east, north]: readonly [number, number, number, number],
  x: number,
  y: number,
  slack: number,
): boolean => x >= west - slack && x <= east + slack && y >= south - slack && y <= north + slack;

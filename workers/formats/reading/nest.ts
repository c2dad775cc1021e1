/** Assigns separate rings to polygons. */
import { defined } from '../../defined.ts';
import type { PolygonRings, Position } from './document.ts';

/** Twice the signed planar area in square degrees; positive for a counterclockwise ring. */
export function doubleArea(ring: readonly Position[]): number {
  let sum = 0;
  for (let i = 0; i < ring.length; i++) {
    const [x, y] = defined(ring[i]);
    const [nextX, nextY] = defined(ring[(i + 1) % ring.length]);
    sum += x * nextY - nextX * y;
  }
  return sum;
}

/**
 * Polygons of shells and holes: each hole goes to the smallest shell that contains it. A hole outside all shells
 * becomes a shell, because some programs write all rings in one direction. O(shells x holes), with boxes tested first.
 */
export function polygonsOfRings(
  shells: readonly (readonly Position[])[],
  holes: readonly (readonly Position[])[],
): PolygonRings[] {
  const found = shells.map((ring) => ({
    ring,
    box: boxOf(ring),
    size: Math.abs(doubleArea(ring)),
    holes: [] as Ring[],
  }));
  const bySize = found.toSorted((a, b) => a.size - b.size);
  const alone: Ring[] = [];
  for (const hole of holes) {
    const box = boxOf(hole);
    const around = bySize.find((shell) => within(box, shell.box) && isInside(hole, shell.ring));
    if (around) around.holes.push(hole);
    else alone.push(hole);
  }
  return [...found.map(({ ring, holes: own }) => [ring, ...own]), ...alone.map((ring) => [ring])];
}

/**
 * Polygons of rings whose direction says nothing, as programs write shells and holes either way: a ring inside of an odd
 * number of others is a hole of the smallest of them, any other is a shell. A ring that repeats another is left out.
 * O(rings squared), with boxes tested first; polygons are in the order of their shells.
 */
export function nestedPolygons(rings: readonly Ring[]): PolygonRings[] {
  const all = rings.map(
    (ring): Nested => ({
      ring,
      box: boxOf(ring),
      size: Math.abs(doubleArea(ring)),
      depth: 0,
      holes: [],
    }),
  );
  const kept: Nested[] = [];
  // The smallest ring around another is the first one around it among the larger ones, from the smallest on.
  for (const one of all.toSorted((a, b) => b.size - a.size)) {
    const around = kept.findLast((other) => within(one.box, other.box) && isInside(one.ring, other.ring));
    if (around && around.size === one.size) continue;
    kept.push(one);
    if (!around) continue;
    one.depth = around.depth + 1;
    if (one.depth % 2 === 1) around.holes.push(one.ring);
  }
  const shells = new Set(kept.filter(({ depth }) => depth % 2 === 0));
  return all.filter((one) => shells.has(one)).map(({ ring, holes }) => [ring, ...holes]);
}

interface Nested {
  readonly ring: Ring;
  readonly box: Box;
  readonly size: number;
  /** The number of rings around it. */
  depth: number;
  readonly holes: Ring[];
}

type Ring = readonly Position[];
type Box = readonly [west: number, south: number, east: number, north: number];

function boxOf(ring: Ring): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of ring) {
    west = Math.min(west, x);
    south = Math.min(south, y);
    east = Math.max(east, x);
    north = Math.max(north, y);
  }
  return [west, south, east, north];
}

const within = (inner: Box, outer: Box): boolean =>
  inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3];

/** Whether a ring is inside another, judged by its first vertex that is not on the other's border. */
function isInside(inner: Ring, outer: Ring): boolean {
  for (const position of inner) {
    const side = sideOf(position, outer);
    if (side !== 0) return side > 0;
  }
  return true;
}

/** Where a point is relative to a ring: 1 inside, 0 on it, -1 outside. */
function sideOf([x, y]: Position, ring: Ring): number {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [ax, ay] = defined(ring[j]);
    const [bx, by] = defined(ring[i]);
    const turn = (bx - ax) * (y - ay) - (x - ax) * (by - ay);
    const isBetween = Math.min(ax, bx) <= x && x <= Math.max(ax, bx) && Math.min(ay, by) <= y && y <= Math.max(ay, by);
    if (turn === 0 && isBetween) return 0;
    if (ay > y !== by > y && turn > 0 === by > ay) inside = !inside;
  }
  return inside ? 1 : -1;
}

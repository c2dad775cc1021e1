import type { ArcLines, ArcTable, Box, Polygons, Rings } from '../contract.ts';

/** A full turn of longitude in 1e-7 degrees. */
const TURN = 3_600_000_000;

/**
 * The bounding box of polygons by RFC 7946 section 5.2, in 1e-7 degrees, or null when there are none: the smallest
 * interval of longitude that contains them all, with west > east when that interval crosses the antimeridian. Parts
 * that touch -180 and +180 are joined there. No polygon itself crosses the antimeridian: they are stored split.
 */
export function ringsBox(table: ArcTable, rings: Rings): Box | null {
  const boxes = new Int32Array(4 * rings.polygonEnd.length);
  rings.polygonEnd.forEach((_, p) => {
    const shell = p === 0 ? 0 : rings.polygonEnd[p - 1];
    const refs = rings.refs.subarray(shell === 0 ? 0 : rings.ringEnd[shell - 1], rings.ringEnd[shell]);
    boxes.set(refsBox(table, refs), 4 * p);
  });
  return boxesBox(boxes);
}

/** Like ringsBox, of the box of each polygon: west, south, east, north. */
export function boxesBox(boxes: Int32Array): Box | null {
  if (boxes.length === 0) return null;
  const intervals: [number, number][] = [];
  let south = Number.POSITIVE_INFINITY;
  let north = Number.NEGATIVE_INFINITY;
  for (let b = 0; b < boxes.length; b += 4) {
    intervals.push([boxes[b], boxes[b + 2]]);
    south = Math.min(south, boxes[b + 1]);
    north = Math.max(north, boxes[b + 3]);
  }
  const [west, east] = smallestInterval(intervals);
  return [west, south, east, north];
}

/**
 * The box of all the signed arcs, in 1e-7 degrees; it does not cross the antimeridian. Without arcs it is inverted and
 * meets no other box.
 */
export function refsBox({ box }: ArcLines, refs: Int32Array): Box {
  let [west, south, east, north] = [2 ** 31 - 1, 2 ** 31 - 1, -(2 ** 31), -(2 ** 31)];
  for (const ref of refs) {
    const b = 4 * (ref < 0 ? ~ref : ref);
    west = Math.min(west, box[b]);
    south = Math.min(south, box[b + 1]);
    east = Math.max(east, box[b + 2]);
    north = Math.max(north, box[b + 3]);
  }
  return [west, south, east, north];
}

/**
 * The bounding box (west, south, east, north) of a chain of vertices (x, y, …) that does not cross the antimeridian, in
 * the units of the chain.
 * @example
 * chainBox(Int32Array.of(3, 9, 1, 4)) // => [1, 4, 3, 9]
 */
export function chainBox(chain: Int32Array): [number, number, number, number] {
  let [west, south, east, north] = [chain[0], chain[1], chain[0], chain[1]];
  for (let i = 2; i < chain.length; i += 2) {
    if (chain[i] < west) west = chain[i];
    if (chain[i] > east) east = chain[i];
    if (chain[i + 1] < south) south = chain[i + 1];
    if (chain[i + 1] > north) north = chain[i + 1];
  }
  return [west, south, east, north];
}

/**
 * The smallest box that contains several boxes, or null without boxes. West > east across the antimeridian.
 * @example
 * joinBoxes([[0, 0, 10, 10], [10, 0, 20, 10]]) // => [0, 0, 20, 10]
 */
export function joinBoxes(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null;
  const intervals = boxes.flatMap(([west, , east]): [number, number][] =>
    west > east
      ? [
          [west, TURN / 2],
          [-TURN / 2, east],
        ]
      : [[west, east]],
  );
  const [west, east] = smallestInterval(intervals);
  let south = Number.POSITIVE_INFINITY;
  let north = Number.NEGATIVE_INFINITY;
  for (const box of boxes) {
    south = Math.min(south, box[1]);
    north = Math.max(north, box[3]);
  }
  return [west, south, east, north];
}

/**
 * The smallest interval of longitude that contains all the intervals; on ties, the one that does not cross the
 * antimeridian.
 */
function smallestInterval(intervals: [number, number][]): [number, number] {
  intervals.sort((a, b) => a[0] - b[0]);
  const [first] = intervals;
  let reach = first[1];
  let widest = 0;
  let gap: [number, number] | null = null;
  for (const [west, east] of intervals) {
    if (west - reach > widest) {
      widest = west - reach;
      gap = [reach, west];
    }
    reach = Math.max(reach, east);
  }
  // The gap across the antimeridian, from the last east to the first west.
  return gap === null || first[0] + TURN - reach >= widest ? [first[0], reach] : [gap[1], gap[0]];
}

/** Like ringsBox, for polygons with coordinates. */
export function polygonsBox(polygons: Polygons): Box | null {
  const { coords, ringEnd, polygonEnd } = polygons;
  if (polygonEnd.length === 0) return null;
  const intervals: [number, number][] = [];
  let south = Number.POSITIVE_INFINITY;
  let north = Number.NEGATIVE_INFINITY;
  for (let p = 0; p < polygonEnd.length; p++) {
    const shell = p === 0 ? 0 : polygonEnd[p - 1];
    let west = Number.POSITIVE_INFINITY;
    let east = Number.NEGATIVE_INFINITY;
    for (let v = shell === 0 ? 0 : ringEnd[shell - 1]; v < ringEnd[shell]; v++) {
      west = Math.min(west, coords[2 * v]);
      east = Math.max(east, coords[2 * v]);
      south = Math.min(south, coords[2 * v + 1]);
      north = Math.max(north, coords[2 * v + 1]);
    }
    intervals.push([west, east]);
  }
  const [west, east] = smallestInterval(intervals);
  return [west, south, east, north];
}

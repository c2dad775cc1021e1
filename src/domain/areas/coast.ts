/** An arc between two junctions, as much of it as rings are traced by. Coordinates are 1e-7 degrees. */
export interface ArcEnds {
  readonly id: number;
  /** Signed area between the arc and the equator in m2, so that an area with its interior on the left is negative. */
  readonly area: number;
  /** Signed turn in longitude. */
  readonly turn: number;
  /** Its first two vertices and its last two: int32 pairs, little-endian. */
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/** A closed or broken chain of arcs that have land on one side alone. */
export interface Shore {
  /** Signed as the land runs, with its interior on the left. */
  readonly arcs: readonly number[];
  /** `outer` is around land, `inner` around what land encloses; `broken` does not come back to where it began. */
  readonly sort: 'outer' | 'inner' | 'broken';
}

type Vector = readonly [x: number, y: number];

interface Link {
  readonly arc: number;
  readonly from: string;
  readonly to: string;
  /** Where it leaves its first vertex to, and back from its last one. */
  readonly out: Vector;
  readonly back: Vector;
  readonly area: number;
  readonly turn: number;
}

/**
 * The arcs that have land on one side alone: of lands, each given by its rings as signed arcs. An arc that two lands have on
 * the same side, as overlapping claims do, is among them. Signed as the lands have them.
 */
export function openArcs(lands: readonly (readonly number[])[]): number[] {
  const sides = new Map<number, number>();
  for (const arcs of lands) {
    for (const ref of arcs) sides.set(Math.abs(ref), (sides.get(Math.abs(ref)) ?? 0) | (ref > 0 ? 1 : 2));
  }
  return [...sides].flatMap(([arc, side]) => (side === 3 ? [] : [side === 1 ? arc : -arc]));
}

/**
 * Open arcs as shores: at a vertex where several meet, the water to the right of an arc is followed. `ends` has each arc.
 * Which water is the open sea is not told: lakes that touch no land but one are `inner`.
 */
export function shoresOf(open: readonly number[], ends: readonly ArcEnds[]): Shore[] {
  const known = new Map(ends.map((one) => [one.id, one]));
  const links = open.flatMap((arc) => {
    const one = known.get(Math.abs(arc));
    return one ? [linkOf(arc, one)] : [];
  });
  const leaving = new Map<string, Link[]>();
  for (const link of links) {
    const there = leaving.get(link.from);
    if (there) there.push(link);
    else leaving.set(link.from, [link]);
  }
  const seen = new Set<Link>();
  const shores: Shore[] = [];
  for (const first of links) {
    if (seen.has(first)) continue;
    const chain: Link[] = [];
    let at: Link | null = first;
    while (at !== null && !seen.has(at)) {
      seen.add(at);
      chain.push(at);
      at = nextOf(at, leaving.get(at.to) ?? []);
    }
    const area = chain.reduce((sum, link) => sum + link.area, 0);
    const turn = chain.reduce((sum, link) => sum + link.turn, 0);
    const sort = at !== first || turn !== 0 ? 'broken' : area < 0 ? 'outer' : 'inner';
    shores.push({ arcs: chain.map(({ arc }) => arc), sort });
  }
  return shores;
}

function linkOf(arc: number, { area, turn, head, tail }: ArcEnds): Link {
  const [a, b, y, z] = [pointOf(head, 0), pointOf(head, 1), pointOf(tail, 0), pointOf(tail, 1)];
  const [out, back] = [minus(b, a), minus(y, z)];
  return arc > 0
    ? { arc, from: a.join(), to: z.join(), out, back, area, turn }
    : { arc, from: z.join(), to: a.join(), out: back, back: out, area: -area, turn: -turn };
}

/** The first link counter-clockwise of where one came from: between the two there is no land. */
function nextOf({ back }: Link, leaving: readonly Link[]): Link | null {
  let best: Link | null = null;
  let least = Number.POSITIVE_INFINITY;
  const from = Math.atan2(back[1], back[0]);
  for (const link of leaving) {
    const angle = Math.atan2(link.out[1], link.out[0]) - from;
    const turned = angle > 0 ? angle : angle + 2 * Math.PI;
    if (turned < least) [best, least] = [link, turned];
  }
  return best;
}

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1]];

/** A vertex of int32 pairs. */
function pointOf(bytes: Uint8Array, i: number): Vector {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return [view.getInt32(8 * i, true), view.getInt32(8 * i + 4, true)];
}

/** Vertices (x, y) of an arc from its int32 pairs, in the order in which a signed arc is walked. */
export function verticesOf(arc: number, bytes: Uint8Array): Vector[] {
  const vertices = Array.from({ length: bytes.byteLength / 8 }, (_, i) => pointOf(bytes, i));
  return arc > 0 ? vertices : vertices.reverse();
}

/** Whether a point is in a ring of vertices; on its line, either. */
export function isInRing([x, y]: Vector, ring: readonly Vector[]): boolean {
  let inside = false;
  let before = ring.at(-1);
  for (const at of ring) {
    if (before && at[1] > y !== before[1] > y) {
      const crossing = at[0] + ((y - at[1]) / (before[1] - at[1])) * (before[0] - at[0]);
      if (x < crossing) inside = !inside;
    }
    before = at;
  }
  return inside;
}

/** Meters in a degree of latitude. */
const METERS_A_DEGREE = 111_000;

/**
 * Points so many meters off an arc, on its right side (x, y of each in 1e-7 degrees): beside the middle of up to `count`
 * of its edges.
 */
export function pointsBeside(vertices: readonly Vector[], meters: number, count: number): Vector[] {
  const points: Vector[] = [];
  const step = Math.max(1, (vertices.length - 1) / count);
  for (let at = 0; at < vertices.length - 1; at += step) {
    const [a, b] = [vertices[Math.floor(at)], vertices[Math.floor(at) + 1]];
    if (!a || !b) continue;
    const [x, y] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    const scale = scaleAt(y);
    const [dx, dy] = [(b[0] - a[0]) * scale, b[1] - a[1]];
    const length = Math.hypot(dx, dy);
    if (length === 0) continue;
    const off = (meters / METERS_A_DEGREE) * 1e7;
    points.push([Math.round(x + ((dy / length) * off) / scale), Math.round(y - (dx / length) * off)]);
  }
  return points;
}

/** The points so many meters north, south, east and west of one. */
export function pointsAround([x, y]: Vector, meters: number): Vector[] {
  const off = Math.round((meters / METERS_A_DEGREE) * 1e7);
  const east = Math.round(off / scaleAt(y));
  return [
    [x, y + off],
    [x, y - off],
    [x + east, y],
    [x - east, y],
  ];
}

/** How much shorter a degree of longitude is than one of latitude; not less than a hundredth. */
const scaleAt = (y: number): number => Math.max(0.01, Math.cos((y / 1e7) * (Math.PI / 180)));

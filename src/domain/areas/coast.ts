import { Turns } from '../../common/turns.ts';

/** The parts of an arc between two junctions that tracing rings needs. Coordinates in 1e-7 degrees. */
export interface ArcEnds {
  readonly id: number;
  /** Signed area between the arc and the equator in m2. A ring with its interior on the left has a negative sum. */
  readonly area: number;
  /** Signed change of longitude in 1e-7 degrees. */
  readonly turn: number;
  /** The first two and last two vertices of the arc: int32 pairs, little-endian. */
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/** A closed or broken chain of arcs that have land on one side only. */
export interface Shore {
  /** Signed in the direction that has the land on the left. */
  readonly arcs: readonly number[];
  /** `outer` encloses land; `inner` encloses a hole in the land; `broken` does not return to its start. */
  readonly sort: 'outer' | 'inner' | 'broken';
}

export type Vector = readonly [x: number, y: number];

interface Link {
  readonly arc: number;
  readonly from: string;
  readonly to: string;
  /** Vectors from its first vertex to the next one, and from its last vertex to the previous one. */
  readonly out: Vector;
  readonly back: Vector;
  readonly area: number;
  readonly turn: number;
}

/**
 * Returns the arcs with land on one side only, signed as the lands use them. Each land is given by the signed arcs of
 * its rings. The result includes an arc that two lands have on the same side, as overlapping claims do.
 */
export async function openArcs(lands: readonly (readonly number[])[], turns = new Turns()): Promise<number[]> {
  const sides = new Map<number, number>();
  for (const arcs of lands) {
    for (const ref of arcs) sides.set(Math.abs(ref), (sides.get(Math.abs(ref)) ?? 0) | (ref > 0 ? 1 : 2));
    if (turns.spend(arcs.length)) await turns.next();
  }
  return [...sides].flatMap(([arc, side]) => (side === 3 ? [] : [side === 1 ? arc : -arc]));
}

/** A run of edges with land on the left, out of the chain with this index. */
export interface Run {
  readonly chain: number;
  readonly vertices: readonly Vector[];
}

/** The name of the edge from one vertex to another. */
export const edgeOf = ([ax, ay]: Vector, [bx, by]: Vector): string => `${ax},${ay} ${bx},${by}`;

/**
 * Returns the runs of edges that no chain has in the other direction: the open arcs of lands whose borders have the same
 * vertices, but which are not divided into the same arcs.
 * @param chains vertices with land on their left; a ring ends with its first vertex
 */
export async function openRuns(chains: readonly (readonly Vector[])[], turns = new Turns()): Promise<Run[]> {
  const edges = new Set<string>();
  for (const chain of chains) {
    for (let at = 1; at < chain.length; at++) {
      edges.add(edgeOf(chain[at - 1] as Vector, chain[at] as Vector));
      if (turns.spend()) await turns.next();
    }
  }
  const runs: Run[] = [];
  for (const [chain, vertices] of chains.entries()) {
    const own: Vector[][] = [];
    let run: Vector[] = [];
    for (let at = 1; at < vertices.length; at++) {
      const [a, b] = [vertices[at - 1] as Vector, vertices[at] as Vector];
      if (turns.spend()) await turns.next();
      if (edges.has(edgeOf(b, a))) {
        run = [];
        continue;
      }
      if (run.length === 0) {
        run = [a];
        own.push(run);
      }
      run.push(b);
    }
    const [first, last] = [own[0], own.at(-1)];
    // A run through the first vertex of a ring is one run.
    if (first && last && first !== last && edgeOf(first[0] as Vector, last.at(-1) as Vector) === edgeAt(vertices)) {
      own.splice(own.length - 1, 1);
      own[0] = [...last, ...first.slice(1)];
    }
    runs.push(...own.map((one) => ({ chain, vertices: one })));
  }
  return runs;
}

/** The name of the edge of no length at the vertex where a ring begins and ends; of another chain, none. */
function edgeAt(vertices: readonly Vector[]): string | null {
  const [first, last] = [vertices[0] as Vector, vertices.at(-1) as Vector];
  return first[0] === last[0] && first[1] === last[1] ? edgeOf(first, first) : null;
}

/**
 * Chains open arcs into shores. At a vertex where several meet, the chain follows the water on the right of the arc.
 * `ends` must have every arc. Open sea and lakes are not distinguished: a lake that touches only one land is `inner`.
 */
export async function shoresOf(
  open: readonly number[],
  ends: readonly ArcEnds[],
  turns = new Turns(),
): Promise<Shore[]> {
  const known = new Map(ends.map((one) => [one.id, one]));
  const links: Link[] = [];
  for (const arc of open) {
    const one = known.get(Math.abs(arc));
    if (one) links.push(linkOf(arc, one));
    if (turns.spend()) await turns.next();
  }
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
      const leave: readonly Link[] = leaving.get(at.to) ?? [];
      at = nextOf(at, leave);
      if (turns.spend(1 + leave.length)) await turns.next();
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

/** The first link counterclockwise from the incoming one: there is no land between the two. */
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

/** Returns vertex `i` of little-endian int32 pairs. */
function pointOf(bytes: Uint8Array, i: number): Vector {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return [view.getInt32(8 * i, true), view.getInt32(8 * i + 4, true)];
}

/** Returns the vertices (x, y) of an arc from its int32 pairs, in the direction of the signed arc. */
export function verticesOf(arc: number, bytes: Uint8Array): Vector[] {
  const vertices = Array.from({ length: bytes.byteLength / 8 }, (_, i) => pointOf(bytes, i));
  return arc > 0 ? vertices : vertices.reverse();
}

/** Whether a point is inside a ring of vertices. A point on the ring may give either result. */
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

/** Returns points `meters` to the right of an arc (1e-7 degrees), beside the middle of up to `count` of its edges. */
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

/** Returns the points `meters` north, south, east and west of a point. */
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

/** Length of a degree of longitude relative to one of latitude at y (1e-7 degrees); at least 0.01. */
const scaleAt = (y: number): number => Math.max(0.01, Math.cos((y / 1e7) * (Math.PI / 180)));

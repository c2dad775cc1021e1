/** Reads the rings of features into linework, and what their borders are once it is noded. */
import type { Coords } from '../contract.ts';
import type { Borders, Faces } from './clean_faces.ts';
import { Ints, type Linework } from './clean_lines.ts';

/**
 * A feature of a coverage: closed rings in 1e-7 degrees, in any direction. A point is inside when in one of its
 * polygons an odd number of the rings of the shell and an even number of those of the holes contain it, equal ones
 * counted once: what a hole has outside its shell is not area.
 */
export interface CoverageFeature {
  readonly rings: readonly Coords[];
  /** The number of rings up to the end of each polygon; absent when all rings belong to one polygon. */
  readonly polygonEnd?: readonly number[];
  /**
   * The number of rings up to the end of each polygon's shell (cut at the antimeridian, a shell has several rings);
   * absent when it is not known which rings are holes: then a point is inside an odd number of all rings.
   */
  readonly shellEnd?: readonly number[];
  /**
   * Features of different layers (admin levels) may overlap; their borders still meet at common vertices. Default 0.
   */
  readonly layer?: number;
}

/**
 * The segments of every part (the shell of a polygon, or its holes) in ring order, directed `from` vertex to vertex, and
 * whether a feature has a vertex twice.
 */
export interface ReadRings {
  /** Part p has the segments `segments[start[p]] … segments[start[p + 1] - 1]`. */
  readonly start: Int32Array;
  readonly segments: Ints;
  /** Per part, its feature; ascending. */
  readonly featureOf: Int32Array;
  /** Per part, 1 when it is the holes of the part before it. */
  readonly isHoles: Uint8Array;
  readonly isSuspect: Uint8Array;
}

/** Reads the rings of features, and adds their vertices and segments to the linework. */
export function readRings(lines: Linework, features: readonly CoverageFeature[]): ReadRings {
  const start = [0];
  const segments = new Ints();
  const featureOf: number[] = [];
  const isHoles: number[] = [];
  const isSuspect = new Uint8Array(features.length);
  const visited = new Ints();
  for (const [f, feature] of features.entries()) {
    const polygonEnd = feature.polygonEnd ?? [feature.rings.length];
    const shellEnd = feature.shellEnd ?? polygonEnd;
    let polygon = 0;
    let holes = new Set<string>();
    const end = (ofHoles: boolean) => {
      featureOf.push(f);
      isHoles.push(Number(ofHoles));
      start.push(segments.length);
    };
    // A polygon may have holes although its shell has no ring left.
    if (shellEnd[0] === 0 && polygonEnd[0] > 0) end(false);
    for (const [r, ring] of feature.rings.entries()) {
      const n = ring.length;
      // A ring that does not repeat its first vertex is treated as closed, and rewritten so that it does.
      const isClosed = n > 2 && ring[0] === ring[n - 2] && ring[1] === ring[n - 1];
      if (!isClosed || n < 8) isSuspect[f] = 1;
      const ringStart = segments.length;
      let previous = -1;
      for (let i = 0; i <= n; i += 2) {
        if (i === n && (isClosed || n === 0)) break;
        const at = i === n ? 0 : i;
        const vertex = lines.vertex(ring[at], ring[at + 1]);
        if (previous >= 0 && vertex !== previous) {
          segments.push(lines.segment(previous, vertex));
          // A simple feature enters each vertex, except the first of a ring, only once.
          while (visited.length <= vertex) visited.push(-1);
          if (visited.data[vertex] === f) isSuspect[f] = 1;
          visited.data[vertex] = f;
        } else if (vertex === previous) isSuspect[f] = 1;
        previous = vertex;
      }
      if (r >= shellEnd[polygon]) {
        // A hole that is given twice is one hole.
        const key = ringKey(segments.data.subarray(ringStart, segments.length));
        if (holes.has(key)) {
          segments.length = ringStart;
          isSuspect[f] = 1;
        }
        holes.add(key);
      }
      if (shellEnd[polygon] === r + 1) end(false);
      for (; polygonEnd[polygon] === r + 1; polygon++) {
        if (shellEnd[polygon] < polygonEnd[polygon]) end(true);
        holes = new Set();
        // The next shell has no rings: everything up to the end of its polygon is holes.
        if (shellEnd[polygon + 1] === r + 1) end(false);
      }
    }
  }
  const parts = { featureOf: Int32Array.from(featureOf), isHoles: Uint8Array.from(isHoles) };
  return { start: Int32Array.from(start), segments, ...parts, isSuspect };
}

/** A key that rings with the same segments have, from any vertex and in either direction. */
const ringKey = (segments: Int32Array): string => {
  const sorted = segments.slice().sort();
  return Buffer.from(sorted.buffer).toString('latin1');
};

export interface Owned {
  /** Indexed by parts. */
  readonly borders: Borders;
  /** Features whose rings must be rebuilt and compared: split, or odd. */
  readonly isSuspect: Uint8Array;
  /** Features with a split segment. */
  readonly isSplit: Uint8Array;
  /** Features with a segment or vertex used twice, or an unclosed ring. */
  readonly isOdd: Uint8Array;
}

/**
 * Replaces split segments by their pieces, drops segments that a part uses an even number of times, and inverts the
 * list.
 */
export function expand(lines: Linework, read: ReadRings, count: number): Owned {
  const isOdd = read.isSuspect.slice();
  const isSplit = new Uint8Array(count);
  const times = new Uint8Array(lines.a.length);
  const segmentOf = new Ints();
  const polygonOf = new Ints();
  const touched = new Ints();
  const leaf = (s: number): void => {
    const path = lines.path.get(s);
    if (path === undefined) {
      times[s] ^= 1;
      touched.push(s);
    } else for (let i = 1; i < path.length; i++) leaf(lines.segment(path[i - 1], path[i]));
  };
  for (let p = 0; p < read.featureOf.length; p++) {
    const f = read.featureOf[p];
    touched.length = 0;
    for (let i = read.start[p]; i < read.start[p + 1]; i++) {
      const s = read.segments.data[i];
      if (lines.path.has(s)) isSplit[f] = 1;
      leaf(s);
    }
    let odd = 0;
    for (let i = 0; i < touched.length; i++) {
      const s = touched.data[i];
      if (times[s] === 0) continue;
      times[s] = 0;
      odd++;
      segmentOf.push(s);
      polygonOf.push(p);
    }
    if (odd !== touched.length) isOdd[f] = 1;
  }
  const start = new Int32Array(lines.a.length + 1);
  for (let i = 0; i < segmentOf.length; i++) start[segmentOf.data[i] + 1]++;
  for (let s = 0; s < lines.a.length; s++) start[s + 1] += start[s];
  const features = new Int32Array(segmentOf.length);
  const filled = start.slice(0, -1);
  for (let i = 0; i < segmentOf.length; i++) features[filled[segmentOf.data[i]]++] = polygonOf.data[i];
  const isSuspect = isOdd.map((odd, f) => odd | isSplit[f]);
  return { borders: { start, features }, isSuspect, isSplit, isOdd };
}

/** Per cycle, the features that contain its face: those with a shell that does, and whose holes do not. */
export function holdersOf(faces: Faces, { featureOf, isHoles }: ReadRings): readonly (readonly number[])[] {
  return faces.holders.map((parts) => {
    const inside = parts.filter((p) => isHoles[p] === 0 && !(isHoles[p + 1] === 1 && parts.includes(p + 1)));
    const owners = inside.map((p) => featureOf[p]);
    return owners.length < 2 ? owners : [...new Set(owners)];
  });
}

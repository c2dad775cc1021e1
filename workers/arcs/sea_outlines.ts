/**
 * The outline of an area with the flags of its borders (sea_borders.ts), and the same flags on polygons that were laid out
 * from it: at a coarser level, rounded, or read from a file.
 */
import type { ArcTable, Polygons, Rings } from '../contract.ts';
import { BorderFlags, shareOf } from './border_flags.ts';
import { BORDER, isMaritime, type WaterOf } from './sea_borders.ts';
import type { TaggedLines } from './tagged_lines.ts';

/** Closed rings at full detail, with a vertex wherever the flags change. */
export interface Outline {
  /** x, y per vertex in 1e-7 degrees; the first vertex of a ring is repeated as its last. */
  readonly coords: Int32Array;
  /** Per vertex, the flags of the edge that leaves it. */
  readonly flags: Uint8Array;
  /** The vertices up to the end of each ring. */
  readonly ringEnd: Uint32Array;
}

/** Polygons with the flags of the edge that leaves each vertex. */
export interface MarkedPolygons extends Polygons {
  readonly flags?: Uint8Array;
}

/**
 * The outline of an area with the flags of its edges; null where nothing is known of its borders.
 * @param table coordinates in 1e-7 degrees
 * @param rings the rings of the area
 * @param water the sea beside its arcs
 * @param tagged lines that the map marks as borders at sea
 */
export function outlineOf(table: ArcTable, rings: Rings, water: WaterOf, tagged: TaggedLines | null): Outline | null {
  const borders = new BorderFlags(table, water, tagged, () => [-(2 ** 31), -(2 ** 31), 2 ** 31, 2 ** 31]);
  const coords: number[] = [];
  const flags: number[] = [];
  const ringEnd: number[] = [];
  const { refs } = rings;
  let isKnown = false;
  rings.ringEnd.forEach((end, ring) => {
    const start = flags.length;
    for (let i = ring === 0 ? 0 : rings.ringEnd[ring - 1]; i < end; i++) walk(table, refs[i], borders, coords, flags);
    for (let v = start; v < flags.length; v++) isKnown ||= isMaritime(flags[v]) !== null;
    coords.push(coords[2 * start], coords[2 * start + 1]);
    flags.push(0);
    ringEnd.push(flags.length);
  });
  if (!isKnown) return null;
  return { coords: Int32Array.from(coords), flags: Uint8Array.from(flags), ringEnd: Uint32Array.from(ringEnd) };
}

/** Adds the vertices of an arc in walking order, except the last. */
function walk(table: ArcTable, ref: number, borders: BorderFlags, coords: number[], flags: number[]): void {
  const arc = ref < 0 ? ~ref : ref;
  const { first, length } = table;
  const along = borders.along(ref);
  const last = length[arc] - 1;
  const at = (k: number): number => 2 * (ref < 0 ? first[arc] + last - k : first[arc] + k);
  const { ends, flags: parts } = typeof along === 'number' ? { ends: [], flags: [along] } : along;
  let next = 0;
  for (let k = 0; k < last; k++) {
    const [x, y] = [table.coords[at(k)], table.coords[at(k) + 1]];
    while (next < ends.length && ends[next] <= k) next++;
    coords.push(x, y);
    flags.push(parts[next]);
    for (; next < ends.length && ends[next] < k + 1; ) {
      const share = shareOf(table, ref, [k, k + 1], ends[next++]);
      const [toX, toY] = [table.coords[at(k + 1)], table.coords[at(k + 1) + 1]];
      coords.push(Math.round(x + share * (toX - x)), Math.round(y + share * (toY - y)));
      flags.push(parts[next]);
    }
  }
}

/** Coordinates of files are rounded to at most this many digits fewer than those of the grid. */
const MOST_ZEROS = 5;
/** The most vertices that are compared with one of a polygon, and the most changes along one of its edges. */
const MOST_NEAR = 256;
const MOST_CHANGES = 64;
const HALF_TURN = 1_800_000_000;
const UNKNOWN = -1;

/**
 * Polygons with the flags of an outline. Their vertices are those of the outline, maybe fewer, and maybe rounded to a
 * power of ten; an edge between others is only a border. They have a vertex more, on a straight line, where flags change.
 */
export function markPolygons(outline: Outline, { coords, ringEnd, polygonEnd }: Polygons): MarkedPolygons {
  const finder = new Finder(outline);
  const points: number[] = [];
  const flags: number[] = [];
  const ends: number[] = [];
  ringEnd.forEach((end, ring) => {
    const start = ring === 0 ? 0 : ringEnd[ring - 1];
    let here = finder.find(coords[2 * start], coords[2 * start + 1], UNKNOWN);
    for (let v = start; v < end - 1; v++) {
      const [x, y, toX, toY] = [coords[2 * v], coords[2 * v + 1], coords[2 * v + 2], coords[2 * v + 3]];
      const there = finder.find(toX, toY, here);
      points.push(x, y);
      const changes = finder.between(here, there);
      flags.push(changes.first);
      if (Math.abs(toX - x) < HALF_TURN) {
        for (const { x: atX, y: atY, flags: own } of changes.others) {
          const [dx, dy] = [toX - x, toY - y];
          const share = Math.max(0, Math.min(1, ((atX - x) * dx + (atY - y) * dy) / (dx * dx + dy * dy)));
          points.push(Math.round(x + share * dx), Math.round(y + share * dy));
          flags.push(own);
        }
      }
      here = there;
    }
    points.push(coords[2 * end - 2], coords[2 * end - 1]);
    flags.push(0);
    ends.push(flags.length);
  });
  return {
    coords: Int32Array.from(points),
    flags: Uint8Array.from(flags),
    ringEnd: Uint32Array.from(ends),
    polygonEnd,
  };
}

/** Finds vertices of an outline by their place. */
class Finder {
  private readonly outline: Outline;
  /** All vertices but the last of each ring, by longitude. */
  private readonly sorted: Int32Array;
  /** The ring of each vertex. */
  private readonly ring: Uint32Array;

  constructor(outline: Outline) {
    this.outline = outline;
    const { coords, ringEnd } = outline;
    this.ring = new Uint32Array(coords.length / 2);
    const all: number[] = [];
    ringEnd.forEach((end, ring) => {
      for (let v = ring === 0 ? 0 : ringEnd[ring - 1]; v < end; v++) {
        this.ring[v] = ring;
        if (v < end - 1) all.push(v);
      }
    });
    this.sorted = Int32Array.from(all).sort((a, b) => coords[2 * a] - coords[2 * b]);
  }

  private startOf(ring: number): number {
    return ring === 0 ? 0 : this.outline.ringEnd[ring - 1];
  }

  /** How many vertices from one to another of the same ring; Infinity where there is no way. */
  private steps(from: number, to: number): number {
    if (from < 0 || to < 0 || this.ring[from] !== this.ring[to]) return Infinity;
    const start = this.startOf(this.ring[from]);
    const count = this.outline.ringEnd[this.ring[from]] - 1 - start;
    return (to - from + count) % count;
  }

  /** The vertex at a place, which may be rounded: the next after `before`, or the nearest; UNKNOWN: none. */
  find(x: number, y: number, before: number): number {
    const { coords } = this.outline;
    const { sorted } = this;
    const reach = Math.floor(10 ** Math.min(zerosOf(x), zerosOf(y)) / 2);
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (coords[2 * sorted[middle]] < x - reach) low = middle + 1;
      else high = middle;
    }
    let [best, found] = [Infinity, UNKNOWN];
    for (let i = low; i < sorted.length && coords[2 * sorted[i]] <= x + reach; i++) {
      if (i - low > MOST_NEAR) return UNKNOWN;
      const v = sorted[i];
      const [dx, dy] = [coords[2 * v] - x, coords[2 * v + 1] - y];
      if (Math.abs(dy) > reach) continue;
      const steps = this.steps(before, v);
      // Without a way there, behind all that have one.
      const rank = steps === Infinity ? 1e9 + dx * dx + dy * dy : steps;
      if (rank < best) [best, found] = [rank, v];
    }
    return found;
  }

  /** The flags from one vertex on, and where they change on the way to another. */
  between(from: number, to: number): Changes {
    const steps = this.steps(from, to);
    if (steps === Infinity || steps === 0) return NOTHING;
    const { coords, flags, ringEnd } = this.outline;
    const start = this.startOf(this.ring[from]);
    const count = ringEnd[this.ring[from]] - 1 - start;
    // The other way round is shorter: the ring has another direction.
    if (2 * steps > count && count > 4) return NOTHING;
    const others: Change[] = [];
    for (let k = 1, before = flags[from]; k < steps; k++) {
      const v = start + ((from - start + k) % count);
      if (flags[v] === before) continue;
      if (others.length >= MOST_CHANGES)
        return { first: flags[start + ((from - start + (steps >> 1)) % count)], others: [] };
      others.push({ x: coords[2 * v], y: coords[2 * v + 1], flags: flags[v] });
      before = flags[v];
    }
    return { first: flags[from], others };
  }
}

interface Change {
  readonly x: number;
  readonly y: number;
  readonly flags: number;
}

interface Changes {
  readonly first: number;
  readonly others: readonly Change[];
}

const NOTHING: Changes = { first: BORDER, others: [] };

/** How many zeros a number ends with, at most MOST_ZEROS. */
function zerosOf(value: number): number {
  let [zeros, rest] = [0, value];
  while (zeros < MOST_ZEROS && rest % 10 === 0) {
    rest /= 10;
    zeros++;
  }
  return zeros;
}

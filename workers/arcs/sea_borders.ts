/** Where the border of an area runs at sea: what it has in common with the outline of the area's water part. */
import type { ArcTable, Rings } from '../contract.ts';
import { hashPair, tableSize } from './nodes.ts';

/**
 * What is known of the land of an area: nothing, that it is all land or all water, or else its water part. The rings of
 * that have the vertices that those of the area have, and others where the border crosses the coast.
 */
export type WaterOf = 'unknown' | 'none' | 'all' | Rings;

/**
 * Flags of edges of an area's border in a tile: a border, what the area has along it where that is known, and that the
 * map itself marks it as one at sea.
 */
export const BORDER = 1;
export const BESIDE_LAND = 2;
export const BESIDE_WATER = 4;
export const MARKED_AT_SEA = 8;

/** Whether borders with these flags are at sea: marked so, or with water on every side that is known. Null: not known. */
export function isMaritime(flags: number): boolean | null {
  if ((flags & MARKED_AT_SEA) !== 0) return true;
  return (flags & BESIDE_LAND) !== 0 ? false : (flags & BESIDE_WATER) !== 0 ? true : null;
}

/** A vertex may be this far from the segment that it is on, as it was put on the grid (1e-7 degrees). */
const ASIDE = 1;
/** The most vertices that are followed along one segment. */
const MOST_FOLLOWED = 1_000;

/** The directed segments of outlines in two hash tables with open addressing: by their first and by their last vertex. */
export class SeaBorders {
  private readonly table: ArcTable;
  private readonly leaving: Int32Array;
  private readonly arriving: Int32Array;

  /** The outline of a water part, as far as its arcs meet a box (west, south, east, north in 1e-7 degrees). */
  constructor(table: ArcTable, { refs }: Rings, within: readonly [number, number, number, number]) {
    this.table = table;
    const { first, length, box } = table;
    const [west, south, east, north] = within;
    const met = refs.filter((ref) => {
      const at = 4 * (ref < 0 ? ~ref : ref);
      return box[at] <= east && box[at + 2] >= west && box[at + 1] <= north && box[at + 3] >= south;
    });
    const size = tableSize(met.reduce((sum, ref) => sum + length[ref < 0 ? ~ref : ref], 0));
    this.leaving = new Int32Array(2 * size).fill(-1);
    this.arriving = new Int32Array(2 * size).fill(-1);
    for (const ref of met) {
      const arc = ref < 0 ? ~ref : ref;
      for (let v = first[arc], left = length[arc] - 1; left > 0; left--, v++) {
        const [from, to] = ref < 0 ? [v + 1, v] : [v, v + 1];
        this.add(this.leaving, from, to);
        this.add(this.arriving, to, from);
      }
    }
  }

  /**
   * The places where an arc begins and ceases to be at sea, in turn, counted in segments from its start as it is walked:
   * 2.25 is a quarter of the way from its third vertex to its fourth. What is at sea only between two crossings of one
   * segment is not found.
   */
  changes(ref: number): number[] {
    const { first, length } = this.table;
    const arc = ref < 0 ? ~ref : ref;
    const step = ref < 0 ? -1 : 1;
    const last = length[arc] - 1;
    const places: number[] = [];
    let isSea = false;
    const turn = (place: number) => {
      // Two changes at one place are none.
      if (places.at(-1) === place) places.pop();
      else places.push(place);
      isSea = !isSea;
    };
    for (let k = 0, v = ref < 0 ? first[arc] + last : first[arc]; k < last; k++, v += step) {
      const head = this.follow(this.leaving, v, v + step);
      if (isSea !== head > 0) turn(k);
      if (head === 1) continue;
      if (isSea) turn(k + head);
      const tail = this.follow(this.arriving, v + step, v);
      if (tail > 0) turn(k + 1 - tail);
    }
    if (isSea) places.push(last);
    return places;
  }

  /** The share of a segment, from its vertex `from`, along which an outline goes. */
  private follow(slots: Int32Array, from: number, to: number): number {
    const { coords } = this.table;
    const [x, y] = [coords[2 * from], coords[2 * from + 1]];
    const [dx, dy] = [coords[2 * to] - x, coords[2 * to + 1] - y];
    const square = dx * dx + dy * dy;
    let reached = 0;
    let at = from;
    for (let steps = 0; steps < MOST_FOLLOWED && reached < 1; steps++) {
      let found = -1;
      for (let slot = this.slotOf(slots, at); slots[slot] >= 0; slot = (slot + 2) & (slots.length - 1)) {
        if (!this.isSame(slots[slot], at)) continue;
        const next = slots[slot + 1];
        const [ax, ay] = [coords[2 * next] - x, coords[2 * next + 1] - y];
        const share = this.isSame(next, to) ? 1 : (ax * dx + ay * dy) / square;
        const aside = Math.abs(ax * dy - ay * dx) / Math.sqrt(square);
        if (share > reached && share <= 1 && aside <= ASIDE) [found, reached] = [next, share];
      }
      if (found < 0) break;
      at = found;
    }
    return reached;
  }

  private isSame(v: number, w: number): boolean {
    const { coords } = this.table;
    return coords[2 * v] === coords[2 * w] && coords[2 * v + 1] === coords[2 * w + 1];
  }

  private add(slots: Int32Array, key: number, value: number): void {
    let slot = this.slotOf(slots, key);
    while (slots[slot] >= 0) slot = (slot + 2) & (slots.length - 1);
    slots[slot] = key;
    slots[slot + 1] = value;
  }

  /** The first slot of a vertex: others follow. */
  private slotOf(slots: Int32Array, v: number): number {
    const { coords } = this.table;
    return (2 * hashPair(coords[2 * v], coords[2 * v + 1])) & (slots.length - 1);
  }
}

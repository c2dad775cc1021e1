/** Which segments of arcs are on some lines: the ways of a border that the map marks as a border at sea. */
import type { ArcTable } from '../contract.ts';
import { hashPair, tableSize } from './nodes.ts';

/** Lines one after the other: x, y per vertex in 1e-7 degrees, and the vertices up to the end of each. */
export interface Lines {
  readonly coords: Int32Array;
  readonly end: Uint32Array;
}

export const NO_LINES: Lines = { coords: new Int32Array(0), end: new Uint32Array(0) };

/** The segments of lines, in a hash table with open addressing. They are found in either direction. */
export class TaggedLines {
  private readonly table: ArcTable;
  private readonly lines: Lines;
  /** The first vertex of each segment, or -1. */
  private readonly slots: Int32Array;
  private readonly box: readonly [west: number, south: number, east: number, north: number];

  constructor(table: ArcTable, lines: Lines) {
    this.table = table;
    this.lines = lines;
    const { coords, end } = lines;
    this.slots = new Int32Array(tableSize(coords.length / 2)).fill(-1);
    let [west, south, east, north] = [2 ** 31, 2 ** 31, -(2 ** 31), -(2 ** 31)];
    for (let v = 0, line = 0; 2 * v < coords.length; v++) {
      const [x, y] = [coords[2 * v], coords[2 * v + 1]];
      [west, south, east, north] = [Math.min(west, x), Math.min(south, y), Math.max(east, x), Math.max(north, y)];
      if (v + 1 === end[line]) line++;
      else this.add(v);
    }
    this.box = [west, south, east, north];
  }

  /** As SeaBorders.changes(), for the segments of an arc that are on a line. */
  changes(ref: number): number[] {
    const { first, length, box } = this.table;
    const [west, south, east, north] = this.box;
    const arc = ref < 0 ? ~ref : ref;
    const at = 4 * arc;
    if (box[at] > east || box[at + 2] < west || box[at + 1] > north || box[at + 3] < south) return [];
    const step = ref < 0 ? -1 : 1;
    const last = length[arc] - 1;
    const places: number[] = [];
    let isOn = false;
    for (let k = 0, v = ref < 0 ? first[arc] + last : first[arc]; k < last; k++, v += step) {
      if (this.has(v, v + step) === isOn) continue;
      isOn = !isOn;
      places.push(k);
    }
    if (isOn) places.push(last);
    return places;
  }

  /** Whether the segment between two vertices of the table is on a line. */
  private has(v: number, w: number): boolean {
    const { coords } = this.table;
    const { coords: own } = this.lines;
    const { slots } = this;
    const [ax, ay, bx, by] = [coords[2 * v], coords[2 * v + 1], coords[2 * w], coords[2 * w + 1]];
    for (let slot = this.slotOf(ax, ay, bx, by); slots[slot] >= 0; slot = (slot + 1) & (slots.length - 1)) {
      const at = 2 * slots[slot];
      const [px, py, qx, qy] = [own[at], own[at + 1], own[at + 2], own[at + 3]];
      if (px === ax && py === ay && qx === bx && qy === by) return true;
      if (px === bx && py === by && qx === ax && qy === ay) return true;
    }
    return false;
  }

  private add(v: number): void {
    const { slots } = this;
    const { coords } = this.lines;
    let slot = this.slotOf(coords[2 * v], coords[2 * v + 1], coords[2 * v + 2], coords[2 * v + 3]);
    while (slots[slot] >= 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = v;
  }

  /** The first slot of a segment, the same in either direction: others follow. */
  private slotOf(ax: number, ay: number, bx: number, by: number): number {
    return (hashPair(ax, ay) ^ hashPair(bx, by)) & (this.slots.length - 1);
  }
}

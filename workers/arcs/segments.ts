/** Segments that are put on the grid, each distinct one once. */
import { Ints } from './clean_lines.ts';
import { hashPair } from './nodes.ts';

/** Distinct segments between points in steps. A reference is the number of a segment, ~number when it runs backward. */
export class Segments {
  readonly ax = new Ints();
  readonly ay = new Ints();
  readonly bx = new Ints();
  readonly by = new Ints();
  private slots = new Int32Array(2048).fill(-1);

  get count(): number {
    return this.ax.length;
  }

  /** The reference of a segment, which is added unless it is there. Its ends differ. */
  add(ax: number, ay: number, bx: number, by: number): number {
    return ax < bx || (ax === bx && ay < by) ? this.put(ax, ay, bx, by) : ~this.put(bx, by, ax, ay);
  }

  private put(ax: number, ay: number, bx: number, by: number): number {
    if (2 * this.count >= this.slots.length) this.grow();
    const mask = this.slots.length - 1;
    let slot = hashSegment(ax, ay, bx, by) & mask;
    for (let s = this.slots[slot]; s >= 0; s = this.slots[slot]) {
      if (this.ax.data[s] === ax && this.ay.data[s] === ay && this.bx.data[s] === bx && this.by.data[s] === by)
        return s;
      slot = (slot + 1) & mask;
    }
    this.slots[slot] = this.count;
    this.ax.push(ax);
    this.ay.push(ay);
    this.bx.push(bx);
    this.by.push(by);
    return this.count - 1;
  }

  private grow(): void {
    this.slots = new Int32Array(2 * this.slots.length).fill(-1);
    const mask = this.slots.length - 1;
    for (let s = 0; s < this.count; s++) {
      let slot = hashSegment(this.ax.data[s], this.ay.data[s], this.bx.data[s], this.by.data[s]) & mask;
      while (this.slots[slot] >= 0) slot = (slot + 1) & mask;
      this.slots[slot] = s;
    }
  }
}

function hashSegment(ax: number, ay: number, bx: number, by: number): number {
  return hashPair(hashPair(ax, ay), hashPair(bx, by));
}

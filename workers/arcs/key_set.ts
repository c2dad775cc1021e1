import { hashPair } from './nodes.ts';

/**
 * Sets and maps of keys, which are whole numbers from 0 to 2^53, in hash tables with open addressing, at most half full.
 * A JavaScript Set keeps each number of this size as an object.
 */

const FREE = -1;
const SMALLEST = 8;
const GROWTH = 4;

/** The slot of a key, or the free one where it belongs. */
function slotOf(slots: Float64Array, key: number): number {
  const mask = slots.length - 1;
  let slot = hashPair(key, key / 2 ** 32) & mask;
  while (slots[slot] !== FREE && slots[slot] !== key) slot = (slot + 1) & mask;
  return slot;
}

/** A set of keys. */
export class KeySet {
  size = 0;
  private slots = new Float64Array(SMALLEST).fill(FREE);

  constructor(keys: Iterable<number> = []) {
    for (const key of keys) this.add(key);
  }

  /** Adds a key; returns whether it is new. */
  add(key: number): boolean {
    const slot = slotOf(this.slots, key);
    if (this.slots[slot] === key) return false;
    this.slots[slot] = key;
    if (2 * ++this.size > this.slots.length) this.grow();
    return true;
  }

  /** Whether a key is in the set. */
  has(key: number): boolean {
    return this.slots[slotOf(this.slots, key)] === key;
  }

  /** The keys, ascending. */
  sorted(): Float64Array {
    return this.slots.filter((key) => key !== FREE).sort();
  }

  private grow(): void {
    const { slots } = this;
    this.slots = new Float64Array(GROWTH * slots.length).fill(FREE);
    for (const key of slots) if (key !== FREE) this.slots[slotOf(this.slots, key)] = key;
  }
}

/** Cells and the largest class (0 to 127) of each; see Dependencies. */
export class CellClasses {
  private size = 0;
  private cells = new Float64Array(SMALLEST).fill(FREE);
  private classes = new Int8Array(SMALLEST).fill(-1);

  /** The class of a cell, or -1. */
  of(cell: number): number {
    return this.classes[slotOf(this.cells, cell)];
  }

  /** Each cell with its class. */
  *[Symbol.iterator](): Generator<[cell: number, limit: number]> {
    const { cells, classes } = this;
    for (let slot = 0; slot < cells.length; slot++) if (cells[slot] !== FREE) yield [cells[slot], classes[slot]];
  }

  /** Raises the class of a cell to `limit`, unless it is larger already. */
  raise(cell: number, limit: number): void {
    const slot = slotOf(this.cells, cell);
    this.classes[slot] = Math.max(limit, this.classes[slot]);
    if (this.cells[slot] === cell) return;
    this.cells[slot] = cell;
    if (2 * ++this.size > this.cells.length) this.grow();
  }

  private grow(): void {
    const { cells, classes } = this;
    this.cells = new Float64Array(GROWTH * cells.length).fill(FREE);
    this.classes = new Int8Array(GROWTH * cells.length).fill(-1);
    for (let i = 0; i < cells.length; i++) {
      if (cells[i] === FREE) continue;
      const slot = slotOf(this.cells, cells[i]);
      this.cells[slot] = cells[i];
      this.classes[slot] = classes[i];
    }
  }
}

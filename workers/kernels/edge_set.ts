/** A set of undirected edges between integer points: a hash table with open addressing. */
export class EdgeSet {
  private slots = new Int32Array(4 * 256);
  private used = new Uint8Array(256);
  private count = 0;

  /** Adds an edge; returns false when it was already in the set. */
  add(ax: number, ay: number, bx: number, by: number): boolean {
    if (2 * this.count >= this.used.length) this.grow();
    const swap = ax > bx || (ax === bx && ay > by);
    return swap ? this.put(bx, by, ax, ay) : this.put(ax, ay, bx, by);
  }

  private put(ax: number, ay: number, bx: number, by: number): boolean {
    const { slots, used } = this;
    const mask = used.length - 1;
    let hash =
      Math.imul(ax, 0x9e3779b1) ^ Math.imul(ay, 0x85ebca6b) ^ Math.imul(bx, 0xc2b2ae35) ^ Math.imul(by, 0x27d4eb2f);
    hash ^= hash >>> 15;
    hash = Math.imul(hash, 0x2c1b3c6d);
    hash ^= hash >>> 13;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const at = 4 * slot;
      if (used[slot] === 0) {
        used[slot] = 1;
        slots[at] = ax;
        slots[at + 1] = ay;
        slots[at + 2] = bx;
        slots[at + 3] = by;
        this.count++;
        return true;
      }
      if (slots[at] === ax && slots[at + 1] === ay && slots[at + 2] === bx && slots[at + 3] === by) return false;
    }
  }

  private grow(): void {
    const { slots, used } = this;
    this.slots = new Int32Array(2 * slots.length);
    this.used = new Uint8Array(2 * used.length);
    this.count = 0;
    for (let slot = 0; slot < used.length; slot++) {
      if (used[slot] === 0) continue;
      const at = 4 * slot;
      this.put(slots[at], slots[at + 1], slots[at + 2], slots[at + 3]);
    }
  }
}

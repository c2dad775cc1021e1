/** About one row is made per this many boxes. */
const FEWEST = 64;
/** The most entries per box, over all rows. */
const ENTRIES = 8;

/**
 * An index of boxes by latitude: finds those that a line along a parallel can meet without testing them all. Rows have
 * equal height, one per 64 boxes or fewer rows when boxes are tall: at most 8 entries per box, which bounds the memory.
 */
export class LatitudeIndex {
  private readonly south: number;
  private readonly height: number;
  private readonly start: Int32Array;
  private readonly items: Int32Array;

  /** @param box west, south, east, north per box. Item k of the rows is the box with index `places[k]` */
  constructor(box: Int32Array, places: Int32Array) {
    let south = Number.POSITIVE_INFINITY;
    let north = Number.NEGATIVE_INFINITY;
    for (const place of places) {
      south = Math.min(south, box[4 * place + 1]);
      north = Math.max(north, box[4 * place + 3]);
    }
    this.south = south;
    let rows = Math.max(1, Math.floor(places.length / FEWEST));
    let height = 1;
    for (; ; rows >>= 1) {
      height = Math.max(1, (north - south + 1) / rows);
      let entries = 0;
      for (const place of places) {
        entries += this.row(box[4 * place + 3], height) - this.row(box[4 * place + 1], height) + 1;
      }
      if (rows <= 1 || entries <= ENTRIES * places.length) break;
    }
    this.height = height;
    this.start = new Int32Array(rows + 2);
    for (const place of places) {
      const last = this.row(box[4 * place + 3], height);
      for (let r = this.row(box[4 * place + 1], height); r <= last; r++) this.start[r + 2]++;
    }
    for (let r = 2; r < this.start.length; r++) this.start[r] += this.start[r - 1];
    this.items = new Int32Array(this.start[rows + 1]);
    for (let k = 0; k < places.length; k++) {
      const last = this.row(box[4 * places[k] + 3], height);
      for (let r = this.row(box[4 * places[k] + 1], height); r <= last; r++) this.items[this.start[r + 1]++] = k;
    }
  }

  private row(y: number, height: number): number {
    return Math.floor((y - this.south) / height);
  }

  /** The items, ascending, of all boxes that reach latitude y, and of some that do not. */
  at(y: number): Int32Array {
    const row = this.row(y, this.height);
    if (!(row >= 0 && row < this.start.length - 2)) return this.items.subarray(0, 0);
    return this.items.subarray(this.start[row], this.start[row + 1]);
  }
}

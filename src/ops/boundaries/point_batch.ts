import { defined } from '../../common/elements.ts';
import type { PointRow } from '../../domain/points/point_rows.ts';

const FIRST_ROWS = 1_024;
const FIRST_BYTES = 64 * 1_024;

/** An array of at least `length` values that begins with those of another. */
function grown(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (array.length >= length) return array;
  const more = new Int32Array(Math.max(length, 2 * array.length));
  more.set(array);
  return more;
}

/**
 * Rows of points that are looked up together, in a few arrays that are reused: an object and a string for each row
 * would outlive two scavenges of V8, and pile up until its next full collection.
 */
export class PointBatch {
  /** Number of rows, including those without a point. */
  rows = 0;
  /** Number of rows with a point. */
  points = 0;
  /** Bytes of the text of all rows. */
  bytes = 0;
  /** x and y of each point. */
  private places = new Int32Array(2 * FIRST_ROWS);
  /** For each row, the end of its text, in characters of all texts together. */
  private ends = new Int32Array(FIRST_ROWS);
  private texts = Buffer.allocUnsafeSlow(FIRST_BYTES);
  /** Rows without a point, by row number; there are few. */
  private readonly bad = new Map<number, PointRow>();

  /** Adds rows. It keeps none of their strings, except those of rows without a point. */
  add(some: readonly PointRow[]): void {
    this.ends = grown(this.ends, this.rows + some.length);
    this.places = grown(this.places, 2 * (this.points + some.length));
    let end = this.rows === 0 ? 0 : defined(this.ends[this.rows - 1]);
    for (const row of some) {
      end += row.text.length;
      this.ends[this.rows] = end;
      if (row.fault === null) {
        this.places[2 * this.points] = row.x;
        this.places[2 * this.points + 1] = row.y;
        this.points++;
      } else this.bad.set(this.rows, row);
      this.rows++;
    }
    this.write(some.map(({ text }) => text).join(''));
  }

  private write(text: string): void {
    const needed = this.bytes + 3 * text.length;
    if (this.texts.length < needed) {
      const more = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.texts.length));
      more.set(this.texts.subarray(0, this.bytes));
      this.texts = more;
    }
    this.bytes += this.texts.write(text, this.bytes, 'utf8');
  }

  /** Removes the first row with a point beyond `most` points, and all rows after it. */
  cut(most: number): void {
    let points = 0;
    for (let row = 0; row < this.rows; row++) {
      if (this.bad.has(row)) continue;
      if (points++ < most) continue;
      for (let left = row; left < this.rows; left++) this.bad.delete(left);
      this.rows = row;
      this.points = most;
      return;
    }
  }

  /** x, y of each point, as a copy. */
  coordinates(): Int32Array {
    return this.places.slice(0, 2 * this.points);
  }

  /** Each row in order. Its text equals the one that was added, as far as that is well-formed. */
  *each(): Generator<PointRow> {
    const all = this.texts.toString('utf8', 0, this.bytes);
    let point = 0;
    for (let row = 0; row < this.rows; row++) {
      const known = this.bad.get(row);
      if (known !== undefined) {
        yield known;
        continue;
      }
      const text = all.slice(row === 0 ? 0 : this.ends[row - 1], this.ends[row]);
      const [x, y] = [defined(this.places[2 * point]), defined(this.places[2 * point + 1])];
      point++;
      yield { text, line: 0, x, y, fault: null };
    }
  }

  /** Empties the batch. */
  clear(): void {
    this.rows = 0;
    this.points = 0;
    this.bytes = 0;
    this.bad.clear();
  }
}

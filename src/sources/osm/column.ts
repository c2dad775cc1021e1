type Numbers = Float64Array<ArrayBufferLike> | Uint32Array<ArrayBufferLike>;

/** A typed array that grows. */
export class Column<T extends Numbers> {
  private numbers: T;
  private readonly make: (length: number) => T;
  /** How many numbers it has. */
  length = 0;

  constructor(make: (length: number) => T) {
    this.make = make;
    this.numbers = make(256);
  }

  push(number: number): void {
    this.room(1);
    this.numbers[this.length++] = number;
  }

  append(numbers: T): void {
    this.room(numbers.length);
    this.numbers.set(numbers, this.length);
    this.length += numbers.length;
  }

  at(index: number): number {
    return this.numbers[index];
  }

  put(index: number, number: number): void {
    this.numbers[index] = number;
  }

  /** The numbers as a view, valid until the next push or append. */
  view(from = 0, to = this.length): T {
    return this.numbers.subarray(from, to) as T;
  }

  private room(more: number): void {
    const needed = this.length + more;
    if (needed <= this.numbers.length) return;
    // Grows by half, not by double, to waste less memory.
    const larger = this.make(Math.max(needed, Math.ceil(1.5 * this.numbers.length)));
    larger.set(this.numbers);
    this.numbers = larger;
  }
}

/** An empty column of 64-bit floats. */
export const doubles = () => new Column<Float64Array>((length) => new Float64Array(length));
/** An empty column of unsigned 32-bit integers. */
export const counts = () => new Column<Uint32Array>((length) => new Uint32Array(length));

/** `length` 64-bit floats in memory that threads share, all 0. */
export const sharedDoubles = (length: number): Float64Array => new Float64Array(new SharedArrayBuffer(8 * length));
/** `length` 32-bit integers in memory that threads share, all 0. */
export const sharedInts = (length: number): Int32Array => new Int32Array(new SharedArrayBuffer(4 * length));

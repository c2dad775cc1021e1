/** Some texts of a sorted list, one behind the other: from `first` on, before `beyond`. */
export type TextRange = readonly [first: number, beyond: number];

/**
 * A list of texts as concatenated UTF-8: each takes its bytes plus four. Byte order equals code point order, which is
 * the database's order under the collation C.
 */
export class Texts {
  /** Number of texts. */
  count = 0;
  /** Bytes of the longest text. */
  longest = 0;
  readonly #ends: Uint32Array;
  readonly #bytes: Buffer;

  /** Allocates room for `most` texts with `bytes` bytes in total. */
  constructor(most: number, bytes: number) {
    this.#ends = new Uint32Array(most + 1);
    this.#bytes = Buffer.allocUnsafeSlow(bytes);
  }

  /** Memory use in bytes. */
  get bytes(): number {
    return this.#ends.byteLength + this.#bytes.byteLength;
  }

  /** Appends a text. Returns false if it does not fit. */
  push(text: string): boolean {
    const start = this.#ends[this.count];
    const size = Buffer.byteLength(text);
    if (this.count + 1 >= this.#ends.length || start + size > this.#bytes.length) return false;
    this.#bytes.write(text, start);
    this.#ends[++this.count] = start + size;
    if (size > this.longest) this.longest = size;
    return true;
  }

  /** Returns text number `i`. */
  at(i: number): string {
    return this.#bytes.toString('utf8', this.#ends[i], this.#ends[i + 1]);
  }

  /** Decodes text `i` into an array of at least `longest` code points and returns their count. */
  read(i: number, into: Uint32Array): number {
    let count = 0;
    for (let at = this.#ends[i]; at < this.#ends[i + 1]; ) {
      const byte = this.#bytes[at++];
      if (byte < 0x80) into[count++] = byte;
      else {
        // The first byte gives the number of following bytes, with six bits each.
        const more = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
        let point = byte & (0x3f >> more);
        for (let k = 0; k < more; k++) point = (point << 6) | (this.#bytes[at++] & 0x3f);
        into[count++] = point;
      }
    }
    return count;
  }

  /** Compares two texts by byte order: negative, 0 or positive. */
  compare(a: number, b: number): number {
    return this.#bytes.compare(this.#bytes, this.#ends[b], this.#ends[b + 1], this.#ends[a], this.#ends[a + 1]);
  }

  /** Whether text `i` equals these bytes. */
  is(i: number, text: Buffer): boolean {
    return this.#ends[i + 1] - this.#ends[i] === text.length && this.#order(i, text) === 0;
  }

  /** In sorted texts: index of the first that is not before these bytes, or `count`. */
  firstFrom(text: Buffer): number {
    return this.#search((i) => this.#order(i, text) >= 0);
  }

  /** In sorted texts: index of the first after all that start with these bytes. */
  firstBeyond(prefix: Buffer): number {
    return this.#search((i) => this.#order(i, prefix, prefix.length) > 0);
  }

  /**
   * Returns a lookup of prefixes in sorted texts. It returns the first text with the prefix and the first one after
   * them, and reuses the search for what a prefix shares with the previous one.
   */
  starts(): (prefix: string) => TextRange {
    let last = '';
    // Range of the texts that start with the first k bytes of the last prefix, for each k.
    const ranges: TextRange[] = [[0, this.count]];
    return (prefix) => {
      let k = 0;
      // An ASCII letter is one byte.
      while (k + 1 < ranges.length && prefix.charCodeAt(k) === last.charCodeAt(k) && last.charCodeAt(k) < 0x80) k++;
      ranges.length = k + 1;
      last = prefix;
      let range = ranges[k];
      let bytes: Buffer | null = null;
      for (; range[0] < range[1]; k++) {
        let byte = bytes === null ? prefix.charCodeAt(k) : bytes[k];
        if (byte >= 0x80 && bytes === null) {
          bytes = Buffer.from(prefix);
          byte = bytes[k];
        }
        if (Number.isNaN(byte) || byte === undefined) break;
        range = this.narrowed(range, k, byte);
        ranges.push(range);
      }
      return range;
    };
  }

  /** In sorted texts: those of a range, whose first `at` bytes are the same, of which the next byte is `byte`. */
  narrowed([first, beyond]: TextRange, at: number, byte: number): TextRange {
    const from = this.#firstByte([first, beyond], at, byte);
    return [from, this.#firstByte([from, beyond], at, byte + 1)];
  }

  /** The different bytes behind the first `at` bytes of a range like that of narrowed(), in order, with their ranges. */
  bytesBehind([first, beyond]: TextRange, at: number): (readonly [byte: number, range: TextRange])[] {
    const found: (readonly [number, TextRange])[] = [];
    // A text that ends there comes first.
    for (let i = this.#firstByte([first, beyond], at, 0); i < beyond; ) {
      const byte = this.byteBehind(i, at) ?? 0;
      const from = i;
      i = this.#firstByte([i, beyond], at, byte + 1);
      found.push([byte, [from, i]]);
    }
    return found;
  }

  /** In sorted texts with the first `at` bytes in common: the first whose next byte is at least `byte`. */
  #firstByte([first, beyond]: TextRange, at: number, byte: number): number {
    let [low, high] = [first, beyond];
    while (low < high) {
      const middle = (low + high) >> 1;
      const place = this.#ends[middle] + at;
      if (place < this.#ends[middle + 1] && this.#bytes[place] >= byte) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Returns the byte after the first `length` bytes of a text; undefined at its end. */
  byteBehind(i: number, length: number): number | undefined {
    const at = this.#ends[i] + length;
    return at < this.#ends[i + 1] ? this.#bytes[at] : undefined;
  }

  /** Compares text `i`, or its first `most` bytes, with bytes. Faster than Buffer.compare, as texts differ early. */
  #order(i: number, text: Buffer, most = Number.POSITIVE_INFINITY): number {
    const start = this.#ends[i];
    const length = Math.min(this.#ends[i + 1] - start, most);
    const common = Math.min(length, text.length);
    for (let k = 0; k < common; k++) {
      const order = this.#bytes[start + k] - text[k];
      if (order !== 0) return order;
    }
    return length - text.length;
  }

  /** Binary search for the first index for which `holds` is true; it must stay true after that. */
  #search(holds: (i: number) => boolean): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

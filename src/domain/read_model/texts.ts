/**
 * Texts by number as UTF-8, one behind the other: a text takes its bytes and four more. The order of the bytes is that
 * of the code points, which is the order of the database under the collation C.
 */
export class Texts {
  /** How many there are. */
  count = 0;
  /** The most bytes that one of them has. */
  longest = 0;
  readonly #ends: Uint32Array;
  readonly #bytes: Buffer;

  /** Has room for so many texts, of so many bytes in all. */
  constructor(most: number, bytes: number) {
    this.#ends = new Uint32Array(most + 1);
    this.#bytes = Buffer.allocUnsafeSlow(bytes);
  }

  /** What it takes in memory. */
  get bytes(): number {
    return this.#ends.byteLength + this.#bytes.byteLength;
  }

  /** Puts a text behind the last one. False where there is no room for it. */
  push(text: string): boolean {
    const start = this.#ends[this.count];
    const size = Buffer.byteLength(text);
    if (this.count + 1 >= this.#ends.length || start + size > this.#bytes.length) return false;
    this.#bytes.write(text, start);
    this.#ends[++this.count] = start + size;
    if (size > this.longest) this.longest = size;
    return true;
  }

  /** The text of this number. */
  at(i: number): string {
    return this.#bytes.toString('utf8', this.#ends[i], this.#ends[i + 1]);
  }

  /** Writes the code points of the text of this number into a list of at least `longest`; how many there are. */
  read(i: number, into: Uint32Array): number {
    let count = 0;
    for (let at = this.#ends[i]; at < this.#ends[i + 1]; ) {
      const byte = this.#bytes[at++];
      if (byte < 0x80) into[count++] = byte;
      else {
        // The first byte says how many follow, six bits in each.
        const more = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
        let point = byte & (0x3f >> more);
        for (let k = 0; k < more; k++) point = (point << 6) | (this.#bytes[at++] & 0x3f);
        into[count++] = point;
      }
    }
    return count;
  }

  /** Which of two texts comes first: negative, 0 or positive. */
  compare(a: number, b: number): number {
    return this.#bytes.compare(this.#bytes, this.#ends[b], this.#ends[b + 1], this.#ends[a], this.#ends[a + 1]);
  }

  /** Whether the text is these bytes. */
  is(i: number, text: Buffer): boolean {
    return this.#ends[i + 1] - this.#ends[i] === text.length && this.#order(i, text) === 0;
  }

  /** Of texts in ascending order: the first that is not before these bytes, `count` where there is none. */
  firstFrom(text: Buffer): number {
    return this.#search((i) => this.#order(i, text) >= 0);
  }

  /** Of texts in ascending order: the first behind all that begin with these bytes. */
  firstBeyond(prefix: Buffer): number {
    return this.#search((i) => this.#order(i, prefix, prefix.length) > 0);
  }

  /**
   * Tells of texts in ascending order which begin with a text: the first of them, and the first behind them. What one
   * has in common with the text before it is not looked up again.
   */
  starts(): (prefix: string) => readonly [first: number, beyond: number] {
    let last = '';
    // Of texts that begin with the first k bytes of the last prefix.
    const ranges: [first: number, beyond: number][] = [[0, this.count]];
    return (prefix) => {
      let k = 0;
      // ASCII is a byte a letter.
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
        const from = this.#firstByte(range, k, byte);
        range = [from, this.#firstByte([from, range[1]], k, byte + 1)];
        ranges.push(range);
      }
      return range;
    };
  }

  /** The blank and letters of a to z that follow a text of them in texts, which are in ascending order. */
  following(start: string): string {
    const bytes = Buffer.from(start);
    const beyond = this.firstBeyond(bytes);
    let letters = '';
    for (let i = this.firstFrom(bytes); i < beyond; ) {
      const byte = this.byteBehind(i, bytes.length) ?? 0;
      if (byte === 0x20 || (byte >= 0x61 && byte <= 0x7a)) letters += String.fromCharCode(byte);
      i = this.#firstByte([i, beyond], bytes.length, byte + 1);
    }
    return letters;
  }

  /** Of texts in ascending order that have the first `at` bytes in common: the first whose next byte is at least this one. */
  #firstByte([first, beyond]: readonly [number, number], at: number, byte: number): number {
    let [low, high] = [first, beyond];
    while (low < high) {
      const middle = (low + high) >> 1;
      const place = this.#ends[middle] + at;
      if (place < this.#ends[middle + 1] && this.#bytes[place] >= byte) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The byte behind the first `length` bytes of a text; undefined where it ends there. */
  byteBehind(i: number, length: number): number | undefined {
    const at = this.#ends[i] + length;
    return at < this.#ends[i + 1] ? this.#bytes[at] : undefined;
  }

  /** How a text, or its first bytes, stands to other bytes: negative, 0 or positive. Texts differ early: Buffer.compare costs more. */
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

  /** The first number of which `holds` is true, when it is true of all behind it. */
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

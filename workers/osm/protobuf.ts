/**
 * The part of the protocol buffer wire format (protobuf.dev/programming-guides/encoding) that OSM files need. Numbers
 * are doubles: 64-bit values are exact up to 2^53 and rejected beyond, positive or negative.
 */

/** Wire types. */
const VARINT = 0;
const FIXED64 = 1;
export const BYTES = 2;
const FIXED32 = 5;

const TWO_27 = 2 ** 27;
const TWO_55 = 2 ** 55;

/**
 * A cursor over one message: `bytes[position … end - 1]`.
 * @throws on reads past the end, varints of more than ten bytes, and values that a double cannot hold
 */
export class Message {
  readonly bytes: Uint8Array;
  position: number;
  readonly end: number;
  /** Field number and wire type of the current field, set by `next`. */
  field = 0;
  wire = 0;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.position = start;
    this.end = end;
  }

  /** Moves to the next field; false at the end of the message. The caller then reads the value or calls `skip`. */
  next(): boolean {
    if (this.position >= this.end) return false;
    const key = this.uint();
    this.wire = key % 8;
    this.field = (key - this.wire) / 8;
    if (this.field === 0) throw new Error('a protobuf field has the number 0');
    return true;
  }

  /** Reads an unsigned varint (uint32, uint64, bool, enum). */
  uint(): number {
    const { bytes, end } = this;
    let p = this.position;
    let value = 0;
    let scale = 1;
    for (let k = 0; k < 10; k++) {
      if (p >= end) throw new Error('a protobuf number runs past its message');
      const byte = bytes[p++];
      value += (byte & 127) * scale;
      if (byte < 128) {
        if (value > Number.MAX_SAFE_INTEGER) throw new Error('a protobuf number exceeds 2^53');
        this.position = p;
        return value;
      }
      scale *= 128;
    }
    throw new Error('a protobuf number has more than ten bytes');
  }

  /** Reads a signed varint in two's complement (int32, int64). Negative numbers take ten bytes. */
  int(): number {
    const { bytes, end } = this;
    let p = this.position;
    let value = 0;
    // For a negative number: the inverted bits, which count up from -1. They are small, so exact.
    let flipped = 0;
    let scale = 1;
    for (let k = 0; k < 10; k++) {
      if (p >= end) throw new Error('a protobuf number runs past its message');
      const byte = bytes[p++];
      if (k < 9) {
        value += (byte & 127) * scale;
        flipped += (~byte & 127) * scale;
      }
      if (byte < 128) {
        const signed = k === 9 && (byte & 1) === 1 ? -flipped - 1 : value;
        if (!Number.isSafeInteger(signed)) throw new Error('a protobuf number exceeds 2^53');
        this.position = p;
        return signed;
      }
      scale *= 128;
    }
    throw new Error('a protobuf number has more than ten bytes');
  }

  /** Returns the length of the length-delimited value at the cursor, and moves to its first byte. */
  length(): number {
    if (this.wire !== BYTES) throw new Error(`protobuf field ${this.field} is not length-delimited`);
    const length = this.uint();
    if (length > this.end - this.position) throw new Error('a protobuf value runs past its message');
    return length;
  }

  /** A view of the bytes value at the cursor. */
  view(): Uint8Array {
    const length = this.length();
    const start = this.position;
    this.position += length;
    return this.bytes.subarray(start, this.position);
  }

  /** A cursor over the embedded message at the cursor. */
  message(): Message {
    const length = this.length();
    const start = this.position;
    this.position += length;
    return new Message(this.bytes, start, this.position);
  }

  /** The string at the cursor; malformed UTF-8 becomes U+FFFD. */
  string(): string {
    return text(this.view());
  }

  /** Reads an unsigned varint field. @throws when the field has another wire type */
  uintField(): number {
    this.expectVarint();
    return this.uint();
  }

  /** Reads a signed (int32, int64) varint field. @throws when the field has another wire type */
  intField(): number {
    this.expectVarint();
    return this.int();
  }

  /** Reads a zigzag (sint32, sint64) varint field. @throws when the field has another wire type */
  sintField(): number {
    this.expectVarint();
    const one = new Float64Array(1);
    const start = this.position;
    while (this.position < this.end && this.bytes[this.position] >= 128) this.position++;
    this.position++;
    if (this.position > this.end) throw new Error('a protobuf number runs past its message');
    new Deltas(this.bytes, start, this.position).fill(one);
    return one[0];
  }

  /** Skips the value of the current field. */
  skip(): void {
    if (this.wire === VARINT) {
      while (this.position < this.end && this.bytes[this.position] >= 128) this.position++;
      this.position++;
    } else if (this.wire === BYTES) {
      const length = this.length();
      this.position += length;
    } else if (this.wire === FIXED64) this.position += 8;
    else if (this.wire === FIXED32) this.position += 4;
    else throw new Error(`protobuf field ${this.field} has the unknown wire type ${this.wire}`);
    if (this.position > this.end) throw new Error('a protobuf value runs past its message');
  }

  private expectVarint(): void {
    if (this.wire !== VARINT) throw new Error(`protobuf field ${this.field} is not a number`);
  }
}

/** The byte range of a packed repeated field; empty for an absent field. */
export interface Packed {
  start: number;
  end: number;
}

/** The number of varints in a packed field, counted by their last bytes. */
export function countPacked(bytes: Uint8Array, { start, end }: Packed): number {
  let count = 0;
  for (let p = start; p < end; p++) count += bytes[p] < 128 ? 1 : 0;
  return count;
}

/**
 * Reads a packed field of zigzag deltas (sint64, delta coded) as running sums, one slice at a time: a column of any
 * length costs the memory of one slice.
 * @throws when a varint is cut off or a sum leaves the exact range
 */
export class Deltas {
  private readonly bytes: Uint8Array;
  private position: number;
  private readonly end: number;
  private sum = 0;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.bytes = bytes;
    this.position = start;
    this.end = end;
  }

  /** Fills `out` from its start with the next sums and returns their number; 0 at the end of the field. */
  fill(out: Float64Array): number {
    const { bytes, end } = this;
    const size = out.length;
    let p = this.position;
    let sum = this.sum;
    let n = 0;
    while (n < size && p < end) {
      let byte = bytes[p++];
      if (byte < 128) {
        sum += (byte >>> 1) ^ -(byte & 1);
      } else {
        let low = byte & 127;
        byte = bytes[p++];
        low |= (byte & 127) << 7;
        if (byte >= 128) {
          byte = bytes[p++];
          low |= (byte & 127) << 14;
          if (byte >= 128) {
            byte = bytes[p++];
            low |= (byte & 127) << 21;
          }
        }
        const sign = low & 1;
        if (byte < 128) sum += (low >>> 1) ^ -sign;
        else {
          let middle = 0;
          for (let shift = 0; shift < 28 && byte >= 128; shift += 7) {
            byte = bytes[p++];
            middle |= (byte & 127) << shift;
          }
          let high = 0;
          for (let shift = 0; shift < 14 && byte >= 128; shift += 7) {
            byte = bytes[p++];
            high |= (byte & 127) << shift;
          }
          if (byte >= 128) throw new Error('a protobuf number has more than ten bytes');
          // The value is low + 2^28 middle + 2^56 high; zigzag keeps the sign in its lowest bit.
          const magnitude = (low >>> 1) + middle * TWO_27 + high * TWO_55;
          if (magnitude > Number.MAX_SAFE_INTEGER) throw new Error('a protobuf number exceeds 2^53');
          sum += sign === 1 ? -magnitude - 1 : magnitude;
        }
      }
      if (sum > Number.MAX_SAFE_INTEGER || sum < Number.MIN_SAFE_INTEGER) {
        throw new Error('a protobuf number exceeds 2^53');
      }
      out[n++] = sum;
    }
    if (p > end) throw new Error('a packed protobuf field ends within a number');
    this.position = p;
    this.sum = sum;
    return n;
  }
}

/** All running sums of a packed delta field. */
export function unpackDeltas(bytes: Uint8Array, packed: Packed): Float64Array {
  const out = new Float64Array(countPacked(bytes, packed));
  const read = new Deltas(bytes, packed.start, packed.end).fill(out);
  if (read !== out.length || (packed.end > packed.start && bytes[packed.end - 1] >= 128)) {
    throw new Error('a packed protobuf field ends within a number');
  }
  return out;
}

/** All values of a packed field of plain numbers (uint32, int32, enum). */
export function unpackInts(bytes: Uint8Array, packed: Packed): number[] {
  const out: number[] = [];
  const message = new Message(bytes, packed.start, packed.end);
  while (message.position < message.end) out.push(message.int());
  return out;
}

/** Decodes UTF-8; malformed bytes and NUL, which PostgreSQL cannot store, become U+FFFD. */
export function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').replaceAll('\0', '\uFFFD');
}

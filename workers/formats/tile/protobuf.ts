/** A growing buffer of protocol buffer fields. Field numbers are at most 15, so a tag is one byte. */
export class ProtobufWriter {
  private bytes: Uint8Array;
  private at = 0;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.at;
  }

  /** Reserves `count` more bytes. */
  private reserve(count: number): void {
    if (this.at + count <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.bytes.length, this.at + count));
    grown.set(this.bytes.subarray(0, this.at));
    this.bytes = grown;
  }

  /** Appends an unsigned number below 2^53 as a varint. */
  varint(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest > 0x7fffffff) {
      this.bytes[this.at++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest > 127) {
      this.bytes[this.at++] = (rest & 127) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.at++] = rest;
  }

  /** Appends a signed 32-bit number as a zigzag varint. */
  signed(value: number): void {
    this.varint(((value << 1) ^ (value >> 31)) >>> 0);
  }

  /** Appends a varint field. */
  number(field: number, value: number): void {
    this.varint(field << 3);
    this.varint(value);
  }

  /** Appends a field of bytes, with its length. */
  block(field: number, content: Uint8Array): void {
    this.varint((field << 3) | 2);
    this.varint(content.length);
    this.append(content);
  }

  /** Appends fields that are already encoded. */
  append(content: Uint8Array): void {
    this.reserve(content.length);
    this.bytes.set(content, this.at);
    this.at += content.length;
  }

  /** Appends a text field. */
  text(field: number, content: string): void {
    const { length } = content;
    this.varint((field << 3) | 2);
    // Most names are short and ASCII: their length is then known and takes one byte.
    if (length < 128) {
      this.reserve(1 + length);
      let i = 0;
      for (; i < length; i++) {
        const code = content.charCodeAt(i);
        if (code > 127) break;
        this.bytes[this.at + 1 + i] = code;
      }
      if (i === length) {
        this.bytes[this.at] = length;
        this.at += 1 + length;
        return;
      }
    }
    const bytes = UTF8.encode(content);
    this.varint(bytes.length);
    this.append(bytes);
  }

  /** Appends a 64-bit float field. */
  double(field: number, value: number): void {
    this.varint((field << 3) | 1);
    this.reserve(8);
    new DataView(this.bytes.buffer).setFloat64(this.at, value, true);
    this.at += 8;
  }

  /** A view of the bytes written, valid until the next write. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.at);
  }

  /** A copy of the bytes written. */
  finish(): Uint8Array {
    return this.bytes.slice(0, this.at);
  }

  /** Discards everything written. */
  clear(): void {
    this.at = 0;
  }
}

const UTF8 = new TextEncoder();

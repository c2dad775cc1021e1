/** Writes protocol buffer messages into one growing buffer. */
export class PbfBytes {
  private bytes: Uint8Array;
  private at = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
  }

  /** The bytes written so far; do not use the writer afterwards. */
  done(): Uint8Array {
    return this.bytes.subarray(0, this.at);
  }

  /** Writes raw bytes. */
  raw(bytes: Uint8Array): void {
    this.room(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  /** Writes an integer from 0 to 2^53 as a varint, without a key. */
  varint(value: number): void {
    this.room(10);
    let rest = value;
    while (rest > 127) {
      this.bytes[this.at++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.at++] = rest;
  }

  /** Writes a signed integer as zigzag varint, without a key. */
  zigzag(value: number): void {
    this.varint(value >= 0 ? 2 * value : -2 * value - 1);
  }

  /** Writes an unsigned integer field. */
  uint(field: number, value: number): void {
    this.varint(8 * field);
    this.varint(value);
  }

  /** Writes a length-delimited field with what `write` writes. */
  message(field: number, write: () => void): void {
    this.varint(8 * field + 2);
    // Reserve room for the longest length; the content moves back once the length is known.
    const mark = this.at;
    this.room(5);
    this.at += 5;
    const start = this.at;
    write();
    const end = this.at;
    this.at = mark;
    this.varint(end - start);
    this.bytes.copyWithin(this.at, start, end);
    this.at += end - start;
  }

  private room(more: number): void {
    if (this.at + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.at + more));
    larger.set(this.bytes.subarray(0, this.at));
    this.bytes = larger;
  }
}

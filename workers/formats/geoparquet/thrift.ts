import { Unreadable } from '../reading/document.ts';

/** A struct of Thrift's compact protocol, keyed by field number. */
type Struct = Map<number, unknown>;

/** Maximum nesting of structs; those of Parquet are nested three deep. */
const DEPTH = 8;

/**
 * Reads a struct.
 * @throws Unreadable when it is nested too deeply or has a field of an unknown type
 */
export function readStruct(at: Cursor, depth: number): Struct {
  if (depth > DEPTH) throw damaged('a header is nested too deep');
  const fields: Struct = new Map();
  for (let id = 0; ; ) {
    const head = at.uint8();
    if (head === 0) return fields;
    id = head >> 4 ? id + (head >> 4) : Number(at.zigzag());
    fields.set(id, readElement(at, head & 15, depth));
  }
}

function readElement(at: Cursor, type: number, depth: number): unknown {
  if (type === 1 || type === 2) return type === 1;
  if (type === 3) return at.uint8();
  if (type >= 4 && type <= 6) return Number(at.zigzag());
  if (type === 7) return at.take(8).getFloat64(0, true);
  if (type === 8) return at.take(at.varint());
  if (type === 12) return readStruct(at, depth + 1);
  if (type !== 9) throw damaged('a header has a field of no type');
  if (depth > DEPTH) throw damaged('a header is nested too deep');
  const head = at.uint8();
  const size = head >> 4 === 15 ? at.varint() : head >> 4;
  const own = head & 15;
  for (let i = 0; i < size; i++) readElement(at, own === 1 || own === 2 ? 3 : own, depth + 1);
  return null;
}

/**
 * A field that must be an integer of at least 0.
 * @throws Unreadable otherwise
 */
export function numberAt(fields: Struct, id: number): number {
  const value = fields.get(id);
  if (typeof value !== 'number') throw damaged('a header lacks a number');
  return requireCount(value);
}

/**
 * A size or count, which must be an integer of at least 0.
 * @throws Unreadable otherwise
 */
export function count(value: number | bigint): number {
  return requireCount(Number(value));
}

/**
 * Returns an integer of at least 0 unchanged.
 * @throws Unreadable for any other value
 */
export function requireCount(value: number): number {
  if (!(Number.isSafeInteger(value) && value >= 0)) throw damaged('a size is below 0, or none');
  return value;
}

/** A read position in bytes. Reading past the end throws a RangeError. */
export class Cursor {
  offset = 0;
  private readonly view: DataView;

  constructor(view: DataView) {
    this.view = view;
  }

  get left(): number {
    return this.view.byteLength - this.offset;
  }

  uint8(): number {
    return this.view.getUint8(this.offset++);
  }

  uint32(): number {
    return this.take(4).getUint32(0, true);
  }

  take(size: number): DataView {
    if (size > this.left) throw new RangeError('cut off');
    const { buffer, byteOffset } = this.view;
    const part = new DataView(buffer, byteOffset + this.offset, size);
    this.offset += size;
    return part;
  }

  varint(): number {
    const value = this.long();
    if (value >= 2n ** 32n) throw damaged('a number is too large');
    return Number(value);
  }

  zigzag(): bigint {
    const value = this.long();
    return (value >> 1n) ^ -(value & 1n);
  }

  private long(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.uint8();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw damaged('a number does not end');
  }
}

/** The error for a file that contradicts itself. */
export function damaged(how: string): Unreadable {
  return new Unreadable(`the file is damaged: ${how}`);
}

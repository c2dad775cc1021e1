/** Records of SQLite 3 (sqlite.org/fileformat2.html, section 2.1), and the numbers of variable length in them. */
import { defined } from '../../defined.ts';

const UTF8 = new TextEncoder();

/** A value of a row: a bigint is stored as INTEGER, a number as REAL. */
export type Value = null | bigint | number | string | Uint8Array;

/** A record in SQLite's format: the types of its values, then their bytes. */
export function encodeRecord(values: readonly Value[]): Uint8Array<ArrayBuffer> {
  const bodies = values.map((value) => (typeof value === 'string' ? UTF8.encode(value) : value));
  const types = values.map((value, i) => serialType(value, defined(bodies[i])));
  let header = types.reduce((sum, { type }) => sum + varintLength(type), 0);
  // The header's length includes itself.
  header += header < 127 ? 1 : 2;
  const record = new Uint8Array(types.reduce((sum, { length }) => sum + length, header));
  const view = new DataView(record.buffer);
  let at = putVarint(record, 0, header);
  for (const { type } of types) at = putVarint(record, at, type);
  bodies.forEach((body, i) => {
    const { length } = defined(types[i]);
    if (body instanceof Uint8Array) record.set(body, at);
    else if (typeof body === 'number') view.setFloat64(at, body);
    else if (typeof body === 'bigint') {
      for (let b = 0; b < length; b++) record[at + b] = Number((body >> BigInt(8 * (length - 1 - b))) & 255n);
    }
    at += length;
  });
  return record;
}

function serialType(value: Value, body: null | bigint | number | Uint8Array): { type: number; length: number } {
  if (body === null) return { type: 0, length: 0 };
  if (body instanceof Uint8Array)
    return { type: 2 * body.length + (typeof value === 'string' ? 13 : 12), length: body.length };
  if (typeof body === 'number') return { type: 7, length: 8 };
  if (body === 0n || body === 1n) return { type: body === 0n ? 8 : 9, length: 0 };
  const lengths = [1, 2, 3, 4, 6, 8];
  const type = lengths.findIndex((length) => BigInt.asIntN(8 * length, body) === body) + 1;
  if (type === 0) throw new RangeError('an integer of more than 64 bits');
  return { type, length: defined(lengths[type - 1]) };
}

/** The bytes of an integer within 2^53 as a varint; nine for a negative one. */
export function varintLength(value: number): number {
  if (value < 0) return 9;
  let length = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length++;
  return length;
}

/**
 * Writes an integer as a varint: seven bits per byte, highest first, eight bits in a ninth byte. Returns the offset
 * after it.
 */
export function putVarint(bytes: Uint8Array, at: number, value: number): number {
  const end = at + varintLength(value);
  if (value < 0) {
    let rest = BigInt.asUintN(64, BigInt(value));
    bytes[end - 1] = Number(rest & 255n);
    rest >>= 8n;
    for (let i = end - 2; i >= at; i--, rest >>= 7n) bytes[i] = Number(rest & 127n) | 128;
    return end;
  }
  let rest = value;
  for (let i = end - 1; i >= at; i--) {
    bytes[i] = (rest % 128) | (i === end - 1 ? 0 : 128);
    rest = Math.floor(rest / 128);
  }
  return end;
}

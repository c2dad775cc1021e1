import { Unreadable } from '../reading/document.ts';
import { Cursor, damaged, requireCount } from './thrift.ts';

export const ENCODINGS = {
  plain: 0,
  plainDictionary: 2,
  rle: 3,
  delta: 5,
  deltaLength: 6,
  deltaBytes: 7,
  rleDictionary: 8,
  split: 9,
};

/** The type of a column's values, and how deeply they may be nested. */
export interface Shape {
  readonly type: string;
  readonly width: number;
  readonly definition: number;
  readonly repetition: number;
}

/** Bytes that values of dictionaries, and unpacked pages, may still take. */
export interface Repeated {
  left: number;
  pages: number;
}

/** A page with uncompressed levels and values. */
export interface Page {
  readonly type: number;
  readonly values: number;
  readonly encoding: number;
  /** Sizes of the levels in the body of a version 2 page; null when they precede the values, each with its length. */
  readonly levels: { readonly repetition: number; readonly definition: number; readonly nulls: number } | null;
  readonly body: DataView;
}

/**
 * Checks the levels and values of a data page. `known` has the bytes of each value in the dictionary, null without one.
 */
export function checkValues(
  { values, encoding, levels, body }: Page,
  shape: Shape,
  known: readonly number[] | null,
  repeated: Repeated,
): void {
  const at = new Cursor(body);
  const present = (most: number, length: number | undefined): number => {
    if (most === 0) return values;
    const end = at.offset + (length ?? at.uint32()) + (length === undefined ? 4 : 0);
    const found = readRuns(at, bits(most), values, most);
    if (at.offset > end || end > body.byteLength) throw damaged('levels are longer than they say');
    at.offset = end;
    return found;
  };
  present(shape.repetition, levels?.repetition);
  const full = present(shape.definition, levels?.definition);
  const left = levels && shape.definition > 0 ? values - levels.nulls : full;
  if (left !== full) throw damaged('a page has another number of nulls than it says');
  if (encoding === ENCODINGS.plain) {
    checkPlain(at, shape, left);
    return;
  }
  if (encoding === ENCODINGS.rleDictionary || encoding === ENCODINGS.plainDictionary) {
    if (known === null) throw damaged('its dictionary is missing');
    const width = at.uint8();
    if (left > 0 && known.length === 0) throw damaged('its dictionary is empty');
    if (width > 32) throw damaged('a dictionary has numbers of more than 32 bits');
    const spend = (value: number, times: number): void => {
      repeated.left -= (known[value] ?? 0) * times;
      if (repeated.left < 0) throw new Unreadable('its rows repeat large values too often: it would not fit in memory');
    };
    if (width > 0) readRuns(at, width, left, known.length - 1, spend);
    else spend(0, left);
    return;
  }
  if (encoding === ENCODINGS.rle && shape.type === 'BOOLEAN') {
    at.uint32();
    readRuns(at, 1, left, 1);
    return;
  }
  if (encoding === ENCODINGS.split && shape.width > 0) {
    at.take(left * shape.width);
    return;
  }
  if (encoding === ENCODINGS.delta && (shape.type === 'INT32' || shape.type === 'INT64')) {
    checkDelta(at, left, null);
    return;
  }
  if (encoding === ENCODINGS.deltaLength && shape.type === 'BYTE_ARRAY') {
    let sum = 0;
    checkDelta(at, left, (length) => {
      sum += requireCount(length);
    });
    at.take(sum);
    return;
  }
  throw new Unreadable(
    `a column is encoded in a way that is not read (${encoding}): write it plain or with a dictionary`,
  );
}

/** Checks plain values, and returns the bytes of each; none for BOOLEAN, which has no dictionaries. */
export function checkPlain(at: Cursor, { type, width }: Shape, values: number): number[] {
  if (type === 'BOOLEAN') {
    at.take(Math.ceil(values / 8));
    return [];
  }
  if (type === 'BYTE_ARRAY') {
    const lengths: number[] = [];
    for (let i = 0; i < values; i++) lengths.push(at.take(at.uint32()).byteLength);
    return lengths;
  }
  at.take(values * width);
  return Array<number>(values).fill(width);
}

/**
 * Reads `values` numbers of `width` bits, run-length encoded or bit-packed, and returns how many equal `most`.
 * Calls `each`, if given, with every number and how often it follows itself.
 * @throws Unreadable when one is higher than `most`, or when their number differs
 */
function readRuns(
  at: Cursor,
  width: number,
  values: number,
  most: number,
  each?: (value: number, times: number) => void,
): number {
  let highest = 0;
  for (let seen = 0; seen < values; ) {
    const header = at.varint();
    const size = header >>> 1;
    if ((header & 1) === 0) {
      if (size === 0 || size > values - seen) throw damaged('a run is longer than its page');
      let value = 0;
      for (let b = 0; b < Math.ceil(width / 8); b++) value += at.uint8() * 2 ** (8 * b);
      if (value > most) throw damaged('a number is higher than the highest');
      if (value === most) highest += size;
      each?.(value, size);
      seen += size;
      continue;
    }
    const own = Math.min(8 * size, values - seen);
    if (own === 0 || 8 * size - own > 7) throw damaged('packed numbers are longer than their page');
    // Some writers omit the unused bytes at the end.
    const packed = at.take(Math.max(Math.ceil((own * width) / 8), Math.min(size * width, at.left)));
    for (let i = 0, bit = 0; i < own; i++, bit += width) {
      const value = bitsAt(packed, bit, width);
      if (value > most) throw damaged('a number is higher than the highest');
      if (value === most) highest++;
      each?.(value, 1);
    }
    seen += own;
  }
  return highest;
}

/** Checks delta-encoded numbers. Calls `each`, if given, with every number; they may then have at most 32 bits. */
function checkDelta(at: Cursor, values: number, each: ((value: number) => void) | null): void {
  const [block, minis, total] = [at.varint(), at.varint(), at.varint()];
  if (minis === 0 || block === 0 || block > 2 ** 20 || block % (32 * minis) !== 0 || total !== values) {
    throw damaged('differences are in blocks of no size');
  }
  const size = block / minis;
  let value = Number(at.zigzag());
  if (values > 0) each?.(value);
  for (let seen = 1; seen < values; ) {
    const least = Number(at.zigzag());
    const widths = at.take(minis);
    for (let m = 0; m < minis && seen < values; m++) {
      const width = widths.getUint8(m);
      if (width > (each ? 32 : 64)) throw damaged('a difference has too many bits');
      const packed = at.take((size * width) / 8);
      for (let i = 0; i < size && seen < values; i++, seen++) {
        if (!each) continue;
        value += least + bitsAt(packed, i * width, width);
        each(value);
      }
    }
  }
}

/** A number of up to 32 bits, lowest bit first. */
function bitsAt(bytes: DataView, bit: number, width: number): number {
  let value = 0;
  for (let done = 0; done < width; ) {
    const from = (bit + done) & 7;
    const some = Math.min(8 - from, width - done);
    value += ((bytes.getUint8((bit + done) >> 3) >> from) & ((1 << some) - 1)) * 2 ** done;
    done += some;
  }
  return value;
}

const bits = (most: number): number => 32 - Math.clz32(most);

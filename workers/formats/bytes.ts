/**
 * A growing buffer of text, and the writing of coordinates into it.
 *
 * Digits are copied four at a time from tables, with one 32-bit store each. A store may write up to seven bytes past
 * the end of its text, which the next store overwrites; every writing method reserves room for that first.
 */

import { type Limits, TooLarge, throwIfCancelled } from '../cancel.ts';

/** 1e-7 degrees in a degree. */
const DEGREE = 10_000_000;

/** Points between two checks for room. */
const BLOCK = 4096;

/** The longest point: two numbers such as -214.7483648, the byte between them, and a separator of four bytes. */
const POINT_BYTES = 2 * 12 + 1 + 4;

/** Bytes of a point of a line at most: a command and two numbers with sign, ten digits, point and seven digits. */
const STEP_BYTES = 1 + 2 * 24;
/** 32-bit floats hold integers up to this exactly. */
const FLOAT_INTEGERS = 2 ** 24;
/** Points of which one is absolute in a line beyond that. */
const ANCHORED = 16;
/** The commands M, l and L. */
const [FIRST, RELATIVE, ABSOLUTE] = [0x4d, 0x6c, 0x4c];

/** Room for stores that write past the end. */
const SLACK = 8;

/** i as four decimal digits, zero-padded, packed so that a little-endian store writes them in order. */
const PADDED = new Uint32Array(10_000);

/** i as one to four decimal digits, packed in the same way, and the number of digits. */
const PLAIN = new Uint32Array(10_000);
const PLAIN_LENGTH = new Uint8Array(10_000);

/** i and a decimal point (the whole degrees of any 32-bit coordinate), and its length in bytes. */
const WHOLE = new Uint32Array(256);
const WHOLE_LENGTH = new Uint8Array(256);

/**
 * KEPT[k][i]: how many of the four digits of i remain when only the first k are kept and trailing zeros are dropped.
 */
const KEPT = Array.from({ length: 5 }, () => new Uint8Array(10_000));

function pack(text: string): number {
  let packed = 0;
  for (let i = 0; i < text.length; i++) packed |= text.charCodeAt(i) << (8 * i);
  return packed;
}

for (let i = 0; i < 10_000; i++) {
  const plain = String(i);
  const padded = plain.padStart(4, '0');
  PADDED[i] = pack(padded);
  PLAIN[i] = pack(plain);
  PLAIN_LENGTH[i] = plain.length;
  for (let k = 0; k <= 4; k++) KEPT[k][i] = padded.slice(0, k).replace(/(?<!0)0+$/, '').length;
}
for (let i = 0; i < WHOLE.length; i++) {
  WHOLE[i] = pack(`${i}.`);
  WHOLE_LENGTH[i] = String(i).length + 1;
}

const UTF8 = new TextEncoder();

/** ASCII text that is written often, encoded once. */
export function literal(text: string): Uint8Array {
  return UTF8.encode(text);
}

/** The characters around the two numbers of a point; one layout per format. */
export interface PointLayout {
  /** Latitude before longitude, as in EPSG:4326. */
  readonly latitudeFirst: boolean;
  /** The character code between the two numbers. */
  readonly between: number;
  /** The one to four ASCII characters between two points. */
  readonly separator: string;
}

/** How a number of digits is applied: half a unit of the last digit, and the kept digits per group of four. */
interface Rounding {
  readonly half: number;
  readonly keptHigh: Uint8Array;
  readonly keptLow: Uint8Array;
}

/** Indexed by digits. The halves are integers, so adding one stays integer arithmetic. */
const ROUNDINGS: readonly Rounding[] = [5_000_000, 500_000, 50_000, 5_000, 500, 50, 5, 0].map((half, digits) => ({
  half,
  keptHigh: KEPT[Math.min(digits, 4)],
  keptLow: KEPT[Math.max(digits - 4, 0)],
}));

function rounding(digits: number): Rounding {
  const found = ROUNDINGS[digits];
  if (found === undefined) throw new RangeError(`digits must be 0 to 7: ${digits}`);
  return found;
}

/**
 * Writes one coordinate (1e-7 degrees) at offset `place` and returns the offset after it. Adds half a unit to the
 * magnitude and truncates, which rounds half away from zero.
 */
function putDegrees(
  view: DataView,
  place: number,
  value: number,
  half: number,
  keptHigh: Uint8Array,
  keptLow: Uint8Array,
): number {
  let at = place;
  if (value < 0) view.setUint8(at++, 0x2d);
  const sign = value >> 31;
  const magnitude = (value ^ sign) - sign + half;
  const whole = (magnitude / DEGREE) | 0;
  const fraction = magnitude - whole * DEGREE;
  const high = (fraction / 1000) | 0;
  // Three digits remain: multiplied by ten, they are the first three of a group of four.
  const low = (fraction - high * 1000) * 10;
  view.setUint32(at, WHOLE[whole], true);
  at += WHOLE_LENGTH[whole];
  view.setUint32(at, PADDED[high], true);
  const lowKept = keptLow[low];
  if (lowKept !== 0) {
    view.setUint32(at + 4, PADDED[low], true);
    return at + 4 + lowKept;
  }
  const highKept = keptHigh[high];
  if (highKept !== 0) return at + highKept;
  if (whole !== 0) return at - 1;
  // All digits are zero: writes a plain 0, over a minus sign if there is one.
  view.setUint8(place, 0x30);
  return place + 1;
}

/**
 * Texts of at most this many bytes are written into memory that is used again, and copied when they are finished: that
 * costs less than new memory, which has to be zeroed and is mostly longer than the text.
 */
const SCRATCH_BYTES = 1 << 18;
/** The memory; undefined while a writer has it, as after a writer that was never finished: the next one makes another. */
let scratch: Uint8Array<ArrayBuffer> | undefined;

/** A growing buffer of text. Do not use it after `finish`. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length = 0;
  /** Whether `#bytes` is the scratch. */
  #scratch: boolean;
  readonly #limits: Limits | undefined;

  /**
   * @param capacity initial bytes; a good guess avoids the copying that growing costs
   * @param limits ends writing with TooLarge, or with the AbortError of a canceled task; checked every few thousand
   * points
   */
  constructor(capacity: number, limits?: Limits) {
    this.#limits = limits;
    const bytes = Math.max(64, Math.ceil(this.#bounded(capacity)));
    this.#scratch = bytes <= SCRATCH_BYTES;
    if (this.#scratch) {
      this.#bytes = scratch ?? new Uint8Array(SCRATCH_BYTES);
      scratch = undefined;
    } else this.#bytes = new Uint8Array(bytes);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Limits the capacity to the most that may be written, plus the block that exceeds it. */
  #bounded(capacity: number): number {
    return this.#limits ? Math.min(capacity, this.#limits.maxBytes + BLOCK * POINT_BYTES) : capacity;
  }

  #check(limits: Limits): void {
    try {
      throwIfCancelled(limits.isCancelled);
      if (this.#length > limits.maxBytes) throw new TooLarge(this.#length);
    } catch (error) {
      this.#giveBack();
      throw error;
    }
  }

  /** Lets other writers have the scratch. */
  #giveBack(): void {
    if (this.#scratch) scratch = this.#bytes;
    this.#scratch = false;
  }

  /**
   * Reserves `count` more bytes.
   * @throws TooLarge beyond the limit
   * @throws DOMException named AbortError when canceled
   */
  ensure(count: number): void {
    if (this.#limits) this.#check(this.#limits);
    const needed = this.#length + count + SLACK;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, Math.ceil(this.#bounded(this.#bytes.length * 1.5))));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#giveBack();
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }

  /** Appends text of ASCII characters only (not checked); for the writers' own short literals. */
  ascii(text: string): void {
    this.ensure(text.length);
    const bytes = this.#bytes;
    const at = this.#length;
    for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
    this.#length = at + text.length;
  }

  /** Appends bytes unchanged. */
  raw(bytes: Uint8Array): void {
    this.ensure(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Appends an integer from 0 to 99,999,999. */
  integer(value: number): void {
    this.ensure(8);
    this.#length = putInteger(this.#view, this.#length, value);
  }

  /** Appends any text as UTF-8; a lone surrogate becomes U+FFFD. */
  utf8(text: string): void {
    this.ensure(3 * text.length);
    this.#length += UTF8.encodeInto(text, this.#bytes.subarray(this.#length)).written;
  }

  /**
   * Appends one coordinate in degrees: no exponent, no trailing zeros, no "-0".
   *
   * @param value 1e-7 degrees, a 32-bit integer
   * @param digits decimal places, 0 … 7; rounds half away from zero
   */
  degrees(value: number, digits: number): void {
    const { half, keptHigh, keptLow } = rounding(digits);
    this.ensure(POINT_BYTES);
    this.#length = putDegrees(this.#view, this.#length, value, half, keptHigh, keptLow);
  }

  /**
   * Appends the points `first … end - 1` of interleaved longitudes and latitudes (1e-7 degrees), with the layout's
   * separator between them (none before the first or after the last). Numbers are written as by `degrees`.
   */
  points(coords: Int32Array, first: number, end: number, digits: number, layout: PointLayout): void {
    if (end <= first) return;
    const { half, keptHigh, keptLow } = rounding(digits);
    const { between } = layout;
    const separator = pack(layout.separator);
    const separatorLength = layout.separator.length;
    const one = layout.latitudeFirst ? 1 : 0;
    const two = 1 - one;
    for (let block = first; block < end; block += BLOCK) {
      const stop = Math.min(end, block + BLOCK);
      this.ensure((stop - block) * POINT_BYTES);
      const view = this.#view;
      let at = this.#length;
      for (let v = block; v < stop; v++) {
        at = putDegrees(view, at, coords[2 * v + one], half, keptHigh, keptLow);
        view.setUint8(at, between);
        at = putDegrees(view, at + 1, coords[2 * v + two], half, keptHigh, keptLow);
        view.setUint32(at, separator, true);
        at += separatorLength;
      }
      this.#length = at;
    }
    this.#length -= separatorLength;
  }

  /**
   * Appends the points `first … end - 1` of interleaved whole numbers as an SVG line: "M" and the first point, "l" and
   * the steps to the others. Each number is divided by `unit` (1, 10, 100 … 1e7), exactly, as a decimal. Zero steps are
   * left out. Every ANCHORED-th point of a line that 32-bit floats do not hold is absolute, so that the rounding errors
   * of a browser do not add up.
   */
  line(grid: Int32Array | Float64Array, first: number, end: number, unit: number): void {
    let x = grid[2 * first];
    let y = grid[2 * first + 1];
    const far = FLOAT_INTEGERS * unit;
    this.ensure(STEP_BYTES);
    this.#length = putPoint(this.#view, this.#length, FIRST, x, y, unit);
    let command = 0;
    let beyond = 0;
    for (let block = first + 1; block < end; block += BLOCK) {
      const stop = Math.min(end, block + BLOCK);
      this.ensure((stop - block) * STEP_BYTES);
      const view = this.#view;
      let at = this.#length;
      for (let v = block; v < stop; v++) {
        const toX = grid[2 * v];
        const toY = grid[2 * v + 1];
        if (toX === x && toY === y) continue;
        if ((toX > far || toY > far) && ++beyond % ANCHORED === 0) {
          at = putPoint(view, at, ABSOLUTE, toX, toY, unit);
          command = ABSOLUTE;
        } else {
          if (command !== RELATIVE) view.setUint8(at++, RELATIVE);
          command = RELATIVE;
          at = putStep(view, at, toX - x, unit);
          at = putStep(view, at, toY - y, unit);
        }
        x = toX;
        y = toY;
      }
      this.#length = at;
    }
  }

  /**
   * The bytes written, as a view of a buffer that is at most 1/8 longer: moving them to another thread rarely needs a
   * copy first.
   */
  finish(): Uint8Array<ArrayBuffer> {
    if (this.#limits) this.#check(this.#limits);
    const spare = this.#bytes.length - this.#length;
    const whole = !this.#scratch && spare * 8 <= this.#length;
    const bytes = whole ? this.#bytes.subarray(0, this.#length) : this.#bytes.slice(0, this.#length);
    this.#giveBack();
    return bytes;
  }
}

/** putQuotient() of a value that mostly is short and a multiple of the unit. */
function putStep(view: DataView, place: number, value: number, unit: number): number {
  const step = unit === 1 ? value : value / unit;
  const whole = step | 0;
  if (whole !== step || whole >= 1e8 || whole <= -1e8) return putQuotient(view, place, value, unit);
  view.setUint8(place, whole < 0 ? 0x2d : 0x20);
  const sign = whole >> 31;
  return putInteger(view, place + 1, (whole ^ sign) - sign);
}

/** Writes a command and an absolute point, which is not negative; returns the offset after it. */
function putPoint(view: DataView, place: number, command: number, x: number, y: number, unit: number): number {
  const at = putQuotient(view, place, x, unit);
  // In the place of the space before the first number.
  view.setUint8(place, command);
  return putQuotient(view, at, y, unit);
}

/**
 * Writes the quotient of a whole number of magnitude below 2^53 and a power of ten after a space or its minus sign;
 * returns the offset after it.
 */
function putQuotient(view: DataView, place: number, value: number, unit: number): number {
  const magnitude = Math.abs(value);
  const whole = unit === 1 ? magnitude : Math.floor(magnitude / unit);
  view.setUint8(place, value < 0 ? 0x2d : 0x20);
  const at = whole < 1e8 ? putInteger(view, place + 1, whole) : putLarge(view, place + 1, whole);
  let rest = magnitude - whole * unit;
  if (rest === 0) return at;
  view.setUint8(at, 0x2e);
  let end = at + 1;
  for (let part = unit / 10; rest > 0; part /= 10) {
    const digit = Math.floor(rest / part);
    view.setUint8(end++, 0x30 + digit);
    rest -= digit * part;
  }
  return end;
}

/** Writes an integer from 1e8; returns the offset after it. */
function putLarge(view: DataView, place: number, value: number): number {
  const high = Math.floor(value / 1e8);
  const at = putInteger(view, place, high);
  const low = value - high * 1e8;
  const middle = (low / 10_000) | 0;
  view.setUint32(at, PADDED[middle], true);
  view.setUint32(at + 4, PADDED[low - middle * 10_000], true);
  return at + 8;
}

/** Writes an integer from 0 to 99,999,999; returns the offset after it. */
function putInteger(view: DataView, place: number, value: number): number {
  if (value < 10_000) {
    view.setUint32(place, PLAIN[value], true);
    return place + PLAIN_LENGTH[value];
  }
  const high = (value / 10_000) | 0;
  const at = place + PLAIN_LENGTH[high];
  view.setUint32(place, PLAIN[high], true);
  view.setUint32(at, PADDED[value - high * 10_000], true);
  return at + 4;
}

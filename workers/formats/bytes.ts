/** A growing buffer of text, and the writing of coordinates into it. */

import { type Limits, TooLarge, throwIfCanceled } from '../cancel.ts';
import type { Polygons } from '../contract.ts';
import { defined } from '../defined.ts';
import { pack, putDegrees, putInteger, putPoint, putStep, rounding } from './digits.ts';

/** The digits at which the text of a piece is kept: those of all formats of text. */
const PIECE_DIGITS = 7;

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

/**
 * Texts of at most this many bytes are written into memory that is used again, and copied when they are finished: that
 * costs less than new memory, which has to be zeroed and is mostly longer than the text.
 */
const SCRATCH_BYTES = 1 << 18;
/** The memory; undefined while a writer has it, as after a writer that was never finished: the next one makes another. */
let scratch: Uint8Array<ArrayBuffer> | undefined;

/** Vertices that are written as points. */
type Points = Pick<Polygons, 'coords' | 'pieces'>;

/** The text of all points at PIECE_DIGITS, with the layout's separator behind each. */
function textOf(coords: Int32Array, layout: PointLayout): Uint8Array {
  const out = new ByteWriter((coords.length / 2) * POINT_BYTES);
  out.points({ coords }, 0, coords.length / 2, PIECE_DIGITS, layout);
  out.ascii(layout.separator);
  return out.finish();
}

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
      throwIfCanceled(limits.isCanceled);
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
   * separator between them (none before the first or after the last). Numbers are written as by `degrees`. The texts of
   * pieces are copied.
   */
  points({ coords, pieces }: Points, first: number, end: number, digits: number, layout: PointLayout): void {
    if (end <= first) return;
    let start = first;
    if (pieces !== undefined && digits === PIECE_DIGITS) start = this.#pieces(pieces, first, layout);
    const { half, keptHigh, keptLow } = rounding(digits);
    const { between } = layout;
    const separator = pack(layout.separator);
    const separatorLength = layout.separator.length;
    const one = layout.latitudeFirst ? 1 : 0;
    const two = 1 - one;
    for (let block = start; block < end; block += BLOCK) {
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
   * Appends the pieces that follow each other from a point on, with a separator behind each point; returns the next point
   */
  #pieces({ list, first }: NonNullable<Points['pieces']>, from: number, layout: PointLayout): number {
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (defined(first[middle]) < from) low = middle + 1;
      else high = middle;
    }
    let point = from;
    for (; first[low] === point; low++) {
      const piece = defined(list[low]);
      let text = piece.texts.get(layout);
      if (text === undefined) {
        text = textOf(piece.coords, layout);
        piece.texts.set(layout, text);
      }
      this.raw(text);
      point += piece.coords.length / 2;
    }
    return point;
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

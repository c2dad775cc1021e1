/**
 * Numbers as decimal text, written into a view of bytes. Digits are copied four at a time from tables, with one 32-bit store
 * each: a store may write up to seven bytes past the end of its text, which the next store overwrites. Callers reserve room.
 */

/** 1e-7 degrees in a degree. */
const DEGREE = 10_000_000;

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

/** Up to four ASCII characters as the number whose little-endian store writes them in order. */
export function pack(text: string): number {
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

/** How numbers are rounded to so many decimal places, 0 to 7. @throws RangeError for others */
export function rounding(digits: number): Rounding {
  const found = ROUNDINGS[digits];
  if (found === undefined) throw new RangeError(`digits must be 0 to 7: ${digits}`);
  return found;
}

/**
 * Writes one coordinate (1e-7 degrees) at offset `place` and returns the offset after it. Adds half a unit to the
 * magnitude and truncates, which rounds half away from zero.
 */
export function putDegrees(
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

/** putQuotient() of a value that mostly is short and a multiple of the unit. */
export function putStep(view: DataView, place: number, value: number, unit: number): number {
  const step = unit === 1 ? value : value / unit;
  const whole = step | 0;
  if (whole !== step || whole >= 1e8 || whole <= -1e8) return putQuotient(view, place, value, unit);
  view.setUint8(place, whole < 0 ? 0x2d : 0x20);
  const sign = whole >> 31;
  return putInteger(view, place + 1, (whole ^ sign) - sign);
}

/** Writes a command and an absolute point, which is not negative; returns the offset after it. */
export function putPoint(view: DataView, place: number, command: number, x: number, y: number, unit: number): number {
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
export function putInteger(view: DataView, place: number, value: number): number {
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

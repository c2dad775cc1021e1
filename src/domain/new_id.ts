import { randomBytes } from 'node:crypto';

/** Crockford's base 32: no I, L, O, U. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a new opaque id: `prefix_` and a ULID (48 bits of milliseconds, 80 random bits). Sorts by creation time. */
export function newId(prefix: string): string {
  let time = Date.now();
  let text = '';
  for (let i = 0; i < 10; i++) {
    text = DIGITS[time % 32] + text;
    time = Math.floor(time / 32);
  }
  // One random byte for each of the 16 digits: its low 5 bits, all values equally likely.
  for (const byte of randomBytes(16)) text += DIGITS[byte & 31];
  return `${prefix}_${text}`;
}

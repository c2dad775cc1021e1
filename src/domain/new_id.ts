import { randomBytes } from 'node:crypto';

/** Crockford's base 32: no I, L, O, U. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A new opaque id: `prefix_` and a ULID (48 bits of milliseconds, 80 random bits), so that ids sort by time of making. */
export function newId(prefix: string): string {
  let time = Date.now();
  let text = '';
  for (let i = 0; i < 10; i++) {
    text = DIGITS[time % 32] + text;
    time = Math.floor(time / 32);
  }
  // 16 bytes for 16 digits: 5 bits are taken of each, all of them equally likely.
  for (const byte of randomBytes(16)) text += DIGITS[byte & 31];
  return `${prefix}_${text}`;
}

import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'bnd_live_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_DIGITS = 30;
const CHECK_DIGITS = 6;
/** Characters of a key that lists show: enough to recognize it, far too little to guess the rest. */
const SHOWN = PREFIX.length + 8;

/** A new key, and what is stored of it. */
export interface KeyRecord {
  /** The whole key, shown once. */
  readonly key: string;
  readonly prefix: string;
  /** SHA-256 in hexadecimal. A secret of 178 random bits needs no slow hash. */
  readonly hash: string;
}

/** Creates a key: `bnd_live_`, 30 random base-62 digits, and 6 that are the CRC-32 of all before them. */
export function newKey(): KeyRecord {
  let key = PREFIX;
  for (let i = 0; i < SECRET_DIGITS; i++) key += DIGITS[randomInt(DIGITS.length)];
  key += checkDigits(key);
  return { key, prefix: key.slice(0, SHOWN), hash: hashKey(key) };
}

/** Whether the text has the form of a key: a mistyped or made-up one is refused without a query. */
export function isKey(text: string): boolean {
  const body = text.length - CHECK_DIGITS;
  return (
    body === PREFIX.length + SECRET_DIGITS &&
    text.startsWith(PREFIX) &&
    /^[0-9A-Za-z]+$/.test(text.slice(PREFIX.length)) &&
    text.slice(body) === checkDigits(text.slice(0, body))
  );
}

/** SHA-256 of a key in hexadecimal, by which keys are looked up. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

function checkDigits(text: string): string {
  let sum = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECK_DIGITS; i++) {
    digits = DIGITS[sum % DIGITS.length] + digits;
    sum = Math.floor(sum / DIGITS.length);
  }
  return digits;
}

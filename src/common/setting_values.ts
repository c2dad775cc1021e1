import { defined } from './elements.ts';

/** Parses the text of an environment variable. @throws Unusable, which says what the text must be */
export type Read<T> = (text: string) => T;
/** The same for a variable that may be unset. */
export type Setting<T> = (text: string | undefined) => T;

/** A value that cannot be used; the message begins with "must". */
export class Unusable extends Error {}

/** A variable that is `standard` when unset. */
export const withDefault = <T>(read: Read<T>, standard: T): Setting<T> => {
  return (text) => (text === undefined ? standard : read(text));
};

/** A variable that may be unset. */
export const optional = <T>(read: Read<T>): Setting<T | undefined> => {
  return (text) => (text === undefined ? undefined : read(text));
};

/** Accepts text for which `isFit` is true; `message` begins with "must". */
export function checked(isFit: (text: string) => boolean, message: string): Read<string> {
  return (text) => {
    if (!isFit(text)) throw new Unusable(message);
    return text;
  };
}

/** A whole number written in digits. */
export function whole(minimum: number, maximum: number): Read<number> {
  const fits = (text: string) => /^\d{1,16}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
  const read = checked(fits, `must be a whole number from ${minimum} to ${maximum}`);
  return (text) => Number(read(text));
}

const UNITS: Readonly<Record<string, number>> = { '': 1, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40 };

/** A size in bytes: plain, or with a unit (`256MiB`, `256 MiB`). @throws Unusable */
export const readSize: Read<number> = (text) => {
  const [, digits, unit = ''] = /^(\d{1,16})\s*([kmgt]ib)?$/i.exec(text) ?? [];
  const bytes = Number(digits) * defined(UNITS[unit.toLowerCase()]);
  if (!Number.isSafeInteger(bytes)) throw new Unusable('must be a size such as 256MiB or 1GiB (or a number of bytes)');
  return bytes;
};

/** A URL with one of these protocols (`https:`). */
export function url(...protocols: string[]): Read<string> {
  const fits = (text: string) => URL.canParse(text) && protocols.includes(new URL(text).protocol);
  return checked(fits, `must be a URL starting with ${protocols.join(' or ')}`);
}

/** Comma-separated values. */
export function list<T>(item: Read<T>): Read<readonly T[]> {
  return (text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(item);
}

/** One of a list of words. */
export function oneOf<T extends string>(...choices: readonly T[]): Read<T> {
  return (text) => {
    const found = choices.find((choice) => choice === text);
    if (found === undefined) throw new Unusable(`must be one of ${choices.join(', ')}`);
    return found;
  };
}

/** A number from 0 to 1. */
export const share: Read<number> = (text) => {
  if (!/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(text)) throw new Unusable('must be a number from 0 to 1');
  return Number(text);
};

/** Whether a text is `name=value` pairs that can be sent as headers. */
export function isHeaders(text: string): boolean {
  return text
    .split(',')
    .every((pair) => /^\s*[\w-]{1,100}\s*=\s*(?:[!-$&-+\--~]|%(?:[2-6][\da-f]|7[\da-e]))*\s*$/i.test(pair));
}

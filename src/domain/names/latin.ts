import anyAscii from 'any-ascii';
import { foldName } from './fold.ts';

/** A text without Latin letters and digits. */
const NOT_LATIN = /^[^\p{Script=Latin}\p{N}]+$/u;
/** Two letters of Greek for one sound. */
const GREEK: readonly (readonly [RegExp, string])[] = [
  [/ου/gu, 'u'],
  [/(?<!\p{L})μπ/gu, 'b'],
  [/(?<!\p{L})ντ/gu, 'd'],
  [/(?<!\p{L})γκ/gu, 'g'],
];
/** Letters from which a text in another script is read in Latin ones: fewer are those of many names. */
const SHORTEST = 5;

/**
 * How a folded text in another script is written in Latin letters, folded: "genova" for "γενοβα". Null for texts that have Latin
 * letters or digits, and for those of fewer than five letters.
 */
export function latinOf(folded: string): string | null {
  if (!NOT_LATIN.test(folded)) return null;
  const latin = foldName(anyAscii(GREEK.reduce((text, [letters, sound]) => text.replace(letters, sound), folded)));
  return latin.length >= SHORTEST && /^[a-z ]+$/.test(latin) ? latin : null;
}

/** Control characters, direction marks, lone surrogates, line separators, and invisible characters. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Invisible characters that spelling needs: they shape the letters or the emoji next to them. */
const SHAPING = new RegExp(
  [
    // Zero-width non-joiner in Persian and Urdu words.
    '(?<=\\p{Script=Arabic})\\u200c(?=\\p{Script=Arabic})',
    // Joiners after the virama of an Indic script.
    '(?<=[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\u1039\\u17d2])[\\u200c\\u200d](?=\\p{L})',
    // Variation selectors of Chinese characters, as in some Japanese names.
    '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
    // Emoji shown in color, and emoji joined into one.
    '(?<=\\p{Extended_Pictographic})\\ufe0f',
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  ].join('|'),
  'gu',
);

export const HIDDEN_MESSAGE = 'must not contain control, invisible or bidirectional characters';

/**
 * Whether a text contains characters that a reader cannot see, or that reorder what they see: with them, one name can
 * look like another. Joiners count as hidden except where a script or an emoji needs them.
 */
export function hasHidden(text: string): boolean {
  return HIDDEN.test(text) && HIDDEN.test(text.replace(SHAPING, ''));
}

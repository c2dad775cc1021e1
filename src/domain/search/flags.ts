import { foldName } from '../names/fold.ts';
import { isNoise, type Rewrite } from './noise.ts';

const FLAG = /([\u{1f1e6}-\u{1f1ff}])([\u{1f1e6}-\u{1f1ff}])/gu;
/** A black flag with the letters of a division as tags: England is gbeng. */
const DIVISION_FLAG = /\u{1f3f4}([\u{e0061}-\u{e007a}]{4,6})\u{e007f}/gu;
/** Words for a flag beside one, folded. */
const FLAG_WORDS: ReadonlySet<string> = new Set(['flag', 'bandera', 'drapeau', 'flagge', 'bandiera', 'emoji']);
/** Pictures of emoji and signs of brands, with what changes how they are drawn. */
const PICTURES = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{fe0e}|\u{fe0f}|\u{200d}|\u{20e3}/gu;
/** A number of a list in front of a name. */
const NUMBERED_ITEM = /^\s*\d{1,2}[.)]\s+(?=\p{L})/u;
const letterOf = (flag: string, base: number): string =>
  String.fromCharCode((flag.codePointAt(0) ?? 0) - base + 'A'.charCodeAt(0));

/**
 * Returns the query that a query with a flag means, or null if it has none: what is beside the flag, in its country, or
 * the country itself where that is nothing, or only words for a map or a border.
 * The flag of a division is written as its ISO 3166-2 code. Other pictures, and the number of a list item, are left out.
 */
export function withoutFlags(q: string): Rewrite | null {
  const codes: string[] = [];
  const plain = q
    .replace(FLAG, (_, one: string, other: string) => {
      codes.push(letterOf(one, 0x1f1e6) + letterOf(other, 0x1f1e6));
      return ' ';
    })
    .replace(DIVISION_FLAG, (_, tags: string) => {
      const letters = [...tags].map((tag) => letterOf(tag, 0xe0061)).join('');
      return ` iso:${letters.slice(0, 2)}-${letters.slice(2)} `;
    })
    .replace(PICTURES, ' ')
    .replace(NUMBERED_ITEM, '')
    .trim();
  const [code, ...more] = new Set(codes);
  if (code === undefined) return plain === q.trim() ? null : { q: plain, ignored: null };
  // Two flags name no single place.
  if (more.length > 0) return null;
  const folded = foldName(plain);
  return folded === '' || isNoise(folded) || FLAG_WORDS.has(folded)
    ? { q: `iso:${code}`, country: code, ignored: null }
    : { q: plain, country: code, ignored: null };
}

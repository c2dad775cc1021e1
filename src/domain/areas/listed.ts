import { foldName } from '../names/fold.ts';
import { mayBeIn } from './addresses.ts';
import type { Expression, LevelWord } from './algebra.ts';
import { clip } from './description_error.ts';
import { groupAt, isKeyword, nameAt, skipArticle } from './name_at.ts';
import type { Parser } from './parser.ts';
import { endsWithPlace, isAllIn, parseSharedContainer } from './qualifiers.ts';
import { said } from './wording/said.ts';

// Rules for names of one level in a list, also with typos.

/** Names of one level, listed after it: "die Kantone Wiltz und Clervaux". */
export function parseListed(p: Parser, level: LevelWord): Expression | null {
  return p.attempt((): Expression | null => {
    const from = p.at;
    const items: Expression[] = [];
    let misspelled = 0;
    do {
      const at = p.at;
      // "les villes de Cadix et de Jerez"
      if (items.length > 0 && p.v.language !== 'en' && p.v.language !== 'de') p.take(p.v.of);
      const known = nameAt(p, skipArticle(p));
      const end = known ?? misspelledAt(p, p.at);
      if (end === null || isKeyword(p, p.at, end)) {
        p.at = at;
        return null;
      }
      if (known === null) misspelled++;
      const name = p.text.slice(p.tokenAt(p.at).from, p.tokenAt(end).to);
      p.at = end + 1;
      items.push({ op: 'place', name, level, words: p.words(at) });
      // "the counties of Fulton, DeKalb and Cobb, Georgia"
      if (items.length > 1 && endsWithPlace(p) && (p.tokenAt(at - 1).folded !== ',' || isInLast(p, items))) break;
    } while (!isAllIn(p) && p.separator());
    if (items.length < 2 || misspelled === items.length) return null;
    p.unknown += misspelled;
    const within = parseSharedContainer(p);
    const of = within === null ? items : items.map((one) => ({ ...one, ...within }) as Expression);
    return { op: 'union', of, words: p.words(from) };
  });
}

/** Whether the place behind a comma that ends a list contains all of it: "counties Wallowa, Klamath, Clackamas, Oregon". */
function isInLast(p: Parser, items: readonly Expression[]): boolean {
  const at = p.at + 1;
  const end = nameAt(p, at);
  if (end === null) return false;
  const place = foldName(p.text.slice(p.tokenAt(at).from, p.tokenAt(end).to));
  const names = items.map((one) => foldName((one.op === 'place' ? one.name : undefined) ?? ''));
  if (!names.every((name) => mayBeIn(p, name, place))) return false;
  // "counties Ada, Canyon, Idaho": there is an Idaho County, too.
  if (names.some((name) => p.lexicon.relation(name, place) !== 'inside'))
    p.fail(
      'can be read in two ways together with what stands before it; put brackets around what belongs together',
      at,
      end,
    );
  p.choices.push(
    said`"${clip(p.words(at, end).text)}" is read as what contains the places before it, not as one more of them`,
  );
  return true;
}

/** What may be a misspelled name in a list, as a place; null if it is none. */
export function parseMisspelled(p: Parser): Expression | null {
  const from = p.at;
  const end = misspelledAt(p, from);
  if (end === null) return null;
  p.at = end + 1;
  p.unknown += p.at - from;
  return { op: 'place', name: p.words(from).text, words: p.words(from) };
}

/**
 * Index of the last token of what may be a misspelled name in a list: words with capitals up to the next separator. Null
 * for a group, whose members are meant.
 */
function misspelledAt(p: Parser, at: number): number | null {
  let end = at;
  while (/^\p{Lu}/u.test(p.tokens[end]?.text ?? '') && !p.isListed(end)) end++;
  return end === at || groupAt(p, at) !== null ? null : end - 1;
}

import { foldName } from '../names/fold.ts';
import { groupOf } from '../names/groups.ts';
import type { Parser } from './parser.ts';
import { foldsOf, isSmall, spansFrom } from './spans.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';
import { MIXED } from './vocabulary/mixed.ts';
import { smallWords, type Vocabulary } from './vocabulary/vocabulary.ts';

// Where names and groups are among the tokens of a description: the longest one that the lexicon has.

/** Index of the last token of the longest name that starts at a token, or null. */
export function nameAt(p: Parser, at: number): number | null {
  if (at >= p.tokens.length) return null;
  if (p.isCodeAt(at)) return at;
  for (const end of spansFrom(p.tokens, at)) {
    const folded = foldName(p.text.slice(p.tokenAt(at).from, p.tokenAt(end).to));
    if (at === end && isSmall(p.tokenAt(at))) continue;
    if (folded !== '' && p.lexicon.has(folded)) return end;
  }
  return null;
}

/** Index of the last token of a German name with genitive s, of a place or a group ("Afrikas"), or null. */
export function genitiveAt(p: Parser, at: number): number | null {
  if (at >= p.tokens.length) return null;
  for (const end of spansFrom(p.tokens, at)) {
    const [folded] = foldsOf(p.text, p.tokens, at, end);
    if (!folded?.endsWith('s')) continue;
    const name = folded.slice(0, -1);
    if (p.lexicon.has(name) || groupOf(name) !== null) return end;
  }
  return null;
}

/** Takes "of" in front of a place; in German, its genitive will do: "Nachbarn Spaniens". */
export function takeOf(p: Parser): boolean {
  return p.take(p.v.of) || (p.v.language === 'de' && genitiveAt(p, p.at) !== null);
}

/**
 * Index of the last token of the longest name of a group that starts at a token, or null; so it is if that begins the longer
 * name of a boundary: "Polinesia Francesa" is not Polynesia.
 */
export function groupAt(p: Parser, at: number): number | null {
  if (at >= p.tokens.length) return null;
  const isGroup = (end: number): boolean =>
    groupOf(p.text.slice(p.tokenAt(at).from, p.tokenAt(end).to), p.lexicon.has) !== null;
  const found = spansFrom(p.tokens, at).find(isGroup);
  return found === undefined || (nameAt(p, at) ?? found) > found ? null : found;
}

/** By language, the grammar words that stand alone where a name is expected: "and", "the". */
const KEYWORDS: ReadonlyMap<Vocabulary, ReadonlySet<string>> = new Map(
  [...VOCABULARIES, ...MIXED].map((v) => {
    const phrases = [smallWords(v), v.half, v.quarter, v.neighbors, v.capital, v.parts].flat();
    return [v, new Set(phrases.flatMap((phrase) => (phrase.length === 1 ? phrase : [])))];
  }),
);

/** Whether a single grammar word is here where a name is expected: "and", "the". */
export function isKeyword(p: Parser, at: number, end: number): boolean {
  return at === end && !p.isCodeAt(at) && KEYWORDS.get(p.v)?.has(p.tokenAt(at).folded) === true;
}

/** Goes back to a name whose article was taken with a preposition: "de las (Palmas)". */
export function backToName(p: Parser): void {
  if (p.at === 0) return;
  // "en La Rioja": Rioja is another place.
  const isWritten = nameAt(p, p.at) === null || /^\p{Lu}/u.test(p.tokenAt(p.at - 1).text);
  const end = isWritten ? nameAt(p, p.at - 1) : null;
  if (end !== null && end >= p.at) p.at--;
}

/** Passes over an article. Returns the position. */
export function skipArticle(p: Parser): number {
  p.take(p.v.articles);
  return p.at;
}

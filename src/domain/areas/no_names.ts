import { foldName } from '../names/fold.ts';
import { isKindWord } from '../search/noise.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';
import { smallWords } from './vocabulary/vocabulary.ts';

const folded = (phrases: Iterable<readonly string[]>): ReadonlySet<string> =>
  new Set([...phrases].map((phrase) => foldName(phrase.join(' '))));

/** Contracted articles, words behind a list and for islands, which no vocabulary needs. */
const MORE = 'al au aux am im zum zur beim et etc island islands isla islas insel inseln ile iles'
  .split(' ')
  .map((word) => [word]);
/** Articles of all languages. */
const ARTICLES = folded(VOCABULARIES.flatMap(({ articles }) => articles));
/** Whether a folded text is an article in some language. */
export const isArticle = (text: string): boolean => ARTICLES.has(text);
/** Grammar words of all languages: "la", "de", "al". */
const SMALL = folded([...VOCABULARIES.flatMap((v) => smallWords(v)), ...MORE]);
/** A number that counts, where longer ones are codes: "48201". */
const NUMBER = /^\d{1,3}$/;
/** Words for directions in all languages: "Eastern", "sur", "est". */
const SIDES = folded(VOCABULARIES.flatMap((v) => [...v.sides.values(), ...v.sided.values()].flat()));

/** Whether a folded text is a direction in some language. */
export const isSide = (text: string): boolean => SIDES.has(text);

/**
 * Whether the words where a name is expected are none: a grammar word in lower case, which may be a code ("la capital" is not
 * Los Angeles), an article and a kind of place ("la villa" is not Santa Fe), or without a level or a container a direction ("Eastern and Western Europe" has no part of American Samoa)
 * or a small number ("the 27" are not Minnesota, whose code that is).
 */
export function isNoName(name: string, isBare: boolean): boolean {
  const text = foldName(name);
  const [article = '', ...kind] = text.split(' ');
  const isKind = isBare && isArticle(article) && isKindWord(kind.join(' '));
  return (
    ((SMALL.has(text) || isKind) && name === name.toLowerCase()) || (isBare && (SIDES.has(text) || NUMBER.test(text)))
  );
}

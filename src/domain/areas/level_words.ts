/** Rules for the words of levels: "provinces", "Bundesländer", "countys". */

import { isCityName } from '../names/cities.ts';
import { foldName } from '../names/fold.ts';
import { LEVEL_WORDS, type LevelWord } from './algebra.ts';
import { parseCount } from './amounts.ts';
import { nameAt } from './name_at.ts';
import type { Parser } from './parser.ts';
import { parseSuperlative } from './ranks.ts';
import { spansFrom } from './spans.ts';
import { said } from './wording/said.ts';

/** The longest word for a level that is here, in the singular or plural; null if there is none. */
export function parseLevel(p: Parser, number: 'one' | 'many'): LevelWord | null {
  let best: { readonly level: LevelWord; readonly end: number } | null = null;
  for (const level of LEVEL_WORDS) {
    const end = p.find(p.v.levels.get(level)?.[number] ?? []);
    // "CO" is Colorado; "Pays-Bas" is a name.
    if (end !== null && (p.tokenAt(p.at).text === 'CO' || p.tokens[end]?.glue === '-')) continue;
    if (end !== null && (best === null || end > best.end)) best = { level, end };
  }
  best ??= misspelledLevel(p, number);
  if (best === null || (number === 'many' && beginsName(p, best.end))) return null;
  best = countyOfAlaska(p, best);
  checkOwnWord(p, number);
  p.at = best.end;
  return best.level;
}

/** Checks that a word that one division alone has for its counties or municipalities is of that. @throws DescriptionError */
function checkOwnWord(p: Parser, number: 'one' | 'many'): void {
  const word = p.tokenAt(p.at).folded;
  const isNamed = number === 'many' && /^\p{Lu}/u.test(p.tokens[p.at - 1]?.text ?? '');
  if (PARISHES.has(word) && !isNamed && !/(?<!\p{L})(?:louisianan?|luisiana|louisiane|LA)(?!\p{L})/iu.test(p.text))
    p.fail(said`is a level of ${'Louisiana'} alone; name that of the place`);
  // In Navarre and Álava they are parts of municipalities.
  if (
    CONCEJOS.has(word) &&
    !/^\P{L}*(?:(?:del? |el |la |principado )*asturias|asturian[oa]s?)(?!\p{L})/iu.test(behind(p))
  )
    p.fail(said`is a level of ${'Asturias'} alone; name that of the place`);
}
/** The text behind the word that is here. */
const behind = (p: Parser): string => p.text.slice(p.tokenAt(p.at).to);

/** Words for the municipalities of Asturias; one of them is named with its own. */
const CONCEJOS: ReadonlySet<string> = new Set(['concejos']);

/** Whether words for a level, up to a token, begin a longer name without a preposition: "Estados Unidos", "Países Bajos". */
function beginsName(p: Parser, end: number): boolean {
  const last = nameAt(p, p.at);
  return last !== null && last >= end && p.find([...p.v.of, ...p.v.and], end) === null;
}

/** The state whose counties alone the word that ends a text is for, behind names: "(Caddo and Bossier) parishes". Null for other words. */
export function onlyStateOf(text: string): string | null {
  const word = foldName(text.split(' ').at(-1) ?? '');
  return word === 'boroughs' ? 'Alaska' : PARISHES.has(word) ? 'Louisiana' : null;
}

/** Words for the counties of Louisiana. */
const PARISHES: ReadonlySet<string> = new Set([
  'parish',
  'parishes',
  'parroquia',
  'parroquias',
  'paroisse',
  'paroisses',
]);

/** Letters from which a word with one typo is read as a word for a level. */
const MISSPELLED_FROM = 5;

/**
 * The level whose word is one typo away from the one that is here, or has a wrong plural ("countys"), unless that is a
 * name: "provnces", "Conty". It counts a part of an unknown word, so that a language without typos is preferred.
 */
function misspelledLevel(
  p: Parser,
  number: 'one' | 'many',
): { readonly level: LevelWord; readonly end: number } | null {
  const token = p.tokens[p.at];
  if (token?.sort !== 'word' || token.folded.length < MISSPELLED_FROM || p.lexicon.has(token.folded)) return null;
  // Paris is not a typo in "parish", stored or not, nor is the first word of "Staten Island" one in "state".
  if (spansFrom(p.tokens, p.at).some((end) => isCityName(foldName(p.words(p.at, end).text)))) return null;
  // "region" is a word of its own, not a typo in "regions".
  for (const { one, many } of p.v.levels.values()) if (p.find(one) !== null || p.find(many) !== null) return null;
  for (const level of LEVEL_WORDS) {
    const { one = [], many = [] } = p.v.levels.get(level) ?? {};
    const words = (number === 'one' ? one : many).flatMap((words) => (words.length === 1 ? words : []));
    const plurals = number === 'one' ? [] : one.flatMap(([word, ...more]) => (more.length === 0 ? [`${word}s`] : []));
    const meant =
      plurals.includes(token.folded) || words.some((word) => isOneTypo(token.folded, word)) ? words[0] : undefined;
    if (meant === undefined) continue;
    p.choices.push(said`"${token.text}" is read as "${meant}"`);
    p.unknown += TYPO;
    return { level, end: p.at + 1 };
  }
  return null;
}
const TYPO = 0.25;

/** Whether two folded words differ by one letter lost, added, replaced or swapped with the next, not by the first one. */
export function isOneTypo(one: string, other: string): boolean {
  if (one === other || one[0] !== other[0] || Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [rest, wanted] = [one.slice(start), other.slice(start)];
  if (rest.slice(1) === wanted || rest === wanted.slice(1) || rest.slice(1) === wanted.slice(1)) return true;
  return rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
}

/** Whether two folded words differ by one letter that another one replaces, not the first. */
export const isOneReplaced = (one: string, other: string): boolean =>
  one.length === other.length &&
  isOneTypo(one, other) &&
  [...one].filter((letter, i) => letter !== other[i]).length === 1;

/** Alaska's counties are called boroughs and census areas: "boroughs" means all of them, which is said. */
function countyOfAlaska<T extends { readonly level: LevelWord; readonly end: number }>(p: Parser, found: T): T {
  if (found.level !== 'borough' || !p.tokenAt(p.at).folded.startsWith('borough')) return found;
  if (!/(?<!\p{L})(?:alaskan?|AK)(?!\p{L})/iu.test(p.text)) return found;
  p.choices.push('"boroughs" is read as all counties of Alaska, its boroughs and its census areas');
  return { ...found, level: 'county' };
}

/** "tres cantones", followed by "más grandes". */
export function parseCountedLevel(p: Parser): { readonly count: number; readonly level: LevelWord } | null {
  const count = parseCount(p);
  const level = count === null ? null : (parseLevel(p, 'many') ?? (p.isOneEach ? parseLevel(p, 'one') : null));
  return count === null || level === null ? null : { count, level };
}

/** Whether the level at `from` is unambiguously plural. */
export function isPlural(p: Parser, from: number): boolean {
  // "les plus grands pays"
  if (p.v.language === 'fr' && p.tokenAt(from).folded === 'les') return true;
  const start = p.at;
  p.at = from;
  p.take(p.v.all) || p.take(p.v.articles);
  parseSuperlative(p);
  const after = p.at;
  const many = parseLevel(p, 'many');
  p.at = after;
  const one = parseLevel(p, 'one');
  p.at = start;
  return many !== null && one === null;
}

/** A level in the singular, or a word for a city, which is a municipality. */
export const parseLevelOrCity = (p: Parser): LevelWord | null =>
  p.take(p.v.city) ? 'municipality' : parseLevel(p, 'one');

import { defined } from '../../common/elements.ts';
import { DIRECTIONS, type Direction, type Expression, LEVEL_WORDS, type LevelWord } from './algebra.ts';
import type { Parser } from './parser.ts';
import type { Token } from './tokens.ts';
import type { Language, Phrase } from './vocabulary/vocabulary.ts';

// Rules for numbers, levels, ranks and directions, which come before and after the names of places.

type Numbered = {
  readonly value: number;
  /** The factor that its words have: a million of "2 million". */
  readonly factor: number;
};

/** A ranking: how many boundaries, and by what measure. */
export interface Rank {
  readonly count: number;
  readonly by: 'area' | 'population' | null;
  readonly order: 'most' | 'least';
  /** Whether no number was given. */
  readonly single: boolean;
  /** The one at this place of the order alone: 2 for "the second largest". */
  readonly nth?: number;
}

/**
 * A number in digits or words, with its factor: "2.5 million". Null if there is none.
 * @throws DescriptionError when it can be read as two numbers
 */
export function parseNumber(p: Parser): Numbered | null {
  const start = p.at;
  const token = p.tokens[p.at];
  if (token?.sort === 'number') {
    p.at++;
    const value = numberOf(p, token, start);
    const factor = p.v.factors.get(p.tokens[p.at]?.folded ?? '');
    // "5 m" is a length: one-letter factors must be attached to the number.
    const isUnit = (p.tokens[p.at]?.folded.length ?? 0) === 1;
    if (factor === undefined || isUnit) return { value, factor: 1 };
    p.at++;
    return { value: value * factor, factor };
  }
  const value = token?.sort === 'word' ? p.v.numbers.get(token.folded) : undefined;
  if (value === undefined) return null;
  p.at++;
  const factor = p.v.factors.get(p.tokens[p.at]?.folded ?? '');
  if (factor === undefined || (p.tokens[p.at]?.folded.length ?? 0) === 1) return { value, factor: 1 };
  p.at++;
  return { value: value * factor, factor };
}

/** Parses a number. @throws DescriptionError if a sign may separate either thousands or decimals */
function numberOf(p: Parser, { text }: Token, at: number): number {
  const decimal = p.v.thousands === ',' ? '.' : ',';
  const plain = text.replace(/[\u00a0\u202f' ]/g, '');
  const groups = plain.split(p.v.thousands);
  // Only the last group may have decimals.
  const sizes = groups.slice(1).map((group) => defined(group.split(decimal)[0]));
  if (!sizes.every((group) => /^\d{3}$/.test(group)) || groups.slice(0, -1).some((group) => group.includes(decimal))) {
    p.fail('can be read as two numbers; write it without separators', at);
  }
  const parts = groups.join('').split(decimal);
  if (parts.length > 2 || (groups.length === 1 && parts[1]?.length === 3)) {
    p.fail('can be read as two numbers; write it without separators', at);
  }
  return Number(parts.join('.'));
}

/** A number of boundaries; null if none is here. @throws DescriptionError when it cannot be one */
export function parseCount(p: Parser): number | null {
  return p.attempt(() => {
    const start = p.at;
    const found = parseNumber(p);
    if (found === null) return null;
    if (!Number.isInteger(found.value) || found.value < 1 || found.value > 5000)
      p.fail('is not a valid number of boundaries (a whole number from 1 to 5000)', start);
    return found.value;
  });
}

/** "the three largest", "top 5": a rank in front of a level. Null if none is here. */
export function parseSuperlative(p: Parser): Rank | null {
  return p.attempt((): Rank | null => {
    const nth = parseNthRank(p);
    if (nth) return nth;
    const top = p.take(p.v.top);
    const count = parseCount(p);
    if (top && count === null) return null;
    const order = parseOrder(p);
    if (top && order === null) return { count: count as number, by: null, order: 'most', single: false };
    if (order === null) return null;
    return { ...order, count: count ?? 1, single: count === null };
  });
}

function parseOrder(p: Parser): Pick<Rank, 'by' | 'order'> | null {
  // Longest phrases first: "largest by population" before "largest".
  const tables = [
    [p.v.mostPeople, 'population', 'most'],
    [p.v.leastPeople, 'population', 'least'],
    [p.v.largest, 'area', 'most'],
    [p.v.smallest, 'area', 'least'],
  ] as const;
  for (const [phrases, by, order] of tables) if (p.take(phrases)) return { by, order };
  return null;
}

/** A rank behind a level, of a number given before it: "cantones más grandes". */
export function parseOrderAfter(p: Parser, count: number | null): Rank | null {
  return p.attempt((): Rank | null => {
    const order = parseOrder(p);
    return order === null ? null : { ...order, count: count ?? 1, single: count === null };
  });
}

/** "second", "2nd", "segunda", "deuxième" in front of a superlative or a level, as a number; null if none is here. */
export function parseOrdinal(p: Parser): number | null {
  const token = p.tokens[p.at];
  const ending = p.tokens[p.at + 1];
  if (token?.sort === 'number' && ending?.from === token.to && /^(?:nd|rd|th|st|a|o|e|eme)$/.test(ending.folded)) {
    const value = Number(token.text);
    if (!Number.isInteger(value) || value < 1 || value > 100) return null;
    p.at += 2;
    return value;
  }
  const value = token?.sort === 'word' ? ORDINALS[p.v.language].get(token.folded) : undefined;
  if (value === undefined) return null;
  p.at++;
  return value;
}

const FIRST_TEN: Readonly<Record<Language, string>> = {
  en: 'first second third fourth fifth sixth seventh eighth ninth tenth',
  es: 'primer segund tercer cuart quint sext septim octav noven decim',
  de: 'erst zweit dritt viert funft sechst siebt acht neunt zehnt',
  fr: 'premier deuxieme troisieme quatrieme cinquieme sixieme septieme huitieme neuvieme dixieme',
};
const ORDINAL_ENDINGS: Readonly<Record<Language, readonly string[]>> = {
  en: [''],
  es: ['', 'o', 'a'],
  de: ['e', 'en', 'er'],
  fr: [''],
};
const ORDINALS: Readonly<Record<Language, ReadonlyMap<string, number>>> = {
  en: ordinals('en'),
  es: ordinals('es'),
  de: ordinals('de'),
  fr: ordinals('fr'),
};

function ordinals(language: Language): ReadonlyMap<string, number> {
  return new Map(
    FIRST_TEN[language]
      .split(' ')
      .flatMap((stem, i) => ORDINAL_ENDINGS[language].map((ending) => [stem + ending, i + 1] as const)),
  );
}

/** "zweitgrößte": an ordinal and a superlative in one word. */
export function parseOrdinalOrder(p: Parser): (Pick<Rank, 'by' | 'order'> & { readonly nth: number }) | null {
  if (p.v.language !== 'de') return null;
  const folded = p.tokens[p.at]?.folded ?? '';
  const [, stem = '', rest = ''] =
    /^(zweit|dritt|viert|funft|sechst|siebt|acht|neunt|zehnt)(\p{L}{4,})$/u.exec(folded) ?? [];
  const nth = FIRST_TEN.de.split(' ').indexOf(stem) + 1;
  if (nth < 1) return null;
  for (const [phrases, by, order] of [
    [p.v.mostPeople, 'population', 'most'],
    [p.v.leastPeople, 'population', 'least'],
    [p.v.largest, 'area', 'most'],
    [p.v.smallest, 'area', 'least'],
  ] as const) {
    if (!phrases.some((phrase) => phrase.length === 1 && phrase[0] === rest)) continue;
    p.at++;
    return { nth, by, order };
  }
  return null;
}

/** A rank behind an ordinal: "second largest". Null if none is here. */
export function parseNthRank(p: Parser): Rank | null {
  return p.attempt((): Rank | null => {
    const compound = parseOrdinalOrder(p);
    if (compound) return { ...compound, count: compound.nth, single: true };
    const nth = parseOrdinal(p);
    const order = nth === null ? null : parseOrder(p);
    return nth === null || order === null ? null : { ...order, nth, count: nth, single: true };
  });
}

/**
 * The `count` first of a set by a rank.
 * @throws DescriptionError when the rank names no measure
 */
export function ranked(p: Parser, of: Expression, { by, order, count, nth }: Rank, from: number): Expression {
  if (by === null) p.fail('needs "by area" or "by population"', from, p.at - 1);
  const first = (number: number): Expression => ({
    ...{ op: 'rank', of, by: by as 'area' | 'population', order, count: number, words: p.words(from) },
  });
  if (nth === undefined || nth === 1) return first(nth ?? count);
  return { op: 'difference', of: first(nth), minus: first(nth - 1), words: p.words(from) };
}

/** The longest word for a level that is here, in the singular or plural; null if there is none. */
export function parseLevel(p: Parser, number: 'one' | 'many'): LevelWord | null {
  let best: { readonly level: LevelWord; readonly end: number } | null = null;
  for (const level of LEVEL_WORDS) {
    const end = p.find(p.v.levels.get(level)?.[number] ?? []);
    // "CO" is Colorado.
    if (end !== null && p.tokenAt(p.at).text === 'CO') continue;
    if (end !== null && (best === null || end > best.end)) best = { level, end };
  }
  best ??= misspelledLevel(p, number);
  if (best === null) return null;
  best = countyOfAlaska(p, best);
  // Louisiana alone calls its counties so.
  const word = p.tokenAt(p.at).folded;
  if (PARISHES.has(word) && !/(?<!\p{L})(?:louisianan?|luisiana|louisiane|LA)(?!\p{L})/iu.test(p.text))
    p.fail('is a level of Louisiana alone; name that of the place');
  p.at = best.end;
  return best.level;
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

/** Letters from which a word with one slip is read as a word for a level. */
const SLIPPED_FROM = 5;

/**
 * The level whose word is one slip away from the one that is here, or has a wrong plural ("countys"), unless that is a
 * name: "provnces", "Conty". It counts a part of an unknown word, so that a language without slips is preferred.
 */
function misspelledLevel(
  p: Parser,
  number: 'one' | 'many',
): { readonly level: LevelWord; readonly end: number } | null {
  const token = p.tokens[p.at];
  if (token?.sort !== 'word' || token.folded.length < SLIPPED_FROM || p.lexicon.has(token.folded)) return null;
  // "region" is a word of its own, not a slip in "regions".
  for (const { one, many } of p.v.levels.values()) if (p.find(one) !== null || p.find(many) !== null) return null;
  for (const level of LEVEL_WORDS) {
    const { one = [], many = [] } = p.v.levels.get(level) ?? {};
    const words = (number === 'one' ? one : many).flatMap((words) => (words.length === 1 ? words : []));
    const plurals = number === 'one' ? [] : one.flatMap(([word, ...more]) => (more.length === 0 ? [`${word}s`] : []));
    const meant =
      plurals.includes(token.folded) || words.some((word) => isOneSlip(token.folded, word)) ? words[0] : undefined;
    if (meant === undefined) continue;
    p.choices.push(`"${token.text}" is read as "${meant}"`);
    p.unknown += SLIP;
    return { level, end: p.at + 1 };
  }
  return null;
}
const SLIP = 0.25;

/** Whether two folded words differ by one letter lost, added, replaced or swapped with the next, not by the first one. */
export function isOneSlip(one: string, other: string): boolean {
  if (one === other || one[0] !== other[0] || Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [rest, wanted] = [one.slice(start), other.slice(start)];
  if (rest.slice(1) === wanted || rest === wanted.slice(1) || rest.slice(1) === wanted.slice(1)) return true;
  return rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
}

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
  const level = count === null ? null : parseLevel(p, 'many');
  return count === null || level === null ? null : { count, level };
}

/** Whether a word such as "every" is here, which is not only an article. */
export function isEach(p: Parser): boolean {
  const weak = new Set(p.v.articles.map((phrase) => phrase.join(' ')));
  return p.v.each.some((phrase) => !weak.has(phrase.join(' ')) && p.peek(phrase) !== null);
}

/** Whether the level at `from` is unambiguously plural. */
export function isPlural(p: Parser, from: number): boolean {
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

/** The direction of the longest phrase of a table that is here, or null. */
export function parseDirection(p: Parser, table: ReadonlyMap<Direction, readonly Phrase[]>): Direction | null {
  let best: { readonly direction: Direction; readonly end: number } | null = null;
  for (const direction of DIRECTIONS) {
    const end = p.find(table.get(direction) ?? []);
    if (end !== null && (best === null || end > best.end)) best = { direction, end };
  }
  if (best) p.at = best.end;
  return best?.direction ?? null;
}

/** "northern half", "mitad norte"; a quarter needs a combined direction such as northeast. */
export function parseSidedHalf(p: Parser): Direction | null {
  return p.attempt(() => {
    p.take(p.v.articles);
    let direction = parseDirection(p, p.v.sided);
    const half = p.take(p.v.half);
    if (!half && !p.take(p.v.quarter)) return null;
    direction ??= parseDirection(p, p.v.sided);
    if (direction === null) return null;
    if (half !== DIRECTIONS.indexOf(direction) < 4) return null;
    return direction;
  });
}

/** A unit of area, as the square kilometers that it has; null if there is none. */
export function parseAreaUnit(p: Parser): number | null {
  const next = p.tokens[p.at + 1];
  if (p.tokens[p.at]?.folded === 'km' && (next?.folded === '2' || next?.folded === '²')) {
    p.at += 2;
    return 1;
  }
  if (p.take(p.v.km2)) return 1;
  return p.take(p.v.miles2) ? 1.609344 ** 2 : null;
}

/** Passes over "of people", "inhabitants"; whether they were there. */
export function takePeople(p: Parser): boolean {
  const start = p.at;
  p.take(p.v.of);
  if (p.take(p.v.people)) return true;
  p.at = start;
  return p.take(p.v.people);
}

/** A text in quotation marks, or one word. */
export function parseQuoted(p: Parser): string | null {
  const open = p.tokens[p.at];
  if (open === undefined) return null;
  if (open.sort === 'word') {
    p.at++;
    return open.text;
  }
  // "ending in -ia"
  const next = p.tokens[p.at + 1];
  if (open.folded === '-' && next?.sort === 'word' && next.from === open.to) {
    p.at += 2;
    return next.text;
  }
  if (!/^["“”„«‘’']$/.test(open.folded)) return null;
  for (let end = p.at + 1; end < p.tokens.length; end++) {
    if (p.tokenAt(end).sort === 'sign' && /^["“”»’']$/.test(p.tokenAt(end).folded)) {
      const text = p.text.slice(open.to, p.tokenAt(end).from).trim();
      p.at = end + 1;
      return text === '' ? null : text;
    }
  }
  return null;
}

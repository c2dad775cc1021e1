import { defined } from '../../common/elements.ts';
import { DIRECTIONS, type Direction } from './algebra.ts';
import type { Parser } from './parser.ts';
import type { Token } from './tokens.ts';
import { MOST_NUMBER_WORDS } from './vocabulary/number_words.ts';
import type { Language, Phrase } from './vocabulary/vocabulary.ts';

// Rules for numbers, units and directions, which come before and after the names of places.

type Numbered = {
  readonly value: number;
  /** The factor that its words have: a million of "2 million". */
  readonly factor: number;
};

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
  const value = takeNumberWords(p);
  if (value === null) return null;
  const factor = p.v.factors.get(p.tokens[p.at]?.folded ?? '');
  if (factor === undefined || (p.tokens[p.at]?.folded.length ?? 0) === 1) return { value, factor: 1 };
  p.at++;
  return { value: value * factor, factor };
}

/** The words that begin a number, by the numbers of a language. */
const firstWords = new WeakMap<ReadonlyMap<string, number>, ReadonlySet<string>>();

function firstWordsOf(numbers: ReadonlyMap<string, number>): ReadonlySet<string> {
  const known = firstWords.get(numbers);
  if (known) return known;
  const found = new Set([...numbers.keys()].map((words) => words.split(' ', 1)[0] ?? ''));
  firstWords.set(numbers, found);
  return found;
}

/** The number that the longest row of words here means: "twenty-one". Null if there is none. */
function takeNumberWords(p: Parser): number | null {
  if (!firstWordsOf(p.v.numbers).has(p.tokens[p.at]?.folded ?? '')) return null;
  for (let count = MOST_NUMBER_WORDS; count > 0; count--) {
    const words = p.tokens.slice(p.at, p.at + count);
    if (words.length < count || words.some(({ sort }) => sort !== 'word')) continue;
    const value = p.v.numbers.get(words.map(({ folded }) => folded).join(' '));
    if (value === undefined) continue;
    p.at += count;
    return value;
  }
  return null;
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

/** Whether a word such as "every" is here, which is not only an article. */
export function isEach(p: Parser): boolean {
  const weak = new Set(p.v.articles.map((phrase) => phrase.join(' ')));
  return p.v.each.some((phrase) => !weak.has(phrase.join(' ')) && p.peek(phrase) !== null);
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

/** The direction of a German word for a half, folded: "Südhälfte". */
const HALVES: ReadonlyMap<string, Direction> = new Map([
  ['nordhalfte', 'north'],
  ['sudhalfte', 'south'],
  ['osthalfte', 'east'],
  ['westhalfte', 'west'],
]);

/** Other words for directions next to a half or a quarter: on a map, north is up. */
const UP_AND_DOWN: ReadonlyMap<string, Direction> = new Map([
  ...['upper', 'top', 'superior', 'obere', 'oberen', 'superieure'].map((word) => [word, 'north'] as const),
  ...['lower', 'bottom', 'inferior', 'untere', 'unteren', 'inferieure'].map((word) => [word, 'south'] as const),
]);
const SHORT: Readonly<Record<Language, Readonly<Record<string, Direction>>>> = {
  en: {
    NE: 'northeast',
    NW: 'northwest',
    SE: 'southeast',
    SW: 'southwest',
    N: 'north',
    S: 'south',
    E: 'east',
    W: 'west',
  },
  es: {
    NE: 'northeast',
    NO: 'northwest',
    SE: 'southeast',
    SO: 'southwest',
    N: 'north',
    S: 'south',
    E: 'east',
    O: 'west',
  },
  de: {
    NO: 'northeast',
    NW: 'northwest',
    SO: 'southeast',
    SW: 'southwest',
    N: 'north',
    S: 'south',
    O: 'east',
    W: 'west',
  },
  fr: {
    NE: 'northeast',
    NO: 'northwest',
    SE: 'southeast',
    SO: 'southwest',
    N: 'north',
    S: 'south',
    E: 'east',
    O: 'west',
  },
};

/** "NE", "upper": only next to a half or a quarter. */
function parseShortDirection(p: Parser): Direction | null {
  const token = p.tokens[p.at];
  // A half or a quarter is beside it.
  const direction = token && (SHORT[p.v.language][token.text] ?? UP_AND_DOWN.get(token.folded));
  if (direction === undefined) return null;
  p.at++;
  return direction;
}

/** "northern half", "mitad norte", "Südhälfte"; a quarter needs a combined direction such as northeast. */
export function parseSidedHalf(p: Parser): Direction | null {
  return p.attempt(() => {
    p.take(p.v.articles);
    const compound = p.v.language === 'de' ? HALVES.get(p.tokens[p.at]?.folded ?? '') : undefined;
    if (compound !== undefined) {
      p.at++;
      return compound;
    }
    let direction = parseDirection(p, p.v.sided) ?? parseShortDirection(p);
    const half = p.take(p.v.half);
    if (!half && !p.take(p.v.quarter)) return null;
    direction ??= parseDirection(p, p.v.sided) ?? parseShortDirection(p);
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
  if (p.take(p.v.miles2)) return 1.609344 ** 2;
  return p.attempt(() => {
    p.take(p.v.of);
    const unit = FIELD_UNITS.get(p.tokens[p.at]?.folded ?? '');
    if (unit !== undefined) p.at++;
    return unit ?? null;
  });
}

/** Units of land in the four languages, folded, as square kilometers. */
const FIELD_UNITS: ReadonlyMap<string, number> = new Map([
  ...['acre', 'acres'].map((word) => [word, 0.004_046_856_422_4] as const),
  ...['ha', 'hectare', 'hectares', 'hectarea', 'hectareas', 'hektar', 'hektaren'].map((word) => [word, 0.01] as const),
]);

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

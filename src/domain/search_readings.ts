import { defined } from '../elements.ts';
import type { Kind } from '../schemas.ts';
import { otherSpellings } from './abbreviations.ts';
import { foldName, isUnspaced, partsByTypeWord, stripTypeWords } from './fold.ts';
import { kindsOfBegunTypeWord, kindsOfTypeWords } from './type_kinds.ts';

/**
 * One way to understand a query: a name, maybe what it lies in, maybe the kinds that a type word asks for. "Chaves
 * County, NM" is read as "chaves county" in "nm", and as "chaves" of kind county in "nm".
 */
export interface Reading {
  /** Folded. */
  readonly name: string;
  /** Folded names of what the place lies in, the innermost first. */
  readonly within: readonly string[];
  /** Preferred kinds, the likeliest first; empty for no preference. */
  readonly kinds: readonly Kind[];
  /** How far the reading is from the letters of the query; 0 is the query itself. */
  readonly cost: number;
  /** Whether words are written out or abbreviated that were not in the query. */
  readonly respelled: boolean;
}

/** What a reading costs, in the steps of the search (whole name 0, without its type word 1, start of a name 3). */
const SPELLED = 0.05;
const TYPE_WORD = 0.3;
/** More words left out than need be. */
const SHORTENED = 0.02;
/** Two letters behind a name are rather the code of what it lies in: "Knox County IL" is not a province of Turkey. */
const CODE = 0.5;
const ARTICLE = 0.2;
const COMMA = 0.2;
const NO_COMMA = 0.4;
const REVERSED = 0.5;

/** The name of what a place lies in has no more words than this. */
const MOST_WORDS = 4;
const MOST_READINGS = 40;

/**
 * Type words behind a name in queries. They are not type words of names, which would lose half of themselves: "Kansas
 * City", "Mexico City".
 */
const ASKED_FOR = new Set(
  'country nation city town village commune municipality area metro ciudad ville stadt citta cidade capital co cnty twp dist prov dept mun municipio gemeinde'.split(
    ' ',
  ),
);

/** What people write in front of a name for its administration, or short for its type; no part of names either. */
const ASKED_IN_FRONT = [
  ...['mairie', 'hotel de ville', 'excmo ayuntamiento', 'ayuntamiento', 'ajuntament', 'concello', 'camara municipal'],
  ...['camara', 'junta de freguesia', 'diputacion', 'rathaus', 'stadtverwaltung', 'gemeindeverwaltung', 'gemeente'],
  ...[
    'country',
    'county',
    'co',
    'prov',
    'pcia',
    'dep',
    'dept',
    'dpto',
    'mun',
    'edo',
    'kreis',
    'lkr',
    'landratsamt',
    'prefettura',
  ],
];
const LINKS = new Set('de del di du da do des d of von der van do dos das della dello'.split(' '));
/** Words in front of a name or a type word that say nothing: "la commune de Lyon", "La Corogne". */
const ARTICLES = new Set('the la le les l las el los il lo gli i o a os as het de der die das'.split(' '));

/** One word that may say what a place is; shorter ones are codes: "il" is Illinois, and Turkish for a province. */
const TYPE_PART = /^(?:\p{L}{4,}|\P{ASCII}+)$/u;

const UMLAUT = /[aou]e/;
const UMLAUTS = /([aou])e/g;

/** Words between a name and what it lies in. */
const BETWEEN = new Set(
  'in of de del di du da do en dans bei im a à van von et and near der den des dello della nel nella w we u'.split(' '),
);

/**
 * The ways to understand a query, the literal one first, then by cost; at most 40. What a place lies in is a guess until it
 * is looked up: a reading whose `within` is not known as a place is to be dropped.
 * @param q the query as it was typed, at most 200 characters
 * @param typing whether its last word may be the start of one
 */
export function readingsOf(q: string, typing = false): Reading[] {
  const literal = foldName(q);
  if (literal === '') return [];
  const readings: Reading[] = [...readName(literal, [], 0)];
  const parts = partsOf(q, literal, /[,;()（）、，|]|\s[-–—/]\s/u);
  // "Castellet (commune)": a part that is but a type word says which, not where.
  const typed = parts.slice(1).find((part) => TYPE_PART.test(part) && kindsOfTypeWords(part).length > 0);
  const kinds = typed === undefined ? [] : kindsOfTypeWords(typed);
  if (typed !== undefined) {
    const [first = '', ...rest] = parts.filter((part) => part !== typed);
    readings.push(...readName(first, rest, COMMA).map((one) => ({ ...one, kinds })));
  } else if (parts.length > 1) {
    const [first = '', ...rest] = parts;
    readings.push(...readName(first, rest, COMMA));
    const last = parts.at(-1) as string;
    readings.push(...readName(last, parts.slice(0, -1).reverse(), REVERSED));
  } else {
    readings.push(...readWithoutComma(literal.split(' ')), ...readUnspaced(literal));
    // "Springfield/Illinois", but also "Laion/Lajen" and "València/Valencia province", which are one name.
    const [first = '', ...rest] = partsOf(q, literal, /\//u);
    if (rest.length > 0) readings.push(...readName(first, rest, NO_COMMA));
  }
  // "Noáin (Valle de Elorz)/Noain (Elortzibar), Navarra": other signs than commas may be of the name.
  const [name = '', ...places] = partsOf(q, literal, /[,，、]/u);
  if (places.length > 0 && places.length + 1 < parts.length) readings.push(...readName(name, places, COMMA));
  if (typing) readings.push(...readBegunTypeWord(literal));
  const seen = new Set<string>();
  return readings
    .sort((a, b) => a.cost - b.cost)
    .filter(({ name, within, kinds }) => {
      const key = [name, within.join(','), kinds.join()].join('|');
      return !seen.has(key) && seen.add(key) !== undefined;
    })
    .slice(0, MOST_READINGS);
}

/** The parts of a query, folded; `literal` is the whole of it. */
function partsOf(q: string, literal: string, separators: RegExp): string[] {
  const parts = q.split(separators);
  return parts.length === 1 ? [literal] : parts.map(foldName).filter((part) => part !== '');
}

/** A name as it stands, in other spellings, without its type words, and without an article. */
function readName(name: string, within: readonly string[], cost: number): Reading[] {
  const readings = readTyped(name, within, cost);
  const space = name.indexOf(' ');
  if (space > 0 && ARTICLES.has(name.slice(0, space))) {
    readings.push(...readTyped(name.slice(space + 1), within, cost + ARTICLE));
  }
  return readings;
}

function readTyped(name: string, within: readonly string[], cost: number): Reading[] {
  const readings: Reading[] = [{ name, within, kinds: [], cost, respelled: false }];
  for (const other of otherSpellings(name))
    readings.push({ name: other, within, kinds: [], cost: cost + SPELLED, respelled: true });
  // "Koeln" is how "Köln" is written without the letter, and "koln" how it is folded.
  if (UMLAUT.test(name))
    readings.push({ name: name.replace(UMLAUTS, '$1'), within, kinds: [], cost: cost + SPELLED, respelled: true });
  // "U.K." is folded to "u k".
  if (/^\p{L}( \p{L})+$/u.test(name))
    readings.push({ name: name.replaceAll(' ', ''), within, kinds: [], cost: cost + SPELLED, respelled: true });
  const rests = withoutTypeWords(name);
  const longest = Math.max(...rests.map(({ length }) => length));
  for (const rest of rests) {
    const words = name.replace(rest, ' ').trim();
    const kinds = kindsOfTypeWords(words);
    const last = words.slice(words.lastIndexOf(' ') + 1);
    // "Ajuntament de El Grado" is rather El Grado than Grado.
    const shortened = rest.length < longest ? SHORTENED : 0;
    const stripped = cost + TYPE_WORD + shortened + (/^[a-z]{2}$/.test(last) && name.endsWith(` ${last}`) ? CODE : 0);
    readings.push({ name: rest, within, kinds, cost: stripped, respelled: false });
    for (const other of otherSpellings(rest))
      readings.push({ name: other, within, kinds, cost: stripped + SPELLED, respelled: true });
  }
  return readings;
}

function withoutTypeWords(name: string): string[] {
  const space = name.lastIndexOf(' ');
  const asked = space > 0 && ASKED_FOR.has(name.slice(space + 1)) ? [name.slice(0, space)] : [];
  const front = ASKED_IN_FRONT.find((word) => name.startsWith(`${word} `));
  if (front) {
    const words = name.slice(front.length + 1).split(' ');
    while (words.length > 1 && LINKS.has(defined(words[0]))) words.shift();
    asked.push(words.join(' '));
  }
  return [...new Set([...stripTypeWords(name), ...asked])];
}

/** A type word that is still being typed has so many letters. */
const BEGUN_FROM = 2;

/** "Chaves Cou": the last word as the start of a type word. */
function readBegunTypeWord(literal: string): Reading[] {
  const space = literal.lastIndexOf(' ');
  const [name, start] = [literal.slice(0, Math.max(0, space)), literal.slice(space + 1)];
  const kinds = space > 0 && start.length >= BEGUN_FROM ? kindsOfBegunTypeWord(start) : [];
  return kinds.length === 0 ? [] : [{ name, within: [], kinds, cost: TYPE_WORD, respelled: false }];
}

/** The words at the end, or at the start, as what the place lies in. */
function readWithoutComma(words: readonly string[]): Reading[] {
  const readings: Reading[] = [];
  for (let count = 1; count <= Math.min(MOST_WORDS, words.length - 1); count++) {
    const end = words.slice(-count).join(' ');
    const before = words.slice(0, -count);
    while (before.length > 1 && BETWEEN.has(before.at(-1) as string)) before.pop();
    readings.push(...readName(before.join(' '), [end], NO_COMMA));
    // "chaves county new mexico usa"
    for (let more = 1; more <= Math.min(MOST_WORDS, before.length - 1); more++) {
      const [name, inner] = [before.slice(0, -more), before.slice(-more).join(' ')];
      readings.push(...readName(name.join(' '), [inner, end], NO_COMMA + COMMA).slice(0, 2));
    }
    const start = words.slice(0, count).join(' ');
    // A code in front of a name is too often an article: "la rioja". Ideographs are not a code.
    if (start.length > 3 || (start.length > 1 && isUnspaced(start)))
      readings.push(...readName(words.slice(count).join(' '), [start], REVERSED));
  }
  return readings;
}

/** What a place lies in, in front of a name without a blank, has from two to so many letters. */
const MOST_LETTERS = 8;

/**
 * "安徽合肥", "安徽省合肥市蜀山区": in Chinese, Japanese and Korean what a place lies in is written in front of it, often
 * without a blank. Every start of two letters and more is tried, and where type words end the parts, all parts.
 */
function readUnspaced(literal: string): Reading[] {
  if (!isUnspaced(literal)) return [];
  const letters = [...literal];
  const readings: Reading[] = [];
  const parts = partsByTypeWord(literal);
  if (parts.length > 2 && parts.length <= MOST_WORDS + 1) {
    const [name = '', ...within] = parts.reverse();
    readings.push(...readName(name, within, NO_COMMA));
  }
  for (let count = 2; count <= Math.min(MOST_LETTERS, letters.length - 2); count++) {
    const [start, rest] = [letters.slice(0, count).join(''), letters.slice(count).join('')];
    // The name as it stands and without its type word, not every spelling: there are many starts.
    readings.push(...readTyped(rest, [start], REVERSED).slice(0, 3));
  }
  return readings;
}

/** An ISO 3166-2 code, folded: codes are stored without their hyphen. */
const DIVISION_CODE = /^[a-z]{2} [a-z0-9]{1,3}$/;

/**
 * The forms in which what a place lies in may be known: as it stands, spelled otherwise, without its type word, and as a
 * code ("us il" is stored as "usil").
 */
export function formsOfContainer(folded: string): string[] {
  // Of a code no part is a type word: "us il" is not the United States.
  if (DIVISION_CODE.test(folded)) return [folded, folded.replace(' ', '')];
  return [...new Set([folded, ...otherSpellings(folded), ...stripTypeWords(folded)])];
}

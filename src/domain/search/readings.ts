import { defined } from '../../common/elements.ts';
import type { Kind } from '../../core/schemas.ts';
import { otherSpellings } from '../names/abbreviations.ts';
import { codesOfDivision } from '../names/division_names.ts';
import { foldName, isUnspaced, partsByTypeWord, stripTypeWords } from '../names/fold.ts';
import { compactCode, isShortDivisionCode } from '../names/names.ts';
import { otherNamesOf } from '../names/place_names.ts';
import { codeOfContainer } from '../names/short_names.ts';
import { isTypeWord, kindsOfPartialTypeWord, kindsOfTypeWords } from '../names/type_kinds.ts';
import { canBePlace, capitalsIn, inTwo, isBetween, isPlaceInFront, withoutBetween } from './between.ts';
import { withoutElision } from './elided.ts';
import { formsInScript, QUERY_PREFIX_WORDS, QUERY_TYPE_WORDS } from './query_words.ts';

/**
 * One interpretation of a query: a name, optionally the place around it, optionally the kinds that a type word asks
 * for. "Chaves County, NM" is read as "chaves county" in "nm", and as "chaves" of kind county in "nm".
 */
export interface Reading {
  /** The folded name. */
  readonly name: string;
  /** Folded names of the containing places, the innermost first. */
  readonly within: readonly string[];
  /** Preferred kinds, the likeliest first; empty means no preference. */
  readonly kinds: readonly Kind[];
  /** The words that ask for these kinds, folded; empty without kinds. */
  readonly typeWords: string;
  /** Distance of the reading from the literal query, which costs 0. */
  readonly cost: number;
  /** Whether words were written out or abbreviated. */
  readonly respelled: boolean;
}

/** Costs of readings, in steps of the search (whole name 0, without its type word 1, start of a name 3). */
const SPELLED = 0.05;
const TYPE_WORD = 0.3;
/** More words removed than necessary. */
const SHORTENED = 0.02;
/** Two letters after a name are more likely a code than a type word: "Knox County IL" is not a province of Turkey. */
const CODE = 0.5;
const ARTICLE = 0.2;
const COMMA = 0.2;
const NO_COMMA = 0.4;
/** By which a name without a preposition is likelier: "ville d'Angers" is not Dangers. */
const ELISION = 0.01;
const REVERSED = 0.5;

/** No type word. */
const UNTYPED = { kinds: [], typeWords: '' } as const;

/** Words that the name of a containing place can have. */
const MOST_WORDS = 4;
const MOST_READINGS = 40;

const LINKS = new Set('de del di du da do des d of von der van do dos das della dello'.split(' '));
/** Prepositions with an article, which begin no name: others are removed with the word for a kind in front of them. */
const CONTRACTED = new Set('dello dell dei degli delle della dos das vom zum zur van'.split(' '));
/** Words in front of a name or a type word that carry no meaning: "la commune de Lyon", "La Corogne". */
const ARTICLES = new Set('the la le les l las el los il lo gli i o a os as het de der die das'.split(' '));

/** A word that can be a type word; shorter ones are codes: "il" is Illinois, and Turkish for a province. */
const TYPE_PART = /^(?:\p{L}{4,}|\P{ASCII}+|lkr?)$/u;

/** Whether a part of a query has type words only: "kreisfreie stadt", "provincia de". */
function isTypePart(part: string): boolean {
  if (TYPE_PART.test(part)) return kindsOfTypeWords(part).length > 0;
  const words = part.split(' ').filter((word) => !LINKS.has(word));
  return part.includes(' ') && isTypeWord(words.join(' ')) && words.some((word) => TYPE_PART.test(word));
}

const KATAKANA = /^[\p{Script=Katakana}\u30fc]{2,}$/u;
/** Words for a state, a province, a county and a prefecture. */
const JAPANESE_KINDS = ['州', '省', '郡', '県'].map(foldName);
/** Korean for a state, behind its name: "뉴욕주". Names of cities end so, too. */
const KOREAN_STATE = /^(\p{Script=Hangul}{2,})주$/u;

/** A code of two capitals at the end, behind a word. */
const CODE_AT_END = /\p{L}[\s,]+([A-Z]{2})\s*$/u;
/** An English word for a kind, which stands behind a name, in front of another word. */
const ENGLISH_KIND = /^(?:county|parish|borough|cnty|co) /;
const UMLAUT = /[aou]e/;
const UMLAUTS = /([aou])e/g;

/**
 * Returns the readings of a query, the literal one first, then by cost; at most 40. Containing places are guesses:
 * callers drop readings whose `within` is not a known place.
 * @param q the query as typed, at most 200 characters
 * @param typing whether its last word may be unfinished
 */
export function readingsOf(q: string, typing = false): Reading[] {
  const literal = foldName(q);
  if (literal === '') return [];
  const readings = readQuery(q, literal);
  for (const plain of withoutElision(q)) {
    const [, ...others] = readQuery(plain, foldName(plain));
    readings.push(...others.map((one) => ({ ...one, cost: one.cost - ELISION })));
  }
  if (typing) readings.push(...readBegunTypeWord(literal));
  const seen = new Set<string>();
  // "La Salle County, IL" has the code of a state, and no Turkish word for a province.
  const code = CODE_AT_END.exec(q)?.[1]?.toLowerCase();
  return (
    readings
      .filter(({ typeWords }) => code === undefined || typeWords.split(' ').at(-1) !== code)
      // "Houston County TX" is not the city of Houston in a county.
      .filter(
        ({ within: [place = '', ...others] }) =>
          !ENGLISH_KIND.test(place) && (others.length === 0 || !isTypePart(place)),
      )
      .sort((a, b) => a.cost - b.cost)
      .filter(({ name, within, kinds }) => {
        const key = [name, within.join(','), kinds.join()].join('|');
        return !seen.has(key) && seen.add(key) !== undefined;
      })
      .slice(0, MOST_READINGS)
  );
}

/** The readings of a query as it is written; `literal` is the query, folded. */
function readQuery(q: string, literal: string): Reading[] {
  const parts = partsOf(q, literal, /[,;:()（）、，|]|\s[-–—/]\s/u);
  // "LA, USA" has no article.
  const readings = ARTICLES.has(parts[0] ?? '') ? readTyped(literal, [], 0) : readName(literal, [], 0);
  // "Castellet (commune)", "Fylke: Hedmark": a part that consists of type words gives a kind, not a place.
  const isLabel = /^[^,;:(]+:/.test(q);
  const typed = parts.slice(isLabel ? 0 : 1).find((part) => parts.length > 1 && isTypePart(part));
  const kinds = typed === undefined ? [] : kindsOfTypeWords(typed);
  if (typed !== undefined) {
    const [first = '', ...rest] = parts.filter((part) => part !== typed);
    const typedName = (name: string, within: readonly string[]) =>
      readName(name, within, COMMA).map((one) => ({ ...one, kinds, typeWords: typed }));
    readings.push(...typedName(first, rest));
    // "Halle (Saale), Stadt"
    if (rest.length > 0) readings.push(...typedName([first, ...rest].join(' '), []));
  } else if (parts.length > 1) {
    const [first = '', ...rest] = parts;
    readings.push(...readName(first, rest, COMMA));
    // "Adams County MS, USA"
    const words = first.split(' ');
    for (let count = 1; count <= Math.min(MOST_WORDS, words.length - 1); count++) {
      const [name, inner] = [words.slice(0, -count), words.slice(-count).join(' ')];
      readings.push(...plainAndTyped(withoutBetween(name).join(' '), [inner, ...rest], NO_COMMA + COMMA));
    }
    // "Harris County, TX USA"
    for (const two of inTwo(rest)) readings.push(...plainAndTyped(first, two, NO_COMMA + COMMA));
    const last = parts.at(-1) as string;
    readings.push(...readName(last, parts.slice(0, -1).reverse(), REVERSED));
  } else {
    readings.push(...readWithoutComma(literal.split(' '), capitalsIn(q)), ...readUnspaced(literal));
    // "Springfield/Illinois", but also "Laion/Lajen" and "València/Valencia province", which are one name.
    const [first = '', ...rest] = partsOf(q, literal, /\//u);
    if (rest.length > 0) readings.push(...readName(first, rest, NO_COMMA));
  }
  // "Noáin (Valle de Elorz)/Noain (Elortzibar), Navarra": punctuation other than commas may belong to the name.
  const [name = '', ...places] = partsOf(q, literal, /[,，、]/u);
  if (places.length > 0 && places.length + 1 < parts.length) readings.push(...readName(name, places, COMMA));
  return readings;
}

/** Splits a query into folded parts; `literal` is the whole query, folded. */
function partsOf(q: string, literal: string, separators: RegExp): string[] {
  const parts = q.split(separators);
  return parts.length === 1 ? [literal] : parts.map(foldName).filter((part) => part !== '');
}

/** Reads a name literally, in other spellings, without its type words, and without an article. */
function readName(name: string, within: readonly string[], cost: number): Reading[] {
  const readings = readTyped(name, within, cost);
  const space = name.indexOf(' ');
  if (space > 0 && ARTICLES.has(name.slice(0, space))) {
    readings.push(...readTyped(name.slice(space + 1), within, cost + ARTICLE));
  }
  return readings;
}

function readTyped(name: string, within: readonly string[], cost: number): Reading[] {
  const readings: Reading[] = [{ name, within, ...UNTYPED, cost, respelled: false }];
  for (const other of otherSpellings(name))
    readings.push({ name: other, within, ...UNTYPED, cost: cost + SPELLED, respelled: true });
  // "Koeln" is "Köln" typed without the umlaut; the folded name is "koln".
  if (UMLAUT.test(name))
    readings.push({ name: name.replace(UMLAUTS, '$1'), within, ...UNTYPED, cost: cost + SPELLED, respelled: true });
  // Japanese names of divisions have the word for one behind them.
  if (KATAKANA.test(name))
    for (const word of JAPANESE_KINDS)
      readings.push({ name: name + word, within, ...UNTYPED, cost: cost + TYPE_WORD, respelled: true });
  for (const other of formsInScript(name))
    readings.push({ name: other, within, ...UNTYPED, cost: cost + TYPE_WORD, respelled: true });
  const [, state] = KOREAN_STATE.exec(name) ?? [];
  if (state !== undefined) readings.push({ name: state, within, ...UNTYPED, cost: cost + TYPE_WORD, respelled: true });
  // "U.K." folds to "u k".
  if (/^\p{L}( \p{L})+$/u.test(name))
    readings.push({ name: name.replaceAll(' ', ''), within, ...UNTYPED, cost: cost + SPELLED, respelled: true });
  const rests = withoutTypeWords(name);
  const longest = Math.max(...rests.map(({ length }) => length));
  for (const rest of rests) {
    const words = name.replace(rest, ' ').trim();
    const kinds = kindsOfTypeWords(words);
    const last = words.slice(words.lastIndexOf(' ') + 1);
    // "Ajuntament de El Grado" is more likely El Grado than Grado.
    const shortened = rest.length < longest ? SHORTENED : 0;
    const stripped = cost + TYPE_WORD + shortened + (/^[a-z]{2}$/.test(last) && name.endsWith(` ${last}`) ? CODE : 0);
    const typed = { kinds, typeWords: kinds.length === 0 ? '' : words };
    readings.push({ name: rest, within, ...typed, cost: stripped, respelled: false });
    for (const other of otherSpellings(rest))
      readings.push({ name: other, within, ...typed, cost: stripped + SPELLED, respelled: true });
  }
  return readings;
}

/** A word in letters that are not Latin: "Онтарио провинция". */
const NOT_LATIN = /^[^\p{Script=Latin}]{4,}$/u;

/** Whether a word may follow a name in a query as one for its kind. */
const isTypeBehind = (word: string): boolean =>
  QUERY_TYPE_WORDS.has(word) || (NOT_LATIN.test(word) && kindsOfTypeWords(word).length > 0);

function withoutTypeWords(name: string): string[] {
  const space = name.lastIndexOf(' ');
  const asked = space > 0 && isTypeBehind(name.slice(space + 1)) ? [name.slice(0, space)] : [];
  const front = QUERY_PREFIX_WORDS.get(name.charAt(0))?.find(
    (word) => name.charAt(word.length) === ' ' && name.startsWith(word),
  );
  if (front) {
    const words = name.slice(front.length + 1).split(' ');
    while (words.length > 1 && LINKS.has(defined(words[0]))) words.shift();
    asked.push(words.join(' '));
    // "mairie de la Ciotat"
    if (words.length > 1 && ARTICLES.has(defined(words[0]))) asked.push(words.slice(1).join(' '));
  }
  // "stato dello Utah"
  const rests = [...stripTypeWords(name), ...asked].flatMap((rest) => [rest, ...withoutLink(rest)]);
  return [...new Set(rests)];
}

/** A name without the preposition with an article that stands between a word for its kind and it: "dello utah". */
function withoutLink(name: string): string[] {
  const space = name.indexOf(' ');
  return space > 2 && CONTRACTED.has(name.slice(0, space)) ? [name.slice(space + 1)] : [];
}

/** Letters from which a word can be an unfinished type word. */
const BEGUN_FROM = 2;

/** "Chaves Cou": reads the last word as the start of a type word. */
function readBegunTypeWord(literal: string): Reading[] {
  const space = literal.lastIndexOf(' ');
  const [name, start] = [literal.slice(0, Math.max(0, space)), literal.slice(space + 1)];
  const kinds = space > 0 && start.length >= BEGUN_FROM ? kindsOfPartialTypeWord(start) : [];
  return kinds.length === 0 ? [] : [{ name, within: [], kinds, typeWords: start, cost: TYPE_WORD, respelled: false }];
}

/**
 * Reads words at the end or at the start as the containing place.
 * @param capitals words that are written in capitals: "IN" is a code between a name and a country, "in" is not
 */
function readWithoutComma(words: readonly string[], capitals: ReadonlySet<string>): Reading[] {
  const readings: Reading[] = [];
  for (let count = 1; count <= Math.min(MOST_WORDS, words.length - 1); count++) {
    const [start, rest] = [words.slice(0, count), words.slice(count)];
    if (isPlaceInFront(start, rest, capitals)) readings.push(...readName(rest.join(' '), [start.join(' ')], REVERSED));
    const end = words.slice(-count).join(' ');
    if (!canBePlace(words.slice(-count))) continue;
    const before = withoutBetween(words.slice(0, -count));
    // "Baltimore County Maryland": a word for a kind belongs to the name in front of it sooner than to the place behind it.
    const isLed = count > 1 && isTypeWord(words.at(-count) as string) && !LINKS.has(words.at(1 - count) as string);
    readings.push(...readName(before.join(' '), [end], NO_COMMA + (isLed ? TYPE_WORD + SHORTENED : 0)));
    // "chaves county new mexico usa"
    const code = words.at(-count - 1) ?? '';
    // "Lake County IN USA"
    if (isBetween(code) && capitals.has(code) && before.length > 0)
      readings.push(...readName(before.join(' '), [code, end], COMMA));
    for (let more = 1; more <= Math.min(MOST_WORDS, before.length - 1); more++) {
      const [name, inner] = [withoutBetween(before.slice(0, -more)).join(' '), before.slice(-more)];
      if (!canBePlace(inner) || isTypeWord(name)) continue;
      readings.push(...plainAndTyped(name, [inner.join(' '), end], NO_COMMA + COMMA));
    }
  }
  return readings;
}

/** Reads a name literally and without a type word only: there are many pairs of places. */
function plainAndTyped(name: string, within: readonly string[], cost: number): Reading[] {
  const [plain, ...others] = readName(name, within, cost);
  return [plain, others.find(({ typeWords }) => typeWords !== '') ?? others[0]].filter((one) => one !== undefined);
}

/** Letters, from two up, of a containing place in front of a name without a space. */
const MOST_LETTERS = 8;

/**
 * Reads "安徽合肥", "安徽省合肥市蜀山区": Chinese, Japanese and Korean write the containing place in front of the name, often
 * without a space. Tries every start of two or more letters and, if type words end the parts, all parts.
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
    // Only the name itself and without its type word, not every spelling: there are many starts.
    readings.push(...readTyped(rest, [start], REVERSED).slice(0, 3));
  }
  return readings;
}

/** A folded ISO 3166-2 code; codes are stored without the hyphen. */
const DIVISION_CODE = /^[a-z]{2} [a-z0-9]{1,3}$/;

/** The code of a country of three letters: those of two are codes of divisions, too ("NL"). */
const writtenCode = (code: string): string =>
  (code.length === 2
    ? otherNamesOf(code)
        .find((name) => /^[A-Z]{3}$/.test(name))
        ?.toLowerCase()
    : null) ?? code;

/**
 * Returns the forms under which a containing place may be stored: literal, other spellings, without its type word, and
 * as a code ("us il" is stored as "usil").
 */
export function formsOfContainer(folded: string): string[] {
  // Parts of a code are not type words: "us il" is not the United States.
  if (DIVISION_CODE.test(folded)) return [folded, folded.replace(' ', '')];
  // "Wash", and "n y" of "N.Y."
  const code = codeOfContainer(folded);
  const divisions = codesOfDivision(folded).filter((one) => !isShortDivisionCode(one));
  const short = (code === undefined ? divisions : [writtenCode(code)]).map(compactCode);
  const letters = /^\p{L}(?: \p{L}){1,2}$/u.test(folded) ? [folded.replaceAll(' ', '')] : [];
  return [...new Set([folded, ...otherSpellings(folded), ...stripTypeWords(folded), ...short, ...letters])];
}

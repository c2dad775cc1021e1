import { foldIdeographs } from './ideographs.ts';
import { TYPE_WORDS } from './type_words.ts';

/** Letters that Unicode does not decompose and that people type without their stroke or as two letters. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ə: 'e',
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ƴ: 'y',
  ς: 'σ',
  // Persian and Urdu variants of Arabic letters; forms that differ only at the end of a word.
  ی: 'ي',
  ى: 'ي',
  ک: 'ك',
  ة: 'ه',
};

const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');
/** Marks on letters of scripts in which people omit them. In others (Indic, Thai, kana) they carry the vowel. */
const MARKED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;
/** Arabic vowel signs, hamza and madda after decomposition, Koranic marks, tatweel; Hebrew points and accents. */
const SEMITIC =
  /[\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0640\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]+/gu;
/** Apostrophes and their substitutes, with the modifier letters of Hawaiian, Uzbek and Ukrainian; format characters. */
const DROPPED = /['`´‘’‛′ʹʻʼʽʾʿˈ׳\uff07]|\p{Cf}/gu;
const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/gu;
/** ASCII letters and digits in words with one blank between them: most names, which only need lower case. */
const PLAIN = /^[a-z0-9]+(?: [a-z0-9]+)*$/i;

/**
 * The form in which names are indexed and looked up: spellings that people take for the same have one form. Letters
 * become lower case, and compatibility forms are decomposed (full width becomes ASCII). Accents of Latin, Greek and
 * Cyrillic letters, Arabic vowel signs, Hebrew points and apostrophes are removed. Ideographs get their simplified
 * form. Everything but letters, marks and digits separates words, by one space. Folding is idempotent. Databases hold
 * folded names: a change here needs a migration that folds them again.
 *
 * Linear in the length of the text; callers bound it (200 characters).
 * @returns the folded name; empty if the text has no letter and no digit
 */
export function foldName(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return (foldLatin(text) ?? foldLetters(text)).replace(SEPARATORS, ' ').trim();
}

/** Folds the letters of a text of any script, and keeps what separates words. */
function foldLetters(text: string): string {
  const letters = text
    .replace(DROPPED, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(MARKED, '$1')
    .replace(SEMITIC, '')
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
    .replace(DROPPED, '')
    .normalize('NFC');
  return foldIdeographs(letters);
}

/** Code points up to the end of Latin Extended-B. None of them changes how another one is folded. */
const LATIN = 0x250;
let latin: readonly string[] | undefined;

/** The same for a text of Latin letters, of which each is looked up; null if the text has other letters. */
function foldLatin(text: string): string | null {
  latin ??= Array.from({ length: LATIN }, (_, code) => foldLetters(String.fromCharCode(code)));
  let letters = '';
  for (let i = 0; i < text.length; i++) {
    const letter = latin[text.charCodeAt(i)];
    if (letter === undefined) return null;
    letters += letter;
  }
  return letters;
}

/** Letters that are folded in the time of an element of a turn (Turns). */
const LETTERS_AN_ELEMENT = 20;

/** What folding a text counts for, in elements of a turn. */
export const foldingOf = (text: string): number => 1 + text.length / LETTERS_AN_ELEMENT;

/** Scripts written without spaces between words, where a suffix of one character is a word of its own. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+$/u;

/** Whether a folded text consists of such scripts alone. */
export const isUnspaced = (folded: string): boolean => UNSPACED.test(folded);

interface Words {
  /** With a trailing blank, by their first two letters, longest first: "city and county of" is tried before "city". */
  readonly before: ReadonlyMap<string, readonly string[]>;
  /** With a leading blank, by their last two letters, longest first. */
  readonly after: ReadonlyMap<string, readonly string[]>;
  readonly glued: readonly string[];
  readonly links: ReadonlySet<string>;
  readonly articles: ReadonlySet<string>;
}

const startOf = (text: string): string => text.slice(0, 2);
const endOf = (text: string): string => text.slice(-2);

let words: Words | undefined;

function load(): Words {
  if (words !== undefined) return words;
  const folded = (texts: readonly string[]) =>
    [...new Set(texts.map(foldName))].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  const by = (texts: readonly string[], letter: (text: string) => string) => {
    const groups = new Map<string, string[]>();
    for (const text of texts) groups.set(letter(text), [...(groups.get(letter(text)) ?? []), text]);
    return groups;
  };
  words = {
    before: by(
      folded(TYPE_WORDS.flatMap((row) => row.before ?? [])).map((word) => `${word} `),
      startOf,
    ),
    after: by(
      folded(TYPE_WORDS.flatMap((row) => row.after ?? [])).map((word) => ` ${word}`),
      endOf,
    ),
    glued: folded(TYPE_WORDS.flatMap((row) => row.glued ?? [])),
    links: new Set(folded(TYPE_WORDS.flatMap((row) => row.links ?? []))),
    articles: new Set(folded(TYPE_WORDS.flatMap((row) => row.articles ?? []))),
  };
  return words;
}

/** Whether what is left of a name can still be searched for. */
function isSearchable(rest: string): boolean {
  return UNSPACED.test(rest) ? rest.length >= 1 : rest.length >= 2;
}

/** The first word of a name of several words, else null. */
function firstWord(name: string): string | null {
  const space = name.indexOf(' ');
  return space > 0 ? name.slice(0, space) : null;
}

/** What is left of a name without the longest type word at its start, and without the longest at its end. */
function stripOnce(name: string): string[] {
  const { before, after, links, articles } = load();
  const rests: string[] = [];
  const prefix = before.get(startOf(name))?.find((word) => name.startsWith(word));
  if (prefix !== undefined) {
    let rest = name.slice(prefix.length);
    let first = firstWord(rest);
    // "County of Des Moines": the type word includes the linking word, so a second one is part of the name.
    if (first !== null && links.has(first) && links.has(prefix.trim().split(' ').at(-1) as string)) rests.push(rest);
    for (; first !== null && links.has(first); first = firstWord(rest)) rest = rest.slice(first.length + 1);
    rests.push(rest);
    // Both forms: "la gironde" is searched for as "gironde", while "la rochelle" keeps its article.
    if (first !== null && articles.has(first)) rests.push(rest.slice(first.length + 1));
  }
  const suffix = after.get(endOf(name))?.find((word) => name.endsWith(word));
  if (suffix !== undefined) rests.push(name.slice(0, -suffix.length));
  return rests;
}

/**
 * What people call a place whose name contains a type word: "gampaha district" gives "gampaha", "landkreis harburg"
 * gives "harburg", "京都府" gives "京都". The words are data (type_words.ts). A rest that is an article or a single letter
 * is left out; a single ideograph is kept.
 * @param folded a name as foldName() returns it
 * @returns up to eight variants in a fixed order, without the name itself; empty if nothing can be left out
 */
export function stripTypeWords(folded: string): string[] {
  const { glued, links, articles } = load();
  const variants = new Set<string>();
  let names = [folded];
  // Two rounds, for a type word at each end: "municipality of x district".
  for (let round = 0; round < 2; round++) {
    names = names
      .flatMap(stripOnce)
      .filter((rest) => isSearchable(rest) && !links.has(rest) && !articles.has(rest) && !variants.has(rest));
    for (const rest of names) variants.add(rest);
  }
  // One suffix only: the rest may be a name that ends in the same character ("四日市市").
  const suffix = UNSPACED.test(folded) ? glued.find((word) => folded.endsWith(word)) : undefined;
  if (suffix !== undefined && suffix.length < folded.length) variants.add(folded.slice(0, -suffix.length));
  variants.delete(folded);
  return [...variants].slice(0, 8);
}

/** Splits a text written without spaces after each type word: "安徽省合肥市蜀山区" has three parts. */
export function partsByTypeWord(folded: string): string[] {
  const { glued } = load();
  const parts: string[] = [];
  let part = '';
  for (const letter of folded) {
    part += letter;
    if (part.length > 2 && glued.some((word) => part.length > word.length + 1 && part.endsWith(word))) {
      parts.push(part);
      part = '';
    }
  }
  return part === '' ? parts : [...parts, part];
}

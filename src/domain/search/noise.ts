import { namesLargeCity } from '../names/city_names.ts';
import { foldName } from '../names/fold.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';
import { codeIn } from './code_words.ts';
import { ARTICLES, DESCRIBING, isEndOf, LINKS, MOST_WORDS, NOISE } from './noise_words.ts';
import { islandsOf, withoutNumber } from './numbers_beside.ts';

/** A query without the words around its name, as another query. */
export interface Rewrite {
  readonly q: string;
  /** ISO 3166-1 alpha-2 code of the country that the query names by a flag or in front of a code. */
  readonly country?: string;
  /** The words left out, folded; null for signs ("#Texas", a flag). */
  readonly ignored: string | null;
  /** Only whole names are meant, not typos or beginnings. */
  readonly exactly?: true;
  /** A city, folded, that has to lie in what is found. */
  readonly city?: string;
  /** The folded name as it was typed, where another form of it is looked up. */
  readonly called?: string;
}

/** "US48201", "US-48201": an official number behind the code of its country. */
const NUMBERED = /^\s*([a-z]{2})[\s-]?(\d{2,9})\s*$/iu;

/** An article or a preposition before a vowel, in French and Italian. */
const ELIDED = /^(?:l|d|dell|nell)['’](?=\p{L})/iu;
/** A tag with a word for a kind at its end, and the ending of a file. */
const GLUED =
  /^\s*(?:#(\p{L}{3,})(county|parish|state|province|city)|(\p{L}{3,})(county|parish))((?:,\s*|\s+)\p{L}.*)?$/iu;
/** The same with capitals: "DaneCounty WI", "Dane CountyWI". */
const GLUED_KIND = /\p{Ll}(?:County|Parish|Borough)(?!\p{L})|(?:County|Parish|Borough)\p{Lu}{2}(?!\p{L})/u;
/** Words joined by hyphens or underscores, of which the last may be the ending of a file. */
const HYPHENATED = /^\s*\p{L}+(?:[-_]\p{L}+)+(?:\.\p{L}{3,10})?\s*$/u;
const EXTENSION = /(?<=\p{L})\.(\p{L}{3,10})\s*$/u;
const POSSESSIVE = /(?<=\p{L})['’`´ʼ](?:s|n?[ıiuü]n)?(?=$|[\s,;.!?])/giu;

/**
 * Returns what a query may mean that finds no whole name as it is written, the likeliest first; at most twelve. Linear in
 * its length, which callers limit.
 */
export function rewritesOf(q: string): Rewrite[] {
  const rewrites: Rewrite[] = [];
  // "marin-county-boundary.kml"
  const spaced = HYPHENATED.test(q) ? q.replaceAll(/[-_]/g, ' ') : q;
  // "#NewMexico"
  const parted = /^\s*#\p{L}/u.test(q) || GLUED_KIND.test(q) ? q.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ') : q;
  if (parted !== q) rewrites.push({ q: parted, ignored: null });
  const coded = codeIn(q);
  if (coded !== null) {
    const { code, country, isIso } = coded;
    // "ISO FR" is a code, and not a name of two letters.
    if (isIso && /^[a-z]{2}$/i.test(code))
      rewrites.push({ q: `iso:${code.toUpperCase()}`, ignored: null, called: foldName(code) });
    rewrites.push({ q: code, ignored: null, exactly: true, ...(country === null ? {} : { country }) });
  }
  const [, country, number] = NUMBERED.exec(coded?.code ?? q) ?? [];
  if (country !== undefined && number !== undefined)
    rewrites.push({ q: number, country: country.toUpperCase(), ignored: null });
  // "#bernalillocounty"
  const [, tag, kindOfTag, name = tag, kind = kindOfTag, place = ''] = parted === q ? (GLUED.exec(q) ?? []) : [];
  if (name !== undefined) rewrites.push({ q: `${name} ${kind}${place}`, ignored: null });
  // "indiana.geojson"
  const owned = spaced.replace(POSSESSIVE, '').replace(EXTENSION, ' $1');
  if (spaced !== q) rewrites.push({ q: spaced, ignored: null, exactly: true });
  // "carte de l'Andalousie", but "mapa de L'Hospitalet"
  const words = wordsOf(owned);
  const known = words.filter(({ folded }) => folded !== '');
  const bare = withoutNoise(owned, known).flatMap((one): Rewrite[] =>
    /^d['’]/iu.test(one.q)
      ? [{ ...one, q: one.q.replace(ELIDED, '') }, one]
      : ELIDED.test(one.q)
        ? [
            { ...one, exactly: true },
            { ...one, q: one.q.replace(ELIDED, '') },
          ]
        : [one],
  );
  if (bare.length === 0 && owned !== spaced) rewrites.push({ q: owned, ignored: null });
  rewrites.push(...bare);
  for (const one of [
    ...behindMap(owned, known),
    ...withoutKinds(owned, words),
    ...withoutMiddle(owned, known),
    ...withoutNumber(owned),
    ...islandsOf(q),
    ...nicknamed(owned),
  ]) {
    if (!rewrites.some((before) => before.q === one.q)) rewrites.push(one);
  }
  return rewrites.filter((one) => one.q.trim() !== '');
}

interface Word {
  readonly folded: string;
  readonly from: number;
  readonly to: number;
  /** Whether it is written as a code among other words: "IN" in "White County IN map". */
  readonly isCode: boolean;
}

/** The words of a query, with signs that are none, of which nothing is left when they are folded. */
function wordsOf(q: string): Word[] {
  const isMixed = q !== q.toUpperCase();
  return [...q.matchAll(/[\p{L}\p{M}\p{N}'’.-]+/gu)].map(({ 0: text, index }) => ({
    folded: foldName(text),
    from: index,
    to: index + text.length,
    isCode: isMixed && /^\p{Lu}{2}$/u.test(text),
  }));
}

/**
 * The words of a query from `first` on, before `last`: as a whole name with the articles in front of them, if there are
 * any ("mapa de La Rioja" is not Rioja), and alone.
 */
function named(
  q: string,
  words: readonly Word[],
  { first, last, ...rewrite }: { readonly first: number; readonly last: number } & Omit<Rewrite, 'q'>,
): Rewrite[] {
  let article = first;
  while (article > 0 && ARTICLES.has(words[article - 1]?.folded ?? '')) article--;
  // "map of Des Plaines": one preposition is enough.
  const isLink = (at: number): boolean => at >= 0 && LINKS.has(words[at]?.folded ?? '');
  while (isLink(article - 1) && isLink(article - 2)) article--;
  const [from, to] = [words[first], words[last - 1]];
  if (from === undefined || to === undefined) return [];
  const alone: Rewrite = { ...rewrite, q: q.slice(from.from, to.to) };
  const start = words[article]?.from ?? 0;
  return article === first ? [alone] : [{ ...rewrite, q: q.slice(start, to.to), exactly: true }, alone];
}

/** Words up to the preposition of a phrase in front of a name: "free vector road map of". */
const MOST_BEFORE = 5;

/**
 * The name behind a preposition that has a word for a map in front of it, whatever else stands there: "road map of Texas",
 * "mapa político de Galicia", "county lines of Ohio". Empty if there is none.
 */
function behindMap(q: string, words: readonly Word[]): Rewrite[] {
  const link = words.findIndex(
    ({ folded, isCode }, at) =>
      at > 0 && !isCode && LINKS.has(folded) && words.slice(0, at).some((word) => NOISE.has(word.folded)),
  );
  if (link < 0 || link > MOST_BEFORE) return [];
  let first = link;
  while (first < words.length && LINKS.has(words[first]?.folded ?? '')) first++;
  const ignored = words.slice(0, link).map(({ folded }) => folded);
  return named(q, words, { first, last: words.length, ignored: ignored.join(' '), exactly: true });
}

/** A query without a word for a map or a border between other words: "Oakland County boundary Michigan". Empty if it has none. */
function withoutMiddle(q: string, words: readonly Word[]): Rewrite[] {
  const isLine = (word: Word | undefined, i: number): boolean =>
    /^lines?$/.test(word?.folded ?? '') && isKindWord(words[i - 1]?.folded ?? '');
  const at = words.findIndex((word, i) => i > 0 && i < words.length - 1 && (NOISE.has(word.folded) || isLine(word, i)));
  const word = words[at];
  if (word === undefined) return [];
  // "Gaziantep boundary line Turkey"
  const next = words[at + 1];
  const phrase = `${word.folded} ${next?.folded ?? ''}`;
  const isPhrase = next !== undefined && at + 2 < words.length && NOISE.has(phrase);
  const [end, ignored] = isPhrase ? [next.to, phrase] : [word.to, word.folded];
  return [{ q: `${q.slice(0, word.from)} ${q.slice(end)}`, ignored, exactly: true }];
}

/** A name like "Music City" in front of a city. */
const NICKNAME = /^\s*((?:the\s+)?[\p{L}'’]+\s+(?:city|town))[\s,]+(.+)$/iu;

/** The large city behind a name that it has: "Music City Nashville". Empty for other queries. */
function nicknamed(q: string): Rewrite[] {
  const [, nickname = '', city = ''] = NICKNAME.exec(q) ?? [];
  return namesLargeCity(foldName(city)) ? [{ q: city, ignored: foldName(nickname), exactly: true }] : [];
}

/** A query without words for maps, borders and files at its ends; empty if there is none, or nothing else. */
function withoutNoise(q: string, words: readonly Word[]): Rewrite[] {
  let [first, last] = [0, words.length];
  const phrase = (from: number, to: number): string =>
    words
      .slice(from, to)
      .map(({ folded }) => folded)
      .join(' ');
  /** Words of noise from an end on. */
  const taken = (of: ReadonlySet<string>, front: boolean): number => {
    if (!isEndOf(of, words[front ? first : last - 1]?.folded ?? '', front)) return 0;
    for (let count = Math.min(MOST_WORDS, last - first); count > 0; count--) {
      if (of.has(front ? phrase(first, first + count) : phrase(last - count, last))) return count;
    }
    return 0;
  };
  const ignored: string[] = [];
  /** The same, of a kind of map behind a word for a map. */
  const takenAny = (front: boolean): number =>
    taken(NOISE, front) || (ignored.length > 0 ? taken(DESCRIBING, front) : 0);
  let isLinked = false;
  // "mapa de carreteras de Asturias"; but "outline of New Brunswick" is of no Brunswick.
  const takenInFront = (): number => {
    const count = takenAny(true);
    return isLinked && !LINKS.has(phrase(first + count, first + count + 1)) ? taken(NOISE, true) : count;
  };
  for (let count = takenInFront(); count > 0 && first < last; count = takenInFront()) {
    ignored.push(phrase(first, first + count));
    first += count;
    // "map of the", "mapa de la"
    for (let link = taken(LINKS, true); link > 0; link = taken(LINKS, true)) {
      first += link;
      isLinked = true;
    }
  }
  for (let count = takenAny(false); count > 0 && first < last; count = takenAny(false)) {
    ignored.push(phrase(last - count, last));
    last -= count;
    for (let link = taken(LINKS, false); link > 0 && !words[last - 1]?.isCode; link = taken(LINKS, false)) last -= link;
  }
  if (ignored.length === 0 || first >= last) return [];
  // "Border County" names nothing else.
  if (words.slice(first, last).every(({ folded }) => kindsOfTypeWords(folded).length > 0)) return [];
  return named(q, words, { first, last, ignored: ignored.join(' ') });
}

/**
 * The place of a query for what is in it: "county map of Kansas", "the counties in Kansas", "Kansas counties". Empty if it
 * has no word for a kind or a map with a preposition behind it at the beginning, or without one at the end.
 */
function withoutKinds(q: string, words: readonly Word[]): Rewrite[] {
  const isAbout = ({ folded }: { readonly folded: string }): boolean => NOISE.has(folded) || isKindWord(folded);
  const isLink = ({ folded }: { readonly folded: string }): boolean => LINKS.has(folded);
  const end = words.findIndex((word) => !isAbout(word) && !isLink(word));
  const [before, rest] = [words.slice(0, end), words.slice(Math.max(end, 0))];
  let last = rest.length;
  // "Kansas City" is not Kansas, but "Kansas counties" is about it.
  const isMany = ({ folded }: { readonly folded: string }): boolean => /[sn]$/.test(folded) && isKindWord(folded);
  const isMap = ({ folded }: { readonly folded: string }): boolean => NOISE.has(folded);
  for (let word = rest[last - 1]; word && (isMap(word) || isMany(word)); word = rest[last - 1]) last--;
  const ignored = [...before.filter(isAbout), ...rest.slice(last)];
  const isLinked = before.length === 0 || isLink(before.at(-1) as Word);
  if (end < 0 || last === 0 || !isLinked) return [];
  if (!ignored.some((one) => isKindWord(one.folded)) || !(ignored.some(isMap) || ignored.every(isMany))) return [];
  const said = ignored.map(({ folded }) => folded).join(' ');
  return named(q, words, { first: end, last: end + last, ignored: said, exactly: true });
}

/** Whether a folded word is one for a kind, in the singular or in a plural. */
export const isKindWord = (folded: string): boolean =>
  kindsOfTypeWords(folded).length > 0 ||
  (/[sn]$/.test(folded) &&
    [folded.replace(/ies$/, 'y'), folded.replace(/e?[sn]$/, ''), folded.replace(/[sn]$/, '')].some(
      (form) => kindsOfTypeWords(form).length > 0,
    ));

/** Characters of code and markup, which no name has, and places that a service does not know. */
const MARKUP =
  /^\s*-\d+\s*$|^\s*-?\d+[.,/:]\d+\s*$|\p{Sc}|&&|\|\||[<>{}[\]=@%*\\^~$\p{Cc}]|:\/\/|\(\s*\)|\(\?|;\s*$|(?<!\p{L})(?:near me|nearby|around here|cerca de mí|près de moi|in der nähe)(?!\p{L})/iu;

/** What programs and forms write where a value is missing or does not matter. */
const PLACEHOLDER = /^\s*(?:n\/a|null|nan|nil|none|undefined|unknown|tbd|yes|true|false|tests?|testing)\s*$/iu;

/** A code of a form that no boundary has: "BRA-SP" is not Brazatortas in Spain. */
const OTHER_CODE = /^\s*[A-Z]{3}-[A-Z\d]{1,3}\s*$/;

/** Whether a query is a text of another kind than a name: it is looked up as it is, and neither completed nor corrected. */
export function isMarkup(q: string): boolean {
  return MARKUP.test(q) || PLACEHOLDER.test(q) || OTHER_CODE.test(q);
}

/** Whether a folded text has nothing but articles, prepositions and words for a map or a border. */
export function isNoise(folded: string): boolean {
  return NOISE.has(folded) || folded.split(' ').every((word) => LINKS.has(word) || NOISE.has(word));
}

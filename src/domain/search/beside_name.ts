import { ADJECTIVES } from '../areas/vocabulary/adjectives.ts';
import { isCityName } from '../names/cities.ts';
import { codesOfDivision } from '../names/division_names.ts';
import { foldName } from '../names/fold.ts';
import { groupOf } from '../names/groups.ts';
import { countriesWithDivision, isPlaceCode, otherNamesOf } from '../names/place_names.ts';
import { isTypeWord } from '../names/type_kinds.ts';
import type { Rewrite } from './noise.ts';

// What people write beside the name of a place that says the same place again, or more of it.

/** What a query means without what stands beside its name, as other queries, the likeliest first. Linear in its length. */
export function withoutBeside(q: string): Rewrite[] {
  return [
    ...withoutGroup(q),
    ...withoutArticle(q),
    ...withAbbreviation(q),
    ...withoutAdjective(q),
    ...withoutTwin(q),
    ...codeBehind(q),
    ...withoutCity(q),
  ];
}

/** A name with its own code in brackets: "Texas (TX)", "Japan (JP)". */
const OWN_CODE = /^(\p{L}[^()]*)\(([A-Z]{2})\)$/u;
/** The same without brackets: "TX Texas", "Nevada - NV". */
const [CODE_FIRST, CODE_LAST] = [/^([A-Z]{2,3})\s*[-–:,]?\s+(\p{L}.*)$/u, /^(\p{L}.*)[\s–:,-]([A-Z]{2,3})$/u];

/** The ISO 3166 code of a country or division whose name has its code beside it; null for other queries, and for cities. */
export function codeBesideName(q: string): string | null {
  const text = q.trim();
  const bracketed = OWN_CODE.exec(text);
  const [, first = '', behind = ''] = CODE_FIRST.exec(text) ?? [];
  const [, before = '', last = ''] = CODE_LAST.exec(text) ?? [];
  const pairs = bracketed
    ? [[bracketed[1] ?? '', bracketed[2] ?? ''] as const]
    : (
        [
          [behind, first],
          [before, last],
        ] as const
      ).filter(([name]) => name !== '' && !isCityName(foldName(name)));
  for (const [name, short] of pairs) {
    const code = codeOf(name, short);
    if (code !== null) return code;
  }
  return null;
}

/** The code of the place of a name that ends with a short one. */
function codeOf(name: string, short: string): string | null {
  const folded = foldName(name);
  const codes = [short, ...countriesWithDivision(folded).map((country) => `${country}-${short}`)];
  const isNamed = (code: string): boolean => otherNamesOf(code).some((one) => foldName(one) === folded);
  return codes.find(isNamed) ?? codesOfDivision(folded).find((code) => code.endsWith(`-${short}`)) ?? null;
}

/** Words of the name of a group beside a country. */
const GROUP_WORDS = 3;

/** The country beside a continent or another group that it is in: "Kenya, Africa", "Peru South America". */
function withoutGroup(q: string): Rewrite[] {
  const words = q
    .trim()
    .split(/[\s,()]+/u)
    .filter(Boolean);
  for (let count = Math.min(GROUP_WORDS, words.length - 1); count > 0; count--) {
    const halves = [
      [words.slice(0, -count), words.slice(-count)],
      [words.slice(count), words.slice(0, count)],
    ] as const;
    for (const [name, group] of halves) {
      const members = groupOf(group.join(' '))?.members;
      if (members === undefined) continue;
      const folded = foldName(name.join(' '));
      const isMember = members.some((code) => otherNamesOf(code).some((one) => foldName(one) === folded));
      if (isMember) return [{ q: name.join(' '), ignored: foldName(group.join(' ')), exactly: true }];
    }
  }
  return [];
}

/** An article in front of what contains a place: "Ohio, the United States", "Eibar, el País Vasco". */
const ARTICLE = /(,|\s(?:in|en|im))\s+(?:the|la|el|los|las|die|der|den|dem|das|le|les|lo|il|gli|os|as|o)\s+(?=\p{L})/iu;

const withoutArticle = (q: string): Rewrite[] =>
  ARTICLE.test(q) ? [{ q: q.replace(ARTICLE, '$1 '), ignored: null, exactly: true }] : [];

/** Abbreviations of states of the United States with a full stop that are also the codes of countries: "Gary, Ind." is not in India. */
const SHORT: Readonly<Record<string, string>> = { ind: 'Indiana', col: 'Colorado', mon: 'Montana', ken: 'Kentucky' };
const ABBREVIATED = /[\s,](\p{L}{3})\.\s*$/u;

function withAbbreviation(q: string): Rewrite[] {
  const state = SHORT[ABBREVIATED.exec(q)?.[1]?.toLowerCase() ?? ''];
  return state === undefined ? [] : [{ q: `${q.replace(ABBREVIATED, '')}, ${state}`, ignored: null, exactly: true }];
}

/** Letters of an adjective at least, and words of a query that has one. */
const [ADJECTIVE_FROM, MOST_WORDS] = [5, 6];

/** The country that a folded word is an adjective of, in one of four languages; undefined for other words. */
const countryOf = (word: string): string | undefined =>
  word.length < ADJECTIVE_FROM
    ? undefined
    : Object.values(ADJECTIVES)
        .map((one) => one.get(word) ?? one.get(`${word}e`))
        .find((code) => code?.length === 2);

/** A place beside the adjective of its country, and a word for its kind: "Indian state of Kerala", "Pays basque espagnol", "Belgisch-Limburg". */
function withoutAdjective(q: string): Rewrite[] {
  const words = q.trim().split(/[\s-]+/u);
  if (words.length < 2 || words.length > MOST_WORDS) return [];
  const at = words.findIndex((word) => countryOf(foldName(word)) !== undefined);
  const country = countryOf(foldName(words[at] ?? ''));
  if (country === undefined) return [];
  const rest = words.toSpliced(at, 1);
  while (rest.length > 1 && LINKS.has(foldName(rest[0] ?? ''))) rest.shift();
  if (rest.every((word) => isTypeWord(foldName(word)))) return [];
  return [{ q: rest.join(' '), country, ignored: foldName(words[at] ?? ''), exactly: true }];
}
const LINKS: ReadonlySet<string> = new Set(['the', 'of', 'la', 'le', 'el', 'der', 'die', 'das', 'l']);

/** A name, and behind a slash or in brackets another one that begins alike: "Bilbao/Bilbo", "Navarra (Nafarroa)". */
const TWINS = /^(\p{L}[^/()]+)[/(]([^/()]+)\)?$/u;
/** Letters with which both begin. */
const ALIKE = 2;

function withoutTwin(q: string): Rewrite[] {
  const [, name, other] = TWINS.exec(q.trim()) ?? [];
  if (name === undefined || other === undefined || foldName(name).slice(0, ALIKE) !== foldName(other).slice(0, ALIKE))
    return [];
  return [
    { q: name, ignored: foldName(other), exactly: true },
    { q: other, ignored: foldName(name), exactly: true },
  ];
}

/** A code in capitals in front of a name: "TX Dallas", "USA/Ohio". */
const CODE_IN_FRONT = /^\s*([A-Z]{2,3})[\s/]+(\p{Lu}\p{L}*\p{Ll}.*)$/u;

function codeBehind(q: string): Rewrite[] {
  const [, code = '', name = ''] = CODE_IN_FRONT.exec(q) ?? [];
  const isCode = code.length === 2 ? isPlaceCode(foldName(code)) : code === 'USA';
  return isCode ? [{ q: `${name}, ${code}`, ignored: null, exactly: true }] : [];
}

/** A county with a city in it behind: "Cook County (Chicago)", "King County Seattle". */
const CITY_BEHIND = /^\s*(\p{L}.*?\s(?:county|parish|borough))[\s,(]+(\p{L}[^(),]*?)\)?\s*$/iu;

function withoutCity(q: string): Rewrite[] {
  const [, county, city] = CITY_BEHIND.exec(q) ?? [];
  return county === undefined || city === undefined
    ? []
    : [{ q: county, ignored: foldName(city), exactly: true, city: foldName(city) }];
}

import { defined } from '../../common/elements.ts';
import { foldName } from '../names/fold.ts';
import { isPlaceCode } from '../names/place_names.ts';
import type { LevelWord } from './algebra.ts';
import { elidedAt } from './directions.ts';
import { MAX_TOKENS, type Token, tokensOf } from './tokens.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';
import { smallWords } from './vocabulary/vocabulary.ts';

/** The known names, as the parser needs them. */
export interface Lexicon {
  /** Whether a boundary has this folded name. */
  has(folded: string): boolean;
  /** The ids of the boundaries that are one city of this folded name together: "NYC". None if there is one or no such. */
  parts?(folded: string): readonly string[];
  /**
   * Returns how two folded names may belong together: `inside` if a boundary of the first is in one of the second;
   * `peers` if both primarily name boundaries of one kind; `both` if either reading is possible; `beside` if the first is
   * inside, and so is a boundary of its kind that has the second name: Marbella and Málaga.
   */
  relation(name: string, container: string): Relation | null;
  /** The only country that has boundaries of a level, where that is known. Null if there are several, or none. */
  onlyCountryOf?(level: LevelWord): OnlyCountry | null;
}

/** The only stored country with boundaries of a level: its ISO 3166-1 alpha-2 code, and its name. */
export interface OnlyCountry {
  readonly code: string;
  readonly name: string;
}

/** How two names may belong together. */
export type Relation = 'inside' | 'peers' | 'both' | 'beside';

/** Words that a name can have. */
export const MOST_WORDS = 9;

/** Words and commas that a name with commas can have, which is all of a description. */
const MOST_WHOLE = 16;

/** Returns every text of a description that may be a name, folded, for looking up in a lexicon. */
export function possibleNames(text: string): string[] {
  const tokens = tokensOf(text).slice(0, MAX_TOKENS);
  const names = new Set<string>();
  for (let i = 0; i < tokens.length; i++) {
    for (const end of spansFrom(tokens, i)) {
      for (const folded of foldsOf(text, tokens, i, end)) names.add(folded);
    }
    for (const elided of elidedAt(tokens, i)) for (const name of elided.names) names.add(name);
  }
  return [...names];
}

/** Returns pairs of a name and its possible container, folded: "Paris, Texas", and "Paris Texas" or "Paris TX" in a list. */
export function possibleContainments(text: string, has: Lexicon['has']): [string, string][] {
  const tokens = tokensOf(text).slice(0, MAX_TOKENS);
  const pairs = new Map<string, [string, string]>();
  // "spain portugal france"
  const areBare = tokens.every(({ sort }) => sort === 'word');
  for (let i = 1; i < tokens.length; i++) {
    // "Ohio - Indiana - Michigan"
    const isComma = /^[,–—-]$/.test(defined(tokens[i]).folded);
    const at = isComma ? i + 1 : i;
    const after = longestName(text, tokens, at, has) ?? codeAt(tokens, at);
    if (after === null || !(isComma || areBare || endsItem(tokens, after.end + 1))) continue;
    // "Cook, IL, USA": the code is in whatever the county is in.
    const [divider, code] = isComma ? tokens.slice(i - 2, i) : [];
    const before = divider?.folded === ',' && code && codeAt(tokens, i - 1) !== null ? i - 2 : i;
    for (let start = before - 1; start >= Math.max(0, before - MOST_WORDS); start--) {
      if (defined(tokens[start]).sort === 'sign') break;
      for (let end = isComma ? start : before - 1; end < before; end++) {
        for (const name of foldsOf(text, tokens, start, end)) {
          if (has(name)) for (const container of after.folded) pairs.set(`${name}|${container}`, [name, container]);
        }
      }
    }
  }
  for (const [name, container] of withLast(text, tokens, has)) pairs.set(`${name}|${container}`, [name, container]);
  return [...pairs.values()];
}

/** Names of a list that are compared with its last place. */
const MOST_LISTED = 12;

/**
 * Each name of a list with the last place of a description ("Adams, Clay and Lake in Indiana"), and the first with each ("Orange
 * County in California, Florida and New York").
 */
function withLast(text: string, tokens: readonly Token[], has: Lexicon['has']): [string, string][] {
  const items: NonNullable<ReturnType<typeof longestName>>[] = [];
  for (let i = 0; i < tokens.length && items.length <= MOST_LISTED; i++) {
    const named = longestName(text, tokens, i, has);
    if (named === null) continue;
    items.push(named);
    i = named.end;
  }
  const [last, count] = [items.at(-1), items.length];
  if (last === undefined || count < 3 || count > MOST_LISTED || last.end !== tokens.length - 1) return [];
  const [first] = items;
  const pairs = [
    ...items.slice(0, -1).map((one) => [one, last] as const),
    ...items.slice(1, -1).map((one) => [first, one] as const),
  ];
  return pairs.flatMap(([one, other]) =>
    (one?.folded ?? []).flatMap((name) => other.folded.map((place): [string, string] => [name, place])),
  );
}

/** Grammar words of all languages that are not names if they are alone and in lower case: "and" is Andorra's code. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap(smallWords).flatMap((words) => (words.length === 1 ? words : [])),
);

/** Whether a word looks like a code: two or three capitals. */
export const isCode = ({ text }: Token): boolean => /^\p{Lu}{2,3}$/u.test(text);

/** Whether a text is written as a code of ISO 3166, with a country ("ES-SE") or of two capitals. */
export const isIsoCode = (text: string): boolean => /^\p{Lu}{2}(?:-[\p{Lu}\d]{1,3})?$/u.test(text);

/** Returns the index of the last token of each possible name that starts at a token, longest first. */
export function spansFrom(tokens: readonly Token[], start: number): number[] {
  if (defined(tokens[start]).sort !== 'word') return [];
  const ends: number[] = [];
  for (let end = start; end < Math.min(tokens.length, start + MOST_WORDS); end++) {
    if (defined(tokens[end]).sort === 'sign') {
      // "Bosnia & Herzegovina"
      if (end > start && defined(tokens[end]).folded === '&' && tokens[end + 1]?.sort === 'word') continue;
      // "Washington, DC" is one name.
      const code = tokens[end + 1];
      if (end > start && defined(tokens[end]).folded === ',' && code && isCode(code)) ends.push(end + 1);
      break;
    }
    ends.push(end);
  }
  // "Bonaire, Sint Eustatius and Saba" is one name, too; the names of a list are not sought in all their sequences.
  const last = tokens.length - 1;
  if (start === 0 && last < MOST_WHOLE && ends.at(-1) !== last && tokens.some(({ folded }) => folded === ','))
    ends.push(last);
  return ends.reverse();
}

/** Returns the folded forms of a span: as written, and without a possessive or genitive s. */
export function foldsOf(text: string, tokens: readonly Token[], start: number, end: number): string[] {
  const folded = foldName(text.slice(defined(tokens[start]).from, defined(tokens[end]).to));
  if (folded === '' || (start === end && isSmall(defined(tokens[start])))) return [];
  return folded.length > 4 && folded.endsWith('s') ? [folded, folded.slice(0, -1)] : [folded];
}

/** Whether a token is a grammar word in lower case. */
export const isSmall = ({ text, folded }: Token): boolean => SMALL_WORDS.has(folded) && text === text.toLowerCase();

/** Whether a list may go on at a token, or ends before it. */
const endsItem = (tokens: readonly Token[], at: number): boolean => {
  const token = tokens[at];
  return token === undefined || token.sort === 'sign' || isSmall(token);
};

/** A code of two capitals at a token, as longestName() returns a name. */
function codeAt(tokens: readonly Token[], at: number) {
  const token = tokens[at];
  return token && isCode(token) && isPlaceCode(token.folded) ? { end: at, folded: [token.folded] } : null;
}

function longestName(text: string, tokens: readonly Token[], start: number, has: Lexicon['has']) {
  for (const end of start < tokens.length ? spansFrom(tokens, start) : []) {
    const folded = foldsOf(text, tokens, start, end);
    if (folded.some(has)) return { end, folded: folded.filter(has) };
  }
  return null;
}

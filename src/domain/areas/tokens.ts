import { foldName } from '../names/fold.ts';

/** A word, a number or a punctuation mark of a description. */
export interface Token {
  readonly sort: 'word' | 'number' | 'sign';
  /** The text as written. */
  readonly text: string;
  /** A word in the folded form of names; a sign unchanged. */
  readonly folded: string;
  /** Offset of the first character, and the offset after the last. */
  readonly from: number;
  readonly to: number;
  /** Apostrophe or hyphen that joins it to the previous word without a blank. */
  readonly glue: string;
}

/** Tokens that a description can have. */
export const MAX_TOKENS = 300;

/** A number can be a code with another one behind its comma: "48201,48113". */
const TOKEN =
  /(?<number>\d{5,9}(?=,\d{5,9}(?!\d))|\d+(?:[.,\u00a0\u202f' ]\d{3}(?!\d))*(?:[.,]\d+)?)|(?<word>[\p{L}\p{M}]+\.?)|(?<sign>[^\s])/gu;
/** Boundary ids without blanks: of the map, of an area of a set, and codes, with a digit, of a scheme. */
const IDS = [
  /^(?:iso:[A-Z0-9-]+|wikidata:Q\d+|[rw]\d{3,}|relation\/\d+)(?![\p{L}\p{N}])/iu,
  /^set:[a-z0-9-]+\/[^\s/@,;"'?#%()]*[^\s/@,;"'?#%().:]/iu,
  /^[a-z][a-z0-9_-]+:(?=[^\s,;()]*\d)[^\s,;()"'«»“”/]*[\p{L}\p{N}]/iu,
];
/** The most characters of an id. */
const MOST_ID = 160;
const APOSTROPHES = new Set(["'", '’', '‘', '`', '´', 'ʼ']);
/** Words for levels of more than three letters that keep their period: "prov. de Zamora". */
const ABBREVIATED: ReadonlySet<string> = new Set(['prov', 'dept', 'dpto', 'depto']);
/** What follows an abbreviation and no sentence: "Calif., Nev.", "Tenn. and Ky." */
const GOES_ON = /^(?:[,;)]|(?:and|or|y|e|o|u|und|oder|et|ou)\s)/u;
/** Brackets of all kinds are round ones. */
const SAME_SIGNS: Readonly<Record<string, string>> = { '[': '(', '{': '(', ']': ')', '}': ')' };
const HYPHENS = new Set(['-', '‐', '‑', '–']);

/** The bullet or the number of an item: at the start of a line or, for numbers, behind a blank. */
const BULLET =
  /(?<=^|\n)[^\S\n]*(?:[-*•–·▪▸►‣●○■□]|\d{1,2}[.)]|[a-z]\))(?=\s)|(?<=\s)(?:\d{1,2}[.)]|[a-z]\))(?=\s+\p{L})/gu;
/** The first of a list whose items have numbers or letters in other forms: "1.º", "1:", "#1", "(a)", "(i)". */
const FIRST = /(?:^|[:\n])\s{0,9}(?:1(?:\.?[ºª°]|:)|#1[:.)]?|\([ai1]\))\s/u;
const NUMBERED =
  /(?<=(?:^|[\n,;:])[^\S\n]{0,9})(?:\d{1,2}(?:\.?[ºª°]|:)|#\d{1,2}[:.)]?)(?=\s)|(?<=^|\s)\((?:[a-z]|[ivx]{1,4}|\d{1,2})\)(?=\s)/gu;
/** The end of a line before a line that begins with a capital or a heading: "exclude:". */
const LINE_END = /(?<![,;:(\s])\n(?=\s*(?:\p{Lu}|\p{L}+\s*:))/gu;

/** A list with bullets or in lines with semicolons in their place, at the same offsets. */
function withSemicolons(text: string): string {
  const lines = text.replace(LINE_END, ';');
  const isNumbered = FIRST.test(text);
  if (!isNumbered && !/(?:^|\n)[^\S\n]*(?:[-*•–·▪▸►‣●○■□]|\d{1,2}[.)]|[a-z]\))\s/u.test(text)) return lines;
  return lines.replace(isNumbered ? NUMBERED : BULLET, (bullet, at: number) => {
    const written = lines.slice(0, at).trimEnd().slice(-1);
    return /^[,;:(]?$/.test(written) ? ' '.repeat(bullet.length) : `;${' '.repeat(bullet.length - 1)}`;
  });
}

/** The id that begins at an offset, as written; null if none does. */
function idAt(text: string, from: number): string | null {
  const rest = text.slice(from, from + MOST_ID);
  for (const form of IDS) {
    const [id] = form.exec(rest) ?? [];
    if (id !== undefined) return id;
  }
  return null;
}

/** Whether a code with a period ends a sentence: "MN. Not", but neither "St. Louis" nor "ST. LOUIS". */
export const isCodeAtEnd = (text: string, next: string): boolean =>
  /^\p{Lu}{2}\./u.test(text) && /^\p{Lu}\p{Ll}/u.test(next);

/** Splits a description into tokens. Linear in its length, which callers limit. */
export function tokensOf(given: string): Token[] {
  const text = withSemicolons(given);
  const tokens: Token[] = [];
  let glue = '';
  let end = -1;
  const add = (sort: Token['sort'], from: number, to: number, folded: string) => {
    tokens.push({ sort, text: text.slice(from, to), folded, from, to, glue: end === from ? glue : '' });
    glue = '';
    end = to;
  };
  const pattern = TOKEN;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const from = match.index;
    const before = from === 0 ? '' : text.charAt(from - 1);
    if (!/[\p{L}\p{N}]/u.test(before)) {
      const id = idAt(text, from);
      if (id !== null) {
        add('word', from, from + id.length, id.toLowerCase());
        pattern.lastIndex = from + id.length;
        continue;
      }
    }
    const to = from + match[0].length;
    const { number, word } = match.groups as Record<string, string | undefined>;
    if (number !== undefined) add('number', from, to, number);
    else if (word !== undefined) {
      // "St." keeps its period inside a name; at the end of a sentence the period is a sign.
      const bare = word.endsWith('.') ? to - 1 : to;
      const folded = foldName(text.slice(from, bare));
      add('word', from, bare, folded === '' ? text.slice(from, bare) : folded);
      if (bare < to) {
        pattern.lastIndex = bare + 1;
        const next = text.slice(bare + 1).trim();
        const isEnd =
          bare - from > 3 ? !ABBREVIATED.has(folded) && !GOES_ON.test(next) : isCodeAtEnd(text.slice(from), next);
        if (next === '' || isEnd) add('sign', bare, to, '.');
      }
    } else {
      const sign = match[0];
      const joins =
        (APOSTROPHES.has(sign) || HYPHENS.has(sign)) && end === from && /[\p{L}\p{N}]/u.test(text[to] ?? '');
      if (joins) {
        glue = APOSTROPHES.has(sign) ? "'" : '-';
        end = to;
      } else add('sign', from, to, SAME_SIGNS[sign] ?? (APOSTROPHES.has(sign) ? "'" : sign));
    }
  }
  return tokens;
}

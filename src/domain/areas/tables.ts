import { foldName } from '../names/fold.ts';
import type { Expression, LevelWord } from './algebra.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';
import type { Language, Phrase } from './vocabulary/vocabulary.ts';
import { bareOf } from './words_of.ts';

// Tables that are pasted in: a line of headings that are words for levels, and a line for each place.

/** What divides the cells of a table: the first of these that is in its line of headings. */
const DIVIDERS: readonly RegExp[] = [/\t/gu, /\|/gu, /;/gu, /,/gu, /\s\/\s/gu, /\s\s/gu];
/** A line of a table in Markdown between its headings and its places. */
const RULER = /^[\s|:+=-]+$/u;

/** Levels from the largest on. */
const SIZES: readonly LevelWord[] = [
  ...(['country', 'state', 'community', 'region', 'province', 'county', 'department'] as const),
  ...(['canton', 'district', 'municipality', 'borough'] as const),
];

/** A line of a description with its offset. */
interface Line {
  readonly text: string;
  readonly from: number;
}
interface Cell {
  readonly text: string;
  readonly from: number;
}

/** The places of a table, and the language of its headings. */
export interface Table {
  readonly expression: Expression;
  readonly language: Language;
}

/**
 * Reads a table whose headings are words for levels: "State, County", then a line with both for each place. Each place is
 * of the smaller level, in that of the next larger one. Null if a heading is something else, or a line has other cells.
 */
export function readTable(text: string): Table | null {
  const records = recordsOf(text);
  if (records !== null) return records;
  const lines = linesOf(text).filter((line) => line.text.trim() !== '' && !RULER.test(line.text));
  const [first, ...rows] = lines;
  if (!first || rows.length === 0) return null;
  const divider = DIVIDERS.find((one) => trimmed(first).text.search(one) >= 0);
  if (divider === undefined) return readColumn(text, first, rows);
  const headings = cellsOf(first, divider).map(({ text: heading }) => levelOf(heading));
  if (headings.length < 2 || headings.some((one) => one === null)) return null;
  const levels = headings.flatMap((one) => (one === null ? [] : [one]));
  if (new Set(levels.map(({ level }) => level)).size < levels.length) return null;
  return tableOf(
    text,
    levels,
    rows.map((row) => cellsOf(row, divider)),
  );
}

/** The places of rows whose cells have these levels. Null if a row has other cells. */
function tableOf(text: string, levels: readonly Heading[], rows: readonly (readonly Cell[])[]): Table | null {
  const order = levels.map(({ level }) => level).toSorted((a, b) => SIZES.indexOf(b) - SIZES.indexOf(a));
  const at = order.map((level) => levels.findIndex((one) => one.level === level));
  const [own = 0, container] = at;
  const of: Expression[] = [];
  for (const cells of rows) {
    const place = cells[own];
    const within = container === undefined ? undefined : cells[container];
    if (cells.length !== levels.length || cells.some((cell) => cell.text === '') || !place) return null;
    const words = { text: place.text, from: place.from, to: place.from + place.text.length };
    const contained = within === undefined ? {} : { within: within.text };
    of.push({ op: 'place', name: place.text, ...contained, level: order[0], words } as Expression);
  }
  const words = { text: text.slice(0, 2_000), from: 0, to: text.length };
  return { expression: { op: 'union', of, words }, language: levels[0]?.language ?? 'en' };
}

/** A list of records in JSON, each with the same levels: `[{"county":"Lake","state":"OH"}]`. Null for another text. */
function recordsOf(text: string): Table | null {
  if (!/^\s*\[\s*\{/u.test(text)) return null;
  let records: unknown;
  try {
    records = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(records)) return null;
  const keys = Object.keys((records[0] ?? {}) as object);
  const levels = keys.flatMap((key) => levelOf(key.replaceAll('_', ' ')) ?? []);
  if (keys.length === 0 || new Set(levels.map(({ level }) => level)).size < keys.length) return null;
  let from = 0;
  const rows: Cell[][] = [];
  for (const record of records as unknown[]) {
    const values = Object.entries((record ?? {}) as Record<string, unknown>);
    if (values.length !== keys.length || values.some(([key, value], k) => key !== keys[k] || typeof value !== 'string'))
      return null;
    rows.push(
      values.map(([, value]) => {
        const at = text.indexOf(JSON.stringify(value), from);
        from = Math.max(from, at);
        return { text: String(value), from: Math.max(0, at + 1) };
      }),
    );
  }
  return tableOf(text, levels, rows);
}

/** A heading, and a line for each place of its level. */
function readColumn(text: string, first: Line, rows: readonly Line[]): Table | null {
  const heading = levelOf(trimmed(first).text);
  const cells = rows.map((row) => cellOf(row.text, row.from));
  const areNames = cells.every((cell) => /^[\p{L}\p{M}][\p{L}\p{M}\s.'’/-]*$/u.test(cell.text));
  if (heading === null || cells.length < 2 || !areNames) return null;
  const of = cells.map(({ text: name, from }): Expression => {
    return { op: 'place', name, level: heading.level, words: { text: name, from, to: from + name.length } };
  });
  const words = { text: text.slice(0, 2_000), from: 0, to: text.length };
  return { expression: { op: 'union', of, words }, language: heading.language };
}

function linesOf(text: string): Line[] {
  let from = 0;
  return text.split('\n').map((line) => {
    const start = from;
    from += line.length + 1;
    return { text: line, from: start };
  });
}

/** A line without blanks and bars at its ends. */
function trimmed({ text, from }: Line): Line {
  const bare = bareOf(text, '|');
  return { text: bare.text, from: from + bare.from };
}

function cellsOf(line: Line, divider: RegExp): Cell[] {
  const { text, from } = trimmed(line);
  const cells: Cell[] = [];
  let start = 0;
  for (const { 0: found, index } of text.matchAll(divider)) {
    cells.push(cellOf(text.slice(start, index), from + start));
    start = index + found.length;
  }
  return [...cells, cellOf(text.slice(start), from + start)];
}

/** A cell without blanks and quotation marks around it. */
function cellOf(text: string, from: number): Cell {
  const bare = bareOf(text, '"\'“”„«»*');
  return { text: bare.text, from: from + bare.from };
}

/** A level that a heading is a word for, and its language. */
interface Heading {
  readonly level: LevelWord;
  readonly language: Language;
}
function levelOf(heading: string): Heading | null {
  const folded = foldName(heading);
  const isWord = (phrases: readonly Phrase[]): boolean => phrases.some((phrase) => phrase.join(' ') === folded);
  for (const { levels, city, language } of VOCABULARIES) {
    for (const [level, { one, many }] of levels) if (isWord(one) || isWord(many)) return { level, language };
    if (isWord(city)) return { level: 'municipality', language };
  }
  return null;
}

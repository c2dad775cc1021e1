import { isCodeColumn, rankOf, saysOther } from '../../domain/tables/column_titles.ts';
import type { TableColumns } from '../../domain/tables/columns.ts';
import { cellAt, textsOf } from '../../domain/tables/row_places.ts';
import { type Looking, MOST_TRIED } from './column_rivals.ts';
import { EXPLAINED, MEANT, type Trial, tried } from './column_trials.ts';

/** A code of the place around a row, and one inside of it, as programs leave them without zeros. */
const START = /^(?:\d{1,3}|\d[AB])$/;
const PART = /^\d{1,3}$/;
const COUNTRY_LEVEL = 2;
/** Pairs of columns that are tried. */
const MOST_PAIRS = 6;

/**
 * The columns with the codes in two of them: that of the state and that of the county inside of it. The codes of offices are
 * one after the other, filled with zeros: 1 and 117 are 01117. They are taken where they explain nearly all rows, or half of
 * those whose names mean the same places. Null if there are none.
 */
export async function bySplitCodes(looking: Looking, known: TableColumns): Promise<TableColumns | null> {
  const { table, sample, fixed, asked } = looking;
  const starts = new Set([...table.columns.keys()].filter((at) => areAll(cellsOf(sample, at), START)));
  const isName = known.name !== null && (asked.name !== undefined || !starts.has(known.name));
  const name = isName ? known.name : null;
  // Names that mean the same places are evidence; numbers alone may be those of anything.
  let least = name === null ? EXPLAINED : MEANT;
  let best: Trial | null = null;
  for (const { code, start } of splitPairs(looking, {
    name,
    starts,
    given: asked.code === undefined ? null : known.code,
  })) {
    const within = fixed.within ? known.within : known.within.filter((at) => !starts.has(at));
    const trial = await tried(looking, {
      ...known,
      ...{ name, code },
      within,
      codeStart: { at: start, digits: digitsOf(cellsOf(sample, start)) },
    });
    if (trial.share < least || trial.share === best?.share) continue;
    least = trial.share;
    best = trial;
  }
  return best?.columns ?? null;
}

/** The cells of a column that are not empty. */
const cellsOf = (sample: Looking['sample'], at: number): string[] =>
  sample.map((cells) => cellAt(cells, at)).filter((cell) => cell !== '');

/** Whether there are cells, and all have a form. */
const areAll = (cells: readonly string[], form: RegExp): boolean =>
  cells.length > 0 && cells.every((cell) => form.test(cell));

/**
 * Pairs of columns that may have the two parts of codes, as far as their names and cells say, MOST_PAIRS at most.
 * @param of the column of the names; those of which all cells may be codes of what is around; that of the codes, if asked for
 */
function splitPairs(
  { table, sample }: Looking,
  {
    name,
    starts,
    given,
  }: { readonly name: number | null; readonly starts: ReadonlySet<number>; readonly given: number | null },
): { readonly code: number; readonly start: number }[] {
  // Once for each column: a table may have a thousand of them.
  const free = [...table.columns.keys()].flatMap((at) => {
    const title = table.columns[at] ?? '';
    const rank = rankOf(title);
    return at !== name && (isCodeColumn(title) || rank >= 0) ? [{ at, rank }] : [];
  });
  const outer = free.filter(({ at }) => starts.has(at));
  const inner =
    given === null
      ? free.filter(({ at }) => areAll(cellsOf(sample, at), PART))
      : [{ at: given, rank: rankOf(table.columns[given] ?? '') }];
  const pairs: { code: number; start: number }[] = [];
  for (const code of inner) {
    for (const start of outer) {
      if (pairs.length === MOST_PAIRS) return pairs;
      if (start.at !== code.at && isAround(start.rank, code.rank)) pairs.push({ code: code.at, start: start.at });
    }
  }
  return pairs;
}

/** Digits of the codes around others: two, or three where one has as many. */
const digitsOf = (cells: readonly string[]): number => Math.max(2, ...cells.map(({ length }) => length));

/** Whether the place of one column is around that of another, as far as the ranks of their names say. */
const isAround = (outer: number, inner: number): boolean => outer < 0 || inner < 0 || outer > inner;

/** The innermost level of the places of a column that may be around names of which few are found. */
const OUTER_TO = 4;

/**
 * The columns with one around names of which few are found: nearly all of its cells are countries, or states of one country,
 * so that the names may be those of places inside of them that are not stored, whatever the names of the columns say.
 * @param trial what the columns say without it
 */
export async function withOuter(looking: Looking, { columns, share }: Trial): Promise<TableColumns> {
  const { table, sample, fixed } = looking;
  if (share >= MEANT || fixed.within || columns.within.length > 0) return columns;
  const taken = [columns.name, columns.code, columns.type];
  const free = [...table.columns.keys()].filter(
    (at) => !taken.includes(at) && !saysOther(table.columns[at] ?? '') && textsOf(sample, at).length > 0,
  );
  for (const at of free.slice(0, MOST_TRIED)) {
    const alone = { name: at, code: null, codeStart: null, within: [], type: null, filled: [], kinds: [], others: [] };
    const { share: named, decision } = await tried(looking, alone);
    const isOuter = decision.adminLevel !== null && decision.adminLevel <= OUTER_TO;
    if (named >= EXPLAINED && isOuter && (decision.country !== null || decision.adminLevel === COUNTRY_LEVEL)) {
      return { ...columns, within: [at] };
    }
  }
  return columns;
}

/** A code of a place inside of a country, with letters around it or not. */
const LONG = /^(?:[A-Z]{1,3}[-_]?)?\d{4,8}$/i;

/**
 * The columns with the codes of the names in one whose name does not say so: "com" beside communes. Each code that is found
 * must be that of the name beside it, and more rows have a boundary with them. Null if there are none.
 */
export async function byCodesBeside(looking: Looking, known: TableColumns): Promise<TableColumns | null> {
  const { table, sample, asked } = looking;
  if (known.name === null || known.code !== null || asked.code !== undefined) return null;
  const coded = [...table.columns.keys()].filter((at) => {
    const cells = sample.map((row) => cellAt(row, at)).filter((cell) => cell !== '');
    const isFree = at !== known.name && at !== known.type && !known.within.includes(at);
    return isFree && cells.length > 0 && cells.every((cell) => LONG.test(cell)) && new Set(cells).size === cells.length;
  });
  if (coded.length === 0) return null;
  const first = await tried(looking, known);
  if (first.share === 1) return null;
  for (const code of coded.slice(0, MOST_PAIRS)) {
    const trial = await tried(looking, { ...known, code });
    if (trial.share >= EXPLAINED && trial.share > first.share) return trial.columns;
  }
  return null;
}

/** Different codes that a column must have where the column of names has one text. */
const CODES_FROM = 5;

/** The columns without that of the names where all its cells are alike, and the codes beside it are those of places: "World". */
export async function withoutAlike(looking: Looking, known: TableColumns): Promise<TableColumns> {
  const { sample, asked } = looking;
  const { name, code } = known;
  if (name === null || code === null || asked.name !== undefined) return known;
  if (textsOf(sample, name).length !== 1 || textsOf(sample, code).length < CODES_FROM) return known;
  for (const within of [[name, ...known.within], known.within, []]) {
    const trial = await tried(looking, { ...known, name: null, within });
    if (trial.share >= EXPLAINED) return trial.columns;
  }
  return known;
}

/** Columns that may decide between places of one name, and rows with a boundary from which they can. */
const MOST_DECIDING = 8;
const PLACED_FROM = 4;

/**
 * The columns with one more around the names, whatever its name says, that tells places of one name apart: all rows that had
 * a boundary without it are inside of its places, and more rows have one.
 */
export async function withDeciding(looking: Looking, known: TableColumns): Promise<TableColumns> {
  const { table, sample, fixed } = looking;
  const { name } = known;
  if (name === null || fixed.within) return known;
  const first = await tried(looking, known);
  const placed = new Set(first.ids.filter((id) => id !== null));
  if (first.share === 1 || first.share < MEANT || placed.size < PLACED_FROM) return known;
  const most = textsOf(sample, name).length;
  const free = [...table.columns.keys()].filter((at) => {
    if ([name, known.code, known.type, ...known.within].includes(at)) return false;
    const texts = textsOf(sample, at).length;
    return texts > 1 && texts <= most && !saysOther(table.columns[at] ?? '');
  });
  for (const at of free.slice(0, MOST_DECIDING)) {
    const trial = await tried(looking, { ...known, within: [...known.within, at] });
    const areInside = first.ids.every((id, i) => id === null || trial.ids[i] === id);
    if (areInside && trial.share > first.share) return trial.columns;
  }
  return known;
}

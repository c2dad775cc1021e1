import { invalidInput } from '../../core/errors.ts';
import type { Kind } from '../../core/schemas.ts';
import { isBoundaryId } from '../boundaries/ids.ts';
import { foldName } from '../names/fold.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';
import { has, isCodeColumn, rankOf, STATES, wordsOf } from './column_titles.ts';
import { CODES, KINDS_OF_PLACES, NAMES, OF_ANYTHING, OF_MAIL, OF_PERSONS, TYPES } from './column_words.ts';
import { WITH_SCHEME } from './places_around.ts';

/** Columns as the caller names them; absent: found by their names and contents. */
export interface AskedColumns {
  readonly name?: string;
  readonly code?: string;
  readonly within?: readonly string[];
  readonly type?: string;
}

/** The places of the columns; null: there is none. */
export interface TableColumns {
  readonly name: number | null;
  readonly code: number | null;
  /** The column with what the codes of `code` begin with, and its digits: the state of a county. */
  readonly codeStart: { readonly at: number; readonly digits: number } | null;
  /** The innermost first. */
  readonly within: readonly number[];
  readonly type: number | null;
  /** The column whose name says that it has countries. */
  readonly country?: number | null;
  /** Those of `within` whose empty cells are those above them, as of cells that were merged. */
  readonly filled: readonly number[];
  /** Kinds that the name of the name column means ("provincia"), the likeliest first. */
  readonly kinds: readonly Kind[];
  /** Kinds that it rules out: a city is not a county. */
  readonly others: readonly Kind[];
}

/** The share of the cells of a column that must be ids of boundaries. */
const IDS_SHARE = 0.5;

/** Whether more cells than IDS_SHARE of those that are not empty are ids of boundaries. */
function hasIds(cells: readonly string[]): boolean {
  const texts = cells.map((cell) => cell.trim()).filter((text) => text !== '');
  return texts.filter((text) => WITH_SCHEME.test(text) && isBoundaryId(text)).length > IDS_SHARE * texts.length;
}

/** The share of the cells of a column of names that must have letters. */
const LETTERS_SHARE = 0.5;

/** Whether the cells of a column can be names; true where it has none. */
function hasLetters(cells: readonly string[]): boolean {
  const texts = cells.filter((cell) => cell.trim() !== '');
  return texts.filter((text) => /\p{L}/u.test(text)).length >= LETTERS_SHARE * texts.length;
}

/** Words of which only those for a place say that a name is that of one: numbers of versions and languages say nothing. */
const isOfName = (word: string): boolean => NAMES.has(word) || /^(?:\d+|[a-z]{1,3})$/.test(word);

/** Columns that may have the names, by the words in their names. */
export interface NameColumns {
  /** For any place, or for anything that has a name: "Ort", "Name". */
  readonly plain: readonly number[];
  /** With a word beside it that is none of a place, or beside columns of a person: "Account Name". */
  readonly doubtful: readonly number[];
  /** For places of a sort, the innermost first: each list has those of one sort. */
  readonly ranked: readonly (readonly number[])[];
}

/** The cells of some rows, by column. */
type Sample = (column: number) => readonly string[];

/** Columns that the caller names by their numbers. */
interface Given {
  readonly name: number | null;
  readonly code: number | null;
  readonly type: number | null;
  readonly within: readonly number[] | null;
}

/** @throws invalid_input for a column that does not exist */
function givenIn(columns: readonly string[], asked: AskedColumns): Given {
  const place = (path: string, name: string): number => {
    const at = columns.findIndex((one) => foldName(one) === foldName(name));
    if (at >= 0) return at;
    const shown = columns.slice(0, 20).join(', ') + (columns.length > 20 ? ' …' : '');
    throw invalidInput([{ path, code: 'not_found', message: `there is no column ${name}; the columns are ${shown}` }]);
  };
  const { name, code, type, within } = asked;
  return {
    name: name === undefined ? null : place('name_column', name),
    code: code === undefined ? null : place('code_column', code),
    type: type === undefined ? null : place('type_column', type),
    within: within?.map((one) => place('within_columns', one)) ?? null,
  };
}

/**
 * Finds the columns of a table: those asked for, else by the words in their names. Of several columns for places, the
 * innermost has the names, and the others are around it.
 * @param sample the cells of some rows, by column: they tell whether a column of ids has those of boundaries, and that a
 * column of numbers has no names (French "nombre")
 * @param name the column that has the names, where the caller of this knows it
 * @returns the columns; `name` and `code` are null where the names of the columns do not tell
 * @throws invalid_input for a column that does not exist
 */
export function findTableColumns(
  columns: readonly string[],
  asked: AskedColumns,
  sample: Sample = () => [],
  name: number | null = null,
): TableColumns {
  const given = givenIn(columns, asked);
  const known = given.name ?? name;
  const code = given.code ?? codeIn(columns, { ...given, name: known }, sample);
  const others = { ...given, name: known, code };
  const type =
    given.type ?? freeOf(columns, others).find((at) => has(columns[at] ?? '', TYPES) && !isCode(columns, at));
  const ranked = rankedIn(columns, { ...others, type: type ?? null }, sample);
  const { plain, doubtful } = plainIn(columns, { ...others, type: type ?? null }, sample);
  const own = known ?? plain[0] ?? ranked[0]?.at ?? doubtful[0] ?? null;
  const rank = own === null ? -1 : rankOf(columns[own] ?? '');
  const around = ranked
    .filter((one) => one.at !== own && one.rank > rank)
    // The code of a place says nothing more where its name is there.
    .filter((one) => one.isCode === 0 || !ranked.some((other) => other.rank === one.rank && other.isCode === 0))
    .map(({ at }) => at);
  return {
    ...{ name: own, code, codeStart: null, within: given.within ?? around, type: type ?? null, filled: [] },
    country: ranked.find(({ rank, isCode: coded }) => rank > STATES && coded === 0)?.at ?? null,
    ...meantBy(own === null ? '' : (columns[own] ?? '')),
  };
}

/** The columns that may have the names, by the words in their names. @throws invalid_input for a column that does not exist */
export function nameColumnsIn(columns: readonly string[], asked: AskedColumns, sample: Sample): NameColumns {
  const given = givenIn(columns, asked);
  const { code, type } = findTableColumns(columns, asked, sample);
  const ranked = new Map<number, number[]>();
  for (const { at, rank, isCode: coded } of rankedIn(columns, { ...given, code, type }, sample)) {
    if (coded === 0) ranked.set(rank, [...(ranked.get(rank) ?? []), at]);
  }
  return { ...plainIn(columns, { ...given, code, type }, sample), ranked: [...ranked.values()] };
}

const isCode = (columns: readonly string[], at: number): boolean => isCodeColumn(columns[at] ?? '');

/** The columns that are not given. */
function freeOf(columns: readonly string[], { name, code, type, within }: Given): number[] {
  const taken = new Set([name, code, type, ...(within ?? [])]);
  return [...columns.keys()].filter((at) => !taken.has(at));
}

/** The column of codes. */
function codeIn(columns: readonly string[], given: Given, sample: Sample): number | null {
  const free = freeOf(columns, given);
  const innermost = Math.min(
    ...[...free, ...(given.name === null ? [] : [given.name])]
      .filter((at) => !isCode(columns, at) && hasLetters(sample(at)))
      .map((at) => rankOf(columns[at] ?? ''))
      .filter((rank) => rank >= 0),
  );
  const own = free.filter((at) => {
    const column = columns[at] ?? '';
    const rank = rankOf(column);
    // "state_code" beside "name" is a code of what is around the row, beside "state" that of the row.
    const isOfOther = rank >= STATES ? rank !== innermost : has(column, OF_MAIL);
    return isCode(columns, at) && !isOfOther && !has(column, TYPES) && rank <= innermost;
  });
  return own.find((at) => has(columns[at] ?? '', CODES)) ?? own.find((at) => hasIds(sample(at))) ?? null;
}

/** The columns for places of a sort, the innermost first, and those of names before those of codes. */
function rankedIn(columns: readonly string[], given: Given, sample: Sample) {
  const { name, ...others } = given;
  return freeOf(columns, { name: null, ...others })
    .filter((at) => isCode(columns, at) || hasLetters(sample(at)))
    .map((at) => {
      const column = columns[at] ?? '';
      return { at, rank: rankOf(column), named: Number(has(column, NAMES)), isCode: Number(isCode(columns, at)) };
    })
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank || a.isCode - b.isCode || b.named - a.named);
}

/** The columns of names of no sort. */
function plainIn(columns: readonly string[], given: Given, sample: Sample): Omit<NameColumns, 'ranked'> {
  const isOfPerson = columns.some((column) => has(column, OF_PERSONS));
  const named = freeOf(columns, given).filter((at) => {
    const column = columns[at] ?? '';
    return has(column, NAMES) && rankOf(column) < 0 && hasLetters(sample(at));
  });
  const isDoubtful = (at: number): boolean => {
    const words = foldName(columns[at] ?? '').split(' ');
    const isBare = words.every((word) => OF_ANYTHING.has(word));
    return words.some((word) => OF_ANYTHING.has(word)) && (isBare ? isOfPerson : !words.every(isOfName));
  };
  return { plain: named.filter((at) => !isDoubtful(at)), doubtful: named.filter(isDoubtful) };
}

/** The kinds that the name of a column means, and rules out. */
export function meantBy(name: string): Pick<TableColumns, 'kinds' | 'others'> {
  const named = KINDS_OF_PLACES.filter(({ words }) => has(name, words));
  const [first] = named;
  // "Stadt/Landkreis" has both.
  const others = first?.others.filter((kind) => named.every(({ others: ruledOut }) => ruledOut.includes(kind)));
  return { kinds: kindsIn(name), others: others ?? [] };
}

/** The kinds that a word in the name of a column means. */
function kindsIn(name: string): readonly Kind[] {
  return wordsOf(name).flatMap((word) => (rankOf(word) < 0 ? [] : kindsOfTypeWords(word)));
}

import type { Context } from '../../core/op.ts';
import type { TableColumns } from '../../domain/tables/columns.ts';
import type { Decision, MatchFilters, PlaceRow } from '../../domain/tables/match_rows.ts';
import { cellAt, placeReader } from '../../domain/tables/row_places.ts';
import { distinctRows, matchPlaces, withNamedSets } from './match_table.ts';

/** The first rows of a table, on which readings of its columns are tried. */
export interface Trying {
  readonly ctx: Context;
  readonly sample: readonly string[][];
  readonly filters: MatchFilters;
  /** Is called before names are looked up, which costs a unit whatever comes of it. */
  looked(): void;
}

/** What became of the rows by one reading of the columns. */
export interface Trial {
  readonly columns: TableColumns;
  /** The boundary of each row. */
  readonly ids: readonly (string | null)[];
  /** The share of the rows that say a place, with a boundary. */
  readonly share: number;
  /** The share of them whose boundary has the whole name or the code that the row says. */
  readonly whole: number;
  readonly decision: Decision;
}

/** The share of the rows from which a reading explains them. */
export const EXPLAINED = 0.9;
/** The share of the rows from which a reading may be meant. */
export const MEANT = 0.5;
/** Rows from which they tell more than the names of the columns. */
const ROWS_FROM = 5;
/** Columns around the names of which each is tried. */
const MOST_AROUND = 6;

/** Matches the rows as columns say. */
export async function tried({ ctx, sample, filters, looked }: Trying, columns: TableColumns): Promise<Trial> {
  looked();
  const placeOf = placeReader(columns);
  const rows = sample.map(placeOf);
  const { places, keys } = await distinctRows(rows.length, (i) => rows[i] as PlaceRow, ctx.signal);
  const { kinds, others } = columns;
  const matched = await matchPlaces(await withNamedSets(ctx, places), places, { filters, whole: true, kinds, others });
  const ids = Array.from(keys, (key) => matched.rows[key]?.boundary?.id ?? null);
  const said = rows.filter(({ name, code }) => name !== '' || code !== '').length;
  const share = ids.filter((id) => id !== null).length / Math.max(1, said);
  const typos = Array.from(keys).filter((key) => matched.rows[key]?.match === 'typo').length;
  return { columns, ids, share, whole: share - typos / Math.max(1, said), decision: matched.decision };
}

/** Whether a reading leaves one country, or countries, so that names alone say which place is meant. */
const isPlaced = ({ decision: { country, adminLevel } }: Trial): boolean => country !== null || adminLevel === 2;

/**
 * The columns that explain the rows: those found by their names, or without those of them that say something else: a code
 * of goods, a region of sales. A column is left out only if the others explain nearly all rows without it; where none do,
 * all stay.
 * @param fixed the columns that the caller named, which stay
 */
export async function explaining(
  trying: Trying,
  found: TableColumns,
  fixed: { readonly code: boolean; readonly type: boolean; readonly within: boolean },
): Promise<Trial> {
  let best = await tried(trying, found);
  if (trying.sample.length < ROWS_FROM || found.name === null) return best;
  const hasMore = (): boolean => best.share < EXPLAINED;
  if (hasMore() && found.code !== null && !fixed.code) best = await withoutCode(trying, best);
  if (hasMore() && found.type !== null && !fixed.type) {
    const other = await tried(trying, { ...best.columns, type: null });
    if (other.share >= EXPLAINED) best = other;
  }
  if (fixed.within || best.columns.within.length === 0) return best;
  best = await withFilled(trying, best);
  return hasMore() ? withoutSome(trying, best) : best;
}

/** Whether rows that have a boundary by another reading as well have the same: what that reads is not something else. */
const agrees = (one: Trial, other: Trial): boolean =>
  other.ids.every((id, i) => id === null || one.ids[i] === null || one.ids[i] === id);

/** Leaves out codes that are not those of the places: they are found less than the names, or are not in one country and level. */
async function withoutCode(trying: Trying, first: Trial): Promise<Trial> {
  const named = await tried(trying, { ...first.columns, code: null });
  if (named.share < MEANT || named.share <= first.share || !agrees(named, first)) return first;
  const coded = await tried(trying, { ...first.columns, name: null, within: [] });
  const areAlike =
    coded.decision.country === named.decision.country && coded.decision.adminLevel === named.decision.adminLevel;
  // Codes of the same places that say others than the names: one of the two columns is wrong.
  return areAlike && coded.share >= MEANT ? first : named;
}

/** Whether most rows that only the first of two readings gives a boundary have a whole name: typos would be found anywhere. */
const gainsNames = (one: Trial, other: Trial): boolean => one.whole - other.whole >= MEANT * (one.share - other.share);

/** Leaves out columns around the names in whose places the names are not. */
async function withoutSome(trying: Trying, first: Trial): Promise<Trial> {
  const within = first.columns.within.slice(0, MOST_AROUND);
  const fewer = within.length < 2 ? [] : within.map((at) => within.filter((other) => other !== at));
  const single = within.length < 3 ? [] : within.map((at) => [at]);
  let best = first;
  for (const some of [...fewer, ...single, []]) {
    const trial = await tried(trying, { ...first.columns, within: some });
    if (trial.share < EXPLAINED || trial.share <= best.share || !agrees(trial, first)) continue;
    if (!gainsNames(trial, first)) continue;
    if (some.length > 0 || isPlaced(trial)) best = trial;
  }
  return best;
}

/** The share of the cells of a column that are empty, from which they may be those that were merged with the one above. */
const EMPTY_SHARE = 0.3;

/** Reads empty cells around the names as those above them, if nearly all names are inside of these as well. */
async function withFilled(trying: Trying, first: Trial): Promise<Trial> {
  const { sample } = trying;
  const filled = first.columns.within.filter((at) => {
    const cells = sample.map((row) => cellAt(row, at));
    return cells[0] !== '' && cells.filter((cell) => cell === '').length >= EMPTY_SHARE * cells.length;
  });
  if (filled.length === 0) return first;
  const trial = await tried(trying, { ...first.columns, filled });
  return trial.share >= EXPLAINED * first.share && trial.share > 0 ? trial : first;
}

/** The share of the rows that must be the same place for two columns to name the same places. */
const SAME = 0.5;

/** Whether two readings name the same places, in two languages or forms. */
export function areSame(one: Trial, other: Trial): boolean {
  const both = one.ids.flatMap((id, i) => (id === null || other.ids[i] == null ? [] : [id === other.ids[i]]));
  return both.filter(Boolean).length >= SAME * both.length;
}

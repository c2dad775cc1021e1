import { meaningful } from '../../../workers/digits.ts';
/** Figures of some areas moved to others that overlap them: counts are split, rates averaged. */
import { defined } from '../../common/elements.ts';
import type { Turns } from '../../common/turns.ts';
import { invalidInput } from '../../core/errors.ts';
import { apportion, decimalsOf, MOST_UNITS } from './apportion.ts';

/** What an area of the table and one of the result have in common. */
export interface Piece {
  /** Positions of the two. */
  readonly a: number;
  readonly b: number;
  /** The share of what is counted in `a` that goes to `b`. */
  readonly share: number;
  /** The share of that which is split by area alone, 0 … 1. */
  readonly byArea: number;
  /** What a rate of `a` weighs in `b`: by the weights of finer boundaries, 0 where there are none, and by area. */
  readonly weight: number;
  readonly areaKm2: number;
}

/** How areas are split. */
export interface Pieces {
  readonly pieces: readonly Piece[];
  /** By position in a, the share that goes to no area of the result, with its weight and its area in km2. */
  readonly rest: readonly { readonly share: number; readonly weight: number; readonly areaKm2: number }[];
  /** Number of areas of the result. */
  readonly targets: number;
}

/** A column of numbers by position in a; null: an empty cell. */
export interface Column {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** For a rate, what each area weighs, such as its people; null: its weights, else its area. */
  readonly weights: readonly (number | null)[] | null;
}

/** A converted column. */
export interface Converted {
  readonly name: string;
  readonly how: 'count' | 'rate';
  /** By position in b; null: no area of the table with a value overlaps it. */
  readonly values: readonly (number | null)[];
  /** What goes to no area of the result: of a count the rest, of a rate the mean there; null: nothing. */
  readonly unexplained: number | null;
  /** For counts, by position in b and in all, how much is split by area alone; not rounded. */
  readonly byArea: readonly number[];
  readonly byAreaTotal: number;
  /** The sum of a count. */
  readonly given: number | null;
  readonly empty: number;
}

/**
 * Splits a column of counts by the shares. The result has as many decimals as the column at most has, and with the rest
 * adds up to the sum of the column exactly (apportion()). Shares the main thread.
 * @throws invalid_input for a column whose sum is too large for that
 */
export async function convertCounts(
  { name, values }: Column,
  { pieces, rest, targets }: Pieces,
  turns: Turns,
): Promise<Converted> {
  let most = 0;
  for (const value of values) {
    if (turns.spend()) await turns.next();
    if (value !== null) most = Math.max(most, decimalsOf(value) ?? Number.POSITIVE_INFINITY);
  }
  const scale = 10 ** most;
  const units = values.map((value) => (value === null ? null : Math.round(value * scale)));
  const size = units.reduce<number>((sum, value) => sum + Math.abs(value ?? 0), 0);
  if (!(size <= MOST_UNITS)) {
    const message = `the numbers of ${name} have too many digits to be added up exactly: round them`;
    throw invalidInput([{ path: 'csv', code: 'invalid_value', message }]);
  }
  const exact = new Float64Array(targets);
  const byArea = new Float64Array(targets);
  const isKnown = new Uint8Array(targets);
  for (const { a, b, share, byArea: alone } of pieces) {
    if (turns.spend()) await turns.next();
    const value = units[a] ?? null;
    if (value === null) continue;
    isKnown[b] = 1;
    exact[b] = defined(exact[b]) + value * share;
    byArea[b] = defined(byArea[b]) + value * share * alone;
  }
  let left = 0;
  for (const [a, { share }] of rest.entries()) left += (units[a] ?? 0) * share;
  const known = [...exact.keys()].filter((b) => isKnown[b] === 1);
  const total = units.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const parts = [...known.map((b) => defined(exact[b])), left];
  await turns.next();
  const rounded = apportion(parts, total);
  await turns.next();
  const plain = (value: number) => Number((value / scale).toFixed(most));
  const found: (number | null)[] = Array.from({ length: targets }, () => null);
  for (const [i, b] of known.entries()) found[b] = plain(defined(rounded[i]));
  return {
    ...{ name, how: 'count', values: found, unexplained: plain(defined(rounded.at(-1))), given: plain(total) },
    byArea: Array.from(byArea, (value) => meaningful(value / scale)),
    byAreaTotal: meaningful(byArea.reduce((sum, value) => sum + value, 0) / scale),
    empty: values.filter((value) => value === null).length,
  };
}

/**
 * Averages a column of rates, weighted by the given weights, else by those of finer boundaries, else by area. Shares the
 * main thread.
 */
export async function convertRates(
  { name, values, weights }: Column,
  { pieces, rest, targets }: Pieces,
  turns: Turns,
): Promise<Converted> {
  const means = Array.from({ length: targets + 1 }, () => new Mean());
  const add = (to: number, a: number, share: number, weight: number, areaKm2: number) => {
    const value = values[a] ?? null;
    if (value === null) return;
    if (weights !== null) defined(means[to]).add(value, (weights[a] ?? 0) * share, 0);
    else defined(means[to]).add(value, weight, areaKm2);
  };
  for (const { a, b, share, weight, areaKm2 } of pieces) {
    if (turns.spend()) await turns.next();
    add(b, a, share, weight, areaKm2);
  }
  for (const [a, { share, weight, areaKm2 }] of rest.entries()) if (share > 0) add(targets, a, share, weight, areaKm2);
  return {
    ...{ name, how: 'rate', values: means.slice(0, targets).map((mean) => mean.value) },
    ...{ unexplained: defined(means[targets]).value, byArea: [], byAreaTotal: 0, given: null },
    empty: values.filter((value) => value === null).length,
  };
}

/** A weighted mean; by area while no value has a weight. */
class Mean {
  private sum = 0;
  private weight = 0;
  private sumByArea = 0;
  private areaKm2 = 0;

  add(value: number, weight: number, areaKm2: number): void {
    this.sum += value * weight;
    this.weight += weight;
    this.sumByArea += value * areaKm2;
    this.areaKm2 += areaKm2;
  }

  get value(): number | null {
    if (this.weight > 0) return meaningful(this.sum / this.weight);
    return this.areaKm2 > 0 ? meaningful(this.sumByArea / this.areaKm2) : null;
  }
}

/** Classes of figures: where one color ends and the next begins. */
import { scaleQuantile, scaleQuantize } from 'd3-scale';
import { meaningful } from '../digits.ts';

/** How classes are made, or their bounds. */
export type Classes =
  | { readonly by: 'quantile' | 'equal' | 'natural'; readonly count: number }
  | { readonly by: 'given'; readonly bounds: readonly number[] };

/** The most classes: more colors than that cannot be told apart. */
const MOST_CLASSES = 9;

/**
 * Reads `quantile:5`, `equal:4`, `natural:6` or `given:10,20,50`.
 * @returns null for anything else
 */
export function readClasses(text: string): Classes | null {
  const colon = text.indexOf(':');
  const [by, rest] = [text.slice(0, Math.max(colon, 0)), text.slice(colon + 1)];
  if (by === 'given') {
    const bounds = rest.split(',').map((one) => (one.trim() === '' ? Number.NaN : Number(one)));
    const ascending = bounds.every((one, i) => Number.isFinite(one) && (i === 0 || one > bounds[i - 1]));
    return ascending && bounds.length < MOST_CLASSES ? { by, bounds } : null;
  }
  if ((by !== 'quantile' && by !== 'equal' && by !== 'natural') || !/^[2-9]$/.test(rest)) return null;
  return { by, count: Number(rest) };
}

/**
 * The bounds between classes of figures, ascending: a figure that equals a bound is in the class above it. There are
 * fewer than asked for when there are not enough different figures. Every class of quantiles and natural breaks has a
 * figure.
 */
export function boundsOf(classes: Classes, figures: readonly number[]): number[] {
  if (classes.by === 'given') return [...classes.bounds];
  const sorted = Float64Array.from(figures).sort();
  const distinct = [...new Set(sorted)];
  if (distinct.length < 2) return [];
  const count = Math.min(classes.count, distinct.length);
  const numbers = Array.from({ length: count }, (_, i) => i);
  if (classes.by === 'natural') return naturalBounds(distinct, sorted, count);
  const bounds =
    classes.by === 'quantile'
      ? scaleQuantile<number>().domain(sorted).range(numbers).quantiles()
      : scaleQuantize<number>()
          .domain([distinct[0], distinct[distinct.length - 1]])
          .range(numbers)
          .thresholds();
  // A bound of 0.30000000000000004 would have 0.3 in the class below it.
  return [...new Set(bounds.map(meaningful))].filter((bound) => bound > distinct[0]);
}

/**
 * Fisher's optimal classes of one dimension, known as Jenks' natural breaks: the sum of squared differences from the mean
 * of each class is least. Dynamic programming over distinct figures, weighted by how often they occur; each row is found
 * by divide and conquer, because the best start of a class never moves back: O(k n log n).
 */
function naturalBounds(distinct: readonly number[], sorted: Float64Array, count: number): number[] {
  const n = distinct.length;
  const [weight, sum, square] = [new Float64Array(n + 1), new Float64Array(n + 1), new Float64Array(n + 1)];
  // Relative to the middle: squares of large figures close together would lose their differences.
  const middle = distinct[n >> 1];
  for (let i = 0, at = 0; i < n; i++) {
    let often = 0;
    for (; at < sorted.length && sorted[at] === distinct[i]; at++) often++;
    const value = distinct[i] - middle;
    weight[i + 1] = weight[i] + often;
    sum[i + 1] = sum[i] + often * value;
    square[i + 1] = square[i] + often * value * value;
  }
  const cost = (from: number, to: number): number => {
    const total = sum[to] - sum[from];
    return Math.max(0, square[to] - square[from] - (total * total) / (weight[to] - weight[from]));
  };
  let best = Float64Array.from({ length: n + 1 }, (_, to) => (to === 0 ? 0 : cost(0, to)));
  const starts: Int32Array[] = [];
  for (let k = 2; k <= count; k++) {
    const next = new Float64Array(n + 1).fill(Number.POSITIVE_INFINITY);
    const start = new Int32Array(n + 1);
    const fill = (low: number, high: number, first: number, last: number): void => {
      if (low > high) return;
      const to = (low + high) >> 1;
      for (let from = Math.max(first, k - 1); from <= Math.min(last, to - 1); from++) {
        const total = best[from] + cost(from, to);
        if (total < next[to]) {
          next[to] = total;
          start[to] = from;
        }
      }
      fill(low, to - 1, first, start[to] || last);
      fill(to + 1, high, start[to], last);
    };
    fill(k, n, k - 1, n - 1);
    starts.push(start);
    best = next;
  }
  const bounds: number[] = [];
  for (let k = starts.length - 1, to = n; k >= 0; k--) {
    to = starts[k][to];
    bounds.unshift(distinct[to]);
  }
  return bounds;
}

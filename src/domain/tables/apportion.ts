/** Whole units that add up: the method of largest remainders. */

/** The largest sum that is exact in floating point. */
export const MOST_UNITS = Number.MAX_SAFE_INTEGER;
/** Decimals of a figure that are kept. */
export const MOST_DECIMALS = 9;

/** The number of decimals of a number; null when it has more than are kept. */
export function decimalsOf(value: number): number | null {
  for (let decimals = 0; decimals <= MOST_DECIMALS; decimals++) {
    if (Number(value.toFixed(decimals)) === value) return decimals;
  }
  return null;
}

/**
 * Rounds parts to integers that add up to `total`, which the parts do within rounding errors: each is rounded down, and
 * what is left goes to the largest remainders, of equal ones to the first. So each differs from its part by less than 1.
 */
export function apportion(parts: readonly number[], total: number): number[] {
  const whole = parts.map(Math.floor);
  let left = total - whole.reduce((sum, one) => sum + one, 0);
  const remainders = Float64Array.from(parts, (part) => part - Math.floor(part));
  const order = [...parts.keys()].sort((a, b) => (remainders[b] ?? 0) - (remainders[a] ?? 0) || a - b);
  // Rounding errors of the parts may leave too few or too many, of large numbers more than one a part: the last in order
  // give, the first get. Only what is there can be given.
  while (left !== 0) {
    const before = left;
    for (const place of left < 0 ? order.toReversed() : order) {
      if (left === 0) break;
      const step = left < 0 ? -1 : 1;
      if (step < 0 && (whole[place] ?? 0) <= 0) continue;
      whole[place] = (whole[place] ?? 0) + step;
      left -= step;
    }
    if (left === before) break;
  }
  return whole;
}

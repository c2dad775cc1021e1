/** Digits that a double holds of any decimal number (DBL_DIG of C): the others are what rounding left. */
const DIGITS = 15;

/**
 * A figure that was worked out, with the digits that mean something: 9.1 for 9.100000000000001. Whole numbers, which are
 * exact, stay as they are. For sums, means, shares and rates; not for what a caller has given.
 */
export const meaningful = (value: number): number =>
  Number.isSafeInteger(value) ? value : Number(value.toPrecision(DIGITS));

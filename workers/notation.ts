/** How numbers of a table are written: which of the point and the comma is the decimal sign, and which groups thousands. */

export type Sign = '.' | ',';

/**
 * Numbers with a decimal sign, by that sign: plain, with thousands grouped by the other sign, by spaces of any width or by
 * apostrophes, and in India with lakhs grouped.
 */
const NUMBERS: Readonly<Record<Sign, RegExp>> = {
  '.': /^[-+]?(?:(?:[1-9]\d{0,2}([, \u00a0\u2009\u202f'’])\d{3}(?:\1\d{3})*|[1-9]\d?(?:,\d\d)+,\d{3}|\d+)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/,
  ',': /^[-+]?(?:(?:[1-9]\d{0,2}([. \u00a0\u2009\u202f'’])\d{3}(?:\1\d{3})*|\d+)(?:,\d*)?|,\d+)(?:[eE][-+]?\d+)?$/,
};

/** The signs between groups of digits, by the decimal sign. */
const GROUPS: Readonly<Record<Sign, RegExp>> = { '.': /[, \u00a0\u2009\u202f'’]/g, ',': /[. \u00a0\u2009\u202f'’]/g };

/** One sign, with three digits behind it and one to three before it: decimals, or thousands. */
const OPEN = /^[-+]?[1-9]\d{0,2}([.,])\d{3}$/;

/**
 * The number that a text says.
 * @param decimal the decimal sign
 * @returns null for any other text
 */
export function numberWritten(text: string, decimal: Sign): number | null {
  if (!NUMBERS[decimal].test(text)) return null;
  const value = Number(text.replace(GROUPS[decimal], '').replace(decimal, '.'));
  return Number.isFinite(value) ? value : null;
}

/** The sign of a number that is whole with thousands or has three decimals, `338.211`; null for any other text. */
export const openSign = (text: string): Sign | null => (OPEN.exec(text)?.[1] as Sign | undefined) ?? null;

/** The decimal sign that a number has for certain: that of `40.1`, `1,234.5` and `1,234,567`; null for any other text. */
export function decimalSign(text: string): Sign | null {
  if (openSign(text) !== null || !/[.,]/.test(text)) return null;
  const found = (['.', ','] as const).filter((sign) => NUMBERS[sign].test(text));
  return found.length === 1 ? (found[0] ?? null) : null;
}

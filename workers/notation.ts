/** How numbers of a table are written: which of the point and the comma is the decimal sign, and which groups thousands. */

export type Sign = '.' | ',';

/** Signs between groups of three digits, besides the point or the comma: spaces of any width and apostrophes. */
const GROUPS = String.raw`[ \u00a0\u2009\u202f'’]`;

const other = (sign: Sign): Sign => (sign === '.' ? ',' : '.');
const escaped = (sign: Sign): string => `\\${sign}`;

/** Numbers with a decimal sign, by that sign: plain, with thousands grouped, and in India with lakhs grouped. */
const NUMBERS = Object.fromEntries(
  (['.', ','] as const).map((sign) => {
    const [decimal, group] = [escaped(sign), `(?:${escaped(other(sign))}|${GROUPS})`];
    const thousands = String.raw`[1-9]\d{0,2}(${group})\d{3}(?:\1\d{3})*`;
    const lakhs = sign === '.' ? String.raw`|[1-9]\d?(?:,\d\d)+,\d{3}` : '';
    const whole = `(?:${thousands}${lakhs}|\\d+)`;
    return [sign, new RegExp(`^[-+]?(?:${whole}(?:${decimal}\\d*)?|${decimal}\\d+)(?:[eE][-+]?\\d+)?$`)];
  }),
) as Record<Sign, RegExp>;

/** One sign, with three digits behind it and one to three before it: decimals, or thousands. */
const OPEN = /^[-+]?[1-9]\d{0,2}([.,])\d{3}$/;

/**
 * The number that a text says.
 * @param decimal the decimal sign
 * @returns null for any other text
 */
export function numberWritten(text: string, decimal: Sign): number | null {
  if (!NUMBERS[decimal].test(text)) return null;
  const groups = new RegExp(`${escaped(other(decimal))}|${GROUPS}`, 'g');
  const value = Number(text.replace(groups, '').replace(decimal, '.'));
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

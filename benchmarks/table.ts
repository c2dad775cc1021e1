import { defined } from '../src/common/elements.ts';
import type { Result } from './measure.ts';

const HEADS = ['case', 'ours, ms', 'rival', 'rival, ms', 'ratio', 'same', 'spread'];

/** Which columns are numeric and therefore right-aligned. */
const RIGHT = [false, true, false, true, true, false, true];

/** The rows as a plain-text table; a case is named only in its first row, and a note follows its row. */
export function table(results: readonly Result[]): string {
  const rows = results.map((one, i) => [
    results[i - 1]?.case === one.case ? '' : one.case,
    digits(one.ours_ms),
    one.rival,
    one.rival_ms === null ? '-' : digits(one.rival_ms),
    one.ratio === null ? '-' : digits(one.ratio),
    one.same_answer ? 'yes' : 'NO',
    `${Math.round(100 * one.spread)} %`,
  ]);
  const widths = HEADS.map((head, c) => Math.max(head.length, ...rows.map((row) => defined(row[c]).length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, c) => (RIGHT[c] ? cell.padStart(defined(widths[c])) : cell.padEnd(defined(widths[c]))))
      .join('  ')
      .trimEnd();
  const lines = [line(HEADS), widths.map((width) => '-'.repeat(width)).join('  ')];
  results.forEach((one, i) => {
    lines.push(line(defined(rows[i])));
    if (one.note !== undefined) lines.push(`${' '.repeat(defined(widths[0]))}  (${one.note})`);
  });
  return `${lines.join('\n')}\n`;
}

/** Three significant digits, without an exponent. */
function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

import { meaningful } from '../../../workers/digits.ts';
import { csvCell } from '../../common/csv_cell.ts';
import { defined } from '../../common/elements.ts';
import type { Turns } from '../../common/turns.ts';
import type { Converted } from '../../domain/tables/conversion.ts';

/**
 * Converted figures as CSV: a row for each boundary, and a last one whose id is `unexplained`. Counts add up to those of
 * the table. With weights, each count has a column NAME_by_area. Shares the main thread.
 */
export async function convertedTable(
  converted: readonly Converted[],
  {
    named,
    covered,
    isWeighted,
  }: {
    readonly named: readonly { readonly id: string; readonly name: string }[];
    readonly covered: Float64Array;
    readonly isWeighted: boolean;
  },
  turns: Turns,
): Promise<Buffer> {
  const shown = converted.map((column) => ({ ...column, alone: isWeighted && column.how === 'count' }));
  const heads = shown.flatMap(({ name, alone }) => (alone ? [name, `${name}_by_area`] : [name]));
  const written = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\n`;
  const lines = [written(['id', 'name', 'share_covered', ...heads])];
  const texts = (value: number | null, byArea: number | undefined, alone: boolean) => {
    const own = value === null ? '' : String(value);
    return alone ? [own, byArea === undefined ? '' : String(byArea)] : [own];
  };
  for (const [b, { id, name }] of named.entries()) {
    if (turns.spend(heads.length)) await turns.next();
    const cells = shown.flatMap(({ values, byArea, alone }) => texts(values[b] ?? null, byArea[b], alone));
    lines.push(written([id, name, String(meaningful(defined(covered[b]))), ...cells]));
  }
  const rest = shown.flatMap(({ unexplained, alone }) => texts(unexplained, undefined, alone));
  lines.push(written(['unexplained', '', '', ...rest]));
  return Buffer.from(lines.join(''));
}

import { decimalSign, numberWritten, openSign, type Sign } from '../../../workers/notation.ts';
import type { Table } from './table.ts';

/** Cells that stand for no figure, as draw_map reads them. */
const NONE = new Set(['', 'na', 'n/a', 'nan', 'null', '-', '–', '..', ':']);

/** How the numbers of a column are written. */
export interface Numerals {
  /** The decimal sign; null: of its cells some have one, and some the other. */
  readonly decimal: Sign | null;
  /** A cell such as `338.211` where nothing in the table says whether it has thousands; null: all are certain. */
  readonly doubt: string | null;
}

/** What the cells of a column say. */
interface Evidence {
  readonly signs: ReadonlySet<Sign>;
  readonly open: string | null;
}

const known = new WeakMap<Table, readonly Evidence[]>();

function evidenceOf(table: Table): readonly Evidence[] {
  const found = known.get(table);
  if (found) return found;
  const all = table.columns.map((_, at) => {
    const signs = new Set<Sign>();
    let open: string | null = null;
    for (const { cells } of table.rows) {
      const cell = (cells[at] ?? '').trim();
      const sign = decimalSign(cell);
      if (sign !== null) signs.add(sign);
      else if (openSign(cell) !== null) open ??= cell;
    }
    return { signs, open };
  });
  known.set(table, all);
  return all;
}

/**
 * How the numbers of a column are written: as its own cells say, else those of the other columns, else as was chosen;
 * where nothing says it, with a decimal point.
 * @param chosen the decimal sign that a person chose; '' for none
 */
export function numeralsOf(table: Table, column: string, chosen: Sign | '' = ''): Numerals {
  const evidence = evidenceOf(table);
  const own = evidence[table.columns.indexOf(column)];
  if (!own || own.signs.size > 1) return { decimal: null, doubt: null };
  const [sign] = own.signs;
  if (sign !== undefined) return { decimal: sign, doubt: null };
  const [only, ...more] = new Set(evidence.flatMap(({ signs }) => [...signs]));
  if (only !== undefined && more.length === 0) return { decimal: only, doubt: null };
  return { decimal: chosen || '.', doubt: own.open };
}

/** The figure of a cell; null: none; undefined: the cell is not a number, or it may be one of two. */
export function figureOf(cell: string, { decimal }: Numerals): number | null | undefined {
  const text = cell.trim();
  if (NONE.has(text.toLowerCase())) return null;
  const sign = decimal ?? decimalSign(text) ?? (openSign(text) === null ? '.' : null);
  return sign === null ? undefined : (numberWritten(text, sign) ?? undefined);
}

/**
 * The cells of a column with a decimal point and without thousands, where they are numbers that are certain; others as they
 * are, codes such as `01001` too.
 */
export function plainly(table: Table, column: string): (cell: string) => string {
  const numerals = numeralsOf(table, column);
  if (numerals.doubt !== null) return (cell) => cell;
  return (cell) => {
    const figure = /[.,\s'’]/.test(cell.trim()) ? figureOf(cell, numerals) : undefined;
    return typeof figure === 'number' ? String(figure) : cell;
  };
}

/** The columns whose cells are mostly figures. */
export function figureColumns(table: Table): string[] {
  return table.columns.filter((column, at) => {
    const numerals = numeralsOf(table, column);
    const figures = table.rows.map(({ cells }) => figureOf(cells[at] ?? '', numerals));
    const numbers = figures.filter((one) => typeof one === 'number').length;
    return numbers > 0 && numbers * 2 >= table.rows.length;
  });
}

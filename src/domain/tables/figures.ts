import { meaningful } from '../../../workers/digits.ts';
import { decimalSign, openSign, type Sign } from '../../../workers/notation.ts';
import { Turns } from '../../common/turns.ts';
import { invalidInput } from '../../core/errors.ts';
import { foldName } from '../names/fold.ts';
import { numberOf, numberWithComma } from '../points/text.ts';

/** How the figures of several rows become one; `share` is a sum as a part of the sum of all rows. */
export const HOWS = ['first', 'sum', 'mean', 'min', 'max', 'count', 'share'] as const;
export type How = (typeof HOWS)[number];

/** A figure of the result. */
export interface Figure {
  /** Its name in the result. */
  readonly name: string;
  /** Places of its column, and of the column of its weights (mean). */
  readonly column: number;
  readonly weight: number | null;
  readonly how: How;
  /** Whether its cells are numbers. */
  readonly isNumber: boolean;
}

/** The value of a figure; null: no row has one. */
export type FigureValue = number | string | null;

const wrong = (path: string, message: string) => invalidInput([{ path, code: 'invalid_value', message }]);

/** The place of a column by its name. @throws invalid_input */
export function placeOf(columns: readonly string[], name: string, path: string): number {
  const at = columns.findIndex((one) => foldName(one) === foldName(name));
  if (at >= 0) return at;
  const shown = columns.slice(0, 20).join(', ') + (columns.length > 20 ? ' …' : '');
  throw invalidInput([{ path, code: 'not_found', message: `there is no column ${name}; the columns are ${shown}` }]);
}

/**
 * Reads figures as a caller writes them: `people`, `people:sum`, `rate:mean:people` (weighted by people).
 * Of those that are the first cell, withNumbers() tells whether they are numbers.
 * @throws invalid_input
 */
export function readFigures(asked: readonly string[], columns: readonly string[]): Figure[] {
  const figures = asked.map((text, i): Figure => {
    const path = `figures.${i}`;
    const [name = '', how = 'first', weight, ...more] = text.split(':').map((part) => part.trim());
    const known = HOWS.find((one) => one === how);
    if (known === undefined || more.length > 0) {
      throw wrong(path, `must be column:how with how one of ${HOWS.join(', ')}; ${text.slice(0, 100)} is given`);
    }
    if (weight !== undefined && known !== 'mean') throw wrong(path, 'only a mean has weights');
    const column = placeOf(columns, name, path);
    return {
      name: known === 'first' ? (columns[column] ?? name) : `${columns[column]}_${known}`,
      column,
      weight: weight === undefined ? null : placeOf(columns, weight, path),
      how: known,
      isNumber: known !== 'first' && known !== 'count',
    };
  });
  const twice = figures.find(({ name }, i) => figures.findIndex((one) => one.name === name) !== i);
  if (twice) throw wrong('figures', `${twice.name} is there twice`);
  return figures;
}

/** A cell that is a code rather than a number: 01001. */
const CODE = /^[+-]?0\d/;

/**
 * The figures with those that are the first cell as numbers where all cells of the column that are not empty are, and
 * none begins with a zero as codes do. Looks at each column once. Shares the main thread.
 * @throws the reason of the signal
 */
export async function withNumbers(
  figures: readonly Figure[],
  rows: readonly { readonly cells: readonly string[] }[],
  separator: string,
  signal: AbortSignal,
): Promise<Figure[]> {
  const turns = new Turns(signal);
  const open = new Set(figures.filter(({ how }) => how === 'first').map(({ column }) => column));
  const numeric = new Set<number>();
  for (const { cells } of rows) {
    if (turns.spend(1 + open.size)) await turns.next();
    for (const column of open) {
      const text = cells[column]?.trim() ?? '';
      if (text === '') continue;
      if (!CODE.test(text) && numberIn(text, separator) !== null) {
        numeric.add(column);
        continue;
      }
      numeric.delete(column);
      open.delete(column);
    }
  }
  return figures.map((one) => (one.how === 'first' ? { ...one, isNumber: numeric.has(one.column) } : one));
}

/** A number with a decimal point or, where the cells are not separated by commas, a decimal comma. */
const numberIn = (text: string, separator: string): number | null =>
  separator === ',' ? numberOf(text) : numberWithComma(text);

/**
 * The number in a cell; null for an empty one.
 * @throws invalid_input with the line and the column for any other text
 */
export function numberInCell(cell: string, separator: string, line: number, column: string): number | null {
  const text = cell.trim();
  if (text === '') return null;
  const value = numberIn(text, separator);
  if (value !== null) return value;
  const message = `line ${line}, column ${column}: "${text.slice(0, 100)}" is not a number`;
  throw invalidInput([{ path: 'csv', code: 'invalid_line', message }]);
}

/** A sum that does not lose the small addends (Neumaier 1974). */
class Sum {
  private sum = 0;
  private lost = 0;

  add(value: number): void {
    const next = this.sum + value;
    this.lost += Math.abs(this.sum) >= Math.abs(value) ? this.sum - next + value : value - next + this.sum;
    this.sum = next;
  }

  get value(): number {
    return this.sum + this.lost;
  }
}

/** Collects the values of one figure of one area. */
export class Aggregate {
  private readonly total = new Sum();
  private readonly weights = new Sum();
  private least = Number.POSITIVE_INFINITY;
  private greatest = Number.NEGATIVE_INFINITY;
  private count = 0;
  private first: FigureValue = null;

  /** Adds the number of a row, with its weight. */
  add(value: number, weight = 1): void {
    this.total.add(value * weight);
    this.weights.add(weight);
    this.least = Math.min(this.least, value);
    this.greatest = Math.max(this.greatest, value);
    this.note(value);
  }

  /** Adds a value that is only counted, or taken where it is the first. */
  note(value: FigureValue): void {
    this.first ??= value;
    this.count++;
  }

  /** The sum of the values times their weights. */
  get sum(): number {
    return this.total.value;
  }

  /** The figure, in meaningful digits. `all`: the sum of the same figure over all areas. */
  value(how: How, all: number): FigureValue {
    if (how === 'count') return this.count;
    if (this.count === 0) return null;
    if (how === 'first') return this.first;
    if (how === 'sum') return meaningful(this.sum);
    if (how === 'share') return all === 0 ? null : meaningful(this.sum / all);
    if (how === 'min') return this.least;
    if (how === 'max') return this.greatest;
    return this.weights.value === 0 ? null : meaningful(this.sum / this.weights.value);
  }
}

/** Figures by area. */
export class FigureTable {
  readonly figures: readonly Figure[];
  private readonly columns: readonly string[];
  private readonly separator: string;
  private readonly areas = new Map<string, Aggregate[]>();

  constructor(figures: readonly Figure[], columns: readonly string[], separator: string) {
    this.figures = figures;
    this.columns = columns;
    this.separator = separator;
  }

  /** Adds a row to an area. @throws invalid_input with the line and the column for what is not a number */
  add(area: string, cells: readonly string[], line: number): void {
    let own = this.areas.get(area);
    if (own === undefined) {
      own = this.figures.map(() => new Aggregate());
      this.areas.set(area, own);
    }
    for (const [i, figure] of this.figures.entries()) {
      const cell = cells[figure.column] ?? '';
      const aggregate = own[i] as Aggregate;
      if (!figure.isNumber) {
        if (cell.trim() !== '') aggregate.note(cell);
        continue;
      }
      const value = this.numberAt(cells, figure.column, line);
      if (value === null) continue;
      if (figure.weight === null) aggregate.add(value);
      else this.addWeighted(aggregate, value, cells, figure.weight, line);
    }
  }

  /**
   * The figures of an area, in their order; all null for one without rows.
   * @param whole an area of which shares are parts, where areas overlap; otherwise they are parts of all areas together
   */
  valuesOf(area: string, whole?: string): FigureValue[] {
    const own = this.areas.get(area);
    const of = whole === undefined ? null : this.areas.get(whole);
    return this.figures.map(
      ({ how }, i) => own?.[i]?.value(how, of === null ? this.total(i) : (of?.[i]?.sum ?? 0)) ?? null,
    );
  }

  private readonly totals = new Map<number, number>();

  private total(i: number): number {
    let known = this.totals.get(i);
    if (known === undefined) {
      const sum = new Sum();
      for (const own of this.areas.values()) sum.add(own[i]?.sum ?? 0);
      known = sum.value;
      this.totals.set(i, known);
    }
    return known;
  }

  private addWeighted(of: Aggregate, value: number, cells: readonly string[], column: number, line: number): void {
    const weight = this.numberAt(cells, column, line);
    const name = this.columns[column] ?? '';
    const fault = weight === null ? 'has no weight' : weight < 0 ? 'has a negative weight' : null;
    if (fault !== null) {
      throw invalidInput([{ path: 'csv', code: 'invalid_line', message: `line ${line}, column ${name}: ${fault}` }]);
    }
    of.add(value, weight ?? 0);
  }

  /** The first number of the table with each sign for certain, and the first that may have thousands or decimals. */
  private readonly certain = new Map<Sign, number>();
  private readonly open = new Map<Sign, { readonly line: number; readonly name: string; readonly cell: string }>();
  /** The first sign of each column, and its line. */
  private readonly signs = new Map<number, { readonly sign: string; readonly line: number }>();

  private numberAt(cells: readonly string[], column: number, line: number): number | null {
    const cell = cells[column] ?? '';
    const name = this.columns[column] ?? '';
    const value = numberInCell(cell, this.separator, line, name);
    const sign = /[.,]/.exec(cell)?.[0];
    if (sign === undefined) return value;
    const first = this.signs.get(column);
    if (first === undefined) this.signs.set(column, { sign, line });
    else if (first.sign !== sign) throw otherSign(line, name, cell, first.line);
    this.requireOneSign(cell.trim(), line, name);
    return value;
  }

  /**
   * Refuses `338.211` in a table that has 40,1 in another column: it has thousands, and is not read as 338 and a part.
   * @throws invalid_input
   */
  private requireOneSign(cell: string, line: number, name: string): void {
    const [open, certain] = [openSign(cell), decimalSign(cell)];
    if (open !== null && !this.open.has(open)) this.open.set(open, { line, name, cell });
    if (certain !== null && !this.certain.has(certain)) this.certain.set(certain, line);
    for (const [sign, { line, name, cell }] of this.open) {
      const where = this.certain.get(sign === '.' ? ',' : '.');
      if (where !== undefined) throw otherSign(line, name, cell, where);
    }
  }
}

/** One of two numbers has thousands: 1.234 beside 12,5 is not read as a little more than one. */
function otherSign(line: number, name: string, cell: string, first: number): Error {
  const message = `line ${line}, column ${name}: "${cell.trim().slice(0, 100)}" has another decimal sign than line ${first}`;
  return invalidInput([{ path: 'csv', code: 'invalid_line', message }]);
}

import { boundsOf, readClasses } from '../../../workers/maps/classes.ts';
import { colorsOf } from '../../../workers/maps/colors.ts';
import { Failure } from '../api.ts';
import { t } from '../language.ts';
import { figureOf, type Numerals } from './numerals.ts';
import type { Figures } from './state.ts';
import type { Table } from './table.ts';

/** An area of the map. */
export interface Area {
  readonly id: string;
  readonly value: number | null;
  /** Its row in the table, from 0. */
  readonly row: number;
}

/** The areas of a table, and what is not drawn of it or drawn without a figure. */
export interface Areas {
  readonly areas: readonly Area[];
  /** Rows of a boundary that an earlier row has: the line of each, and of the earlier one. */
  readonly twice: readonly { readonly line: number; readonly first: number }[];
  readonly notNumbers: readonly { readonly line: number; readonly cell: string }[];
}

/** The areas of the rows that have a boundary. */
export function areasOf(table: Table, ids: readonly string[], value: string, numerals: Numerals): Areas {
  const at = table.columns.indexOf(value);
  const areas: Area[] = [];
  const lines = new Map<string, number>();
  const twice: { line: number; first: number }[] = [];
  const notNumbers: { line: number; cell: string }[] = [];
  table.rows.forEach(({ cells, line }, row) => {
    const id = ids[row] ?? '';
    if (id === '') return;
    const first = lines.get(id);
    if (first !== undefined) {
      twice.push({ line, first });
      return;
    }
    lines.set(id, line);
    const cell = cells[at] ?? '';
    const figure = figureOf(cell, numerals);
    if (figure === undefined) notNumbers.push({ line, cell });
    areas.push({ id, value: figure ?? null, row });
  });
  return { areas, twice, notNumbers };
}

/** A class of the legend: from its lower bound (null: from the least figure) to the next. */
export interface Class {
  readonly color: string;
  readonly from: number | null;
  readonly to: number | null;
  readonly count: number;
}

/** The legend, and the color of a figure. */
export interface Legend {
  readonly classes: readonly Class[];
  readonly colorOf: (value: number) => string;
}

/** The classes of figures, as draw_map makes them. @throws Failure for classes that are none */
export function legendOf(areas: readonly Area[], { classes, colors, reverse }: Figures): Legend {
  const wanted = readClasses(classes);
  if (!wanted) {
    throw new Failure(t('figures.boundsAreUpTo'), {
      code: 'invalid_input',
    });
  }
  const values = areas.flatMap(({ value }) => (value === null ? [] : [value]));
  const bounds = values.length === 0 ? [] : boundsOf(wanted, values);
  const shades = colorsOf(colors, bounds.length + 1, reverse);
  const classOf = (value: number): number => bounds.filter((bound) => bound <= value).length;
  const counts = shades.map(() => 0);
  for (const value of values) counts[classOf(value)] = (counts[classOf(value)] ?? 0) + 1;
  return {
    classes: shades.map((color, i) => ({
      ...{ color, from: bounds[i - 1] ?? null, to: bounds[i] ?? null, count: counts[i] ?? 0 },
    })),
    colorOf: (value) => shades[classOf(value)] ?? '',
  };
}

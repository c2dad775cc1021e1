import type { JSX } from 'preact';
import { count, plural } from '../format.ts';
import type { Areas } from './classed.ts';
import type { Matching } from './matching.ts';
import type { Figures } from './state.ts';
import type { Table } from './table.ts';

/** Most lines of a note that are listed. */
const MOST_LISTED = 5;

/** What of the table is not on the map, or without a figure. */
export function Notes({ table, figures, areas }: { table: Table; figures: Figures; areas: Areas }): JSX.Element | null {
  const without = table.rows.filter((_, row) => !figures.ids[row]);
  const lines = without.slice(0, MOST_LISTED).map(({ line }) => line);
  const notes = [
    without.length > 0 &&
      `${plural(without.length, 'row')} without a boundary left out: ${listed('line', lines, without.length)}.`,
    ...areas.twice
      .slice(0, MOST_LISTED)
      .map(({ line, first }) => `Line ${line} is the same boundary as line ${first}: only the first is drawn.`),
    areas.twice.length > MOST_LISTED && `${count(areas.twice.length - MOST_LISTED)} more rows of a boundary twice.`,
    ...areas.notNumbers
      .slice(0, MOST_LISTED)
      .map(({ line, cell }) => `“${cell.slice(0, 40)}” in ${figures.value}, line ${line}, is not a number: hatched.`),
    areas.notNumbers.length > MOST_LISTED &&
      `${count(areas.notNumbers.length - MOST_LISTED)} more cells that are not numbers.`,
  ].filter((note) => note !== false);
  if (notes.length === 0) return null;
  return (
    <ul class="small">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

const listed = (noun: string, lines: readonly number[], all: number): string =>
  `${noun}${lines.length > 1 ? 's' : ''} ${lines.map(count).join(', ')}${all > lines.length ? ' and others' : ''}`;

/** The column that places are read from, to choose another. */
export function Columns({
  table,
  matching,
  busy,
  again,
}: {
  table: Table;
  matching: Matching;
  busy: boolean;
  again: (name: string) => void;
}): JSX.Element {
  const { name, code, within } = matching.columns;
  return (
    <p class="fields">
      <label>
        Places are in
        <select
          value={name ?? code ?? ''}
          aria-disabled={busy}
          onChange={(event) => !busy && again(event.currentTarget.value)}
        >
          {table.columns.map((column) => (
            <option key={column} value={column}>
              {column}
            </option>
          ))}
        </select>
      </label>
      {within.length > 0 && <span class="soft small">inside of {within.join(', ')}</span>}
    </p>
  );
}

import type { JSX } from 'preact';
import { count } from '../format.ts';
import { t } from '../language.ts';
import type { Areas } from './classed.ts';
import type { Matching } from './matching.ts';
import type { Figures } from './state.ts';
import type { Table } from './table.ts';

/** Most lines of a note that are listed. */
const MOST_LISTED = 5;

/** What of the table is not on the map, without a figure, or not certain. */
export function Notes({
  table,
  figures,
  areas,
  doubt,
}: {
  table: Table;
  figures: Figures;
  areas: Areas;
  doubt: string | null;
}): JSX.Element | null {
  const without = table.rows.filter((_, row) => !figures.ids[row]);
  const lines = without.slice(0, MOST_LISTED).map(({ line }) => line);
  const notes = [
    doubt !== null && figures.decimal === '' && t('figures.inDoubt', { cell: doubt, column: figures.value }),
    without.length > 0 && t('figures.leftOut', { n: without.length, lines: listed(lines, without.length) }),
    ...areas.twice.slice(0, MOST_LISTED).map(({ line, first }) => t('figures.twice', { line, first })),
    areas.twice.length > MOST_LISTED && t('figures.moreTwice', { n: areas.twice.length - MOST_LISTED }),
    ...areas.notNumbers
      .slice(0, MOST_LISTED)
      .map(({ line, cell }) => t('figures.notNumber', { cell: cell.slice(0, 40), column: figures.value, line })),
    areas.notNumbers.length > MOST_LISTED && t('figures.moreNotNumbers', { n: areas.notNumbers.length - MOST_LISTED }),
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

/** Numbers of lines, of which there may be more. */
const listed = (lines: readonly number[], all: number): string =>
  `${lines.map(count).join(', ')}${all > lines.length ? ', …' : ''}`;

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
        {t('figures.placesAreIn')}
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
      {within.length > 0 && <span class="soft small">{t('figures.insideOf', { columns: within.join(', ') })}</span>}
    </p>
  );
}

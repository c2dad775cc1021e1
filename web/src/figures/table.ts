import { Failure } from '../api.ts';
import { t } from '../language.ts';

/** Most rows of a table: a map has at most so many areas. */
export const MOST_ROWS = 5000;
/** Most characters of a table: about as many as a call that draws a map takes. */
export const MOST_CHARACTERS = 1_000_000;
/** Most columns of a table. */
const MOST_COLUMNS = 200;
const SEPARATORS = [',', ';', '\t', '|'];

/** A table with a header. */
export interface Table {
  readonly separator: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export interface Row {
  readonly cells: readonly string[];
  /** The number of the line on which it starts, from 1. */
  readonly line: number;
}

const wrong = (message: string): Failure => new Failure(message, { code: 'invalid_input' });

/** The separator that the first line has most often outside of quotes. */
function separatorOf(text: string): string {
  const line = (/^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0] ?? '').replace(/"(?:[^"]|"")*"/g, '');
  const counts = SEPARATORS.map((one) => line.split(one).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/**
 * Reads a table as a spreadsheet copies or exports it: separated by commas, semicolons, tabs or bars.
 * @throws Failure for one that is too large, has no rows, or has a row with more or fewer cells than the header
 */
export function readTable(given: string, most = MOST_CHARACTERS): Table {
  const text = given.replace(/^\uFEFF/, '');
  if (text.length > most) {
    throw wrong(t('figures.tooManyCharacters', { n: text.length, most }));
  }
  const separator = separatorOf(text);
  const lines = recordsOf(text, separator).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const [head, ...rows] = lines;
  if (!head || rows.length === 0) throw wrong(t('figures.theTableNeedsA'));
  if (head.cells.length > MOST_COLUMNS) throw wrong(t('figures.tooManyColumns', { most: MOST_COLUMNS }));
  if (rows.length > MOST_ROWS) {
    throw wrong(t('figures.tooManyRows', { n: rows.length, most: MOST_ROWS }));
  }
  const columns = head.cells.map((name) => name.trim());
  const twice = columns.find((name, i) => columns.indexOf(name) !== i);
  if (twice !== undefined) throw wrong(t('figures.sameColumns', { name: twice }));
  const bad = rows.find(({ cells }) => cells.length !== columns.length);
  if (bad) {
    throw wrong(t('figures.otherCells', { line: bad.line, cells: bad.cells.length, columns: columns.length }));
  }
  return { separator, columns, rows };
}

/** The records of a text (RFC 4180), with the lines on which they start. */
function recordsOf(text: string, separator: string): Row[] {
  const records: Row[] = [];
  let cells: string[] = [];
  let [line, start, at] = [1, 1, 0];
  const end = (): void => {
    records.push({ cells, line: start });
    cells = [];
  };
  while (at < text.length) {
    if (cells.length === 0) start = line;
    if (text[at] === '"') {
      let close = text.indexOf('"', at + 1);
      while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
      if (close < 0) throw wrong(t('figures.openQuote', { line }));
      const cell = text.slice(at + 1, close);
      line += cell.split('\n').length - 1;
      cells.push(cell.replaceAll('""', '"'));
      at = close + 1;
      const next = text[at];
      if (next !== undefined && next !== separator && next !== '\r' && next !== '\n') {
        throw wrong(t('figures.afterQuote', { line }));
      }
    } else {
      const from = at;
      while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++;
      cells.push(text.slice(from, at));
    }
    if (text[at] === separator) {
      at++;
      // A separator at the end of the text has an empty cell after it.
      if (at === text.length) cells.push('');
      continue;
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    at++;
    line++;
    end();
  }
  if (cells.length > 0) end();
  return records;
}

/** A cell as CSV. A cell that begins like a formula would be one in a spreadsheet, so it gets ' in front. */
function written(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(written).join(',')}\n`).join('');

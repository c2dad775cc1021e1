import { defined } from '../../common/elements.ts';
import { safeCsv } from '../../common/safe_csv.ts';
import { invalidInput } from '../../core/errors.ts';
import type { BodyStream, Context } from '../../core/op.ts';
import { type RowCharge, reserveRows } from '../../domain/tables/charge.ts';
import type { AskedColumns, TableColumns } from '../../domain/tables/columns.ts';
import type { Decision, MatchedRow } from '../../domain/tables/match_rows.ts';
import { type Table, written } from '../../domain/tables/table.ts';
import { decided, type MatchAnswer, shown } from './match_answer.ts';
import { columnsOf } from './match_columns.ts';
import { type Counts, countsOf, matchPlaces, placesIn, receive, type Wanted, withNamedSets } from './match_table.ts';

/** The columns that are added to a table. */
export const ADDED = [
  'match_id',
  'match_name',
  'match_level',
  'match_parents',
  'match',
  'match_confidence',
  'match_candidates',
] as const;

/** Rows that a dry run reads and shows. */
const DRY_ROWS = 2_000;
const SHOWN = 10;
/** Characters that are written at once. */
const PIECE = 64 * 1_024;

type Made =
  | { readonly answer: MatchAnswer }
  | { readonly body: AsyncGenerator<Uint8Array, void, undefined>; readonly headers: Readonly<Record<string, string>> };

/**
 * Reads a whole table, matches its rows, and returns the table with ADDED; of a dry run, the answer about its first
 * rows. The units of its rows are charged when the table is sent; one where names were looked up to find the columns.
 * @throws invalid_input with the line; too_large; quota_exceeded when the units do not cover all rows
 */
export async function matchTable(
  ctx: Context,
  body: BodyStream,
  asked: AskedColumns,
  wanted: Wanted,
  { dry, safe }: { readonly dry: boolean; readonly safe: boolean },
): Promise<Made> {
  const { table, release } = await receive(ctx, body, dry ? DRY_ROWS : undefined);
  let charge: RowCharge | null = null;
  let isSent = false;
  let isLookedUp = false;
  try {
    const twice = ADDED.filter((name) => table.columns.includes(name));
    if (twice.length > 0 && !dry) {
      const message = `has the columns ${twice.join(', ')} already: take them out, or rename them`;
      throw invalidInput([{ path: '', code: 'conflict', message }]);
    }
    charge = await reserveRows(ctx.services.billing, ctx.caller, 'match_names', dry ? 1 : table.rows.length);
    const columns = await columnsOf(ctx, table, { ...asked, filters: wanted.filters }, () => {
      isLookedUp = true;
    });
    const { places, keys } = await placesIn(ctx, table, columns, dry ? DRY_ROWS : undefined);
    const { decision, rows: matched } = await matchPlaces(await withNamedSets(ctx, places), places, {
      ...wanted,
      kinds: columns.kinds,
      others: columns.others,
    });
    const counts = countsOf(keys, matched);
    if (dry) {
      await charge.settle(1);
      charge = null;
      const first = Array.from(keys.subarray(0, SHOWN), (key) => shown(defined(matched[key])));
      return { answer: { columns: named(table, columns), decided: decided(decision), counts, rows: first } };
    }
    isSent = true;
    const headers = { 'Boundary-Match': summary(decision, counts, named(table, columns)) };
    return { body: tableParts(table, keys, matched, { charge, release, safe }), headers };
  } finally {
    if (!isSent) {
      release();
      await charge?.settle(isLookedUp ? 1 : 0);
    }
  }
}

function named({ columns }: Table, found: TableColumns): NonNullable<MatchAnswer['columns']> {
  const nameOf = (at: number | null): string | null => (at === null ? null : defined(columns[at]));
  return {
    name: nameOf(found.name),
    code: found.codeStart === null ? nameOf(found.code) : `${nameOf(found.codeStart.at)}+${nameOf(found.code)}`,
    within: found.within.map((at) => defined(columns[at])),
    type: nameOf(found.type),
  };
}

/** Letters of the name of a column in the header, and columns of places around the names. */
const MOST_LETTERS = 60;
const MOST_WITHIN = 5;

/** The decision, the numbers and the columns, for a header: keys and values in ASCII (RFC 9651), names percent-encoded. */
function summary(
  { country, adminLevel, within, language }: Decision,
  counts: Counts,
  columns: NonNullable<MatchAnswer['columns']>,
): string {
  const quoted = (name: string | null): string | null =>
    name === null ? null : `"${encodeURIComponent(Array.from(name).slice(0, MOST_LETTERS).join(''))}"`;
  const within_columns = columns.within.slice(0, MOST_WITHIN).map(quoted).join(' ');
  const said = {
    ...{ ...counts, country, admin_level: adminLevel, within: within?.id ?? null, language },
    ...{ name_column: quoted(columns.name), code_column: quoted(columns.code) },
    within_columns: within_columns === '' ? null : `(${within_columns})`,
  };
  return Object.entries(said)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]))
    .join(', ');
}

/** The cells that are added for a matched row. */
function cellsFor({ match, boundary, confidence, candidates }: MatchedRow): readonly string[] {
  return [
    boundary?.id ?? '',
    boundary?.name ?? '',
    boundary?.admin_level == null ? '' : String(boundary.admin_level),
    boundary?.parents.map(({ name }) => name).join(' > ') ?? '',
    match,
    boundary === null ? '' : String(confidence),
    candidates.map(({ id }) => id).join(';'),
  ];
}

async function* tableParts(
  { head, separator, rows }: Table,
  keys: Uint32Array,
  matched: readonly MatchedRow[],
  { charge, release, safe }: { readonly charge: RowCharge; release(): void; readonly safe: boolean },
): AsyncGenerator<Uint8Array, void, undefined> {
  const tails = new Map<number, string>();
  // Pieces consist of whole records.
  const piece = (text: string): Buffer => Buffer.from(safe ? safeCsv(text, separator) : text);
  let sent = 0;
  try {
    let text = `${[head, ...ADDED].join(separator)}\n`;
    for (const [i, row] of rows.entries()) {
      const key = defined(keys[i]);
      let tail = tails.get(key);
      if (tail === undefined) {
        const cells = cellsFor(defined(matched[key]));
        tail = `${cells.map((cell) => separator + written(cell, separator)).join('')}\n`;
        tails.set(key, tail);
      }
      text += row.text + tail;
      if (text.length < PIECE) continue;
      yield piece(text);
      sent = i + 1;
      text = '';
    }
    if (text !== '') yield piece(text);
    sent = rows.length;
  } finally {
    release();
    await charge.settle(sent);
  }
}

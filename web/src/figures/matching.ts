import { ask, Failure, type Parent, send } from '../api.ts';
import { t } from '../language.ts';
import { type Row, readTable, type Table } from './table.ts';

/** A boundary that a row may mean. */
export interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly admin_level: number | null;
  readonly parents: readonly Pick<Parent, 'name'>[];
}

/** How match_names found the boundary of a row. */
const HOW = ['exact', 'alias', 'code', 'typo', 'correction', 'ambiguous', 'not_found'] as const;
/** The same; `given`: the table has an id. */
export type How = (typeof HOW)[number] | 'given';

/** What is known of the rows of a table. */
export interface Matching {
  /** The id of the boundary of each row; '' for none. */
  readonly ids: readonly string[];
  readonly how: readonly How[];
  /** The ids that each row may mean besides. */
  readonly others: readonly (readonly string[])[];
  /** The columns that say the place. */
  readonly columns: { readonly name: string | null; readonly code: string | null; readonly within: readonly string[] };
}

/** The columns that match_names adds. */
const ADDED = ['match_id', 'match', 'match_candidates'] as const;
/** Most candidates that are asked for at once. */
const MOST_CANDIDATES = 2000;

/** What the columns say that match_names adds; null without them. */
function addedTo({ columns, rows }: Table): Omit<Matching, 'columns'> | null {
  const [id = -1, how = -1, others = -1] = ADDED.map((name) => columns.indexOf(name));
  if (id < 0) return null;
  const idOf = ({ cells }: Row): string => cells[id]?.trim() ?? '';
  return {
    ids: rows.map(idOf),
    how: rows.map((row) => HOW.find((one) => one === row.cells[how]) ?? (idOf(row) ? 'given' : 'not_found')),
    others: rows.map(({ cells }) => (cells[others] ?? '').split(';').filter(Boolean)),
  };
}

/**
 * Matches the rows of a table with boundaries; one that was matched before keeps its ids. `name`: the column with the
 * names, where it is not found by itself.
 * @throws like send()
 */
export async function matchTable(text: string, name: string | null, signal: AbortSignal): Promise<Matching> {
  const table = readTable(text);
  const before = addedTo(table);
  if (before) {
    const own = table.columns.find((column) => !column.startsWith('match')) ?? null;
    return { ...before, columns: { name: own, code: null, within: [] } };
  }
  const call = { method: 'POST' as const, file: { type: 'text/csv', content: text }, signal };
  const query = name === null ? {} : { name_column: name };
  const { columns } = await ask<Pick<Matching, 'columns'>>('/match', { ...call, query: { ...query, dry_run: true } });
  const response = await send('/match', { ...call, query });
  const found = addedTo(readTable(await response.text(), Number.POSITIVE_INFINITY));
  if (found?.ids.length !== table.rows.length) {
    throw new Failure(t('figures.theAnswerDoesNot'), { code: 'unreachable' });
  }
  return { ...found, columns };
}

/** Names and parents of candidates, by id. @throws like ask() */
export async function describeCandidates(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Candidate>> {
  const wanted = [...new Set(ids)].slice(0, MOST_CANDIDATES);
  if (wanted.length === 0) return new Map();
  const body = { rows: wanted.map((code) => ({ code })), decide: 'row' };
  const { rows } = await ask<{ rows: { boundary: Candidate | null }[] }>('/match', { method: 'POST', body, signal });
  return new Map(rows.flatMap(({ boundary }) => (boundary ? [[boundary.id, boundary] as const] : [])));
}

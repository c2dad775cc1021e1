import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import { lengthOf } from '../../core/input.ts';
import { type Context, defineOp } from '../../core/op.ts';
import { boundaryId, commaList, oneLine, pageInput, pageOf, timestamp } from '../../core/schemas.ts';
import { foldName } from '../../domain/names/fold.ts';
import { type AskedColumns, findTableColumns } from '../../domain/tables/columns.ts';
import {
  type Correction,
  listCorrections,
  MOST_CORRECTIONS,
  saveCorrections,
} from '../../domain/tables/corrections.ts';
import { placeReader } from '../../domain/tables/row_places.ts';
import { cellsOfRow, readTable } from '../../domain/tables/table.ts';
import { holder } from '../account/api_key.ts';
import { canonicalId } from '../boundaries/schema.ts';
import { acting } from '../orgs/org.ts';
import { columnsOf } from './match_columns.ts';
import { ADDED } from './match_stream.ts';

/** Limit of the corrections in one call. */
const MOST = 5_000;
const BODY_BYTES = 4 * 1024 * 1024;
/** Matches of a table that need no correction. */
const SETTLED: ReadonlySet<string> = new Set(['exact', 'alias', 'code', 'correction']);

export const saveMatchCorrections = defineOp({
  name: 'save_match_corrections',
  summary: 'Remembers for the organization what names in its tables mean.',
  description:
    'match_names then matches these names, with the same places around them, as they were corrected. Send rows, or the table ' +
    'of match_names with match_id filled in as csv: of its rows, those that were ambiguous, not found or repaired and now have an id are saved. ' +
    'A row of rows with id null is forgotten.',
  route: { method: 'PUT', path: '/match/corrections' },
  access: RULES.save_match_corrections,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  textBody: { contentType: 'text/csv', field: 'csv' },
  bodyBytes: BODY_BYTES,
  mostValues: 8 * MOST + 10,
  readsSets: true,
  input: z.strictObject({
    rows: z
      .array(
        z.strictObject({
          name: oneLine,
          within: z
            .array(oneLine)
            .max(5)
            .optional()
            .describe('Places around it as its rows have them, the innermost first.'),
          id: boundaryId.nullable().describe('What the name means; null: forget it.'),
        }),
      )
      .min(1)
      .max(MOST)
      .optional(),
    csv: z.string().min(1).max(BODY_BYTES).optional().describe('A table with match_id and the column with the names.'),
    name_column: z.string().min(1).max(200).optional().describe('With csv: the column with the names.'),
    within_columns: commaList(z.string().min(1).max(200))
      .max(5)
      .optional()
      .describe('With csv: the columns with places around them, as for match_names.'),
  }),
  output: z.object({
    saved: z.int(),
    deleted: z.int(),
    skipped: z.int().describe('Rows of csv without a correction.'),
  }),
  errors: ['invalid_input', 'invalid_id', 'not_found', 'unauthorized', 'too_large', 'rate_limited'],
  examples: [
    { input: { rows: [{ name: 'Sevilla capital', id: 'iso:ES-SE' }] } },
    {
      input: { csv: 'province,match_id,match\nCordova city,iso:ES-CO,not_found\nSevilla,iso:ES-SE,exact\n' },
      note: 'From a matched table',
    },
    { input: { rows: [{ name: 'Zaragoza capital', id: null }] }, note: 'Forget it' },
  ],
  count({ rows }) {
    if (lengthOf(rows) <= MOST) return;
    throw invalidInput([{ path: 'rows', code: 'too_big', message: `must have at most ${MOST} rows` }]);
  },
  async run(ctx, { rows, csv, name_column, within_columns }) {
    const org = holder(ctx.caller).org.id;
    if ((rows === undefined) === (csv === undefined)) {
      throw invalidInput([{ path: 'rows', code: 'missing', message: 'give rows or csv' }]);
    }
    if (csv === undefined) requireNoColumns({ name_column, within_columns });
    const given = rows?.map(({ name, within = [], id }, i) => ({ name, within, boundary: id, path: `rows.${i}` }));
    const { corrections, skipped } = given
      ? { corrections: given, skipped: 0 }
      : await correctionsIn(ctx, csv ?? '', { name: name_column, within: within_columns });
    const nameless = corrections.findIndex(({ name }) => foldName(name) === '');
    if (nameless >= 0) {
      throw invalidInput([
        { path: `rows.${nameless}.name`, code: 'invalid_value', message: 'must have a letter or a digit' },
      ]);
    }
    const ids = corrections.flatMap(({ boundary }) => boundary ?? []);
    const found = ids.length === 0 ? [] : await ctx.services.boundaries.resolve(ids);
    let at = 0;
    const canonical = corrections.map((one) => ({
      ...one,
      boundary: one.boundary === null ? null : (found[at++]?.id ?? null),
    }));
    return { ...(await saveCorrections(ctx.services.db, org, canonical)), skipped };
  },
});

/** @throws invalid_input for parameters that only a table has */
function requireNoColumns(given: Readonly<Record<string, unknown>>): void {
  const wrong = Object.keys(given).filter((name) => given[name] !== undefined);
  if (wrong.length === 0) return;
  throw invalidInput(wrong.map((path) => ({ path, code: 'conflict', message: 'is for csv only' })));
}

/** The corrections in a matched table. @throws invalid_input */
async function correctionsIn(ctx: Context, csv: string, asked: AskedColumns) {
  const table = await readTable(csv, ctx.signal);
  const id = table.columns.indexOf('match_id');
  if (id < 0) throw invalidInput([{ path: 'csv', code: 'missing', message: 'must have a column match_id' }]);
  const match = table.columns.indexOf('match');
  // The added columns are not those of the person.
  const added: ReadonlySet<string> = new Set(ADDED);
  const own = table.columns.map((column) => (added.has(column) ? '' : column));
  if (findTableColumns(own, asked).name === null) {
    const shown = own.filter((column) => column !== '').slice(0, 20);
    const message = `name the column with the names, as match_names took it: one of ${shown.join(', ')}`;
    throw invalidInput([{ path: 'name_column', code: 'missing', message }]);
  }
  // As match_names finds them, so that it finds the corrections.
  const left = new Set([...table.columns.keys()].filter((at) => added.has(table.columns[at] ?? '')));
  const columns = await columnsOf(ctx, { ...table, columns: own }, { ...asked, left }, () => undefined);
  const corrections: Correction[] = [];
  const placeOf = placeReader(columns);
  for (const row of table.rows) {
    const cells = cellsOfRow(table, row);
    const { name, within } = placeOf(cells);
    const boundary = (cells[id] ?? '').trim();
    if (boundary === '' || name === '' || SETTLED.has((cells[match] ?? '').trim())) continue;
    corrections.push({ name, within, boundary, path: 'csv', line: row.line });
    if (corrections.length > MOST) throw problem('too_large', `One call saves at most ${MOST} corrections.`);
  }
  return { corrections, skipped: table.rows.length - corrections.length };
}

export const listMatchCorrections = defineOp({
  name: 'list_match_corrections',
  summary: 'Lists what names mean in tables of the organization, as it was corrected.',
  route: { method: 'GET', path: '/match/corrections' },
  access: RULES.list_match_corrections,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject(pageInput(1_000, 100)),
  output: pageOf(
    z.object({
      name: z.string(),
      within: z.array(z.string()).describe('Folded, the innermost first.'),
      id: canonicalId,
      created_at: timestamp,
    }),
  ).describe(`An organization can have ${MOST_CORRECTIONS} corrections.`),
  errors: ['invalid_input', 'unauthorized', 'rate_limited'],
  examples: [{ input: {} }, { input: { limit: 1_000, offset: 1_000 } }],
  async run(ctx, page) {
    const by = acting(ctx);
    // What is in a set is not shown to those who may not read it.
    const sets = (await ctx.services.areaSets.readable(by)).map(({ name }) => name);
    return { ...(await listCorrections(ctx.services.db, { org: by.org, sets }, page)), ...page };
  },
});

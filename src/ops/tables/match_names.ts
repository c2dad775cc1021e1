import { z } from 'zod';
import { defined } from '../../common/elements.ts';
import { RULES } from '../../core/access.ts';
import { invalidInput } from '../../core/errors.ts';
import { lengthOf } from '../../core/input.ts';
import { type Context, defineOp, streamed } from '../../core/op.ts';
import { adminLevel, boundaryId, commaList, kind, looseBoolean, scope } from '../../core/schemas.ts';
import { ROWS_PER_UNIT } from '../../domain/tables/charge.ts';
import type { MatchFilters } from '../../domain/tables/match_rows.ts';
import { boundaryFor } from '../boundaries/fetched.ts';
import { answerSchema, decided, shown } from './match_answer.ts';
import { matchTable } from './match_stream.ts';
import { type Counts, countsOf, distinctRows, matchPlaces } from './match_table.ts';

/** Limit of the rows in a call by name. */
const MOST_ROWS = 10_000;
const BODY_BYTES = 4 * 1024 * 1024;
const CSV = 'text/csv';

const text = z.string().max(200);
const column = z.string().min(1).max(200).optional();

export const matchNames = defineOp({
  name: 'match_names',
  summary: 'Matches a table of place names or codes with boundaries, row by row: from words to ids.',
  description:
    'POST a body of text/csv with the other parameters in the query: the same rows come back with columns added: the id, name, ' +
    'level and parents of the boundary, how it was matched, how sure that is, and other candidates. Columns are found by their names ' +
    '(name, municipio, Gemeinde, code, country) and contents. The whole table is read first: the country, level and place ' +
    'that nearly all rows are in decide between the candidates of a row; the header Boundary-Match says what was decided. ' +
    'Rows that may mean several boundaries are ambiguous, never guessed. By name, and as a tool, it takes rows, up to 10,000. ' +
    'Look at rows that are ambiguous or not_found.',
  route: { method: 'POST', path: '/match' },
  access: RULES.match_names,
  effect: 'read',
  cost: { units: 1, per: 'call', note: 'for every 1,000 rows, rounded up; a dry run costs 1' },
  bodyBytes: BODY_BYTES,
  mostValues: 8 * MOST_ROWS + 100,
  intake: [CSV],
  readsSets: true,
  input: z.strictObject({
    rows: z
      .array(
        z.strictObject({
          name: text.optional(),
          code: text.optional().describe('An id or an official code: r62422, iso:ES-SE, 48201.'),
          within: z
            .union([text, z.array(text).max(5)])
            .optional()
            .describe('Places around it, the innermost first: "Texas", or ["Texas", "US"].'),
          type: text.optional().describe('A word for its kind, or an admin level: "county", "Landkreis", "6".'),
        }),
      )
      .min(1)
      .max(MOST_ROWS)
      .optional()
      .describe('What each row says of its place. Not with a table.'),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'must be a two-letter country code')
      .optional()
      .describe('ISO 3166-1 alpha-2: all rows are in this country.'),
    within: boundaryId.optional().describe('All rows are inside of this boundary.'),
    scope,
    admin_level: adminLevel.optional(),
    kind: kind.optional(),
    language: z
      .string()
      .regex(/^[A-Za-z]{2,3}$/, 'must be a language code')
      .optional()
      .describe('The language of the names, where it tells places apart.'),
    decide: z
      .enum(['column', 'row'])
      .default('column')
      .describe('column: the other rows decide between candidates. row: each row alone.'),
    name_column: column.describe('The column with the names. With a table.'),
    code_column: column.describe('The column with codes or ids.'),
    within_columns: commaList(z.string().min(1).max(200))
      .max(5)
      .optional()
      .describe('The columns with places around them, the innermost first.'),
    type_column: column.describe('The column with a word for the kind, or an admin level.'),
    dry_run: looseBoolean
      .optional()
      .describe('With a table: reads 2,000 rows and answers with the columns, what is decided, and ten rows.'),
    safe_csv: looseBoolean.optional().describe("With a table: ' before cells that look like formulas."),
  }),
  output: answerSchema,
  success: { headers: ['Boundary-Match'] },
  errors: ['invalid_input', 'invalid_id', 'not_found', 'unauthorized', 'quota_exceeded', 'too_large', 'rate_limited'],
  examples: [
    {
      input: {
        rows: [
          { name: 'Sevilla', type: 'province' },
          { name: 'Cordoba', within: 'ES', type: '6' },
          { code: 'iso:ES-AN' },
        ],
      },
    },
    {
      input: {
        rows: [{ name: 'Washington' }, { name: 'Sangamon' }, { name: 'Champaign County' }, { name: 'Macoupin' }],
      },
      note: 'The other rows are counties of Illinois: so is Washington',
    },
    { input: { rows: [{ name: 'Washington' }], decide: 'row' }, note: 'Alone it is ambiguous' },
    { input: { rows: [] }, note: 'Nothing to match', problem: 'invalid_input' },
  ],
  count({ rows }) {
    if (lengthOf(rows) <= MOST_ROWS) return;
    const message = `must have at most ${MOST_ROWS} rows; send more as text/csv`;
    throw invalidInput([{ path: 'rows', code: 'too_big', message }]);
  },
  // A table reserves its own units, once it is read.
  price: (_ctx, { rows }) => Math.ceil((rows?.length ?? 0) / ROWS_PER_UNIT),
  async run(ctx, input) {
    const { rows, language, decide } = input;
    const wanted = {
      filters: await filtersOf(ctx, input),
      whole: decide === 'column',
      language: language?.toLowerCase(),
    };
    if (ctx.intake) {
      if (rows !== undefined)
        throw invalidInput([{ path: 'rows', code: 'conflict', message: 'are the rows of the body' }]);
      const asked = {
        name: input.name_column,
        code: input.code_column,
        within: input.within_columns,
        type: input.type_column,
      };
      const made = await matchTable(ctx, ctx.intake, asked, wanted, {
        dry: input.dry_run === true,
        safe: input.safe_csv === true,
      });
      return 'body' in made ? streamed(made.body, CSV, made.headers) : made.answer;
    }
    if (rows === undefined) {
      throw invalidInput([{ path: 'rows', code: 'missing', message: `give rows, or a body of ${CSV}` }]);
    }
    requireNoColumns(input);
    const { places, keys } = await distinctRows(rows.length, (i) => {
      const { name = '', code = '', within = [], type = '' } = defined(rows[i]);
      return { name, code, within: typeof within === 'string' ? [within] : within, type };
    });
    const { decision, rows: matched } = await matchPlaces(ctx, places, { ...wanted, kinds: [] });
    const counts: Counts = countsOf(keys, matched);
    const made = matched.map(shown);
    return { decided: decided(decision), counts, rows: Array.from(keys, (key) => defined(made[key])) };
  },
});

/** The filters with the canonical id of the boundary around all rows. @throws what boundaryFor() throws */
async function filtersOf(
  ctx: Context,
  given: {
    readonly country?: string;
    readonly within?: string;
    readonly admin_level?: number;
    readonly kind?: MatchFilters['kind'];
  },
): Promise<MatchFilters> {
  const around = given.within === undefined ? undefined : await boundaryFor(ctx, given.within);
  return {
    country: given.country?.toUpperCase(),
    adminLevel: given.admin_level,
    kind: given.kind,
    within: around?.id,
  };
}

const OF_TABLES = ['name_column', 'code_column', 'within_columns', 'type_column', 'dry_run', 'safe_csv'] as const;

/** @throws invalid_input for parameters that only a table has */
function requireNoColumns(given: Partial<Record<(typeof OF_TABLES)[number], unknown>>): void {
  const wrong = OF_TABLES.filter((name) => given[name] !== undefined);
  if (wrong.length === 0) return;
  throw invalidInput(wrong.map((path) => ({ path, code: 'conflict', message: 'is for a table, not for rows' })));
}

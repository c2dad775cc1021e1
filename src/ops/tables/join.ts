import { z } from 'zod';
import { COLLECTION_FORMATS, contentType } from '../../../workers/formats/registry.ts';
import { RULES } from '../../core/access.ts';
import { invalidInput } from '../../core/errors.ts';
import { defineOp, streamed } from '../../core/op.ts';
import { adminLevel, collectionFormat, commaList, detail, format, safeCsv } from '../../core/schemas.ts';
import { requireSelectable, type SelectionLimit } from '../../domain/boundaries/selection.ts';
import { onSnapshot } from '../boundaries/fetched.ts';
import { readKept } from '../boundaries/kept_file.ts';
import { checkResolution, tolerance } from '../boundaries/schema.ts';
import { leftOutSchema } from '../boundaries/selection.ts';
import { describeJoin, headersOf, joinedFile } from './join_file.ts';
import { joinRows, MOST_FIGURES, readJoin } from './join_rows.ts';

const BODY_BYTES = 8 * 1024 * 1024;
/** Boundaries of a result. */
const LIMIT: SelectionLimit = { most: 20_000, code: 'too_many_boundaries', of: 'one join' };

const input = z.strictObject({
  csv: z.string().min(1).max(BODY_BYTES).describe('The table; its first line names the columns.'),
  id_column: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The column with the ids. Default: match_id, boundary_id or id.'),
  group_column: z.string().min(1).max(200).optional().describe('Merge the boundaries of each group into one area.'),
  parent_level: adminLevel.optional().describe('Add the rows up to the parents of their boundaries at this level.'),
  figures: commaList(z.string().min(1).max(500))
    .min(1)
    .max(MOST_FIGURES)
    .optional()
    .describe(
      'Columns and how several rows become one figure: people:sum, rate:mean:people (weighted), x:min, x:max, x:count, x:first, x:share. Default: every column, one row for a boundary.',
    ),
  format: collectionFormat.default('geojson'),
  safe_csv: safeCsv,
  zip_of: format.optional().describe('With format zip: the format of its files.'),
  detail: detail.optional().describe('Detail of the largest area, applied to all. Default: medium.'),
  tolerance_m: tolerance.optional(),
});
export const join = defineOp({
  name: 'join',
  summary: 'Joins a table of figures by id with boundaries: a collection with the figures as properties.',
  description:
    'The table has an id in each row, such as the one that match_names adds. Rows without an id are left out and counted. ' +
    'Columns become properties, after those of export_collection; one with such a name gets table_ in front. ' +
    'With group_column the boundaries of a group are merged, with parent_level rows add up to a parent: figures then says how. ' +
    'The HTTP route answers with the file, other calls with its url. A figure that is not a number fails with its line and column.',
  route: { method: 'POST', path: '/join' },
  access: RULES.join,
  effect: 'read',
  cost: { units: 1, per: 'boundary', note: 'each distinct boundary' },
  textBody: { contentType: 'text/csv', field: 'csv' },
  bodyBytes: BODY_BYTES,
  readsSets: true,
  input,
  output: z.object({
    url: z.url(),
    sha256: z.string().length(64),
    bytes: z.int(),
    content_type: z.string(),
    format: collectionFormat,
    tolerance_m: z.number().describe('Tolerance of every area in the file, in meters.'),
    count: z.int().describe('Areas in the file.'),
    rows: z.int().describe('Rows that are in the figures.'),
    rows_without_id: z.int(),
    figures: z.array(z.string()).describe('Properties with figures.'),
    left_out: leftOutSchema,
  }),
  success: { files: [...new Set(COLLECTION_FORMATS.map(contentType))] },
  errors: [
    ...(['invalid_input', 'invalid_id', 'not_found', 'unauthorized', 'quota_exceeded', 'too_large'] as const),
    ...(['too_many_boundaries', 'no_geometry', 'rate_limited'] as const),
  ],
  examples: [
    { input: { csv: 'id,people\niso:ES-SE,1950000\niso:ES-CO,770000\n' } },
    {
      input: {
        csv: 'id,district,people,rate\niso:ES-SE,west,1950000,21.5\niso:ES-CO,east,770000,24\n',
        group_column: 'district',
        figures: ['people:sum', 'rate:mean:people'],
      },
      note: 'Merged by district: people added up, rates weighted by people',
    },
    {
      input: {
        csv: 'id,people\niso:ES-SE,1950000\niso:ES-CO,770000\n',
        parent_level: 4,
        figures: ['people:sum'],
        format: 'csv',
      },
      note: 'Added up to the region',
    },
    { input: { csv: '' }, note: 'An empty table', problem: 'invalid_input' },
  ],
  async prepare(ctx, given) {
    checkResolution(given);
    if (given.zip_of !== undefined && given.format !== 'zip') {
      throw invalidInput([{ path: 'zip_of', code: 'conflict', message: 'is for zip only' }]);
    }
    if (given.group_column !== undefined && given.parent_level !== undefined) {
      throw invalidInput([{ path: 'parent_level', code: 'conflict', message: 'give group_column or parent_level' }]);
    }
    const read = await readJoin(given, ctx.signal);
    const joined = await onSnapshot(ctx, (reading) => joinRows(ctx, reading, read, given));
    requireSelectable(joined.ids.length, LIMIT);
    return { read, units: joined.ids.length };
  },
  price: (_ctx, _input, { units }) => units,
  async run(ctx, given, { read }) {
    const made = await onSnapshot(ctx, async (reading) => {
      const joined = await joinRows(ctx, reading, read, given);
      return joinedFile(ctx, reading, joined, given);
    });
    if (ctx.transport === 'http') {
      const parts = await readKept(ctx, made.kept, given.format);
      return streamed(partsOf(parts), contentType(given.format), headersOf(given.format, made, read));
    }
    return {
      ...made.kept,
      content_type: contentType(given.format),
      format: given.format,
      ...describeJoin(made, read),
    };
  },
});

async function* partsOf(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  yield* parts;
}

import { z } from 'zod';
import { meaningful } from '../../../workers/digits.ts';
import { defined } from '../../common/elements.ts';
import { Turns } from '../../common/turns.ts';
import { RULES } from '../../core/access.ts';
import { invalidInput } from '../../core/errors.ts';
import { lengthOf } from '../../core/input.ts';
import { bytes, defineOp } from '../../core/op.ts';
import { asOf, commaList, safeCsv } from '../../core/schemas.ts';
import { requireSelectable } from '../../domain/boundaries/selection.ts';
import { type Converted, convertCounts, convertRates } from '../../domain/tables/conversion.ts';
import { onSnapshot } from '../boundaries/fetched.ts';
import { JSON_TYPE, writtenList } from '../boundaries/list.ts';
import { canonicalId } from '../boundaries/schema.ts';
import {
  asSelection,
  countListed,
  leftOutOf,
  leftOutSchema,
  requireOneBase,
  selectionForms,
} from '../boundaries/selection.ts';
import { AREAS, type Conversion, FINE, FOR_A_UNIT, readConversion, resolveConversion } from './conversion_sides.ts';
import { convertedTable } from './converted_table.ts';
import { splitAreas } from './pieces.ts';

const BODY_BYTES = 8 * 1024 * 1024;
/** Columns that are converted, and boundaries that an answer lists because their shares do not add up to 1. */
const MOST_COLUMNS = 100;
const LISTED = 1_000;

const column = z.string().min(1).max(500);
const sum = z.number().nullable();

export const convertValues = defineOp({
  name: 'convert_values',
  summary: 'Moves figures from the areas of one date or kind to others: counts are split, rates averaged, totals kept.',
  description:
    'The table has the id of an area in each row. Its counts are split among the boundaries of b by the share of the area ' +
    'that they have in common, or by the weights of finer boundaries (weights: their own population, or a table with id ' +
    'and weight). Counts are rounded to as many decimals as their column has, by largest remainders, so that with the ' +
    'unexplained rest, a row of its own, they add up exactly. Rates are averaged. share_covered is the share of a boundary ' +
    'of b that areas of the table cover; by_area is how much of a count was split by area alone.',
  route: { method: 'POST', path: '/convert-values' },
  access: RULES.convert_values,
  effect: 'read',
  cost: { units: 1, per: 'call', note: `for every ${FOR_A_UNIT} distinct boundaries, rounded up` },
  textBody: { contentType: 'text/csv', field: 'csv' },
  bodyBytes: BODY_BYTES,
  mostValues: 2 * AREAS.most + 50,
  input: z.strictObject({
    csv: z.string().min(1).max(BODY_BYTES).describe('The table; its first line names the columns.'),
    b: selectionForms(AREAS.most).describe(
      'The boundaries of the result: ids, or a selection as export_collection takes it.',
    ),
    id_column: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('The column with the ids. Default: match_id, boundary_id or id.'),
    counts: commaList(column).min(1).max(MOST_COLUMNS).optional().describe('Columns of counts, such as people.'),
    rates: commaList(column)
      .min(1)
      .max(MOST_COLUMNS)
      .optional()
      .describe('Columns of rates; rate:people weighs by the column people. Give counts, rates or both.'),
    as_of: asOf,
    as_of_b: asOf.describe('The date of b, where it is another than that of the table.'),
    weights: selectionForms(AREAS.most)
      .optional()
      .describe('Finer boundaries by whose population areas are split instead of by area.'),
    weights_csv: z
      .string()
      .min(1)
      .max(BODY_BYTES)
      .optional()
      .describe('In place of weights: a table of finer boundaries with the columns id and weight.'),
    as_of_weights: asOf.describe('The date of weights, where it is another than that of the table.'),
    format: z.enum(['json', 'csv']).default('json'),
    safe_csv: safeCsv,
  }),
  output: z.object({
    columns: z.array(
      z.object({
        name: z.string(),
        how: z.enum(['count', 'rate']),
        given: sum.describe('Sum of a count in the table.'),
        unexplained: sum.describe('What went to no boundary of b: of a count the rest, of a rate the mean there.'),
        by_area: sum.describe('How much of a count was split by area alone.'),
        empty: z.int().describe('Rows with an empty cell.'),
      }),
    ),
    items: z.array(
      z.object({
        id: canonicalId,
        name: z.string(),
        share_covered: z.number().describe('Share of its area that areas of the table cover.'),
        values: z.array(sum).describe('In the order of columns; null: no area of the table with a value overlaps it.'),
        by_area: z.array(sum).describe('In the same order, for counts.'),
      }),
    ),
    not_whole: z
      .object({
        total: z.int(),
        items: z.array(z.object({ id: canonicalId, share: z.number() })).describe(`The first ${LISTED}.`),
      })
      .describe('Areas of the table whose shares do not add up to 1 within 0.00001: the rest is unexplained.'),
    rows: z.int(),
    rows_without_id: z.int().describe('Rows that were left out.'),
    without_weight: z.int().describe('Finer boundaries that have no population, and were left out.'),
    left_out: leftOutSchema,
    attribution: z.string(),
  }),
  success: { documents: ['application/json', 'text/csv'] },
  errors: [
    ...(['invalid_input', 'invalid_id', 'not_found', 'unauthorized', 'quota_exceeded', 'too_large'] as const),
    ...(['too_many_boundaries', 'no_children', 'no_geometry', 'rate_limited'] as const),
  ],
  examples: [
    { input: { csv: 'id,people\niso:ES-AN,8600000\n', b: ['iso:ES-SE', 'iso:ES-CO'], counts: ['people'] } },
    {
      input: {
        csv: 'id,people,rate\niso:ES-SE,1950000,21.5\niso:ES-CO,770000,24\n',
        b: ['iso:ES-AN'],
        counts: ['people'],
        rates: ['rate:people'],
        format: 'csv',
      },
      note: 'Added up, and a mean weighted by people',
    },
  ],
  count({ b, weights }) {
    requireSelectable(Math.max(countListed(b), countListed(weights)), AREAS);
  },
  async prepare(ctx, given) {
    if (lengthOf(given.counts) + lengthOf(given.rates) === 0) {
      throw invalidInput([
        { path: 'counts', code: 'missing', message: 'name the columns of counts, and those of rates' },
      ]);
    }
    if (given.weights !== undefined && given.weights_csv !== undefined) {
      throw invalidInput([{ path: 'weights_csv', code: 'conflict', message: 'give weights or weights_csv' }]);
    }
    requireOneBase(asSelection(given.b), 'b');
    if (given.weights !== undefined) requireOneBase(asSelection(given.weights), 'weights');
    const read = await readConversion(given, ctx.signal);
    const sides = await onSnapshot(ctx, (reading) => resolveConversion(ctx, reading, read, given));
    requireSelectable(sides.fine.length, FINE);
    return { read, sides };
  },
  price: (_ctx, _input, { sides }) => Math.ceil(sides.boundaries.length / FOR_A_UNIT),
  async run(ctx, given, { read, sides: found }) {
    return onSnapshot(ctx, async (reading) => {
      const sides = found.revision === reading.revision ? found : await resolveConversion(ctx, reading, read, given);
      const split = await splitAreas(ctx, sides);
      const turns = new Turns(ctx.signal);
      const converted: Converted[] = [];
      for (const column of read.counts) converted.push(await convertCounts(column, split, turns));
      for (const column of read.rates) converted.push(await convertRates(column, split, turns));
      const { without, table } = read;
      const named = sides.b.map((place) => defined(sides.boundaries[place]));
      const about = { named, covered: split.covered, isWeighted: sides.fine.length > 0 };
      if (given.format === 'csv') return bytes(await convertedTable(converted, about, turns), 'text/csv');
      const items: Uint8Array[] = [];
      for (const [b, { id, name }] of named.entries()) {
        if (turns.spend(converted.length)) await turns.next();
        const share_covered = meaningful(defined(split.covered[b]));
        items.push(Buffer.from(JSON.stringify({ id, name, share_covered, ...rowOf(converted, b) })));
      }
      const before = {
        columns: converted.map(({ name, how, given, unexplained, byAreaTotal, empty }) => {
          return { name, how, given, unexplained, by_area: how === 'count' ? byAreaTotal : null, empty };
        }),
      };
      const after = {
        not_whole: notWhole(sides, split.sums),
        ...{ rows: table.length, rows_without_id: without, without_weight: sides.withoutWeight },
        left_out: leftOutOf(sides.leftOut),
        attribution: sides.attribution,
      };
      return bytes(writtenList(items, after, before), JSON_TYPE);
    });
  },
});

function rowOf(converted: readonly Converted[], b: number) {
  return {
    values: converted.map(({ values }) => values[b] ?? null),
    by_area: converted.map(({ how, byArea }) => (how === 'count' ? defined(byArea[b]) : null)),
  };
}

function notWhole({ boundaries, a }: Conversion, sums: Float64Array) {
  const items = a.flatMap((place, i) => {
    const share = meaningful(defined(sums[i]));
    return Math.abs(share - 1) > 1e-5 ? [{ id: defined(boundaries[place]).id, share }] : [];
  });
  return { total: items.length, items: items.slice(0, LISTED) };
}

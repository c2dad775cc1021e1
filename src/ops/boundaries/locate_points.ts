import { z } from 'zod';
import { defined } from '../../common/elements.ts';
import { RULES } from '../../core/access.ts';
import { invalidInput } from '../../core/errors.ts';
import { lengthOf } from '../../core/input.ts';
import { defineOp, streamed } from '../../core/op.ts';
import {
  adminLevel,
  asOf,
  commaList,
  kind,
  latitude,
  longitude,
  recordedBefore,
  safeCsv,
  scope,
} from '../../core/schemas.ts';
import type { LocateFilter, LocateMember } from '../../domain/points/locate_set.ts';
import { POINTS_PER_UNIT } from '../../domain/points/meter.ts';
import { POINT_FORMATS, type PointFormat } from '../../domain/points/point_rows.ts';
import { pointsIn } from './locate.ts';
import { locateFigures } from './locate_figures.ts';
import { locateStream } from './locate_stream.ts';

/** Limit of the points in a call by name. */
const MOST_POINTS = 10_000;
const BODY_BYTES = 1024 * 1024;

const FIELDS = ['id', 'name', 'kind', 'admin_level', 'country', 'iso', 'wikidata', 'population', 'area_km2'] as const;

const field = z.enum(FIELDS);
const DEFAULT_FIELDS: readonly (typeof FIELDS)[number][] = ['id', 'name'];

const memberSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    kind,
    admin_level: z.int().nullable(),
    country: z.string().nullable(),
    iso: z.string().nullable(),
    wikidata: z.string().nullable(),
    population: z.int().nullable(),
    area_km2: z.number().nullable(),
  })
  .partial()
  .describe('With the requested fields.');

function fieldsOf(member: LocateMember, fields: readonly (typeof FIELDS)[number][]): z.input<typeof memberSchema> {
  return Object.fromEntries(fields.map((name) => [name, member[name]]));
}

export const locatePoints = defineOp({
  name: 'locate_points',
  summary: 'The boundaries that contain each of many points: a stream of rows, or a list of points.',
  description:
    'POST a body of text/csv (separated by , ; | or tabs; columns such as lat and lon, Latitud and Longitud, pickup_lat and pickup_lon), application/x-ndjson or application/geo+json, of any length, ' +
    'with the other parameters in the query: the rows come back in order while the body is read, with columns added ' +
    'and a last column error. A row without a valid point stays in its place, with the error. By name, and as a tool, it ' +
    'takes points: [[lon, lat], …] up to 10,000. Sets are closed: a point on a border is in both. Names have no language.',
  route: { method: 'POST', path: '/locate' },
  access: RULES.locate_points,
  effect: 'read',
  cost: { units: 1, per: 'call', note: 'for every 1,000 points, rounded up; a stream pays for the rows it received' },
  bodyBytes: BODY_BYTES,
  mostValues: 3 * MOST_POINTS + 100,
  intake: POINT_FORMATS,
  input: z.strictObject({
    points: z
      .array(z.tuple([longitude, latitude]))
      .min(1)
      .max(MOST_POINTS)
      .optional()
      .describe('[longitude, latitude] of each, in degrees. Not with a stream.'),
    levels: commaList(adminLevel)
      .max(12)
      .optional()
      .describe('Admin levels. In a stream each has its own columns: admin_8_id, admin_8_name.'),
    kinds: commaList(kind)
      .max(15)
      .optional()
      .describe('Kinds. In a stream each has its own columns: postal_code_id, postal_code_name.'),
    lat_column: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('The column or member with the latitude, where its name does not say it. With a stream.'),
    lon_column: z.string().min(1).max(200).optional().describe('The same for the longitude.'),
    crs: z
      .string()
      .min(1)
      .max(4_000)
      .optional()
      .describe(
        'The reference system of the coordinates, such as EPSG:25830; the columns are then x and y. With a stream, which ' +
          'gets the columns crs_accuracy_m (by EPSG; empty: not known) and crs_outside ("yes" outside of its area of use).',
      ),
    as_of: asOf,
    recorded_before: recordedBefore,
    scope,
    figures: commaList(z.string().min(1).max(300))
      .min(1)
      .max(20)
      .optional()
      .describe(
        'With a stream: instead of its rows, a row for each boundary with these figures of the points in it: points for ' +
          'their number, sales:sum, rate:mean:people (weighted), and min, max, count, first, share.',
      ),
    fields: commaList(field).min(1).max(FIELDS.length).optional().describe('Default: id,name.'),
    safe_csv: safeCsv,
  }),
  output: z.object({
    items: z.array(z.object({ boundaries: z.array(memberSchema).describe('Outermost first.') })),
  }),
  errors: ['invalid_input', 'unauthorized', 'quota_exceeded', 'too_large', 'rate_limited'],
  examples: [
    { input: { points: [[-5.99, 37.39]], levels: [4, 6] } },
    {
      input: {
        points: [
          [-5.99, 37.39],
          [-4.77, 37.88],
        ],
        fields: ['id', 'iso'],
      },
      note: 'Every boundary that contains them',
    },
  ],
  count({ points }) {
    if (lengthOf(points) <= MOST_POINTS) return;
    const message = `must have at most ${MOST_POINTS} points; send more as a stream`;
    throw invalidInput([{ path: 'points', code: 'too_big', message }]);
  },
  // A stream reserves its own units, a block at a time.
  price: (_ctx, { points }) => Math.ceil((points?.length ?? 0) / POINTS_PER_UNIT),
  async run(
    ctx,
    { points, levels = [], kinds = [], fields = DEFAULT_FIELDS, lat_column: lat, lon_column: lon, crs, figures },
  ) {
    const filter: LocateFilter = { levels: [...new Set(levels)], kinds: [...new Set(kinds)] };
    const chosen = [...new Set(fields)];
    if (ctx.intake) {
      if (points !== undefined) {
        throw invalidInput([{ path: 'points', code: 'conflict', message: 'are the rows of the body' }]);
      }
      const format = ctx.intake.contentType as PointFormat;
      const asked = { format, chunks: ctx.intake.chunks, filter, fields: chosen, source: { lat, lon, crs } };
      if (figures === undefined) return streamed(locateStream(ctx, asked), format);
      const type = format === 'text/csv' ? format : 'application/x-ndjson';
      return streamed(locateFigures(ctx, { ...asked, asked: figures }), type);
    }
    if (points === undefined) {
      const message = `give points, or a body of ${POINT_FORMATS.join(', ')}`;
      throw invalidInput([{ path: 'points', code: 'missing', message }]);
    }
    const ofStreams = Object.entries({ lat_column: lat, lon_column: lon, crs, figures }).flatMap(([path, value]) =>
      value === undefined ? [] : [{ path, code: 'conflict' as const, message: 'is for a stream' }],
    );
    if (ofStreams.length > 0) throw invalidInput(ofStreams);
    const places = Int32Array.from(points.flat(), (degrees) => Math.round(degrees * 1e7));
    const { members, end, items } = await pointsIn(ctx, filter, places);
    return {
      items: points.map((_, i) => {
        const found = items.subarray(i === 0 ? 0 : end[i - 1], end[i]);
        return { boundaries: Array.from(found, (member) => fieldsOf(defined(members[member]), chosen)) };
      }),
    };
  },
});

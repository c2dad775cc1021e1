import { z } from 'zod';
import { levelFor, levelOfTolerance, toleranceMeters } from '../../../workers/arcs/levels.ts';
import type { Box, Detail } from '../../../workers/contract.ts';
import { COLLECTION_FORMATS, contentType, extension } from '../../../workers/formats/registry.ts';
import { contentDisposition } from '../../common/disposition.ts';
import { defined } from '../../common/elements.ts';
import { RULES } from '../../core/access.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import { type Context, defineOp, streamed } from '../../core/op.ts';
import { asOf, collectionFormat, detail, format, recordedBefore, safeCsv } from '../../core/schemas.ts';
import { partAsked } from '../../domain/boundaries/land.ts';
import { DataMoved, type Snapshot } from '../../domain/boundaries/reads.ts';
import { seaAround } from '../../domain/boundaries/sea.ts';
import type { Member, ResolvedSelection } from '../../domain/boundaries/selection.ts';
import { ArcsMoved } from '../../geometry/arc_leases.ts';
import { levelOfLargest, writeCollection } from '../../geometry/collection.ts';
import type { Collection } from '../../geometry/collection_model.ts';
import { collectionNaming, columnsOf, valuesFor } from './collection.ts';
import { onSnapshot, UPSTREAM_ERRORS } from './fetched.ts';
import { keepFile } from './kept_file.ts';
import { checkResolution, naming, part, tolerance } from './schema.ts';
import {
  countSelection,
  leftOutOf,
  leftOutSchema,
  membersOf,
  SELECTION_ERRORS,
  selectBoundaries,
  selectionFields,
} from './selection.ts';

const aboveLow = (input: { detail?: string; tolerance_m?: number }) =>
  (input.detail !== undefined && input.detail !== 'low') || input.tolerance_m !== undefined;

/** Boundaries that count as one plain request against the limit of a network without a key. */
const BOUNDARIES_A_REQUEST = 10;
const MOST_IN_HEADER = 50;
/** Room for the ids of 5,000 boundaries, even as openstreetmap.org URLs. */
const BODY_BYTES = 256 * 1024;
const MOST_VALUES = 5_100;
/** Limit of the languages with a column. */
const MOST_LANGUAGES = 20;

const input = z.strictObject({
  ...selectionFields,
  format: collectionFormat.default('geojson'),
  safe_csv: safeCsv,
  zip_of: format.optional().describe('With format zip: the format of its files. Default: geojson.'),
  detail: detail
    .optional()
    .describe('Detail of the largest boundary, applied to all. Default: low without a key, medium with one.'),
  tolerance_m: tolerance.optional(),
  ...part,
  geometry: z.enum(['full', 'none']).default('full').describe('none: attributes only, in csv.'),
  lang: naming.lang.describe('Languages for name, best first: de-CH,fr. Default: local names.'),
  as_of: asOf,
  recorded_before: recordedBefore,
  names: naming.names.describe('Add a column name:xx for each of these languages.'),
});

export type CollectionInput = z.output<typeof input>;
type Input = CollectionInput;

export const exportCollection = defineOp({
  name: 'export_collection',
  summary: 'Many boundaries as one file, each a feature, all at one tolerance: neighbors share every vertex.',
  description:
    'Select by ids, children_of, country (with kind or admin_level), within or file_id; up to 5,000, more by create_job. The HTTP route answers with ' +
    'the file, other calls with its url. Flat attributes: id, name, local_name, kind, admin_level, country, iso, ' +
    'wikidata, population, area_km2, parent_id, lat, lon; with area also land_km2 and includes_water. Low detail is public and free.',
  route: { method: 'POST', path: '/collections' },
  access: (given) => (aboveLow(given) ? RULES.export_collection_above_low : RULES.export_collection),
  effect: 'read',
  cost: { units: 1, per: 'boundary', note: 'each distinct boundary in the file; free at low detail' },
  bodyBytes: BODY_BYTES,
  mostValues: MOST_VALUES,
  input,
  output: z.object({
    url: z.url(),
    sha256: z.string().length(64),
    bytes: z.int(),
    content_type: z.string(),
    format: collectionFormat,
    detail: detail.nullable(),
    tolerance_m: z.number().describe('Tolerance of every boundary in the file, in meters.'),
    count: z.int().describe('Boundaries in the file.'),
    left_out: leftOutSchema,
  }),
  success: { files: [...new Set(COLLECTION_FORMATS.map(contentType))] },
  errors: [...SELECTION_ERRORS, 'unauthorized', 'quota_exceeded', 'no_geometry', ...UPSTREAM_ERRORS, 'rate_limited'],
  examples: [
    { input: { children_of: 'iso:ES-AN' }, note: 'What tiles a region' },
    { input: { ids: ['iso:ES-SE', 'iso:ES-CO'], format: 'topojson', detail: 'high' }, note: 'Each border once' },
    {
      input: { country: 'ES', kind: 'province', format: 'csv', geometry: 'none', names: 'en,ca' },
      note: 'A table of attributes',
    },
    { input: { children_of: 'berlin' }, note: 'A name is not an id: search for it first', problem: 'invalid_id' },
  ],
  count: countSelection,
  async prepare(ctx, given) {
    checkCollection(given);
    const known = ctx.caller.account !== null || ctx.caller.operator;
    const chosen = given.tolerance_m === undefined ? (given.detail ?? (known ? 'medium' : 'low')) : null;
    const selected = await selectBoundaries(ctx, given);
    const members = membersOf(selected);
    await ctx.countRequests?.(Math.ceil(members.length / BOUNDARIES_A_REQUEST));
    return { selected, detail: chosen, units: chosen === 'low' ? 0 : members.length };
  },
  price: (_ctx, _input, { units }) => units,
  async run(ctx, given, { selected, detail: chosen, units }) {
    const about = { given, detail: chosen };
    const { format } = given;
    let stored: ResolvedSelection = selected;
    const made = await onSnapshot(ctx, async (reading) => {
      if (reading.revision !== stored.revision) stored = await reselect(ctx, given, units, chosen);
      if (reading.revision !== stored.revision) throw new DataMoved();
      const collection = collectionOf(reading, stored, about);
      ctx.progress?.(`${collection.members.length} boundaries to write`);
      const parts = writeCollection(ctx.services.engine, collection, ctx.signal);
      if (ctx.transport !== 'http')
        return { collection, kept: await keepFile(ctx, parts, format, 'export_collection'), parts: null };
      // The first part is made here: until then the work may start over.
      const first = await parts.next();
      return { collection, kept: null, parts: followed(first, parts) };
    });
    const { collection, kept, parts } = made;
    const tolerance_m = toleranceMeters(collection.level);
    if (!kept) return streamed(parts, contentType(format), headersOf(collection, stored, about));
    return {
      ...kept,
      content_type: contentType(format),
      format,
      detail: chosen,
      tolerance_m,
      count: collection.members.length,
      left_out: leftOutOf(stored.leftOut),
    };
  },
});

/** Refuses an input with conflicting fields. @throws invalid_input */
export function checkCollection(given: Input): void {
  checkResolution(given);
  if (given.zip_of !== undefined && given.format !== 'zip') {
    throw invalidInput([{ path: 'zip_of', code: 'conflict', message: 'is for zip only' }]);
  }
  if (given.geometry === 'none' && given.format !== 'csv') {
    throw invalidInput([{ path: 'geometry', code: 'conflict', message: 'none is for csv only' }]);
  }
  const languages = collectionNaming(given).columns;
  if (languages.includes('all') || languages.length > MOST_LANGUAGES) {
    const message = `must be up to ${MOST_LANGUAGES} languages by their tags`;
    throw invalidInput([{ path: 'names', code: 'invalid_value', message }]);
  }
}

/** The selection on the current data. @throws rate_limited when it has outgrown the units reserved for it */
async function reselect(ctx: Context, given: Input, units: number, chosen: Detail | null): Promise<ResolvedSelection> {
  const selected = await selectBoundaries(ctx, given);
  const { length } = membersOf(selected);
  if (chosen === 'low' || length <= units) return selected;
  throw problem('rate_limited', 'The boundaries changed during the call. Try again.', { retry_after: 1 });
}

interface About {
  readonly given: Input;
  readonly detail: Detail | null;
}

/** A selection as the requested file, with the values of the reading. */
export function collectionOf(
  reading: Snapshot,
  selected: ResolvedSelection,
  { given, detail: chosen }: About,
): Collection {
  const { format, tolerance_m } = given;
  const named = collectionNaming(given);
  const listed = membersOf(selected);
  // Readers add and subtract the sections of a .poly file in order: what is in a hole must come after it.
  const members = format === 'poly' ? [...listed].sort((a, b) => spread(b.box) - spread(a.box)) : listed;
  const asked = tolerance_m === undefined ? null : levelOfTolerance(tolerance_m);
  const ofPart = given.area === undefined ? undefined : partAsked(given);
  return {
    members,
    format,
    zipOf: given.zip_of ?? 'geojson',
    level: asked ?? levelOfLargest(members, (box) => levelFor(chosen ?? 'medium', box)),
    name: nameOf(given, members),
    attribution: [...new Set(members.map(({ attribution }) => attribution))].join('; '),
    columns: columnsOf(named, ofPart),
    geometry: given.geometry !== 'none',
    valuesOf: (from, to) => valuesFor(reading, members.slice(from, to), named, ofPart),
    ...(format === 'pmtiles' && partAsked(given) === 'all'
      ? { seaOf: (from: number, to: number) => seaAround(reading, members.slice(from, to)) }
      : {}),
  };
}

const TURN = 3_600_000_000;
const spread = ([west, south, east, north]: Box): number =>
  (west > east ? east - west + TURN : east - west) * (north - south);

/** A name that tells files apart: the request in a few words. */
function nameOf(
  { children_of, country, within, kind, admin_level, levels }: Input,
  members: readonly Member[],
): string {
  const what = [
    kind,
    admin_level === undefined ? undefined : `level ${admin_level}`,
    levels === 'all' ? 'all levels' : undefined,
  ]
    .filter((word) => word !== undefined)
    .join(' ');
  if (children_of !== undefined) return ['subdivisions of', children_of, what].join(' ').trim().slice(0, 120);
  if (country !== undefined) return `${country.toUpperCase()} ${what}`;
  if (within !== undefined) return `${what} within ${within.join(' ')}`.trim();
  const shown = members.slice(0, 3).map(({ name }) => name);
  const more = members.length > 3 ? ` and ${members.length - 3} more` : '';
  return `${shown.join(', ')}${more}`.slice(0, 120);
}

/** The first part, then the rest. @throws rate_limited when the data changes meanwhile: the answer cannot go on */
async function* followed(
  first: IteratorResult<Uint8Array, void>,
  parts: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (first.done) return;
    yield first.value;
    yield* parts;
  } catch (error) {
    if (!(error instanceof DataMoved || error instanceof ArcsMoved)) throw error;
    throw problem('rate_limited', 'The boundaries changed while the file was sent. Try again.', { retry_after: 1 });
  } finally {
    await parts.return(undefined);
  }
}

/** The headers that describe a file: its name, its license, what is in it and what was left out. */
function headersOf(
  { members, level, name, format }: Collection,
  { leftOut, members: selected }: ResolvedSelection,
  { detail: chosen }: About,
): Record<string, string> {
  const fineness = chosen ?? `${toleranceMeters(level)} m`;
  const headers: Record<string, string> = {
    'Content-Disposition': contentDisposition(`${name} (${fineness})`, extension(format), 'boundaries'),
    'Boundary-Collection': `count=${members.length}, tolerance_m=${toleranceMeters(level)}, left_out=${leftOut.length}`,
  };
  if (leftOut.length > 0) {
    const ids = leftOut.slice(0, MOST_IN_HEADER).map(({ id }) => id);
    headers['Boundary-Collection'] += `, left_out_ids="${ids.join(' ')}"`;
  }
  const license = defined(selected[0]).sourceUrl;
  if (license && URL.canParse(license)) headers.Link = `<${new URL(license).href}>; rel="license"`;
  return headers;
}

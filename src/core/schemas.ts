import { z } from 'zod';
import { DETAILS } from '../../workers/contract.ts';
import { COLLECTION_FORMATS, FORMATS } from '../../workers/formats/registry.ts';
import { isDate, today } from '../common/dates.ts';
import { KINDS } from '../common/kinds.ts';
import { HIDDEN_MESSAGE, hasHidden } from '../common/plain_text.ts';

export type { Detail } from '../../workers/contract.ts';
export type { Format } from '../../workers/formats/registry.ts';
export type { Kind } from '../common/kinds.ts';

export const kind = z.enum(KINDS).describe('Normalized kind of boundary.');
export const detail = z.enum(DETAILS).describe('Simplification relative to the size of the result.');
export const format = z.enum(FORMATS).describe('File format.');
export const collectionFormat = z.enum(COLLECTION_FORMATS).describe('File format.');

/** Formats of a file of one area: those of a boundary, and those of collections. */
export const AREA_FORMATS = [...new Set([...FORMATS, ...COLLECTION_FORMATS])];
export type AreaFormat = (typeof AREA_FORMATS)[number];
export const areaFormat = z.enum(AREA_FORMATS).describe('File format.');

/**
 * A boundary id in any of its forms. Only the length is checked here: text that is not an id is refused as invalid_id,
 * after all checks for invalid_input.
 */
export const boundaryId = z
  .string()
  .min(1)
  .max(200)
  .describe(
    'Boundary id: r62422, w123, relation/62422, -62422, a map URL, wikidata:Q64, iso:DE-BE, a code with its scheme (nuts:DE212), or an area of a set (set:NAME/CODE).',
  );

/** A date of the past or today; operations that have it answer from the boundaries of that date (core/dated.ts). */
export const asOf = z
  .string()
  .max(10)
  .refine(isDate, { error: 'must be a date, such as 2015-01-01', abort: true })
  .refine((date) => date <= today(), 'must not be in the future')
  .optional()
  .describe('As of this date, from editions in force then. Default: today.');

/** A moment of the past; operations that have it answer as they would have then (core/pins.ts). */
const moment = z.iso.datetime({ offset: false });
export const recordedBefore = z
  .string()
  .max(30)
  // Not moment itself, whose pattern is long: agents read the schemas of all tools.
  .refine((text) => moment.safeParse(text).success, 'must be a moment in UTC, such as 2026-11-25T10:00:00Z')
  .optional()
  .describe('Answer from what was stored at this moment: 2026-11-25T10:00:00Z.');

/** What is searched: official boundaries, the area sets that the caller may read, or both (with_sets.ts). */
export const scope = z
  .enum(['official', 'own', 'all'])
  .optional()
  .describe('official boundaries (default), own areas (of sets you may read), or all.');

/** The name of an area set. */
export const setName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'must be 1 to 40 lower-case letters, digits and inner hyphens')
  .describe('Name of an area set; its areas have the ids set:NAME/CODE.');

/** Admin levels of the map data run from 1 to 12. */
export const adminLevel = z.int().min(1).max(12).describe('Admin level of the map data; 2 is a country.');

export const latitude = z.number().min(-90).max(90).describe('Degrees north, WGS 84.');
export const longitude = z.number().min(-180).max(180).describe('Degrees east, WGS 84.');

/** Labels: one line of 1 to 200 visible characters, trimmed. */
export const oneLine = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must be one line without control characters')
  .refine((text) => !hasHidden(text), HIDDEN_MESSAGE);

/** An opaque id of ours, such as key_01J…. */
export const opaqueId = z.string().min(1).max(200);

/** The answer to a deletion. */
export const deleted = z.object({ id: z.string(), deleted: z.literal(true) });

/** An email address; domain/people/accounts.ts decides which are accepted. */
export const emailAddress = z.string().trim().min(3).max(254).describe('Email address.');

/** RFC 3339, UTC. */
export const timestamp = z.iso.datetime({ offset: false });

/** `limit` and `offset` of a paged list. */
export function pageInput(maximum = 100, standard = 20) {
  return {
    limit: z.int().min(1).max(maximum).default(standard).describe('Page size.'),
    offset: z.int().min(0).max(100_000).default(0).describe('Items to skip.'),
  };
}

/** `{items, total, limit, offset}`: the answer of a paged list. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), total: z.int(), limit: z.int(), offset: z.int() });
}

/** `{items}`: the answer of a list that is not paged. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item) });
}

/** The `loading` member of answers that may be incomplete while the server loads its first data; absent otherwise. */
export const loadingNotice = {
  loading: z
    .object({
      step: z.string().describe('What is being loaded.'),
      done: z.int().describe('Steps done so far.'),
      total: z.int(),
    })
    .optional()
    .describe('The server is still loading its first data: the answer has only the data loaded so far.'),
};

/** A list that is comma-separated in query strings (`a,b,c`); everywhere else it is a JSON array. */
export function commaList<T extends z.ZodType>(item: T) {
  return z.array(item).meta({ comma: true });
}

/** Spec 4.3 and 4.12: a boolean, or the strings "true" and "false". */
export const looseBoolean = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean(),
);

/** Of operations that write CSV: escapes formulas. invoke() does it, and jobs. */
export const safeCsv = looseBoolean.optional().describe('CSV: escapes formulas.');

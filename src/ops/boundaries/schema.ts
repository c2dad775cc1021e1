import { z } from 'zod';
import { levelOfTolerance } from '../../../workers/arcs/levels.ts';
import { invalidInput } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import { detail, format, kind, latitude, longitude, timestamp } from '../../core/schemas.ts';
import { acceptedLanguages, languagesOf, type Naming } from '../../domain/names/languages.ts';

/** A tolerance in meters, in place of a detail. Checked here, so an invalid one is reported before an id is read. */
export const tolerance = z
  .number()
  .positive({ abort: true })
  .max(32_768, { abort: true })
  .refine((meters) => levelOfTolerance(meters) !== null, 'must be a power of two from 1 to 32768')
  .describe('Tolerance in meters, a power of two; instead of detail.');

/** Refuses both a detail and a tolerance. @throws invalid_input */
export function checkResolution(given: { readonly detail?: unknown; readonly tolerance_m?: number }): void {
  if (given.detail === undefined || given.tolerance_m === undefined) return;
  throw invalidInput([{ path: 'tolerance_m', code: 'conflict', message: 'give detail or tolerance_m, not both' }]);
}

/** Which part of boundaries an answer is about, as partAsked() reads it. */
export const part = {
  area: z
    .enum(['all', 'land', 'water'])
    .optional()
    .describe('Part of each boundary: all (default), its land without the sea, or its sea.'),
  water: z.enum(['inland']).optional().describe('With area=land: cut out large lakes and rivers.'),
};

/** What answers without inland water say of it. */
export const inlandWaterSchema = z
  .number()
  .optional()
  .describe('With water=inland: the area of lakes and rivers that was cut out.');

/** What answers say of water. */
export const includesWaterSchema = z
  .union([z.boolean(), z.literal('unknown')])
  .describe('Whether the area of this answer includes sea; unknown where no coast was imported.');

/** ISO 3166-1 alpha-2. */
const countryCode = z.string().length(2);
export const canonicalId = z.string().describe('Canonical boundary id: r… for a relation, w… for a way.');
const level = z.int().nullable().describe('Admin level of the map data; 2 is a country.');

const parentSchema = z
  .object({ id: canonicalId, name: z.string(), kind, admin_level: level })
  .meta({ id: 'BoundaryParent' });

/** A boundary as every answer has it. */
export const boundarySchema = z
  .object({
    id: canonicalId,
    name: z.string().describe('Name in the first requested language that has one, else local_name.'),
    local_name: z.string(),
    names: z.record(z.string(), z.string()).optional().describe('Names by language (BCP 47), if requested with names.'),
    kind,
    admin_level: level,
    country: countryCode.nullable().describe('ISO 3166-1 alpha-2; of a disputed place, the first of its countries.'),
    countries: z.array(countryCode),
    disputed: z.boolean(),
    parents: z.array(parentSchema).describe('Enclosing boundaries, outermost first.'),
    bbox: z
      .object({ west: longitude, south: latitude, east: longitude, north: latitude })
      .nullable()
      .describe('West is greater than east across the antimeridian; null without geometry.'),
    centroid: z.object({ lat: latitude, lon: longitude }).nullable().describe('A point inside.'),
    population: z.int().nullable(),
    wikidata: z.string().nullable(),
    iso: z.string().nullable().describe('ISO 3166-1 or ISO 3166-2 code.'),
    has_geometry: z.boolean(),
    source: z.string(),
    version: z.int(),
    stale: z
      .object({ reason: z.string(), lat: latitude.nullable(), lon: longitude.nullable(), since: timestamp })
      .nullable()
      .describe('Why the last good shape is still served.'),
    valid_from: z.iso.date().optional().describe('With as_of: the date from which it was as it is here.'),
    valid_to: z.iso
      .date()
      .nullable()
      .optional()
      .describe('With as_of: the date of its next change; null: none is known.'),
  })
  .meta({ id: 'Boundary' });

const TAGS = /^\s*[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*(\s*,\s*[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)*\s*$/;
/** Language tags, best first. */
export const tags = z.string().max(200).regex(TAGS, 'must be language tags (BCP 47), separated by commas');

/** Fields of every operation that shows names of boundaries. */
export const naming = {
  lang: tags.optional().describe('Languages for name: de-CH,fr. Default: Accept-Language, else local names.'),
  names: tags.optional().describe('Include names by language: in these languages, or all.'),
};

/** The languages in which a call shows the names of boundaries. */
export function namingOf(
  { headers }: Pick<Context, 'headers'>,
  { lang, names }: { readonly lang?: string; readonly names?: string } = {},
): Naming {
  const wanted = names === undefined ? null : languagesOf(names);
  return {
    prefer: lang === undefined ? acceptedLanguages(headers['accept-language']) : languagesOf(lang),
    names: wanted?.includes('all') ? 'all' : wanted,
  };
}

/** A GeoJSON Feature (RFC 7946) with the properties of an operation; its geometry is a Polygon or MultiPolygon. */
export function featureSchema<T extends z.ZodType>(properties: T) {
  return z.object({
    type: z.literal('Feature'),
    id: canonicalId.optional(),
    bbox: z
      .array(z.number())
      .length(4)
      .optional()
      .describe('west, south, east, north; west > east across the antimeridian.'),
    properties,
    geometry: z.object({ type: z.enum(['Polygon', 'MultiPolygon']), coordinates: z.array(z.unknown()) }),
  });
}

/** A stored export and its URL. */
export const exportSchema = z
  .object({
    url: z.url(),
    sha256: z.string().length(64),
    bytes: z.int(),
    content_type: z.string(),
    format,
    detail: detail.nullable(),
    boundary_id: canonicalId.nullable(),
    version: z.int().nullable(),
  })
  .meta({ id: 'ExportFile' });

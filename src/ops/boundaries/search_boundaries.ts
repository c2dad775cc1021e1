import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { bytes, type Context, defineOp } from '../../core/op.ts';
import {
  adminLevel,
  asOf,
  kind,
  listOf,
  loadingNotice,
  looseBoolean,
  recordedBefore,
  scope,
} from '../../core/schemas.ts';
import type { Boundary } from '../../domain/boundaries/boundary.ts';
import { isDatedId } from '../../domain/boundaries/ids.ts';
import { foldName } from '../../domain/names/fold.ts';
import type { Hit, Search } from '../../domain/search/hit.ts';
import { searchBoundaries } from '../../domain/search/search.ts';
import { askerOf, onSnapshot } from './fetched.ts';
import { JSON_TYPE } from './list.ts';
import { notStored, notStoredOf } from './not_stored.ts';
import { boundarySchema, canonicalId, naming, namingOf } from './schema.ts';

// Without a flag: JSON Schema, by which clients validate, has none.
const COUNTRIES = /^\s*[A-Za-z]{2}\s*(,\s*[A-Za-z]{2}\s*)*$/;
const NUMBER = /^[+-]?(\d{1,3}(\.\d{0,30})?|\.\d{1,30})$/;

/** Parses `lat,lon` in degrees; null when the text is something else or out of range. */
function readPlace(text: string): { lat: number; lon: number } | null {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length !== 2 || !parts.every((part) => NUMBER.test(part))) return null;
  const [lat = Number.NaN, lon = Number.NaN] = parts.map(Number);
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;
}

const hitSchema = boundarySchema.extend({
  match: z
    .enum(['exact', 'alias', 'around', 'prefix', 'word', 'fuzzy'])
    .describe(
      'What matched: the whole name or a code; another name; the name of a city or town in the boundary, which is not stored itself (around); the start of a name; a later word of it; a misspelling.',
    ),
  interpretation: z
    .object({
      name: z.string().describe('The part of the query read as the name.'),
      within: z
        .object({ id: canonicalId, name: z.string() })
        .nullable()
        .describe('The containing place given in the query.'),
      kind: kind.nullable().describe('The kind given by a type word in the query.'),
      ignored: z
        .string()
        .nullable()
        .describe('Words of the query that this result does not fit: a type word, or a place that is not stored.'),
    })
    .describe('How the query was understood.'),
});

export const searchBoundariesOp = defineOp({
  name: 'search_boundaries',
  summary: 'Finds boundaries and postcode areas by name, in any language.',
  description:
    'Write a name as people do: "Los Angeles County", "Chaves, New Mexico", "provincia de Sevilla", "UK". Accents and case ' +
    'do not matter, the start of a name is enough, misspellings are forgiven, and codes, postcodes and boundary ids are ' +
    'found too. Best match first; `match` says how well the name fits, `interpretation` how the query was understood. ' +
    'The answer has no polygons (get_boundary returns them). For a coordinate use reverse_boundaries.',
  route: { method: 'GET', path: '/boundaries/search' },
  access: RULES.search_boundaries,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    q: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .refine((q) => !isDatedId(q), 'is an id with a date: give the id alone, and the date as as_of')
      .describe('Place name, code or postcode.'),
    country: z
      .string()
      .max(200)
      .regex(COUNTRIES, 'must be two-letter country codes, separated by commas')
      .optional()
      .describe('ISO 3166-1 alpha-2 codes, comma-separated.'),
    kind: kind.optional(),
    admin_level: adminLevel.optional(),
    near: z
      .string()
      .max(100)
      .refine((text) => readPlace(text) !== null, 'must be lat,lon in degrees')
      .optional()
      .describe('lat,lon: prefers results near it.'),
    prefix: looseBoolean
      .optional()
      .describe('The last word is still being typed: complete names, and do not look for misspellings.'),
    limit: z.int().min(1).max(40).default(10).describe('Maximum number of results.'),
    ...naming,
    as_of: asOf,
    recorded_before: recordedBefore,
    scope,
  }),
  output: listOf(hitSchema).extend({ ...loadingNotice, not_stored: notStored }),
  errors: ['invalid_input', 'rate_limited'],
  examples: [
    { input: { q: 'Luxembourg' } },
    { input: { q: 'Chaves County, NM' }, note: 'A type word and a containing place' },
    { input: { q: 'Sevilla', country: 'ES', near: '37.4,-6', limit: 3 }, note: 'Only in Spain, near a place' },
    { input: { q: 'Spain', lang: 'fr', names: 'de,fr' }, note: 'Named in French, with the German and French names' },
    { input: { q: 'Sevilla', limit: 100 }, note: 'More than one call gives', problem: 'invalid_input' },
  ],
  async run(ctx, { q, country, kind, admin_level, near, prefix, limit, ...wanted }) {
    const codes = country?.split(',').map((code) => code.trim().toUpperCase());
    const place = near === undefined ? undefined : (readPlace(near) ?? undefined);
    const naming = namingOf(ctx, wanted);
    const lang = naming.prefer;
    const search = { q, country: codes, kind, adminLevel: admin_level, near: place, prefix, lang, limit };
    const { services } = ctx;
    // Every second query was asked before, so answers are cached. They depend only on what is in the key.
    const known = await onSnapshot(ctx, (reading) =>
      reading.once(`search ${JSON.stringify([search, naming])}`, async () => {
        const items = await searchBoundaries({ ...services, boundaries: reading }, search);
        if (items.length === 0 && services.searchElsewhere) return null;
        return Buffer.from(JSON.stringify({ items: await reading.show(items, naming) }));
      }),
    );
    if (known !== null && Buffer.compare(known, NOTHING) !== 0) return bytes(known, JSON_TYPE);
    const items = await services.boundaries.show(await foundElsewhere(ctx, search), naming);
    const missing = items.length === 0 ? await notStoredOf(ctx, q, codes) : [];
    return { items, ...(missing.length > 0 && { not_stored: missing }) };
  },
});

/** The answer without any result. */
const NOTHING = Buffer.from('{"items":[]}');

/** What another server helps to find, when nothing is found here. */
async function foundElsewhere(ctx: Context, search: Search): Promise<Hit[]> {
  const { searchElsewhere, boundaries } = ctx.services;
  if (!searchElsewhere) return [];
  const learned = await searchElsewhere.lookUp(search, askerOf(ctx));
  if (learned.length === 0) return [];
  const again = await searchBoundaries(ctx.services, search);
  if (again.length > 0) return again;
  // The other server understands queries that we do not, such as two names in one.
  const { q, kind, adminLevel, limit } = search;
  const others = (await boundaries.byIds(learned)).map(({ boundary }) => ({
    ...boundary,
    match: 'alias' as const,
    interpretation: { name: foldName(q), within: null, kind: null, ignored: null },
  }));
  const fits = (one: Boundary) =>
    (kind === undefined || one.kind === kind) && (adminLevel === undefined || one.admin_level === adminLevel);
  return others.filter(fits).slice(0, limit);
}

import { z } from 'zod';
import { RULES } from '../../access.ts';
import { type Summary, toSummary } from '../../domain/boundaries.ts';
import { searchBoundaries } from '../../domain/search.ts';
import { defineOp } from '../../op.ts';
import { adminLevel, kind, listOf } from '../../schemas.ts';
import { askerOf } from './fetched.ts';
import { summarySchema } from './schema.ts';

// Without a flag: a JSON Schema has none, and is what clients check by.
const COUNTRIES = /^\s*[A-Za-z]{2}\s*(,\s*[A-Za-z]{2}\s*)*$/;
const NUMBER = /^[+-]?(\d{1,3}(\.\d{0,30})?|\.\d{1,30})$/;

/** `lat,lon` in degrees as numbers, or null when the text is something else or out of range. */
function readPlace(text: string): { lat: number; lon: number } | null {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length !== 2 || !parts.every((part) => NUMBER.test(part))) return null;
  const [lat, lon] = parts.map(Number);
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;
}

export const searchBoundariesOp = defineOp({
  name: 'search_boundaries',
  summary: 'Finds boundaries and postcode areas by name, in any language.',
  description:
    'Accents and case do not matter; the start of a name is enough, small typos are forgiven, and codes, postcodes and ' +
    'boundary ids are found as well. Best match first; the answer holds no polygons (get_boundary has them). For a coordinate use reverse_boundaries.',
  route: { method: 'GET', path: '/boundaries/search' },
  access: RULES.search_boundaries,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    q: z.string().trim().min(1).max(200).describe('Place name, code or postcode.'),
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
    limit: z.int().min(1).max(40).default(10).describe('Most results.'),
  }),
  output: listOf(summarySchema),
  errors: ['invalid_input', 'rate_limited'],
  examples: [
    { input: { q: 'Luxembourg' } },
    { input: { q: 'Sevilla', country: 'ES', near: '37.4,-6', limit: 3 }, note: 'Only in Spain, near a place' },
    { input: { q: 'Sevilla', limit: 100 }, note: 'More than one call gives', problem: 'invalid_input' },
  ],
  async run(ctx, { q, country, kind, admin_level, near, limit }) {
    const codes = country?.split(',').map((code) => code.trim().toUpperCase());
    const place = near === undefined ? undefined : (readPlace(near) ?? undefined);
    const search = { q, country: codes, kind, adminLevel: admin_level, near: place, limit };
    const items = await searchBoundaries(ctx.services, search);
    const { searchElsewhere } = ctx.services;
    if (items.length > 0 || !searchElsewhere) return { items };
    const learned = await searchElsewhere.learn(search, askerOf(ctx));
    if (learned.length === 0) return { items };
    const found = await searchBoundaries(ctx.services, search);
    if (found.length > 0) return { items: found };
    // The other server reads what we do not, such as two names in one query.
    const others = (await ctx.services.boundaries.byIds(learned)).map(({ boundary }) => toSummary(boundary));
    const fits = (one: Summary) =>
      (kind === undefined || one.kind === kind) && (admin_level === undefined || one.admin_level === admin_level);
    return { items: others.filter(fits).slice(0, limit) };
  },
});

import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { looseBoolean, timestamp } from '../../core/schemas.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { CountryCompleteness } from '../../domain/boundaries/completeness.ts';
import { filesOf, readCatalog } from '../../sources/catalog.ts';
import { countryTable } from '../../sources/countries.ts';

/** Limit of the editions in an answer. */
const MOST_EDITIONS = 1_000;

const editionsOf = (db: Database) => db.query(loadQuery('history_editions'), [MOST_EDITIONS]);

const countryStatus = z.object({
  country: z.string().nullable().describe('ISO 3166-1 alpha-2; null: in no country.'),
  levels: z.array(z.object({ admin_level: z.int().nullable(), boundaries: z.int() })),
  postal_codes: z.int(),
  sources: z.array(z.string()).describe('Ids of the sources that its boundaries are of; see `sources`.'),
  recipes: z
    .array(z.string())
    .describe('Files of the catalog of sources that have its areas: `boundary import @NAME` brings one.'),
});

const catalogSource = z.object({
  name: z.string().describe('The first part of a recipe.'),
  title: z.string(),
  publisher: z.string(),
  homepage: z.url(),
  license: z.string(),
  files: z.array(
    z.object({
      part: z.string().describe('The rest of a recipe, with {iso2} or {iso3} for the country.'),
      holds: z.string(),
      address: z
        .string()
        .nullable()
        .describe('Of the file, with the same placeholders; null: the publisher has none that stays.'),
    }),
  ),
});

/** The sources of the catalog, as far as they tell a person where to get their files. */
const catalogAnswer = (): z.output<typeof catalogSource>[] =>
  readCatalog().map(({ name, title, publisher, homepage, license, files }) => ({
    ...{ name, title, publisher, homepage, license },
    // With `via`, the address is that of a document with the address in it.
    files: files.map(({ part, holds, address, via }) => ({ part, holds, address: via === undefined ? address : null })),
  }));

export const getDataStatus = defineOp({
  name: 'get_data_status',
  summary: 'What was imported from which source and when, how far map changes were applied, and what is stale.',
  description:
    'A stale boundary keeps its last good shape because the newer one cannot be published; a broken one has no ' +
    'polygon. The URL of an update is null for changes given as files.',
  route: { method: 'GET', path: '/data-status' },
  access: RULES.get_data_status,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    countries: looseBoolean
      .default(false)
      .describe('Include what is stored for each country, at most a minute old, and countries of which nothing is.'),
    editions: looseBoolean
      .default(false)
      .describe('Include the dates from which editions of the past are valid: between two of them nothing changes.'),
  }),
  output: z.object({
    boundaries: z.int(),
    stale: z.int(),
    sources: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        url: z.string().nullable(),
        license: z.string(),
        attribution: z.string(),
        edition: z
          .string()
          .nullable()
          .describe('Of the file imported last, as its publisher names it; null: not stated.'),
        imported_at: timestamp,
        data_at: timestamp.nullable().describe('Time of the newest data, if its files have it.'),
        reference_system: z
          .string()
          .nullable()
          .describe('Of the file imported last: a code such as EPSG:2154, else a name; null: not stated.'),
        accuracy_m: z
          .number()
          .nullable()
          .describe('How far places may be off after the transformation to WGS 84; 0: none was needed; null: unknown.'),
        boundaries: z.int(),
        with_geometry: z.int(),
        stale: z.int(),
        broken: z.int(),
      }),
    ),
    countries: z.array(countryStatus).optional().describe('Only with countries=true.'),
    catalog: z.array(catalogSource).optional().describe('Only with countries=true: the sources that `recipes` name.'),
    editions: z
      .array(
        z.object({
          valid_from: z.iso.date(),
          source: z.string(),
          name: z.string().describe('Of the source.'),
          type: z.string(),
          admin_level: z.int().nullable(),
          boundaries: z.int(),
        }),
      )
      .optional()
      .describe(
        `Only with editions=true: a row for each type and level, the earliest first, of the latest ${MOST_EDITIONS} editions.`,
      ),
    updates: z.array(
      z.object({
        address: z.string().nullable(),
        sequence: z.int().nullable().describe('Number of the last change applied.'),
        data_at: timestamp.nullable(),
        applied_at: timestamp,
      }),
    ),
  }),
  errors: ['invalid_input', 'rate_limited'],
  examples: [{ input: {} }, { input: { countries: true }, note: 'By country and level, too' }],
  async run(ctx, { countries, editions }) {
    const { sources, updates } = await ctx.services.freshness.status();
    const total = (of: 'boundaries' | 'stale') => sources.reduce((sum, source) => sum + source[of], 0);
    const stored = countries ? await ctx.services.completeness.recent() : null;
    const byCountry = stored && withUnstored(stored);
    return {
      ...(byCountry ? { countries: byCountry, catalog: catalogAnswer() } : {}),
      ...(editions ? { editions: await editionsOf(ctx.services.db) } : {}),
      boundaries: total('boundaries'),
      stale: total('stale'),
      sources,
      updates,
    };
  },
});

type CountryStatus = z.output<typeof countryStatus>;

/** What is stored for each country, and the countries of which nothing is, by code; what is in no country comes last. */
function withUnstored(stored: readonly CountryCompleteness[]): CountryStatus[] {
  const catalog = readCatalog();
  const known = stored.map(
    ({ country, levels, postal_code, sources }): CountryStatus => ({
      country,
      levels: [...levels],
      postal_codes: postal_code.boundaries,
      sources: [...sources],
      recipes: country === null ? [] : filesOf(country, catalog),
    }),
  );
  const codes = new Set(stored.map(({ country }) => country));
  const unstored = Object.keys(countryTable().countries)
    .filter((country) => !codes.has(country))
    .map((country) => ({ country, levels: [], postal_codes: 0, sources: [], recipes: filesOf(country, catalog) }));
  const order = ({ country }: CountryStatus): string => country ?? '~';
  return [...known, ...unstored].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

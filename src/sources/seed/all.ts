import { cleanCoverage } from '../../../workers/arcs/clean.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Cleaner } from '../coverage/cleaner.ts';
import { seedCountries } from './countries.ts';
import type { SeedCoverage } from './rows.ts';
import { seedSpain } from './spain.ts';
import { seedUnitedStates } from './united_states.ts';

export type { SeedCoverage, SeedSource } from './rows.ts';

/** A part of the seed data that can be loaded separately. */
export type SeedSet = 'countries' | 'us-atlas' | 'es-atlas';

/** The sources of each set; sets are loaded in this order. */
const SOURCES: Readonly<Record<SeedSet, readonly string[]>> = {
  countries: ['world-atlas', 'geo-maps'],
  'us-atlas': ['us-atlas'],
  'es-atlas': ['es-atlas'],
};

/** The sources of all sets. */
export const SEED_SOURCES: readonly string[] = Object.values(SOURCES).flat();

export const SEED_SETS = Object.keys(SOURCES) as readonly SeedSet[];

/**
 * Which of the wanted sets a database lacks: all if it is empty; none if it has data but no seed data; else those with
 * a source that is missing or incomplete, because a load was interrupted or fewer sets were wanted then.
 */
export async function missingSeedSets(db: Database, wanted: readonly SeedSet[]): Promise<SeedSet[]> {
  const stored = await db.query(loadQuery('store_sources'));
  if (stored.length > 0 && !stored.some(({ seed }) => seed)) return [];
  const ids = new Set(stored.filter(({ whole }) => whole).map(({ id }) => id));
  return wanted.filter((set) => SOURCES[set].some((source) => !ids.has(source)));
}

/**
 * The boundaries of the seed data, which the service has before any import. They come from npm packages it depends on
 * and a committed file of shapes: the world's countries and territories, the states and counties of the United States,
 * and Spain's communities, provinces and municipalities. Each source is a clean coverage, its levels nest exactly, and
 * the countries share their borders with the United States and Spain.
 *
 * A boundary has the id of its OSM relation if the committed tables have it, else null. Takes about two seconds.
 * @param onProgress called before each set with the number of sets done and in total
 */
export async function seedBoundaries(
  onProgress?: (progress: { readonly source: string; readonly done: number; readonly total: number }) => void,
  clean: Cleaner = cleanCoverage,
  sets: readonly SeedSet[] = SEED_SETS,
): Promise<SeedCoverage[]> {
  const read: Readonly<Record<SeedSet, () => Promise<SeedCoverage[]>>> = {
    countries: async () => seedCountries(),
    'us-atlas': async () => [await seedUnitedStates(clean)],
    'es-atlas': async () => [await seedSpain(clean)],
  };
  const out: SeedCoverage[] = [];
  for (const [done, set] of sets.entries()) {
    onProgress?.({ source: set, done, total: sets.length });
    out.push(...(await read[set]()));
  }
  return out;
}

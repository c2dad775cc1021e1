import { cleanCoverage } from '../../../workers/kernels/clean.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Cleaner } from '../coverage/read.ts';
import { seedCountries } from './countries.ts';
import type { SeedCoverage } from './rows.ts';
import { seedSpain } from './spain.ts';
import { seedUnitedStates } from './united_states.ts';

export type { SeedCoverage, SeedSource } from './rows.ts';

/** A part of the seed data that is loaded on its own. */
export type SeedSet = 'countries' | 'us-atlas' | 'es-atlas';

/** The sources that a set stores, in the order in which the sets are loaded. */
const SOURCES: Readonly<Record<SeedSet, readonly string[]>> = {
  countries: ['world-atlas', 'geo-maps'],
  'us-atlas': ['us-atlas'],
  'es-atlas': ['es-atlas'],
};

export const SEED_SETS = Object.keys(SOURCES) as readonly SeedSet[];

/**
 * Which of the wanted sets a database lacks: all of them where it is empty; none where it holds data, but no seed data;
 * else those of which a source is missing or not whole, since whoever loaded them was interrupted, or wanted fewer then.
 */
export async function missingSeedSets(db: Database, wanted: readonly SeedSet[]): Promise<SeedSet[]> {
  const stored = await db.query(loadQuery('store_sources'));
  if (stored.length > 0 && !stored.some(({ seed }) => seed)) return [];
  const ids = new Set(stored.filter(({ whole }) => whole).map(({ id }) => id));
  return wanted.filter((set) => SOURCES[set].some((source) => !ids.has(source)));
}

/**
 * The boundaries that the service has before anything is imported, from npm packages it depends on and a
 * committed file of shapes: the world's countries and territories, the states and counties of the United States,
 * Spain's communities, provinces and municipalities. Every source is a clean coverage in itself, its levels nest
 * exactly, and the countries end where the United States and Spain begin.
 *
 * A boundary has the id of its OSM relation where the committed tables know it, else null. Takes about two seconds.
 * @param onProgress called before each source with what has been done of how many
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

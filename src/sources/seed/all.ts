import { cleanCoverage } from '../../../workers/kernels/clean.ts';
import type { Cleaner } from '../coverage/read.ts';
import { seedCountries } from './countries.ts';
import type { SeedCoverage } from './rows.ts';
import { seedSpain } from './spain.ts';
import { seedUnitedStates } from './united_states.ts';

export type { SeedCoverage, SeedSource } from './rows.ts';

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
): Promise<SeedCoverage[]> {
  const sources = [
    { id: 'countries', read: async () => seedCountries() },
    { id: 'us-atlas', read: async () => [await seedUnitedStates(clean)] },
    { id: 'es-atlas', read: async () => [await seedSpain(clean)] },
  ];
  const out: SeedCoverage[] = [];
  for (const [done, { id, read }] of sources.entries()) {
    onProgress?.({ source: id, done, total: sources.length });
    out.push(...(await read()));
  }
  return out;
}

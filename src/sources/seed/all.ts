import { cleanCoverage } from '../../../workers/kernels/clean.ts';
import type { Cleaner } from '../coverage/read.ts';
import { starterCountries } from './countries.ts';
import type { StarterCoverage } from './rows.ts';
import { starterSpain } from './spain.ts';
import { starterUnitedStates } from './united_states.ts';

export type { StarterCoverage, StarterSource } from './rows.ts';

/**
 * The boundaries that the service has before anything is imported, from npm packages it depends on and a
 * committed file of shapes: the world's countries and territories, the states and counties of the United States,
 * Spain's communities, provinces and municipalities. Every source is a clean coverage in itself, its levels nest
 * exactly, and the countries end where the United States and Spain begin.
 *
 * A boundary has the id of its OSM relation where the committed tables know it, else null. Takes about two seconds.
 * @param onProgress called before each source with what has been done of how many
 */
export async function starterBoundaries(
  onProgress?: (progress: { readonly source: string; readonly done: number; readonly total: number }) => void,
  clean: Cleaner = cleanCoverage,
): Promise<StarterCoverage[]> {
  const sources = [
    { id: 'countries', read: async () => starterCountries() },
    { id: 'us-atlas', read: async () => [await starterUnitedStates(clean)] },
    { id: 'es-atlas', read: async () => [await starterSpain(clean)] },
  ];
  const out: StarterCoverage[] = [];
  for (const [done, { id, read }] of sources.entries()) {
    onProgress?.({ source: id, done, total: sources.length });
    out.push(...(await read()));
  }
  return out;
}

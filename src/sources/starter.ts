import { cleanCoverage } from '../../workers/kernels/clean.ts';
import type { Cleaner } from './coverage.ts';
import { starterCountries } from './starter/countries.ts';
import { type StarterCoverage, subdivisionTable } from './starter/rows.ts';
import { starterSpain } from './starter/spain.ts';
import { starterUnitedStates } from './starter/united_states.ts';

export type { StarterCoverage, StarterSource } from './starter/rows.ts';

/**
 * The boundaries that the service has before anything is imported, from npm packages it depends on: the world's
 * countries and territories, the states and counties of the United States, Spain's communities, provinces and
 * municipalities. Every source is a clean coverage in itself, and its levels nest exactly; the sources are of different
 * resolution and cross one another.
 *
 * A boundary has the id of its OSM relation where the committed tables know it, else null. Takes about two seconds.
 * @param onProgress called before each source with what has been done of how many
 */
export async function starterBoundaries(
  onProgress?: (progress: { readonly source: string; readonly done: number; readonly total: number }) => void,
  clean: Cleaner = cleanCoverage,
): Promise<StarterCoverage[]> {
  const territories = new Set(Object.values(subdivisionTable().us_territories));
  const sources = [
    { id: 'country-coder', read: () => starterCountries(territories, clean) },
    { id: 'us-atlas', read: () => starterUnitedStates(clean) },
    { id: 'es-atlas', read: () => starterSpain(clean) },
  ];
  const out: StarterCoverage[] = [];
  for (const { id, read } of sources) {
    onProgress?.({ source: id, done: out.length, total: sources.length });
    out.push(await read());
  }
  return out;
}

import type { Hit } from '../search/hit.ts';
import { searchBoundaries } from '../search/search.ts';
import type { Level } from './algebra.ts';
import { isOfLevel } from './levels.ts';
import { LOOKED_AT, type NameServices } from './names.ts';

/** Letters that are cut from the end of a name to find those that begin so, and the letters left at least. */
const MOST_CUT = 3;
const LEAST_LEFT = 4;

/** Boundaries of a level in a place whose names begin as one that is not found: Portage for "Portr". None without a place. */
export async function begunAlike(
  services: NameServices,
  folded: string,
  { within, level }: { readonly within?: string; readonly level?: Level },
  isInside: (hit: Hit) => boolean,
): Promise<readonly Hit[]> {
  if (within === undefined || level === undefined) return [];
  for (let left = folded.length - 1; left >= Math.max(LEAST_LEFT, folded.length - MOST_CUT); left--) {
    const cut = `${folded.slice(0, left)}, ${within}`;
    const hits = await searchBoundaries(services, { q: cut, limit: LOOKED_AT });
    const fits = hits.filter(
      (hit) => hit.match === 'prefix' && hit.interpretation.within !== null && isInside(hit) && isOfLevel(hit, level),
    );
    if (fits.length > 0) return fits;
  }
  return [];
}

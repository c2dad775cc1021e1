import { countriesWithDivision } from './place_names.ts';
import { wordTable } from './word_table.ts';

const isNamed = wordTable('known_places.json', 'names');

/**
 * Whether a folded text of more than 3 characters is the name of a place of the world: of a first-level division
 * (place_names.ts), or of a region, an island, a mountain, a water, a former or imagined country
 * (data/known_places.json, made by scripts/make_known_places.ts). Shorter texts are codes, or begin other names.
 */
export function isKnownPlace(folded: string): boolean {
  return folded.length > 3 && (isNamed(folded) || countriesWithDivision(folded).length > 0);
}

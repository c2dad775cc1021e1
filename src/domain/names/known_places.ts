import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';
import { countriesWithDivision } from './place_names.ts';

let known: ReadonlySet<string> | undefined;

/**
 * Whether a folded text of more than 3 characters is the name of a place of the world: of a first-level division
 * (place_names.ts), or of a region, an island, a mountain, a water, a former or imagined country
 * (data/known_places.json, made by scripts/make_known_places.ts). Shorter texts are codes, or begin other names.
 */
export function isKnownPlace(folded: string): boolean {
  if (folded.length <= 3) return false;
  if (known === undefined) {
    const text = readFileSync(join(packageRoot(), 'data', 'known_places.json'), 'utf8');
    known = new Set((JSON.parse(text) as { readonly names: string }).names.split(';'));
  }
  return known.has(folded) || countriesWithDivision(folded).length > 0;
}

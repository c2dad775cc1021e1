import type { ResolvedBoundary } from '../boundaries/boundary.ts';
import { namesInUse } from '../names/exonyms.ts';
import { foldName } from '../names/fold.ts';
import { searchTypos } from '../search/corrections.ts';
import { isOneTypo } from './level_words.ts';
import { lookupsOf, type NameServices } from './names.ts';
import { LANGUAGES } from './vocabulary/vocabulary.ts';

const COUNTRIES = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region' }));

/**
 * The other countries whose own or English name is one letter away from a folded text that is a name of `country` only in a
 * language in which descriptions are not read: "Nigera" is Niger in one, and Nigeria with a typo. None for other places.
 */
export async function countriesNearlyCalled(
  services: NameServices,
  folded: string,
  { id, boundary }: ResolvedBoundary,
): Promise<readonly ResolvedBoundary[]> {
  const { kind, country } = boundary;
  if (kind !== 'country' || country === null || folded.length < SHORTEST) return [];
  if ([...namesInUse(boundary), ...COUNTRIES.map((names) => foldName(names.of(country) ?? ''))].includes(folded))
    return [];
  const spelled = await searchTypos(lookupsOf(services, null), folded, true, null);
  const found = await services.boundaries.byIds([...new Set(spelled.map((one) => one.id))].slice(0, MOST));
  return found.filter(
    (one) =>
      one.id !== id &&
      one.boundary.kind === 'country' &&
      namesInUse(one.boundary).some((name) => isOneTypo(folded, name)),
  );
}

/** Letters from which a name is read with a typo. */
const SHORTEST = 5;
/** Places of a similar name that are looked at. */
const MOST = 20;

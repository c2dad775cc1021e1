import type { Candidate } from '../search/candidates.ts';

/**
 * Those of some places found by a name with a word for a kind, without those of a kind that the word means less: "Richmond
 * city, Virginia" is the city, not the county.
 */
export function ofFirstKind(found: readonly Candidate[]): readonly Candidate[] {
  const [best] = found.toSorted((a, b) => a.step - b.step);
  const read = best?.interpretation;
  if (!read?.kind) return found;
  return found.filter(
    ({ kind, interpretation }) =>
      kind === best?.kind || interpretation?.name !== read.name || interpretation.within?.id !== read.within?.id,
  );
}

/**
 * What is behind a comma is the place around the name, where one of some places found is in it: "Mineral, CO" is in Colorado
 * and no Mineral Co., "Lake, IL" in Illinois and no province.
 */
export function behindComma(name: string, found: readonly Candidate[]): readonly Candidate[] {
  const inside = name.includes(',') ? found.filter(({ interpretation }) => interpretation?.within) : [];
  return inside.length > 0 ? inside : found;
}

import type { Boundary } from '../boundaries/boundary.ts';
import { foldName } from '../names/fold.ts';
import { type Candidate, matchOf, SPARE } from './candidates.ts';
import type { Hit, Search, SearchedBoundaries } from './hit.ts';
import type { Lookups } from './lookups.ts';
import { foreignNames, inLanguageOf } from './preferences.ts';
import { rank, withoutDuplicates } from './ranking.ts';
import { homeCounties } from './search_cities.ts';

/** Reads the candidates of a search that come first, at most its limit, without duplicates of one place. */
export async function hitsOf(
  boundaries: SearchedBoundaries,
  lookups: Lookups,
  found: readonly Candidate[],
  { search, folded }: { readonly search: Search; readonly folded: string },
): Promise<Hit[]> {
  const homes = await homeCounties(lookups, found, folded);
  const preferences = { near: search.near, wantsCode: /\p{Nd}/u.test(folded), homes };
  const order = rank(found, preferences).slice(0, search.limit + SPARE);
  const readHits = async (candidates: readonly Candidate[]): Promise<Hit[]> => {
    const read = await lookups.boundaries(candidates.map(({ id }) => id));
    const byId = new Map(read.map((one) => [one.id, one]));
    const known = candidates.filter(({ id }) => byId.has(id));
    const inLanguage = await inLanguageOf(boundaries, read, known, search, folded);
    const foreign = foreignNames(byId, known, folded);
    return rank(known, { ...preferences, inLanguage, foreign }).map((candidate): Hit => {
      const boundary = byId.get(candidate.id) as Boundary;
      const interpretation = candidate.interpretation ?? { name: folded, within: null, kind: null, ignored: null };
      return { ...boundary, match: matchOf(candidate), interpretation };
    });
  };
  // Read the spare results only if they can matter: for the caller's language, as the twin that has a polygon, or to
  // replace a double.
  const preferred = await boundaries.sourceOrder?.();
  if (!search.lang?.length && !preferred?.size) {
    const first = await readHits(order.slice(0, search.limit));
    const kept = withoutDuplicates(first, foldName);
    const needsNone = kept.length === search.limit && kept.every(({ has_geometry }) => has_geometry);
    if (needsNone || order.length <= search.limit) return kept;
  }
  return withoutDuplicates(await readHits(order), foldName, preferred).slice(0, search.limit);
}

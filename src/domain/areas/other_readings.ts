import type { ResolvedBoundary } from '../boundaries/boundary.ts';
import { foldName } from '../names/fold.ts';
import type { Hit } from '../search/hit.ts';
import { searchBoundaries } from '../search/search.ts';
import { rivalsOf } from './choice.ts';
import { isWrittenSo } from './hits_meant.ts';
import { LOOKED_AT, lookupsOf, type NamePreferences, type NameServices } from './names.ts';

/** The boundaries that a code of a place can mean: a country, and divisions of countries ("AR": Argentina, Arkansas). */
export async function codedBy(
  services: NameServices,
  code: string,
  preferences: NamePreferences,
): Promise<{ readonly country: ResolvedBoundary | null; readonly divisions: readonly ResolvedBoundary[] }> {
  const hits = await searchBoundaries(services, { q: code, country: preferences.country, limit: LOOKED_AT });
  const whole = hits.filter(({ match, has_geometry }) => (match === 'exact' || match === 'alias') && has_geometry);
  const letters = code.toUpperCase();
  const named = whole.filter((hit) =>
    hit.kind === 'country' ? hit.iso === letters || isWrittenSo(letters, hit) : hit.iso?.slice(2) === `-${letters}`,
  );
  const found = await services.boundaries.byIds(named.map(({ id }) => id));
  // "UK", but no code of another standard: SF is not South Africa.
  const abbreviated = new Set(named.flatMap(({ id, match }) => (match === 'alias' ? [id] : [])));
  const isAbbreviated = ({ id }: ResolvedBoundary): boolean => abbreviated.has(id);
  const countries = found.filter(({ boundary }) => boundary.kind === 'country');
  return {
    country: countries.find(({ boundary }) => boundary.iso === letters) ?? countries.find(isAbbreviated) ?? null,
    divisions: found.filter(({ boundary }) => boundary.kind !== 'country'),
  };
}

/**
 * Returns a boundary of a level of a country, or another country, whose name ends with a name, and which is of comparable
 * rank to the one that the name means: "Jersey" beside New York may be New Jersey. Null if there is none.
 */
export async function longerNamed(
  services: NameServices,
  name: string,
  found: ResolvedBoundary,
  of: { readonly country: string; readonly level: number | null } | 'country',
): Promise<ResolvedBoundary | null> {
  const filters =
    of === 'country' ? { kind: of } : { country: [of.country], ...(of.level === null ? {} : { adminLevel: of.level }) };
  const hits = await searchBoundaries(services, { q: name.slice(0, 200), ...filters, limit: LOOKED_AT });
  return rivalOf(services, foldName(name), found, hits);
}

/**
 * The same among the divisions of the first level of all countries: "Carolina", a town, may be one of two states.
 */
export async function divisionNamed(
  services: NameServices,
  name: string,
  found: ResolvedBoundary,
): Promise<ResolvedBoundary | null> {
  const folded = foldName(name);
  const lookups = lookupsOf(services, null, 4);
  const wanted = { name: folded, code: '', id: null, completesCodes: false, within: null, most: LOOKED_AT };
  const rows = await lookups.names(wanted);
  return rivalOf(services, folded, found, await lookups.boundaries([...new Set(rows.map(({ id }) => id))]));
}

/** The first of some boundaries whose name ends with a folded name and that is of comparable rank; null if none is. */
async function rivalOf(
  services: NameServices,
  folded: string,
  found: ResolvedBoundary,
  hits: readonly Pick<Hit, 'id' | 'name' | 'has_geometry'>[],
): Promise<ResolvedBoundary | null> {
  const longer = hits.find(
    ({ id, name, has_geometry }) => id !== found.id && has_geometry && foldName(name).endsWith(` ${folded}`),
  );
  const [rival] = longer === undefined ? [] : await services.boundaries.byIds([longer.id]);
  return rival && rivalsOf([found, rival]).length > 0 ? rival : null;
}

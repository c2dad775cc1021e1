/** Area sets as collections of OGC API: for those who may read them, at every request. */
import { today } from '../../common/dates.ts';
import { authorize, RULES } from '../../core/access.ts';
import { asProblem } from '../../core/errors.ts';
import type { Caller } from '../../core/op.ts';
import { withSets } from '../../core/with_sets.ts';
import type { FeatureGroup } from '../../domain/boundaries/feature_pages.ts';
import type { AreaSet } from '../../domain/sets/area_set.ts';
import type { Services } from '../../services.ts';
import { readingContext } from '../reading.ts';

const PREFIX = 'set-';

/** A collection: the boundaries of a kind or a level, or the areas of a set. */
export interface OgcGroup extends FeatureGroup {
  /** Of a set. */
  readonly set?: { readonly source: string; readonly title: string };
}

/** The area sets that a caller may read; none for a caller who may read none. */
async function setsOf({ areaSets }: Services, caller: Caller, names?: readonly string[]): Promise<readonly AreaSet[]> {
  try {
    authorize(RULES.list_area_sets, 'read', caller);
  } catch (error) {
    if (asProblem(error) === null) throw error;
    return [];
  }
  const { account, org, role } = caller;
  if (account === null || org === null || role === null) return [];
  return areaSets.readable({ account: account.id, org: org.id, role }, names);
}

const groupOf = ({ name, title, versions }: AreaSet): OgcGroup => {
  const count = versions.findLast(({ valid_from }) => valid_from <= today())?.areas ?? 0;
  return { kind: null, adminLevel: null, count, set: { source: `set:${name}`, title } };
};

/** The collections of the sets that a caller may read, by id: `set-territories`. */
export async function ownCollections(services: Services, caller: Caller): Promise<[string, OgcGroup][]> {
  return (await setsOf(services, caller)).map((set) => [PREFIX + set.name, groupOf(set)]);
}

/** The collection of a set, and services that read it; null for any other id, and a set that the caller may not read. */
export async function ownCollection(
  services: Services,
  caller: Caller,
  id: string,
): Promise<{ readonly group: OgcGroup; readonly services: Services } | null> {
  if (!id.startsWith(PREFIX)) return null;
  const name = id.slice(PREFIX.length);
  const [set] = await setsOf(services, caller, [name]);
  if (set === undefined) return null;
  const read = await withSets(readingContext(services, caller, ''), { set: name });
  return { group: groupOf(set), services: read.services };
}

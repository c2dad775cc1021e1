import type { Kind } from '../../core/schemas.ts';
import type { Database } from '../../db/connect.ts';
import type { ResolvedBoundary } from '../boundaries/boundary.ts';
import type { Boundaries } from '../boundaries/reads.ts';
import type { NameIndex } from '../read_model/name_index.ts';
import type { Hit, SearchedBoundaries } from '../search/hit.ts';
import { type Lookups, lookupsInDatabase, lookupsInMemory } from '../search/lookups.ts';

/** The services that look names up. */
export interface NameServices {
  readonly db: Database;
  readonly boundaries: SearchedBoundaries & Pick<Boundaries, 'lookup'> & { readonly revision: number };
  readonly names?: NameIndex;
}

/** Preferences of the caller between places of the same name. */
export interface NamePreferences {
  /** ISO 3166-1 alpha-2 codes, in upper case. */
  readonly country?: readonly string[];
  /** Point in degrees. */
  readonly near?: { readonly lat: number; readonly lon: number };
}

/** A boundary that a name can mean. */
export interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly parents: readonly { readonly id: string; readonly name: string }[];
}

/** Candidates listed in an error or a plan. */
export const LISTED = 5;

/** Search results considered for one name. */
export const LOOKED_AT = 40;

/** The lookups of names, in the given countries and level: in memory at the revision that is read, else by statements. */
export function lookupsOf(
  { db, boundaries, names }: NameServices,
  country: readonly string[] | null,
  adminLevel: number | null = null,
): Lookups {
  const filters = { country, kind: null, adminLevel };
  const memory = names?.at(boundaries.revision) ?? null;
  return memory ? lookupsInMemory(memory, filters) : lookupsInDatabase(db, boundaries, filters);
}

/** A boundary as errors and plans list it. */
export const candidateOf = ({ id, name, kind, parents }: Hit | ResolvedBoundary['boundary']): Candidate => ({
  ...{ id, name, kind },
  parents: parents.map((parent) => ({ id: parent.id, name: parent.name })),
});

/** Whether two boundaries are the same or one contains the other, by the hierarchy. */
export function areNested(a: ResolvedBoundary, b: ResolvedBoundary): boolean {
  return a.id === b.id || isIn(a, b) || isIn(b, a);
}

/** Whether boundary `a` is inside `b`, by the hierarchy. */
export function isIn(a: ResolvedBoundary, b: ResolvedBoundary): boolean {
  return a.id !== b.id && a.boundary.parents.some(({ id }) => id === b.id);
}

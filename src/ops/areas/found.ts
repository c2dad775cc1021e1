import type { Meaning } from '../../domain/areas/choice.ts';
import type { Candidate } from '../../domain/areas/names.ts';
import { type Sentence, said, type Value } from '../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';

/** The boundary that a name means. */
export type Found = Extract<Meaning, { found: unknown }>;

/** What is meant without a choice. */
export const certain = (found: ResolvedBoundary, because: Sentence | null = null): Found => ({
  found,
  because,
  ...{ rivals: [], guessed: [], foreign: [] },
});

/** Where a boundary is, for sentences: a county can have the name of a city beside it. */
export const placed = ({ name, boundary }: ResolvedBoundary): Value =>
  placedAs({ name, kind: boundary.kind, parents: boundary.parents });

/** The same of a candidate. */
export function placedAs({ name, kind, parents }: Omit<Candidate, 'id'>): Value {
  const place = kind === 'city' ? said`the city of ${name}` : name;
  const parent = parents.at(-1)?.name;
  return parent ? said`${place} in ${parent}` : place;
}

/** The level and country of a boundary, in which codes are unique; all countries are of one kind. */
export const kindOf = ({ boundary: { kind, country }, admin_level }: ResolvedBoundary): string =>
  kind === 'country' ? 'country' : `${country} ${admin_level}`;

/** Whether a boundary is below the divisions of the first level, and its name alone says so: no level, no container. */
export const isSmall = ({ boundary: { kind }, admin_level }: ResolvedBoundary): boolean =>
  kind !== 'country' && (admin_level ?? 0) > 4;
/** Whether a boundary is below the divisions of the first level, and no province, whose whole name is known. */
export const isTown = (one: ResolvedBoundary): boolean => isSmall(one) && one.boundary.kind !== 'province';
/** The id of the division of the first level that a boundary is in. */
export const divisionOf = ({ boundary: { parents } }: ResolvedBoundary): string | undefined =>
  parents.find(({ admin_level }) => admin_level === 4)?.id;

import type { Step } from '../../domain/areas/algebra.ts';
import { ambiguous, type Meaning } from '../../domain/areas/choice.ts';
import { meaningOf } from '../../domain/areas/meaning.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import type { Names } from './in_context.ts';
import { isNameAlone } from './in_list.ts';
import type { Scope } from './scopes.ts';

/**
 * Both meanings of a name alone behind a place in another one of its kind, where it has a place of that name and level, too:
 * "Washington County in Oregon and Idaho" may be two counties, or a county and a state. Null if it is clear.
 */
export async function orOfEach(
  names: Names,
  step: Step,
  scope: Scope | undefined,
  i: number,
  own: ResolvedBoundary,
): Promise<Meaning | null> {
  if (scope?.kind !== 'list' || !isNameAlone(step)) return null;
  const before = scope.others.findLast((k) => k < i && !isNameAlone(names.run.stepAt(k)));
  const placed = before === undefined ? undefined : names.run.stepAt(before);
  const first = before === undefined ? undefined : names.foundAt(before)?.found;
  if (placed?.op !== 'place' || placed.within === undefined || placed.level === undefined || !first) return null;
  const { kind, country } = own.boundary;
  if (first.boundary.country !== country || !first.boundary.parents.some((one) => one.kind === kind)) return null;
  const { name = '', level } = placed;
  const other = await meaningOf(names.run.services, { name, within: own.name, level }, names.run.preferences);
  return 'found' in other && !other.misspelled ? ambiguous([other.found, own]) : null;
}

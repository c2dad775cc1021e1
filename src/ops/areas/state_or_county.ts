import { isIn } from '../../domain/areas/names.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { isOwnName } from '../../domain/names/exonyms.ts';
import { foldName } from '../../domain/names/fold.ts';
import { divisionOf, isSmall, kindOf } from './found.ts';
import type { Names } from './in_context.ts';
import { candidatesAt } from './in_list.ts';

/**
 * What else a name alone of a list may be where a state is listed with counties, as a county of that state has its name:
 * for the state the county ("Idaho and Lemhi"), and for a county elsewhere the one in the state ("Utah, Weber and Davis" are
 * not Davis in Iowa). Null where the list says what is meant.
 */
export async function stateOrCounty(
  names: Names,
  i: number,
  found: ResolvedBoundary,
  others: readonly ResolvedBoundary[],
): Promise<ResolvedBoundary | null> {
  if (found.boundary.kind === 'state') {
    const inside = others.filter((one) => isIn(one, found));
    if (inside.length === 0 || inside.length < others.length) return null;
    return candidateIn(names, i, found, inside);
  }
  if (!isSmall(found)) return null;
  const state = others.find(({ boundary, id }) => boundary.kind === 'state' && id !== divisionOf(found));
  return state ? candidateIn(names, i, state, [found]) : null;
}

/** The boundary of the kind of one of some in a state, with the own name of a step; null without one. */
async function candidateIn(
  names: Names,
  i: number,
  state: ResolvedBoundary,
  kinds: readonly ResolvedBoundary[],
): Promise<ResolvedBoundary | null> {
  const step = names.run.stepAt(i);
  const folded = foldName((step.op === 'place' ? step.name : undefined) ?? '');
  const isMeant = (one: ResolvedBoundary): boolean =>
    isIn(one, state) && isOwnName(folded, one.name) && kinds.some((other) => kindOf(other) === kindOf(one));
  return (await candidatesAt(names, i)).find(isMeant) ?? null;
}

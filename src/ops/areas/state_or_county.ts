import { defined } from '../../common/elements.ts';
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
 * not Davis in Iowa). For a state it may also be a county beside the next place of the list with a container. Null where the
 * list says what is meant.
 * @param next the next place of the list that has a container
 */
export async function stateOrCounty(
  names: Names,
  i: number,
  found: ResolvedBoundary,
  others: readonly ResolvedBoundary[],
  next: ResolvedBoundary | undefined,
): Promise<ResolvedBoundary | null> {
  if (found.boundary.kind === 'state') {
    const theirs = next && isSmall(next) && !isIn(next, found) ? await stateOf(names, next) : null;
    // "Washington and Graham in North Carolina": both may be counties there.
    const named = theirs && (await candidateIn(names, i, theirs, [defined(next)]));
    if (named) return named;
  }
  // "Getafe, Madrid y Parla (Madrid)": the city, or the province around all of them.
  const contains = others.length > 0 && others.every((one) => isIn(one, found));
  if (contains) return candidateIn(names, i, found, others);
  if (found.boundary.kind === 'state') return null;
  if (!isSmall(found)) return null;
  const state = others.find(({ boundary, id }) => boundary.kind === 'state' && id !== divisionOf(found));
  return state ? candidateIn(names, i, state, [found]) : null;
}

/** The state around a boundary; null without one. */
async function stateOf(names: Names, one: ResolvedBoundary): Promise<ResolvedBoundary | null> {
  const around = await names.run.resolve(one.boundary.parents.map(({ id }) => id));
  return around.find(({ boundary }) => boundary.kind === 'state') ?? null;
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

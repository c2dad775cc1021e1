import type { Level, Step } from '../../domain/areas/algebra.ts';
import { isOfLevel } from '../../domain/areas/levels.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { isIndependentCity } from '../../domain/names/type_kinds.ts';
import { certain, divisionOf, type Found } from './found.ts';
import type { Names } from './in_context.ts';
import type { Scope } from './scopes.ts';

/**
 * A larger place in a list with a level, where another name is of that level: "Placer and Nevada counties" are two counties,
 * in the division that has all, or else the only one of the name. Null where no such one is, which steps/children.ts refuses.
 */
export async function ofMixedLevel(
  names: Names,
  step: Step,
  scope: Scope | undefined,
  i: number,
): Promise<Found | null> {
  if (scope?.kind !== 'level' || scope.alone || !isBareName(step)) return null;
  // "municipios de Valencia y Cuenca" may be those of two provinces.
  if (scope.level === 'municipality') return null;
  const all = [i, ...scope.others];
  // "the counties of Utah and Weber, Utah" may be all of the state.
  if (!all.every((k) => isBareName(names.run.stepAt(k)))) return null;
  const isOf = (k: number): boolean | null => {
    const found = names.foundAt(k)?.found;
    return found ? isOfLevel(found.boundary, scope.level) : null;
  };
  if (isOf(i) !== false || !all.some((k) => isOf(k) === true)) return null;
  const small = await Promise.all(all.map((k) => namesakesAt(names, k, scope.level)));
  const divisions = small.map((places) => new Set(places.flatMap((one) => divisionOf(one) ?? [])));
  const common = [...(divisions[0] ?? [])].filter((id) => divisions.every((one) => one.has(id)));
  const fits = (small[0] ?? []).filter((one) => common.length === 0 || common.includes(divisionOf(one) ?? ''));
  const [found, ...more] = fits;
  return found && more.length === 0 ? certain(found, 'a place of each name of the list is in it') : null;
}

const isBareName = (step: Step): step is Extract<Step, { op: 'place' }> =>
  step.op === 'place' && step.id === undefined && step.level === undefined && step.within === undefined;

/** The boundaries of a level that the name of a step may mean. */
async function namesakesAt(names: Names, i: number, level: Level): Promise<readonly ResolvedBoundary[]> {
  const step = names.run.stepAt(i);
  if (!isBareName(step)) return [];
  const all: ResolvedBoundary[] = [];
  const meaning = await names.mean({ ...step, level, words: undefined }, (one) => all.push(one) < 0);
  if (meaning && 'found' in meaning) return [meaning.found];
  return all.filter((one) => isOfLevel(one.boundary, level) && !isIndependentCity(one.boundary));
}

import type { Level, Step } from '../../domain/areas/algebra.ts';
import { isLarger, type Meaning } from '../../domain/areas/choice.ts';
import { countyOfCity } from '../../domain/areas/city_meant.ts';
import { isOfLevel, knowsLevel } from '../../domain/areas/levels.ts';
import { meaningOf } from '../../domain/areas/meaning.ts';
import { isIn } from '../../domain/areas/names.ts';
import { said } from '../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { isIndependentCity } from '../../domain/names/type_kinds.ts';
import type { PlanRun } from './execution/plan_run.ts';
import { membersOf } from './execution/region.ts';
import { certain, divisionOf, type Found, isSmall, kindOf, placed } from './found.ts';
import type { Scope } from './scopes.ts';

// Rules for what a name means by the words around it. Each returns null where it decides nothing.

/** What the names of a plan mean so far. */
export interface Names {
  readonly run: PlanRun;
  /** What the name of a step was found to mean; null for steps that name nothing. */
  foundAt(i: number): Found | null;
  /** What a step names, with the places that a name prefers; undefined for steps that name nothing. */
  mean(step: Step, scope?: ((one: ResolvedBoundary) => boolean) | null): Promise<Meaning | undefined>;
}

/**
 * An ambiguous name of a list with its level, or beside boundaries of one, is the one place of that level: "provinces that
 * border Valencia".
 */
export async function ofLevel(names: Names, step: Step, scope: Scope): Promise<Found | null> {
  if (scope.kind !== 'peer' && (scope.kind !== 'level' || scope.alone)) return null;
  if (step.op !== 'place' || step.level !== undefined) return null;
  const asked = { name: step.name ?? '', within: step.within, level: scope.level };
  const meaning = await meaningOf(names.run.services, asked, names.run.preferences);
  return 'found' in meaning && !meaning.misspelled ? meaning : null;
}

/** An ambiguous name is in the place that contains the last one of its list: "Polk and Story County in Iowa". */
export async function likeLast(names: Names, step: Step, scope: Scope, i: number): Promise<Found | null> {
  if ((scope.kind !== 'list' && scope.kind !== 'level') || scope.last === null || step.op !== 'place') return null;
  if (step.within !== undefined || step.level !== undefined) return null;
  const meaning = await meaningOf(names.run.services, { name: step.name ?? '', ...scope.last }, names.run.preferences);
  if (!('found' in meaning)) return null;
  names.run.choices.push(said`${names.run.quoteName(i)} is read as ${placed(meaning.found)}, as the last of the list`);
  return meaning;
}

/**
 * An ambiguous name of a list is in the one division of the first level that has a place of each name: "King and Pierce
 * counties" are in Washington. Null if none or several have.
 */
export async function inOneDivision(names: Names, step: Step, scope: Scope, i: number): Promise<Found | null> {
  if (scope.kind !== 'list' && scope.kind !== 'level') return null;
  if (step.op !== 'place' || scope.others.length === 0) return null;
  const level = scope.kind === 'level' ? scope.level : null;
  const each = await Promise.all([i, ...scope.others].map((k) => smallAt(names, k, level)));
  const divisions = each.map((places) => new Set(places.flatMap((one) => divisionOf(one) ?? [])));
  const [common, ...more] = [...(divisions[0] ?? [])].filter((id) => divisions.every((one) => one.has(id)));
  const [found, ...others] = (each[0] ?? []).filter((one) => divisionOf(one) === common);
  if (common === undefined || more.length > 0 || !found || others.length > 0) return null;
  names.run.choices.push(said`${names.run.quoteName(i)} is read as ${placed(found)}, where all of the list are`);
  return certain(found, 'a place of each name of the list is in it');
}

/** The boundaries below the first level that the name of a step may mean, of a level if one is given. */
async function smallAt(names: Names, i: number, level: Level | null): Promise<readonly ResolvedBoundary[]> {
  const step = names.run.stepAt(i);
  const found = names.foundAt(i)?.found;
  const all: ResolvedBoundary[] = found ? [found] : [];
  if (!found) await names.mean(step, (one) => all.push(one) < 0);
  const asked = level ?? (step.op === 'place' ? step.level : undefined) ?? null;
  const small = all.filter((one) => isSmall(one) && (asked === null || isOfLevel(one.boundary, asked)));
  const counties = asked === 'county' ? small.filter(({ boundary }) => !isIndependentCity(boundary)) : [];
  return counties.length > 0 ? counties : small;
}

/** A place taken out of boundaries of a level is one of them if one has its name: a canton, not a commune in it. */
export async function oneOfBase(names: Names, step: Step, scope: Scope): Promise<Found | null> {
  if (scope.kind !== 'base' || step.op !== 'place' || step.id !== undefined) return null;
  const base = names.run.regions[scope.of];
  const from = names.run.plan.steps[scope.of];
  if (!base || from?.op === 'place' || from?.op === 'union') return null;
  const ids = new Set(membersOf(base).map(({ id }) => id));
  const meaning = await names.mean(step, ({ id }) => ids.has(id));
  return meaning && 'found' in meaning && ids.has(meaning.found.id) ? meaning : null;
}

/**
 * A name alone in a list of boundaries of one kind is the one of that kind that contains the place of its name: Madrid
 * beside Segovia and Ávila is the province, not the city. So is one of several whose level is named: "Madrid and Burgos
 * provinces".
 */
export async function ofOneKind(
  names: Names,
  step: Step,
  scope: Scope | undefined,
  first: Meaning | undefined,
): Promise<Found | null> {
  if (step.op !== 'place' || step.id !== undefined || !first || !('found' in first)) return null;
  if (step.level !== undefined || step.within !== undefined) return null;
  if (scope?.kind === 'level' && !scope.alone) {
    const meaning = await names.mean(step, ({ boundary }) => isOfLevel(boundary, scope.level));
    if (!meaning || !('found' in meaning) || !isOfLevel(meaning.found.boundary, scope.level)) return null;
    return isIn(first.found, meaning.found) ? meaning : null;
  }
  const beside = scope?.kind === 'list' || scope?.kind === 'base' ? (scope.others ?? []) : [];
  const others = beside.flatMap((k) => names.foundAt(k)?.found ?? []);
  const [other] = others;
  if (!other || others.some((one) => kindOf(one) !== kindOf(other)) || kindOf(other) === kindOf(first.found))
    return null;
  const meaning = await names.mean(step, (one) => kindOf(one) === kindOf(other));
  if (!meaning || !('found' in meaning) || kindOf(meaning.found) !== kindOf(other)) return null;
  return isIn(first.found, meaning.found) ? meaning : null;
}

/**
 * A name alone beside names of municipalities, of which one is in what it means, is the municipality: Sevilla beside Dos
 * Hermanas is not the province. So is one beside municipalities alone: "Toledo, Getafe y Parla".
 */
export async function municipalityOfList(
  names: Names,
  step: Step,
  scope: Scope | undefined,
  first: Meaning | undefined,
): Promise<Found | null> {
  if (!isNameAlone(step) || !first || !('found' in first)) return null;
  const whole = first.found;
  const beside = scope?.kind === 'list' || scope?.kind === 'base' ? (scope.others ?? []) : [];
  if (isMunicipality(whole) || !beside.every((k) => isNameAlone(names.run.stepAt(k)))) return null;
  const all = beside.flatMap((k) => names.foundAt(k)?.found ?? []);
  const isBesidePart = all.some((one) => isMunicipality(one) && isIn(one, whole));
  // Of "Madrid, Barcelona and Getafe", Madrid is around Getafe and says nothing of Barcelona.
  const others = all.filter((one) => !all.some((part) => isIn(part, one)));
  if (!isBesidePart && (others.length === 0 || !others.every(isMunicipality))) return null;
  const meaning = await names.mean(step, (one) => isMunicipality(one) && isIn(one, whole));
  return meaning && 'found' in meaning && isMunicipality(meaning.found) && isIn(meaning.found, whole) ? meaning : null;
}

const isMunicipality = ({ boundary: { kind } }: ResolvedBoundary): boolean => kind === 'municipality';

/** Whether a step is a name without a level or a container. */
const isNameAlone = (step: Step): boolean =>
  step.op === 'place' && step.id === undefined && step.level === undefined && step.within === undefined;

/** A name taken out of the place that it means is the part of that name: "the province of Burgos without Burgos". */
export async function partOfBase(
  names: Names,
  step: Step,
  scope: Scope | undefined,
  first: Meaning | undefined,
): Promise<Found | null> {
  if (scope?.kind !== 'base' || step.op !== 'place' || step.id !== undefined || step.level !== undefined) return null;
  const base = names.foundAt(scope.of)?.found;
  if (!base || !first || !('found' in first)) return null;
  const isWhole = first.found.id === base.id || (isIn(first.found, base) && !isLarger(base, first.found));
  if (!isWhole) return null;
  const meaning = await names.mean(step, (one) => isLarger(base, one));
  return meaning && 'found' in meaning && isLarger(base, meaning.found) ? meaning : null;
}

/** A place that is divided into boundaries of its own level is the larger one of its name: "municipios de Madrid". */
export async function divided(
  names: Names,
  step: Step,
  scope: Scope,
  first: Meaning | undefined,
): Promise<Found | null> {
  if (scope.kind !== 'level' || !scope.alone || step.op !== 'place' || step.id !== undefined) return null;
  if (step.level !== undefined || !first || !('found' in first)) return null;
  if (!isOfLevel(first.found.boundary, scope.level)) return null;
  const meaning = await names.mean(step, (one) => isIn(first.found, one));
  return meaning && 'found' in meaning && isIn(first.found, meaning.found) ? meaning : null;
}

/**
 * A place listed with its neighbors of a level has that level too, if its namesake of that level is the same place:
 * one of the two is in the other.
 */
export async function peer(
  names: Names,
  step: Step,
  scope: Scope,
  first: Meaning | undefined,
  i: number,
): Promise<Found | null> {
  if (scope.kind !== 'peer' || step.op !== 'place' || step.id !== undefined || step.level !== undefined) return null;
  // "the counties around Dallas": the county of the large city of that name.
  if (first && !('found' in first) && first.problem === 'ambiguous' && step.within === undefined) {
    const home = await countyOfCity(names.run.services, step.name ?? '');
    if (home === null || !isOfLevel(home.boundary, scope.level)) return null;
    names.run.choices.push(
      said`${names.run.quoteName(i)} is read as ${placed(home)}, where the largest city of that name is`,
    );
    return certain(home, 'the largest city of the name is in it');
  }
  if (!first || !('found' in first) || isOfLevel(first.found.boundary, scope.level)) return null;
  const meaning = await meaningOf(
    names.run.services,
    { name: step.name ?? '', within: step.within, level: scope.level },
    names.run.preferences,
    (one) => isIn(one, first.found) || isIn(first.found, one),
  );
  if (!('found' in meaning)) return null;
  const { found } = meaning;
  return isIn(found, first.found) || isIn(first.found, found) ? meaning : null;
}

/**
 * The test whether a candidate is in the one country that all others of its list are in, in none of them and of the kind of
 * one: Valencia beside Alicante and Murcia is not a county of New Mexico. Null where they are in several.
 */
export async function inCountryOfList(
  names: Names,
  others: readonly number[],
): Promise<((candidate: ResolvedBoundary) => boolean) | null> {
  const found = others.flatMap((k) => names.foundAt(k)?.found ?? []);
  const [country, ...more] = new Set(found.map(({ boundary }) => boundary.country));
  if (country == null || more.length > 0) return null;
  // The Región de Murcia is a province, too.
  const alike = await Promise.all(others.map((k) => sameAreaAt(names, k)));
  const kinds = new Set([...found, ...alike.flat()].map(kindOf));
  return (one) =>
    one.boundary.country === country && kinds.has(kindOf(one)) && !found.some((other) => isIn(one, other));
}

/** The boundaries of other levels that are the same area as what the name of a step means, and have its name. */
async function sameAreaAt(names: Names, i: number): Promise<readonly ResolvedBoundary[]> {
  const found = names.foundAt(i)?.found;
  const all: ResolvedBoundary[] = [];
  await names.mean(names.run.stepAt(i), (one) => all.push(one) < 0);
  return all.filter((one) => found && isIn(one, found) && !isLarger(found, one));
}

/** The test that a scope puts to the candidates of a name; null where it prefers none. */
export function scopeOf(names: Names, scope: Scope): ((one: ResolvedBoundary) => boolean) | null {
  if (scope.kind === 'level') {
    return ({ boundary }) => knowsLevel(boundary.country, scope.level);
  }
  if (scope.kind === 'peer') return null;
  if (scope.kind === 'inside') {
    return ({ boundary }) =>
      boundary.parents.some((parent) =>
        isOfLevel({ admin_level: parent.admin_level, kind: parent.kind, country: boundary.country }, scope.level),
      );
  }
  if (scope.kind === 'list') {
    const others = scope.others.flatMap((k) => names.foundAt(k)?.found ?? []);
    if (others.length === 0) return null;
    return ({ boundary, admin_level }) =>
      others.every(
        (other) =>
          other.admin_level === admin_level &&
          other.boundary.kind === boundary.kind &&
          (boundary.kind === 'country' || other.boundary.country === boundary.country),
      );
  }
  // Only plans of ours have the steps of a base before the place that is taken out of it.
  const base = names.run.regions[scope.of];
  if (!base) return null;
  const members = membersOf(base);
  return (one) => members.some((member) => member.id === one.id || isIn(one, member));
}

import type { Step } from '../../domain/areas/algebra.ts';
import { isLarger, type Meaning } from '../../domain/areas/choice.ts';
import { countyOfCity } from '../../domain/areas/city_meant.ts';
import { isOfLevel, knowsLevel } from '../../domain/areas/levels.ts';
import { meaningOf } from '../../domain/areas/meaning.ts';
import { candidateOf, isIn } from '../../domain/areas/names.ts';
import { said } from '../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { isOwnName } from '../../domain/names/exonyms.ts';
import { foldName } from '../../domain/names/fold.ts';
import { groupOf } from '../../domain/names/groups.ts';
import { boxesMeet } from './execution/boxes.ts';
import type { PlanRun } from './execution/plan_run.ts';
import { membersOf } from './execution/region.ts';
import { certain, type Found, isSmall, kindOf, placed } from './found.ts';
import { listedWith, type Scope } from './scopes.ts';

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

/** An ambiguous name is in the place that contains the next one of its list that says so: "Polk and Story County in Iowa". */
export async function likeNext(names: Names, step: Step, scope: Scope, i: number): Promise<Found | null> {
  if ((scope.kind !== 'list' && scope.kind !== 'level') || scope.next === null || step.op !== 'place') return null;
  if (step.within !== undefined || step.level !== undefined) return null;
  const { within, level } = scope.next;
  const meaning = await meaningOf(names.run.services, { name: step.name ?? '', within, level }, names.run.preferences);
  if (!('found' in meaning)) return null;
  names.run.choices.push(
    said`${names.run.quoteName(i)} is read as ${placed(meaning.found)}, as what follows in the list`,
  );
  return meaning;
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
  const beside = listedWith(scope);
  const others = beside.flatMap((k) => names.foundAt(k)?.found ?? []);
  const [other] = others;
  if (!other || others.some((one) => kindOf(one) !== kindOf(other)) || kindOf(other) === kindOf(first.found))
    return null;
  const meaning = await names.mean(step, (one) => kindOf(one) === kindOf(other));
  if (!meaning || !('found' in meaning) || kindOf(meaning.found) !== kindOf(other)) return null;
  // Oviedo is not the province that was called so.
  const folded = foldName(step.name ?? '');
  if (isOwnName(folded, first.found.name) && !foldName(meaning.found.name).includes(folded)) return null;
  return isIn(first.found, meaning.found) ? meaning : null;
}

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
  if (!isIn(found, first.found) && !isIn(first.found, found)) return null;
  if (first.found.boundary.kind !== 'state') return meaning;
  // "counties bordering New York": the county of the city, and not the state around it; but those bordering the state of Idaho.
  const home = await countyOfCity(names.run.services, step.name ?? '');
  const [read, other] = home?.id === found.id ? [found, first.found] : [first.found, found];
  names.run.choices.push(said`${names.run.quoteName(i)} is read as ${placed(read)}; also so called: ${placed(other)}`);
  return read === found ? meaning : null;
}

/**
 * The place that an ambiguous name means beside boundaries which border it: one of them or in one ("Ohio counties that border
 * Lake"), or the one place whose box meets theirs ("Florida counties that border Georgia": the state). Both candidates where the
 * second is a state or a country: "counties of Oregon that border Washington". Null for other scopes and where none fits.
 */
export async function besideBorder(names: Names, step: Step, scope: Scope): Promise<Meaning | null> {
  if (scope.kind !== 'beside' || !scope.border) return null;
  const region = names.run.regions[scope.of];
  const members = region ? membersOf(region) : [];
  const foundAs = async (fits: (one: ResolvedBoundary) => boolean): Promise<Found | null> => {
    const meaning = await names.mean(step, fits);
    return meaning && 'found' in meaning && fits(meaning.found) ? meaning : null;
  };
  const isBeside = (one: ResolvedBoundary): boolean => members.some((member) => boxesMeet(member, one));
  const inside = await foundAs((one) => members.some((member) => member.id === one.id || isIn(one, member)));
  if (inside === null) return foundAs(isBeside);
  const division = await foundAs((one) => !isSmall(one) && isBeside(one));
  if (division === null || division.found.id === inside.found.id || isIn(inside.found, division.found)) return inside;
  return { problem: 'ambiguous', candidates: [division, inside].map(({ found }) => candidateOf(found.boundary)) };
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
    if (others.length === 0) return beside(scope.groups.flatMap((k) => codesOf(names.run.stepAt(k))));
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

/** The codes of what a step names as a group; none for others. */
const codesOf = (step: Step): readonly string[] => (step.op === 'group' ? (groupOf(step.name)?.members ?? []) : []);

/** Whether a place is like the members of groups, by their ISO codes: a country, or a division of their country. */
function beside(codes: readonly string[]): ((one: ResolvedBoundary) => boolean) | null {
  if (codes.length === 0) return null;
  return ({ boundary, admin_level }) =>
    codes.every((code) =>
      code.includes('-')
        ? boundary.kind !== 'country' && admin_level === FIRST_LEVEL && code.startsWith(`${boundary.country}-`)
        : boundary.kind === 'country',
    );
}
/** The admin_level of the divisions that groups have. */
const FIRST_LEVEL = 4;

import { defined, only } from '../../common/elements.ts';
import type { Level, Step } from '../../domain/areas/algebra.ts';
import type { Meaning } from '../../domain/areas/choice.ts';
import { countyOfCity } from '../../domain/areas/city_meant.ts';
import { isOfLevel, knowsLevel } from '../../domain/areas/levels.ts';
import { meaningOf } from '../../domain/areas/meaning.ts';
import { candidateOf, isIn } from '../../domain/areas/names.ts';
import { divisionNamed, longerNamed } from '../../domain/areas/other_readings.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { foldName } from '../../domain/names/fold.ts';
import { groupOf } from '../../domain/names/groups.ts';
import { meaningsOfCodes } from './codes.ts';
import { couldNotMap, type Unmapped } from './execution/findings.ts';
import type { PlanRun } from './execution/plan_run.ts';
import { membersOf } from './execution/region.ts';
import { certain, type Found, kindOf, placed } from './found.ts';
import { type Scope, scopesOf } from './scopes.ts';

/** Whether a boundary is below the divisions of the first level, and its name alone says so: no level, no container. */
const isSmall = ({ boundary: { kind }, admin_level }: ResolvedBoundary): boolean =>
  kind !== 'country' && (admin_level ?? 0) > 4;
/** The id of the division of the first level that a boundary is in. */
const divisionOf = ({ boundary: { parents } }: ResolvedBoundary): string | undefined =>
  parents.find(({ admin_level }) => admin_level === 4)?.id;
/** What the places and groups of a plan mean. The words around an ambiguous name decide. */
export class Meanings {
  private meanings: (Meaning | undefined)[] = [];
  private readonly scopes: Map<number, Scope>;
  private readonly run: PlanRun;

  constructor(run: PlanRun) {
    this.run = run;
    this.scopes = scopesOf(run.plan);
  }

  /**
   * Looks up what every step names, before any is executed.
   * @throws could_not_map with all names that are not found, or with the readings of codes if no single one fits
   */
  async read(): Promise<void> {
    const asked = new Map<string, Promise<Meaning | undefined>>();
    this.meanings = await Promise.all(
      this.run.plan.steps.map((step) => {
        const key = JSON.stringify({ ...step, words: undefined });
        const meaning = asked.get(key) ?? this.mean(step);
        asked.set(key, meaning);
        return meaning;
      }),
    );
    for (const [i, meaning] of await meaningsOfCodes(this.run, (i) => this.foundAt(i))) {
      this.meanings[i] = meaning;
      this.scopes.delete(i);
    }
    this.refuseUnknown();
  }

  /** What the name of a step was found to mean; null for steps that name nothing. */
  foundAt(i: number): Found | null {
    const meaning = this.meanings[i];
    return meaning && 'found' in meaning ? meaning : null;
  }

  private async mean(
    step: Step,
    scope: ((one: ResolvedBoundary) => boolean) | null = null,
  ): Promise<Meaning | undefined> {
    if (step.op === 'group') {
      const group = groupOf(step.name);
      return group ? undefined : { problem: 'not_found', candidates: [] };
    }
    if (step.op !== 'place') return undefined;
    if (step.id !== undefined) {
      const found = only(await this.run.reading.lookup([step.id]));
      if (found === null) return { problem: 'not_found', candidates: [] };
      return found.has_geometry ? certain(found) : { problem: 'no_geometry', candidates: [] };
    }
    return meaningOf(
      this.run.services,
      { name: step.name ?? '', within: step.within, level: step.level },
      this.run.preferences,
      scope,
    );
  }

  /** Says which place a name was taken for, if others are of nearly the same importance. */
  sayGuess(i: number, { found, guessed, slipped }: Found): void {
    if (slipped)
      this.run.choices.push(`${this.run.quoteName(i)} is read as ${placed(found)}, which is one letter away`);
    if (guessed.length === 0 || slipped) return;
    const others = guessed.slice(0, 3).map(placed);
    const more = guessed.length > others.length ? ` and ${guessed.length - others.length} more` : '';
    this.run.choices.push(
      `${this.run.quoteName(i)} is read as ${placed(found)}; also so called: ${others.join(', ')}${more}`,
    );
  }

  /** Refuses places that are not found, and ambiguous ones that have no scope to decide. @throws could_not_map */
  private refuseUnknown(): void {
    const places: Unmapped[] = [];
    for (const [i, meaning] of this.meanings.entries()) {
      if (meaning === undefined || 'found' in meaning) continue;
      if (meaning.problem === 'ambiguous' && this.scopes.has(i)) continue;
      places.push(this.explain(i, meaning));
    }
    if (places.length === 0) return;
    for (const [i, meaning] of this.meanings.entries()) {
      if (meaning && !('found' in meaning) && meaning.problem === 'ambiguous' && this.scopes.has(i))
        places.push(this.explain(i, meaning));
    }
    throw couldNotMap(places);
  }

  private explain(i: number, meaning: Exclude<Meaning, { found: unknown }>): Unmapped {
    const at = this.run.words(i) ? ` (character ${(this.run.words(i)?.from ?? 0) + 1})` : '';
    const text = this.run.quoteName(i);
    const { candidates } = meaning;
    const like = candidates
      .slice(0, 3)
      .map(({ name, parents }) => [name, parents.at(-1)?.name].filter(Boolean).join(' in '))
      .join(', ');
    const reason = {
      not_found: `${text}${at} is not found${like ? `; did you mean ${like}?` : '.'}`,
      ambiguous: `${text}${at} can mean several places: ${like}${candidates.length > 3 ? ' and others' : ''}. Say which, as in "Paris, Texas", or give country or near.`,
      no_geometry: `${text}${at} has no polygon in the stored data.`,
    }[meaning.problem];
    return this.run.unmapped(i, reason, candidates);
  }

  /** The boundary of a place step, by the results of the steps before it. @throws could_not_map */
  async place(step: Step, i: number): Promise<ResolvedBoundary> {
    let meaning = this.meanings[i];
    const scope = this.scopes.get(i);
    const ambiguous = meaning !== undefined && !('found' in meaning);
    const like = await this.ofOneKind(step, scope, meaning);
    if (like) {
      this.meanings[i] = like;
      return like.found;
    }
    if (scope && (ambiguous || scope.kind === 'base' || scope.kind === 'peer' || scope.kind === 'level')) {
      const one =
        (ambiguous ? await this.likeLast(step, scope, i) : null) ??
        (ambiguous ? await this.inOneDivision(step, scope, i) : null) ??
        (await this.oneOfBase(step, scope)) ??
        (await this.peer(step, scope, meaning, i)) ??
        (await this.divided(step, scope, meaning));
      if (one) {
        this.meanings[i] = one;
        return one.found;
      }
      const decides = ambiguous || scope.kind !== 'level' ? this.scopeOf(scope) : null;
      // An id needs no scope.
      if (decides && step.op === 'place' && step.id === undefined) meaning = await this.mean(step, decides);
    }
    if (meaning && 'found' in meaning && step.op === 'place' && step.id === undefined)
      meaning = await this.doubt(step, meaning, scope);
    this.meanings[i] = meaning;
    if (meaning && 'found' in meaning) return meaning.found;
    if (!meaning) throw this.run.fail(i, `${this.run.quote(i)} is not found.`);
    // Report all that are undecided at once.
    const open = this.meanings.flatMap((one, k) => (one && !('found' in one) ? [this.explain(k, one)] : []));
    throw couldNotMap(open);
  }

  /**
   * A meaning, or why it is in doubt: the places that it is listed with are of another kind, and one of their kind has a
   * name that ends so ("Jersey, New York and Connecticut"), or a country has the name in another language.
   */
  private async doubt(
    step: Extract<Step, { op: 'place' }>,
    meaning: Found,
    scope: Scope | undefined,
  ): Promise<Meaning> {
    const { found, foreign } = meaning;
    const name = step.name ?? '';
    const isBare = step.level === undefined && step.within === undefined;
    const others =
      scope?.kind === 'list'
        ? scope.others.flatMap((k) => {
            const other = this.meanings[k];
            return other && 'found' in other ? [other.found] : [];
          })
        : [];
    // "Ada and Lane County, Oregon": the one Ada is in Idaho.
    const end = others.at(-1);
    if (scope?.kind === 'list' && scope.last && isBare && end && kindOf(end) === kindOf(found) && isSmall(found))
      if (divisionOf(end) !== divisionOf(found))
        return { problem: 'not_found', candidates: [candidateOf(found.boundary)] };
    const isAmong = others.some(({ boundary }) => boundary.country === found.boundary.country);
    const [first] = others;
    const areOneKind = first !== undefined && others.every((other) => kindOf(other) === kindOf(first));
    let rival: ResolvedBoundary | null = null;
    if (foreign.length > 0 && !isAmong && areOneKind && first.boundary.kind === 'country') rival = defined(foreign[0]);
    else if (areOneKind && first.boundary.kind !== 'country' && kindOf(first) !== kindOf(found) && !isAmong)
      rival = await longerNamed(this.run.services, name, found, {
        country: first.boundary.country ?? '',
        level: first.admin_level,
      });
    else if (found.boundary.kind === 'country' && foldName(name) !== foldName(found.name) && scope?.kind !== 'base')
      rival = await longerNamed(this.run.services, name, found, 'country');
    // "Carolina" is a town, and the end of two states.
    else if (isBare && !isAmong && scope?.kind !== 'base' && scope?.kind !== 'inside' && isSmall(found))
      rival = await divisionNamed(this.run.services, name, found);
    if (rival === null) return meaning;
    return { problem: 'ambiguous', candidates: [found, rival].map(({ boundary }) => candidateOf(boundary)) };
  }

  /** An ambiguous name is in the place that contains the last one of its list: "Polk and Story County in Iowa". */
  private async likeLast(step: Step, scope: Scope, i: number): Promise<Found | null> {
    if ((scope.kind !== 'list' && scope.kind !== 'level') || scope.last === null || step.op !== 'place') return null;
    if (step.within !== undefined || step.level !== undefined) return null;
    const meaning = await meaningOf(this.run.services, { name: step.name ?? '', ...scope.last }, this.run.preferences);
    if (!('found' in meaning)) return null;
    this.run.choices.push(`${this.run.quoteName(i)} is read as ${placed(meaning.found)}, as the last of the list`);
    return meaning;
  }

  /**
   * An ambiguous name of a list is in the one division of the first level that has a place of each name: "King and Pierce
   * counties" are in Washington. Null if none or several have.
   */
  private async inOneDivision(step: Step, scope: Scope, i: number): Promise<Found | null> {
    if (scope.kind !== 'list' && scope.kind !== 'level') return null;
    if (step.op !== 'place' || scope.others.length === 0) return null;
    const level = scope.kind === 'level' ? scope.level : null;
    const names = await Promise.all([i, ...scope.others].map((k) => this.smallAt(k, level)));
    const divisions = names.map((places) => new Set(places.flatMap((one) => divisionOf(one) ?? [])));
    const [common, ...more] = [...(divisions[0] ?? [])].filter((id) => divisions.every((one) => one.has(id)));
    const [found, ...others] = (names[0] ?? []).filter((one) => divisionOf(one) === common);
    if (common === undefined || more.length > 0 || !found || others.length > 0) return null;
    this.run.choices.push(`${this.run.quoteName(i)} is read as ${placed(found)}, where all of the list are`);
    return certain(found, 'a place of each name of the list is in it');
  }

  /** The boundaries below the first level that the name of a step may mean, of a level if one is given. */
  private async smallAt(i: number, level: Level | null): Promise<readonly ResolvedBoundary[]> {
    const step = this.run.stepAt(i);
    const found = this.foundAt(i)?.found;
    const all: ResolvedBoundary[] = found ? [found] : [];
    if (!found) await this.mean(step, (one) => all.push(one) < 0);
    const asked = level ?? (step.op === 'place' ? step.level : undefined) ?? null;
    return all.filter((one) => isSmall(one) && (asked === null || isOfLevel(one.boundary, asked)));
  }

  /** A place taken out of boundaries of a level is one of them if one has its name: a canton, not a commune in it. */
  private async oneOfBase(step: Step, scope: Scope): Promise<Found | null> {
    if (scope.kind !== 'base' || step.op !== 'place' || step.id !== undefined) return null;
    const base = this.run.regions[scope.of];
    const from = this.run.plan.steps[scope.of];
    if (!base || from?.op === 'place' || from?.op === 'union') return null;
    const ids = new Set(membersOf(base).map(({ id }) => id));
    const meaning = await this.mean(step, ({ id }) => ids.has(id));
    return meaning && 'found' in meaning && ids.has(meaning.found.id) ? meaning : null;
  }

  /**
   * A name alone in a list of boundaries of one kind is the one of that kind that contains the place of its name: Madrid
   * beside Segovia and Ávila is the province, not the city. So is one of several whose level is named: "Madrid and Burgos
   * provinces".
   */
  private async ofOneKind(step: Step, scope: Scope | undefined, first: Meaning | undefined): Promise<Found | null> {
    if (step.op !== 'place' || step.id !== undefined || !first || !('found' in first)) return null;
    if (step.level !== undefined || step.within !== undefined) return null;
    if (scope?.kind === 'level' && !scope.alone) {
      const meaning = await this.mean(step, ({ boundary }) => isOfLevel(boundary, scope.level));
      if (!meaning || !('found' in meaning) || !isOfLevel(meaning.found.boundary, scope.level)) return null;
      return isIn(first.found, meaning.found) ? meaning : null;
    }
    const beside = scope?.kind === 'list' || scope?.kind === 'base' ? (scope.others ?? []) : [];
    const others = beside.flatMap((k) => this.foundAt(k)?.found ?? []);
    const [other] = others;
    if (!other || others.some((one) => kindOf(one) !== kindOf(other)) || kindOf(other) === kindOf(first.found))
      return null;
    const meaning = await this.mean(step, (one) => kindOf(one) === kindOf(other));
    if (!meaning || !('found' in meaning) || kindOf(meaning.found) !== kindOf(other)) return null;
    return isIn(first.found, meaning.found) ? meaning : null;
  }

  /** A place that is divided into boundaries of its own level is the larger one of its name: "municipios de Madrid". */
  private async divided(step: Step, scope: Scope, first: Meaning | undefined): Promise<Found | null> {
    if (scope.kind !== 'level' || !scope.alone || step.op !== 'place' || step.id !== undefined) return null;
    if (step.level !== undefined || !first || !('found' in first)) return null;
    if (!isOfLevel(first.found.boundary, scope.level)) return null;
    const meaning = await this.mean(step, (one) => isIn(first.found, one));
    return meaning && 'found' in meaning && isIn(first.found, meaning.found) ? meaning : null;
  }

  /**
   * A place listed with its neighbors of a level has that level too, if its namesake of that level is the same place:
   * one of the two is in the other.
   */
  private async peer(step: Step, scope: Scope, first: Meaning | undefined, i: number): Promise<Found | null> {
    if (scope.kind !== 'peer' || step.op !== 'place' || step.id !== undefined || step.level !== undefined) return null;
    // "the counties around Dallas": the county of the large city of that name.
    if (first && !('found' in first) && first.problem === 'ambiguous' && step.within === undefined) {
      const home = await countyOfCity(this.run.services, step.name ?? '');
      if (home === null || !isOfLevel(home.boundary, scope.level)) return null;
      this.run.choices.push(
        `${this.run.quoteName(i)} is read as ${placed(home)}, where the largest city of that name is`,
      );
      return certain(home, 'the largest city of the name is in it');
    }
    if (!first || !('found' in first) || isOfLevel(first.found.boundary, scope.level)) return null;
    const meaning = await meaningOf(
      this.run.services,
      { name: step.name ?? '', within: step.within, level: scope.level },
      this.run.preferences,
      (one) => isIn(one, first.found) || isIn(first.found, one),
    );
    if (!('found' in meaning)) return null;
    const { found } = meaning;
    return isIn(found, first.found) || isIn(first.found, found) ? meaning : null;
  }

  private scopeOf(scope: Scope): ((one: ResolvedBoundary) => boolean) | null {
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
      const others = scope.others.flatMap((k) => {
        const meaning = this.meanings[k];
        return meaning && 'found' in meaning ? [meaning.found] : [];
      });
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
    const base = this.run.regions[scope.of];
    if (!base) return null;
    const members = membersOf(base);
    return (one) => members.some((member) => member.id === one.id || isIn(one, member));
  }
}

import { defined, only } from '../../common/elements.ts';
import type { Level, Step } from '../../domain/areas/algebra.ts';
import { groupOf } from '../../domain/areas/groups.ts';
import { isOfLevel, knowsLevel } from '../../domain/areas/levels.ts';
import { capitalIn, isIn, type Meaning, meaningOf } from '../../domain/areas/names.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { couldNotMap, Findings, type Unmapped } from './findings.ts';
import { membersOf, type Region, setOf } from './region.ts';

/** The context that decides what a name means. */
type Scope =
  | { readonly kind: 'list'; readonly others: readonly number[] }
  | { readonly kind: 'level'; readonly level: Level }
  | { readonly kind: 'inside'; readonly level: Level }
  | { readonly kind: 'peer'; readonly level: Level }
  | { readonly kind: 'base'; readonly of: number };

type Found = Extract<Meaning, { found: unknown }>;

/** What the places, groups and capitals of a plan mean. The words around an ambiguous name decide. */
export class Meanings extends Findings {
  protected meanings: (Meaning | undefined)[] = [];
  protected readonly scopes = new Map<number, Scope>();

  /** Sets what each place is taken out of, listed with or divided into: it decides among candidates of similar rank. */
  protected findScopes(): void {
    const { steps } = this.plan;
    const placesIn = (i: number): number[] => {
      const step = defined(steps[i]);
      if (step.op === 'place') return [i];
      return step.op === 'union' ? step.of.flatMap((part) => (defined(steps[part]).op === 'place' ? [part] : [])) : [];
    };
    for (const [i, step] of steps.entries()) {
      if (step.op === 'union') {
        const places = placesIn(i);
        for (const place of places)
          this.scopes.set(place, { kind: 'list', others: places.filter((one) => one !== place) });
      } else if (step.op === 'children') {
        for (const place of placesIn(step.of)) this.scopes.set(place, { kind: 'level', level: step.level });
      } else if (step.op === 'containing') {
        for (const place of placesIn(step.of)) this.scopes.set(place, { kind: 'inside', level: step.level });
      } else if (step.op === 'intersection') {
        for (const place of placesIn(step.with)) this.scopes.set(place, { kind: 'base', of: step.of });
      }
    }
    for (const step of steps) {
      // "Wiltz and its surrounding cantons" means the canton.
      if (step.op === 'union') {
        for (const part of step.of) {
          const next = defined(steps[part]);
          if (next.op !== 'neighbors' || next.level === undefined || !step.of.includes(next.of)) continue;
          this.scopes.set(next.of, { kind: 'peer', level: next.level });
        }
      }
      if (step.op !== 'difference') continue;
      for (const place of placesIn(step.minus)) this.scopes.set(place, { kind: 'base', of: step.of });
    }
  }

  protected async mean(
    step: Step,
    scope: ((one: ResolvedBoundary) => boolean) | null = null,
  ): Promise<Meaning | undefined> {
    if (step.op === 'group') {
      const group = groupOf(step.name);
      return group ? undefined : { problem: 'not_found', candidates: [] };
    }
    if (step.op !== 'place') return undefined;
    if (step.id !== undefined) {
      const found = only(await this.reading.lookup([step.id]));
      if (found === null) return { problem: 'not_found', candidates: [] };
      return found.has_geometry ? { found, rivals: [], because: null } : { problem: 'no_geometry', candidates: [] };
    }
    return meaningOf(
      this.services,
      { name: step.name ?? '', within: step.within, level: step.level },
      this.wishes,
      scope,
    );
  }

  /** Refuses places that are not found, and ambiguous ones that have no scope to decide. @throws could_not_map */
  protected refuseUnknown(): void {
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

  protected explain(i: number, meaning: Exclude<Meaning, { found: unknown }>): Unmapped {
    const at = this.words(i) ? ` (character ${(this.words(i)?.from ?? 0) + 1})` : '';
    const text = this.quoteName(i);
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
    return this.unmapped(i, reason, candidates);
  }

  protected async place(step: Step, i: number): Promise<ResolvedBoundary> {
    let meaning = this.meanings[i];
    const scope = this.scopes.get(i);
    const ambiguous = meaning !== undefined && !('found' in meaning);
    if (scope && (ambiguous || scope.kind === 'base' || scope.kind === 'peer')) {
      const one = (await this.oneOfBase(step, scope)) ?? (await this.peer(step, scope, meaning));
      if (one) {
        this.meanings[i] = one;
        return one.found;
      }
      const decides = this.scopeOf(scope);
      // An id needs no scope.
      if (decides && step.op === 'place' && step.id === undefined) meaning = await this.mean(step, decides);
    }
    this.meanings[i] = meaning;
    if (meaning && 'found' in meaning) return meaning.found;
    if (!meaning) throw this.fail(i, `${this.quote(i)} is not found.`);
    // Report all that are undecided at once.
    const open = this.meanings.flatMap((one, k) => (one && !('found' in one) ? [this.explain(k, one)] : []));
    throw couldNotMap(open);
  }

  /** A place taken out of boundaries of a level is one of them if one has its name: a canton, not a commune in it. */
  private async oneOfBase(step: Step, scope: Scope): Promise<Found | null> {
    if (scope.kind !== 'base' || step.op !== 'place' || step.id !== undefined) return null;
    const base = this.regions[scope.of];
    const from = this.plan.steps[scope.of];
    if (!base || from?.op === 'place' || from?.op === 'union') return null;
    const ids = new Set(membersOf(base).map(({ id }) => id));
    const meaning = await this.mean(step, ({ id }) => ids.has(id));
    return meaning && 'found' in meaning && ids.has(meaning.found.id) ? meaning : null;
  }

  /**
   * A place listed with its neighbors of a level has that level too, if its namesake of that level is the same place:
   * one of the two is in the other.
   */
  private async peer(step: Step, scope: Scope, first: Meaning | undefined): Promise<Found | null> {
    if (scope.kind !== 'peer' || step.op !== 'place' || step.id !== undefined || step.level !== undefined) return null;
    if (!first || !('found' in first) || isOfLevel(first.found.boundary, scope.level)) return null;
    const meaning = await meaningOf(
      this.services,
      { name: step.name ?? '', within: step.within, level: scope.level },
      this.wishes,
      (one) => isIn(one, first.found) || isIn(first.found, one),
    );
    if (!('found' in meaning)) return null;
    const { found } = meaning;
    return isIn(found, first.found) || isIn(first.found, found) ? meaning : null;
  }

  protected scopeOf(scope: Scope): ((one: ResolvedBoundary) => boolean) | null {
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
    const base = this.regions[scope.of];
    if (!base) return null;
    const members = membersOf(base);
    return (one) => members.some((member) => member.id === one.id || isIn(one, member));
  }

  protected async group(name: string, i: number, notes: string[]): Promise<Region> {
    const group = groupOf(name);
    if (group === null) throw this.fail(i, `${this.quoteName(i)} is not a known group.`);
    const found = await this.reading.lookup(group.members.map((code) => `iso:${code}`));
    const members = found.filter((one): one is ResolvedBoundary => one?.has_geometry === true);
    if (members.length < group.members.length)
      throw this.fail(i, `${this.quoteName(i)} is not completely stored here.`);
    notes.push(`${group.name}: ${group.members.join(', ')} (${group.source})`);
    return setOf(members);
  }

  protected async capital(of: Region, i: number): Promise<Region> {
    const members = membersOf(of);
    const found = members.length === 1 && of.op === 'set' ? await capitalIn(this.services, defined(members[0])) : null;
    if (found === null)
      throw this.fail(
        i,
        `The capital that ${this.quote(i)} asks for is not known, or its boundary is not stored. Name it.`,
      );
    return setOf([found]);
  }
}

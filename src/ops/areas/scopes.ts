import { defined } from '../../common/elements.ts';
import type { AreaPlan, Level } from '../../domain/areas/algebra.ts';

/** The container, and the level, of the next place of a list that has one. */
interface Shared {
  /** The step of that place. */
  readonly i: number;
  readonly within: string;
  readonly level?: Level;
}

/** The context that decides what a name means. */
export type Scope =
  | {
      readonly kind: 'list';
      readonly others: readonly number[];
      readonly next: Shared | null;
      /** The groups in it. */
      readonly groups: readonly number[];
    }
  | {
      readonly kind: 'level';
      readonly level: Level;
      readonly alone: boolean;
      readonly others: readonly number[];
      readonly next: Shared | null;
    }
  | { readonly kind: 'inside'; readonly level: Level }
  | { readonly kind: 'peer'; readonly level: Level }
  | { readonly kind: 'base'; readonly of: number; readonly others?: readonly number[] }
  /**
   * Beside boundaries that are chosen by it: one of them, or in one, where the name is ambiguous; else, of a border, one that
   * may touch them.
   */
  | { readonly kind: 'beside'; readonly of: number; readonly border: boolean };

/** What a name is listed with, or taken out together with; nothing for other scopes. */
export const listedWith = (scope: Scope | undefined): readonly number[] =>
  scope?.kind === 'list' || scope?.kind === 'base' ? (scope.others ?? []) : [];

/** The level of the boundaries that a step selects; undefined where it names none. */
function levelOf(steps: AreaPlan['steps'], i: number): Level | undefined {
  const step = defined(steps[i]);
  if ('level' in step && step.level !== undefined) return step.level;
  return 'of' in step && typeof step.of === 'number' ? levelOf(steps, step.of) : undefined;
}

/**
 * By step, what each place of a plan is taken out of, listed with or divided into: it decides among candidates of similar
 * rank.
 */
export function scopesOf({ steps }: AreaPlan): Map<number, Scope> {
  const scopes = new Map<number, Scope>();
  const placesIn = (i: number): number[] => {
    const step = defined(steps[i]);
    if (step.op === 'place') return [i];
    return step.op === 'union' ? step.of.flatMap((part) => (defined(steps[part]).op === 'place' ? [part] : [])) : [];
  };
  // "Clay and Platte in Missouri, Johnson in Kansas"
  const nextOf = (place: number, places: readonly number[]): Shared | null => {
    for (const i of places.slice(places.indexOf(place))) {
      const next = steps[i];
      if (next?.op === 'place' && next.within !== undefined) return { i, within: next.within, level: next.level };
    }
    return null;
  };
  for (const [i, step] of steps.entries()) {
    if (step.op === 'union') {
      const places = placesIn(i);
      const groups = step.of.filter((part) => defined(steps[part]).op === 'group');
      for (const place of places) {
        const others = places.filter((one) => one !== place);
        scopes.set(place, { kind: 'list', others, next: nextOf(place, places), groups });
      }
    } else if (step.op === 'children' && step.level !== undefined) {
      const places = placesIn(step.of);
      for (const place of places) {
        const next = nextOf(place, places);
        scopes.set(place, {
          ...{ kind: 'level', level: step.level, alone: place === step.of },
          others: places.filter((one) => one !== place),
          next: next && { ...next, level: step.level },
        });
      }
    } else if (step.op === 'neighbors' && step.level !== undefined) {
      // "Provinces that border Madrid" means the province.
      for (const place of placesIn(step.of)) scopes.set(place, { kind: 'peer', level: step.level });
    } else if (step.op === 'around') {
      // "Municipalities within 20 km of Zaragoza" means the municipality.
      for (const place of placesIn(step.from)) scopes.set(place, { kind: 'peer', level: step.level });
    } else if (step.op === 'compared') {
      // "Provinces larger than Zaragoza" means the province.
      const level = levelOf(steps, step.of);
      if (level !== undefined) for (const place of placesIn(step.with)) scopes.set(place, { kind: 'peer', level });
    } else if (step.op === 'containing') {
      for (const place of placesIn(step.of)) scopes.set(place, { kind: 'inside', level: step.level });
    } else if (step.op === 'intersection') {
      for (const place of placesIn(step.with)) scopes.set(place, { kind: 'base', of: step.of });
    }
  }
  for (const step of steps) {
    // "counties of Kansas within 50 km of Wichita" means Wichita in Kansas.
    if (step.op === 'within' || step.op === 'touching')
      for (const place of placesIn(step.op === 'within' ? step.from : step.border))
        if (!scopes.has(place)) scopes.set(place, { kind: 'beside', of: step.of, border: step.op === 'touching' });
    // "Wiltz and its surrounding cantons" means the canton.
    if (step.op === 'union') {
      for (const part of step.of) {
        const next = defined(steps[part]);
        if (next.op !== 'neighbors' || next.level === undefined || !step.of.includes(next.of)) continue;
        scopes.set(next.of, { kind: 'peer', level: next.level });
      }
    }
    if (step.op === 'union' && step.apart) {
      // "Andalusia except the province of Seville, but with Camas" means the one that was left out.
      const [first = 0, ...added] = step.of;
      const reduced = defined(steps[first]);
      if (reduced.op === 'difference')
        for (const place of added.flatMap(placesIn)) scopes.set(place, { kind: 'base', of: reduced.minus });
    }
    if (step.op !== 'difference') continue;
    // "Idaho without Ada and Elmore counties"
    const minus = defined(steps[step.minus]);
    const listed = minus.op === 'children' && defined(steps[minus.of]).op === 'union' ? minus.of : step.minus;
    // "España sin Madrid ni sus provincias vecinas" means the province.
    const places = placesIn(listed);
    for (const place of places)
      if (scopes.get(place)?.kind !== 'peer')
        scopes.set(place, { kind: 'base', of: step.of, others: places.filter((one) => one !== place) });
  }
  return scopes;
}

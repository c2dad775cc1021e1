import { defined } from '../../../common/elements.ts';
import { areNested } from '../../../domain/areas/names.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import type { Rectangle } from './boxes.ts';

/** The result of a step of a plan: boundaries, or an area derived from them. */
export type Region =
  | { readonly op: 'set'; readonly members: readonly ResolvedBoundary[] }
  | { readonly op: 'union'; readonly of: readonly Region[] }
  | { readonly op: 'difference'; readonly of: Region; readonly minus: Region }
  | { readonly op: 'intersection'; readonly of: Region; readonly with: Region }
  | { readonly op: 'clip'; readonly of: Region; readonly boxes: readonly Rectangle[] }
  | { readonly op: 'buffer'; readonly of: Region; readonly km: number };

/** A function of a region that is computed once for each: regions share their parts, so that a tree of them may be huge. */
function once<T>(compute: (region: Region) => T): (region: Region) => T {
  const known = new WeakMap<Region, { readonly value: T }>();
  return (region) => {
    const before = known.get(region);
    if (before) return before.value;
    const value = compute(region);
    known.set(region, { value });
    return value;
  };
}

/** The boundaries that a region is made of, without those that are cut out of it. */
export const membersOf: (region: Region) => readonly ResolvedBoundary[] = once((region) => {
  if (region.op === 'set') return region.members;
  if (region.op === 'union') return distinct(region.of.flatMap(membersOf));
  return membersOf(region.of);
});

/** The boundaries that are cut out of a region. */
export const cutOf: (region: Region) => readonly ResolvedBoundary[] = once((region) => {
  if (region.op === 'set') return [];
  if (region.op === 'union') return distinct(region.of.flatMap(cutOf));
  if (region.op === 'difference') return distinct([...cutOf(region.of), ...membersOf(region.minus)]);
  return cutOf(region.of);
});

/** The nodes and boundaries of a region written as a tree, where a part counts as often as it is used. */
export const sizeOf: (region: Region) => number = once((region) => {
  switch (region.op) {
    case 'set':
      return 1 + region.members.length;
    case 'union':
      return region.of.reduce((sum, part) => sum + sizeOf(part), 1);
    case 'difference':
      return 1 + sizeOf(region.of) + sizeOf(region.minus);
    case 'intersection':
      return 1 + sizeOf(region.of) + sizeOf(region.with);
    default:
      return 1 + sizeOf(region.of);
  }
});

/** Each boundary once, in the given order. */
export function distinct(boundaries: readonly ResolvedBoundary[]): ResolvedBoundary[] {
  return [...new Map(boundaries.map((one) => [one.id, one])).values()];
}

/** Compares boundaries by name, then id. */
export const byName = (a: ResolvedBoundary, b: ResolvedBoundary): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1;

/** A region with other boundaries in place of its own, by `of`. Parts that it shares stay shared. */
export function replaced(region: Region, of: (boundary: ResolvedBoundary) => ResolvedBoundary): Region {
  const inner: (part: Region) => Region = once((part): Region => {
    switch (part.op) {
      case 'set':
        return { ...part, members: part.members.map(of) };
      case 'union':
        return { ...part, of: part.of.map(inner) };
      case 'difference':
        return { ...part, of: inner(part.of), minus: inner(part.minus) };
      case 'intersection':
        return { ...part, of: inner(part.of), with: inner(part.with) };
      default:
        return { ...part, of: inner(part.of) };
    }
  });
  return inner(region);
}

/** All boundaries of a region, also those that it is only compared with, each once. */
export const allOf: (region: Region) => readonly ResolvedBoundary[] = once((region) => {
  switch (region.op) {
    case 'set':
      return region.members;
    case 'union':
      return distinct(region.of.flatMap(allOf));
    case 'difference':
      return distinct([...allOf(region.of), ...allOf(region.minus)]);
    case 'intersection':
      return distinct([...allOf(region.of), ...allOf(region.with)]);
    default:
      return allOf(region.of);
  }
});

/** Whether a region is widened anywhere. */
export const isWidened: (region: Region) => boolean = once((region) => {
  switch (region.op) {
    case 'set':
      return false;
    case 'union':
      return region.of.some(isWidened);
    case 'difference':
      return isWidened(region.of) || isWidened(region.minus);
    case 'intersection':
      return isWidened(region.of) || isWidened(region.with);
    case 'clip':
      return isWidened(region.of);
    case 'buffer':
      return true;
  }
});

/** Boundaries as a region. */
export const setOf = (members: readonly ResolvedBoundary[]): Region => ({ op: 'set', members: distinct(members) });

/** Whether two boundaries of one source, country and admin level are siblings, which do not overlap. */
export function areSiblings(a: ResolvedBoundary, b: ResolvedBoundary): boolean {
  return (
    a.id !== b.id &&
    a.admin_level !== null &&
    a.admin_level === b.admin_level &&
    a.source.id === b.source.id &&
    a.boundary.country === b.boundary.country &&
    !areNested(a, b)
  );
}

const idsIn = once((region) => new Set(membersOf(region).map(({ id }) => id)));

/** Boundaries by their ids and by what contains them: related() finds the nested ones without comparing all. */
export class Hierarchy {
  private readonly places = new Map<string, number>();
  private readonly inside = new Map<string, number[]>();
  private readonly boundaries: readonly ResolvedBoundary[];

  constructor(boundaries: readonly ResolvedBoundary[]) {
    this.boundaries = boundaries;
    for (const [i, { id, boundary }] of boundaries.entries()) {
      this.places.set(id, i);
      for (const parent of boundary.parents) {
        const list = this.inside.get(parent.id);
        if (list) list.push(i);
        else this.inside.set(parent.id, [i]);
      }
    }
  }

  /** Those of the boundaries that are `one`, contain it or lie in it (areNested), in their order. */
  related({ id, boundary }: ResolvedBoundary): ResolvedBoundary[] {
    const own = [id, ...boundary.parents.map((parent) => parent.id)].flatMap((name) => this.places.get(name) ?? []);
    const found = new Set([...own, ...(this.inside.get(id) ?? [])]);
    return [...found].sort((a, b) => a - b).map((i) => defined(this.boundaries[i]));
  }
}

/** Whether the inner point of a boundary is in a region by the hierarchy; null when the hierarchy cannot decide. */
export function holds(region: Region, boundary: ResolvedBoundary): boolean | null {
  switch (region.op) {
    case 'set': {
      const ids = idsIn(region);
      return ids.has(boundary.id) || boundary.boundary.parents.some(({ id }) => ids.has(id));
    }
    case 'union': {
      const all = region.of.map((one) => holds(one, boundary));
      return all.includes(true) ? true : all.includes(null) ? null : false;
    }
    case 'difference': {
      const [of, minus] = [holds(region.of, boundary), holds(region.minus, boundary)];
      return of === null || minus === null ? null : of && !minus;
    }
    case 'intersection': {
      const [of, other] = [holds(region.of, boundary), holds(region.with, boundary)];
      return of === null || other === null ? null : of && other;
    }
    case 'clip': {
      const { centroid } = boundary.boundary;
      const of = holds(region.of, boundary);
      if (of === null || centroid === null) return null;
      const [x, y] = [centroid.lon * 1e7, centroid.lat * 1e7];
      return (
        of && region.boxes.some(([west, south, east, north]) => x >= west && x <= east && y >= south && y <= north)
      );
    }
    case 'buffer':
      return null;
  }
}

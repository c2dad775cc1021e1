import Flatbush from 'flatbush';
import { defined } from '../../../common/elements.ts';
import type { Direction } from '../../../domain/areas/algebra.ts';
import { areNested } from '../../../domain/areas/names.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';

/** West, south, east, north in 1e-7 degrees, west <= east. */
export type Rectangle = readonly [number, number, number, number];

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

/** Whether the boxes of two boundaries overlap; a box across the antimeridian counts as all longitudes. */
export function boxesMeet(a: ResolvedBoundary, b: ResolvedBoundary): boolean {
  const [one, other] = [boxOf(a), boxOf(b)];
  if (one === null || other === null) return false;
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
}

function boxOf({ west, south, east, north }: ResolvedBoundary): Rectangle | null {
  if (west === null || south === null || east === null || north === null) return null;
  return west <= east ? [west, south, east, north] : [-1_800_000_000, south, 1_800_000_000, north];
}

/** Boxes of boundaries in an index: near() finds those that may meet a box without comparing all. */
export class BoxIndex {
  private readonly index: Flatbush | null;
  private readonly boxed: readonly ResolvedBoundary[];

  constructor(boundaries: readonly ResolvedBoundary[]) {
    this.boxed = boundaries.filter((one) => boxOf(one) !== null);
    this.index = this.boxed.length === 0 ? null : new Flatbush(this.boxed.length);
    for (const one of this.boxed) this.index?.add(...(boxOf(one) as Rectangle));
    this.index?.finish();
  }

  /** The boundaries whose boxes meet or touch that of `one`, in their order. */
  near(one: ResolvedBoundary): ResolvedBoundary[] {
    const box = boxOf(one);
    const found = box === null ? [] : (this.index?.search(...box) ?? []);
    return found.sort((a, b) => a - b).map((i) => defined(this.boxed[i]));
  }
}

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

const WEST = -1_800_000_000;
const EAST = 1_800_000_000;
const TURN = EAST - WEST;

/** Of the height or width of a box: how far its middle may lie from the centroid before one half is much larger. */
const SKEWED = 0.15;

/**
 * Where the box of some boundaries is cut in half, if far parts move that far from their common centroid: degrees north or
 * east, of the cut and of the centroid; else null. The centroid is that of theirs, weighted by area.
 */
export function skewOf(
  boundaries: readonly ResolvedBoundary[],
  direction: Direction,
): { readonly axis: 'north' | 'east'; readonly cut: number; readonly centroid: number } | null {
  const box = unrolledBox(boundaries);
  if (box === null) return null;
  const [west, south, east, north] = box.map((side) => side / 1e7) as [number, number, number, number];
  let [area, x, y] = [0, 0, 0];
  for (const { area_km2: own, boundary } of boundaries) {
    if (own === null || boundary.centroid === null) return null;
    const { lat, lon } = boundary.centroid;
    area += own;
    x += own * (lon < west ? lon + 360 : lon);
    y += own * lat;
  }
  const sides = [
    { axis: 'north', cut: (south + north) / 2, centroid: y / area, size: north - south, is: /^(?:north|south)/ },
    { axis: 'east', cut: (west + east) / 2, centroid: x / area, size: east - west, is: /(?:east|west)$/ },
  ] as const;
  const skewed = sides.find(
    ({ cut, centroid, size, is }) => is.test(direction) && Math.abs(cut - centroid) > SKEWED * size,
  );
  return skewed ?? null;
}

/**
 * The part of the box of some boundaries on one side of its middle: one rectangle, or two when it crosses the
 * antimeridian. Null when none of them has a box.
 */
export function halfOf(boundaries: readonly ResolvedBoundary[], direction: Direction): Rectangle[] | null {
  const box = unrolledBox(boundaries);
  if (box === null) return null;
  const [west, south, east, north] = box;
  const [x, y] = [Math.round((west + east) / 2), Math.round((south + north) / 2)];
  const [bottom, top] = direction.startsWith('north')
    ? [y, north]
    : direction.startsWith('south')
      ? [south, y]
      : [south, north];
  const [left, right] = direction.endsWith('east') ? [x, east] : direction.endsWith('west') ? [west, x] : [west, east];
  return rolled([left, bottom, right, top]);
}

/**
 * The part of the box of some boundaries beyond the end of other ones on one side, as halfOf() returns it. Null when any of
 * the two has no box; empty when nothing is beyond.
 */
export function beyondOf(
  boundaries: readonly ResolvedBoundary[],
  from: readonly ResolvedBoundary[],
  direction: Direction,
): Rectangle[] | null {
  const [box, place] = [unrolledBox(boundaries), unrolledBox(from)];
  if (box === null || place === null) return null;
  const [west, south, east, north] = box;
  // The turn that brings the place nearest to the box.
  const turn = TURN * Math.round((west + east - place[0] - place[2]) / 2 / TURN);
  const bottom = direction.startsWith('north') ? Math.max(south, place[3]) : south;
  const top = direction.startsWith('south') ? Math.min(north, place[1]) : north;
  const left = direction.endsWith('east') ? Math.max(west, place[2] + turn) : west;
  const right = direction.endsWith('west') ? Math.min(east, place[0] + turn) : east;
  return bottom >= top || left >= right ? [] : rolled([left, bottom, right, top]);
}

/** The box of some boundaries, whose east is beyond 180 degrees where it crosses the antimeridian; null without any. */
function unrolledBox(boundaries: readonly ResolvedBoundary[]): Rectangle | null {
  let box: Rectangle | null = null;
  for (const { west, south, east, north } of boundaries) {
    if (west === null || south === null || east === null || north === null) continue;
    const right = east < west ? east + TURN : east;
    box =
      box === null
        ? [west, south, right, north]
        : [Math.min(box[0], west), Math.min(box[1], south), Math.max(box[2], right), Math.max(box[3], north)];
  }
  return box;
}

/** A box whose east may be beyond 180 degrees as rectangles that are not. */
function rolled([left, bottom, right, top]: Rectangle): Rectangle[] {
  if (right <= EAST) return [[left, bottom, right, top]];
  if (left >= EAST) return [[left - TURN, bottom, right - TURN, top]];
  return [
    [left, bottom, EAST, top],
    [WEST, bottom, right - TURN, top],
  ];
}

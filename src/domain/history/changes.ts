/** What changed between two dates: from the boundaries of both, and the areas that those of different shape share. */
import { defined } from '../../common/elements.ts';

/** A boundary as of a date. */
export interface Member {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly name: string;
  readonly admin_level: number | null;
  readonly codes: readonly string[] | null;
  readonly area_km2: number | null;
  /** Canonical ids, outermost first. */
  readonly parents: readonly string[];
  readonly geometry_hash: string | null;
}

/** The area that a boundary of the first date shares with one of the second, as indexes into lists of members. */
export interface SharedArea {
  readonly before: number;
  readonly after: number;
  readonly km2: number;
}

/** What counts as a change of area, and not as a line that was drawn again. */
export interface Thresholds {
  /** Mean width of a strip in meters, along one side of a square as large as the smaller of the two areas. */
  readonly widthM: number;
  /** Share of the smaller of the two areas. */
  readonly share: number;
}

export const CHANGE_TYPES = [
  'created',
  'ended',
  'merged',
  'split',
  'renamed',
  'recoded',
  'moved_parent',
  'border_moved',
  'redrawn',
] as const;

/** A boundary of the other date, and the shares of it and of the changed one in their common area. */
export interface Link {
  readonly id: string;
  readonly name: string;
  readonly km2: number;
  /** The common area as a share of that boundary, and of the one that the change is about. */
  readonly share_of_it: number;
  readonly share_of_this: number;
}

/** A change of one boundary. */
export interface Change {
  readonly type: (typeof CHANGE_TYPES)[number];
  readonly id: string;
  readonly name: string;
  readonly admin_level: number | null;
  /** For renamed, recoded and moved_parent, the values of both dates. */
  readonly from?: string | null;
  readonly to?: string | null;
  /** For merged, created and recoded: boundaries of the first date whose area it has. */
  readonly predecessors?: readonly Link[];
  /** For split and ended: boundaries of the second date that have its area. */
  readonly successors?: readonly Link[];
  /** For border_moved and redrawn. */
  readonly gained_km2?: number;
  readonly lost_km2?: number;
  readonly with?: readonly {
    readonly id: string;
    readonly name: string;
    readonly gained_km2: number;
    readonly lost_km2: number;
  }[];
}

/** From this share of both areas on, two boundaries with different ids are the same area. */
const SAME_AREA = 0.9;

/**
 * The changes between two lists of boundaries, in the order of their ids. `shared` has the common areas of boundaries
 * whose shapes differ between the dates, including those of boundaries that only one of the dates has.
 */
export function changesOf(
  before: readonly Member[],
  after: readonly Member[],
  shared: readonly SharedArea[],
  thresholds: Thresholds,
): Change[] {
  const world = new World(before, after, shared, thresholds);
  return [...world.changes()].sort((a, b) => order(a) - order(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

const order = ({ type }: Change): number => CHANGE_TYPES.indexOf(type);

/** Whether a common area is more than a line that was drawn again. */
export function isCounted(
  { before, after, km2 }: SharedArea,
  earlier: readonly Member[],
  later: readonly Member[],
  { share, widthM }: Thresholds,
): boolean {
  const [one, other] = [defined(earlier[before]), defined(later[after])];
  if (one.id === other.id) return true;
  // Only areas of one level hand over area to each other.
  if (one.type !== other.type || one.admin_level !== other.admin_level) return false;
  const smaller = Math.min(one.area_km2 ?? 0, other.area_km2 ?? 0);
  return km2 >= share * smaller && km2 >= (widthM / 1000) * Math.sqrt(smaller);
}

class World {
  private readonly before: readonly Member[];
  private readonly after: readonly Member[];
  private readonly later: ReadonlyMap<string, number>;
  private readonly earlier: ReadonlyMap<string, number>;
  /** By index of a boundary of either date, its common areas. */
  private readonly successors: readonly SharedArea[][];
  private readonly predecessors: readonly SharedArea[][];

  constructor(
    before: readonly Member[],
    after: readonly Member[],
    shared: readonly SharedArea[],
    thresholds: Thresholds,
  ) {
    this.before = before;
    this.after = after;
    this.earlier = new Map(before.map(({ id }, i) => [id, i]));
    this.later = new Map(after.map(({ id }, i) => [id, i]));
    this.successors = before.map(() => []);
    this.predecessors = after.map(() => []);
    for (const one of shared) {
      if (!isCounted(one, before, after, thresholds)) continue;
      defined(this.successors[one.before]).push(one);
      defined(this.predecessors[one.after]).push(one);
    }
    for (const list of [...this.successors, ...this.predecessors]) list.sort((a, b) => b.km2 - a.km2);
  }

  *changes(): Generator<Change> {
    for (const [i, one] of this.before.entries()) {
      const now = this.later.get(one.id);
      if (now !== undefined) yield* this.ofLasting(i, now);
      else yield* this.ofEnded(i);
    }
    for (const [j, one] of this.after.entries()) if (!this.earlier.has(one.id)) yield* this.ofCreated(j);
    yield* this.mergers();
  }

  private *ofLasting(i: number, j: number): Generator<Change> {
    const [one, other] = [defined(this.before[i]), defined(this.after[j])];
    if (one.name !== other.name) yield { type: 'renamed', ...about(other), from: one.name, to: other.name };
    const [codes, newCodes] = [codesOf(one), codesOf(other)];
    if (codes !== newCodes) yield { type: 'recoded', ...about(other), from: codes, to: newCodes };
    const [parent, newParent] = [one.parents.at(-1) ?? null, other.parents.at(-1) ?? null];
    if (parent !== newParent) yield { type: 'moved_parent', ...about(other), from: parent, to: newParent };
    if (one.geometry_hash === other.geometry_hash) return;
    const others = {
      gains: defined(this.predecessors[j]).filter(({ before }) => before !== i),
      losses: defined(this.successors[i]).filter(({ after }) => after !== j),
    };
    // What came from boundaries that ended, or went to new ones, is in merged and split.
    const gains = others.gains.filter(({ before }) => this.later.has(defined(this.before[before]).id));
    const losses = others.losses.filter(({ after }) => this.earlier.has(defined(this.after[after]).id));
    const parts = new Map<string, { id: string; name: string; gained_km2: number; lost_km2: number }>();
    const part = ({ id, name }: Member) => {
      const known = parts.get(id) ?? { id, name, gained_km2: 0, lost_km2: 0 };
      parts.set(id, known);
      return known;
    };
    for (const { before, km2 } of gains) part(defined(this.before[before])).gained_km2 += km2;
    for (const { after, km2 } of losses) part(defined(this.after[after])).lost_km2 += km2;
    const sum = (list: readonly SharedArea[]) => list.reduce((all, { km2 }) => all + km2, 0);
    if (parts.size === 0 && others.gains.length + others.losses.length > 0) return;
    const type = parts.size > 0 ? 'border_moved' : 'redrawn';
    yield { type, ...about(other), gained_km2: sum(gains), lost_km2: sum(losses), with: [...parts.values()] };
  }

  private *ofEnded(i: number): Generator<Change> {
    const one = defined(this.before[i]);
    const successors = this.linksOf(defined(this.successors[i]), 'after');
    const isSame = successors.some((link) => this.isRecoding(one, link, this.earlier));
    // What another id replaced is reported there, as recoded.
    if (isSame) return;
    const heirs = successors.filter(({ id }) => !this.earlier.has(id));
    if (heirs.length > 1) yield { type: 'split', ...about(one), successors };
    yield { type: 'ended', ...about(one), successors };
  }

  private *ofCreated(j: number): Generator<Change> {
    const one = defined(this.after[j]);
    const predecessors = this.linksOf(defined(this.predecessors[j]), 'before');
    const same = predecessors.find((link) => this.isRecoding(one, link, this.later));
    if (same) {
      yield { type: 'recoded', ...about(one), from: same.id, to: one.id, predecessors: [same] };
      if (same.name !== one.name) yield { type: 'renamed', ...about(one), from: same.name, to: one.name };
      return;
    }
    yield { type: 'created', ...about(one), predecessors };
  }

  /** Each boundary that has most of the area of one or more that ended, and of more than one in all. */
  private *mergers(): Generator<Change> {
    for (const [j, one] of this.after.entries()) {
      const links = this.linksOf(defined(this.predecessors[j]), 'before');
      const ended = links.filter(({ id, share_of_it }) => !this.later.has(id) && share_of_it >= 0.5);
      const own = links.filter(({ id }) => id === one.id);
      if (ended.length === 0 || ended.length + own.length < 2) continue;
      yield { type: 'merged', ...about(one), predecessors: [...own, ...ended] };
    }
    // An area that lasts and lost most of its area to new ones was split as well.
    for (const [i, one] of this.before.entries()) {
      if (!this.later.has(one.id)) continue;
      const links = this.linksOf(defined(this.successors[i]), 'after');
      const fresh = links.filter(({ id, share_of_it }) => !this.earlier.has(id) && share_of_it >= 0.5);
      if (fresh.length > 0) yield { type: 'split', ...about(one), successors: links };
    }
  }

  /** Whether two boundaries, one of each date, are one area under two ids, neither of which the other date has. */
  private isRecoding(one: Member, link: Link, own: ReadonlyMap<string, number>): boolean {
    const isElsewhere = (own === this.earlier ? this.earlier : this.later).has(link.id);
    return !isElsewhere && link.share_of_it >= SAME_AREA && link.share_of_this >= SAME_AREA && link.id !== one.id;
  }

  private linksOf(list: readonly SharedArea[], side: 'before' | 'after'): Link[] {
    return list.map((shared) => {
      const [one, other] = [defined(this.before[shared.before]), defined(this.after[shared.after])];
      const [there, own] = side === 'before' ? [one, other] : [other, one];
      const share = (whole: number | null) => (whole ? Math.min(1, shared.km2 / whole) : 0);
      const { id, name, area_km2 } = there;
      return { id, name, km2: shared.km2, share_of_it: share(area_km2), share_of_this: share(own.area_km2) };
    });
  }
}

const about = ({ id, name, admin_level }: Member) => ({ id, name, admin_level });

const codesOf = ({ codes }: Member): string | null =>
  codes === null || codes.length === 0 ? null : [...codes].sort().join(' ');

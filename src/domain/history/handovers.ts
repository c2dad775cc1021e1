/** What changed hands between two dates: each area that was in one boundary and is in another. */
import { defined } from '../../common/elements.ts';
import { CHANGE_TYPES, type Change, isCounted, type Member, type SharedArea, type Thresholds } from './changes.ts';

/** An area of a boundary of the first date (`before`) that is in another one of the second (`after`), by their indexes. */
export interface Handover extends SharedArea {
  readonly from: Member;
  readonly to: Member;
  /** The area as a share of each of the two. */
  readonly shareOfFrom: number;
  readonly shareOfTo: number;
  /** The types of the changes that it is a part of. */
  readonly types: readonly Change['type'][];
}

/**
 * The areas that changed hands, those of the first boundary first and the largest of one first. One that no change names,
 * as it is a small part of a boundary that got another id, is a border that moved.
 */
export function handoversOf(
  before: readonly Member[],
  after: readonly Member[],
  shared: readonly SharedArea[],
  thresholds: Thresholds,
  changes: readonly Change[],
): Handover[] {
  const types = typesByPair(changes);
  const share = (km2: number, { area_km2: whole }: Member) => (whole ? Math.min(1, km2 / whole) : 0);
  return shared
    .filter((one) => isCounted(one, before, after, thresholds))
    .map((one): Handover => {
      const [from, to] = [defined(before[one.before]), defined(after[one.after])];
      const named = types.get(`${from.id} ${to.id}`) ?? new Set(['border_moved'] as const);
      return {
        ...{ ...one, from, to, shareOfFrom: share(one.km2, from), shareOfTo: share(one.km2, to) },
        types: CHANGE_TYPES.filter((type) => named.has(type)),
      };
    })
    .filter(({ from, to }) => from.id !== to.id)
    .sort((a, b) => a.before - b.before || b.km2 - a.km2 || a.after - b.after);
}

/** The types of changes by the ids of both boundaries, that of the first date first. */
function typesByPair(changes: readonly Change[]): ReadonlyMap<string, ReadonlySet<Change['type']>> {
  const found = new Map<string, Set<Change['type']>>();
  const add = (from: string, to: string, type: Change['type']) => {
    const pair = `${from} ${to}`;
    found.set(pair, (found.get(pair) ?? new Set()).add(type));
  };
  for (const { type, id, predecessors = [], successors = [], with: others = [] } of changes) {
    for (const one of predecessors) add(one.id, id, type);
    for (const one of successors) add(id, one.id, type);
    for (const one of others) {
      if (one.gained_km2 > 0) add(one.id, id, type);
      if (one.lost_km2 > 0) add(id, one.id, type);
    }
  }
  return found;
}

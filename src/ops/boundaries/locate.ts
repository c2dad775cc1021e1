import { defined } from '../../common/elements.ts';
import type { Context } from '../../core/op.ts';
import { type LocateFilter, type LocateMember, locateSet } from '../../domain/points/locate_set.ts';
import { onSnapshot } from './fetched.ts';

/**
 * Boundaries that contain points: those of point i are `members[items[k]]` for k from `end[i - 1]` (0 for the first) to
 * `end[i] - 1`.
 */
export interface Located {
  readonly members: readonly LocateMember[];
  /** Of the data. */
  readonly revision: number;
  readonly end: Uint32Array;
  /** Outermost first for each point, each boundary once. */
  readonly items: Uint32Array;
}

/**
 * The boundaries of a filter that contain each point (x, y of each in 1e-7 degrees), including those with the point on
 * their border. All are of one state of the data.
 * @throws too_large when the filter has more boundaries than memory should hold
 */
export function pointsIn(ctx: Context, filter: LocateFilter, points: Int32Array): Promise<Located> {
  const { db, engine } = ctx.services;
  return onSnapshot(ctx, async ({ revision }) => {
    const set = await locateSet(db, (boxes) => engine.points.packBoxes(boxes), filter, revision);
    const { from, end, items } = await engine.points.boxesAt(set, points, ctx.signal);
    const candidates = items.map((item) => defined(set.memberOf[item]));
    const inside = await engine.points.locateAmong(set.members, points, { from, end, items: candidates }, ctx.signal);
    const foundEnd = new Uint32Array(end.length);
    const found = new Uint32Array(candidates.length);
    let written = 0;
    for (let i = 0; i < end.length; i++) {
      const start = written;
      for (let k = defined(from[i]); k < defined(end[i]); k++) {
        const member = defined(candidates[k]);
        if (inside[k] === 1 && (written === start || !found.subarray(start, written).includes(member))) {
          found[written++] = member;
        }
      }
      if (written - start > 1) found.subarray(start, written).sort();
      foundEnd[i] = written;
    }
    return { members: set.members, revision, end: foundEnd, items: found.slice(0, written) };
  });
}

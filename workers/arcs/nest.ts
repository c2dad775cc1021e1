import type { ArcTable } from '../contract.ts';
import { ringsArea } from './area.ts';
import { refsBox } from './box.ts';
import { mergeBoundaries } from './classify.ts';
import { locate } from './locate.ts';
import { arcSample } from './stitch_nest.ts';

/**
 * The share (0 … 1) of a child's area (m2 on WGS84) that is inside a parent, both given as the signed arcs of their
 * rings, interior on the left. 1 and 0 follow from the arcs alone: where every arc of the child is inside the parent
 * and no arc of the parent is inside the child, nothing has to be cut. Otherwise the share is 1 minus the area of
 * (child minus parent) over the child's area. Null when the arcs do not fit together (trouble of `mergeBoundaries`) or
 * the child has no area.
 */
export function overlapShare(table: ArcTable, child: Int32Array, parent: Int32Array): number | null {
  const simple = withoutCutting(table, child, parent);
  if (simple !== undefined) return simple;
  const whole = mergeBoundaries(table, [child], [0], []);
  const rest = mergeBoundaries(table, [child, parent], [0], [1]);
  if ('trouble' in whole || 'trouble' in rest) return null;
  const area = ringsArea(table, whole.rings);
  if (!(area > 0)) return null;
  return Math.min(1, Math.max(0, 1 - ringsArea(table, rest.rings) / area));
}

/** 1, 0 or null (two borders coincide, or there is nothing to compare); undefined when the child must be cut. */
function withoutCutting(table: ArcTable, child: Int32Array, parent: Int32Array): 1 | 0 | null | undefined {
  const [first] = child;
  if (first === undefined) return null;
  const { box } = table;
  const [west, south, east, north] = refsBox(table, child);
  const isNear = (ref: number): boolean => {
    const b = 4 * (ref < 0 ? ~ref : ref);
    return box[b] <= east && box[b + 1] <= north && box[b + 2] >= west && box[b + 3] >= south;
  };
  if (!parent.some(isNear)) {
    // No arc of the parent is near, so one point of the child decides for all of it. Most pairs end here: the box of
    // the United States goes around the world.
    const [x, y] = arcSample(table, first < 0 ? ~first : first);
    const where = locate(table, parent, x, y);
    return where === 0 ? null : where > 0 ? 1 : 0;
  }
  const parentSign = new Map<number, boolean>();
  for (const ref of parent) parentSign.set(ref < 0 ? ~ref : ref, ref >= 0);

  const shared = new Set<number>();
  let inside = 0;
  let outside = 0;
  for (const ref of child) {
    const arc = ref < 0 ? ~ref : ref;
    const sign = parentSign.get(arc);
    if (sign !== undefined) {
      shared.add(arc);
      if (sign === ref >= 0) inside++;
      else outside++;
    } else {
      const [x, y] = arcSample(table, arc);
      const where = locate(table, parent, x, y);
      if (where === 0) return null;
      if (where > 0) inside++;
      else outside++;
    }
    if (inside > 0 && outside > 0) return undefined;
  }

  for (const ref of parent) {
    const arc = ref < 0 ? ~ref : ref;
    const b = 4 * arc;
    if (shared.has(arc) || box[b] < west || box[b + 1] < south || box[b + 2] > east || box[b + 3] > north) continue;
    const [x, y] = arcSample(table, arc);
    const where = locate(table, child, x, y);
    if (where === 0) return null;
    if (where > 0) return undefined;
  }
  return inside > 0 ? 1 : 0;
}

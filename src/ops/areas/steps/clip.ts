import { halfOf, membersOf } from '../execution/region.ts';
import type { Execute } from './step.ts';

/** A half or a quarter of a region, cut at the middle of its bounding box. @throws could_not_map without an extent */
export const clip: Execute<'clip'> = ({ run, i, notes }, step) => {
  const of = run.regionAt(step.of);
  const boxes = halfOf(membersOf(of), step.direction);
  if (boxes === null) throw run.fail(i, `${run.quote(i)} has no extent.`);
  notes.push('cut at the middle of the bounding box, along a parallel or a meridian');
  return { op: 'clip', of, boxes };
};

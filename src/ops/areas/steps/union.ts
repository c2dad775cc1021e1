import { membersOf, setOf } from '../execution/region.ts';
import type { Execute } from './step.ts';

/** All of its parts: one set where they are sets of whole boundaries, else a region to be overlaid. */
export const union: Execute<'union'> = ({ run }, step) => {
  const parts = [...new Set(step.of.map((part) => run.regionAt(part)))];
  if (parts.every((part) => part.op === 'set')) return setOf(parts.flatMap(membersOf));
  return { op: 'union', of: parts };
};

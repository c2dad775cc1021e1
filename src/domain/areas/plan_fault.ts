import { defined } from '../../common/elements.ts';
import { type AreaPlan, MAX_DEPTH, PARTS, type Step } from './algebra.ts';

/**
 * Returns the first fault of a plan that its schema cannot express, with the step's index, or null. Steps must refer to
 * earlier ones, every step must be part of the result, and the depth is limited to MAX_DEPTH.
 */
export function findPlanFault({ steps }: AreaPlan): { readonly step: number; readonly message: string } | null {
  const used = new Set<number>([steps.length - 1]);
  const depth: number[] = [];
  for (const [i, one] of steps.entries()) {
    if (one.op === 'place' && one.name === undefined && one.id === undefined) {
      return { step: i, message: 'a place needs a name or an id' };
    }
    if (one.op === 'clip' && one.at !== undefined && (one.from !== undefined || one.direction.length > 5)) {
      return { step: i, message: 'a line has two sides, and no place beside it' };
    }
    let deepest = 0;
    for (const part of refsOf(one)) {
      if (part >= i) return { step: i, message: `refers to step ${part}, which is not an earlier one` };
      used.add(part);
      deepest = Math.max(deepest, defined(depth[part]));
    }
    depth.push(deepest + 1);
    if (deepest + 1 > MAX_DEPTH) return { step: i, message: `is more than ${MAX_DEPTH} steps deep` };
  }
  const unused = steps.findIndex((_, i) => !used.has(i));
  return unused < 0 ? null : { step: unused, message: 'is not part of the result' };
}

/** Returns the indexes of the steps that a step refers to. */
export function refsOf(one: Step): number[] {
  const given = one as unknown as Readonly<Record<string, number | readonly number[] | undefined>>;
  return PARTS.flatMap((part) => given[part] ?? []);
}

import type { Comparison } from '../../../domain/areas/vocabulary/comparisons.ts';
import { setOf } from '../execution/region.ts';
import { measuresOf } from './measures.ts';
import { candidatesOf } from './states.ts';
import type { Execute } from './step.ts';

/** Whether a measure is more or less than another, or at least or at most that. */
export function compares(value: number, is: Comparison, than: number): boolean {
  if (is === 'more') return value > than;
  if (is === 'less') return value < than;
  return is === 'at_least' ? value >= than : value <= than;
}

/** Those of some boundaries with more or less area (km2) or population than a number. */
export const measured: Execute<'measured'> = ({ run, i }, step) =>
  setOf(
    measuresOf(run, candidatesOf(run, step.of, i), step.by, i).flatMap(([one, value]) =>
      compares(value, step.is, step.than) ? [one] : [],
    ),
  );

import { setOf } from '../execution/region.ts';
import { measuresOf } from './measures.ts';
import { candidatesOf } from './states.ts';
import type { Execute } from './step.ts';

/** Those of some boundaries with more or less area (km2) or population than a number. */
export const measured: Execute<'measured'> = ({ run, i }, step) =>
  setOf(
    measuresOf(run, candidatesOf(run, step.of, i), step.by, i).flatMap(([one, value]) =>
      (step.is === 'more' ? value > step.than : value < step.than) ? [one] : [],
    ),
  );

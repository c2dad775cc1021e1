import { setOf } from '../execution/region.ts';
import type { Execute } from './step.ts';
import { atDistance } from './within.ts';

/** The boundaries of a level within a distance of a place, including itself. */
export const around: Execute<'around'> = async (context, step) =>
  setOf(await atDistance(context, context.run.regionAt(step.from), step.km, { level: step.level }));

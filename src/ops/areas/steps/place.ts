import { setOf } from '../execution/region.ts';
import type { Execute } from './step.ts';

/** One boundary, by its name or its id. */
export const place: Execute<'place'> = async ({ placeOf, i }, step) => setOf([await placeOf(step, i)]);

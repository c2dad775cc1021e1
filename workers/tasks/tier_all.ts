import type { TierAllTask, TiersOfArcs } from '../arrangement.ts';
import { tierAll } from '../build.ts';

/** The tiers of all arcs of an arrangement, as if no other arcs existed. See ../build.ts. */
export function run(given: TierAllTask): TiersOfArcs {
  return tierAll(given);
}

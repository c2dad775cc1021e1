import { type LandResult, type LandTask, landOf } from '../arcs/land.ts';

/** The land part of boundaries, cut along the coast. See ../arcs/land.ts. */
export function run(given: LandTask): LandResult {
  return landOf(given);
}

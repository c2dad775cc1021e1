import type { AssembleResult, BuildTask } from '../arrangement.ts';
import { assembleArrangement } from '../build.ts';

/**
 * Arcs cut from chains at their junctions, the boundaries assembled from them, and conflicts. See ../build.ts.
 */
export function run(given: BuildTask): AssembleResult {
  return assembleArrangement(given);
}

import { type CleanCoverage, type CoverageFeature, cleanCoverage } from '../arcs/clean.ts';
import type { Slivers } from '../arcs/slivers.ts';

/** Removes slivers from a coverage. See ../arcs/clean.ts. */
export interface CleanTask {
  readonly features: readonly CoverageFeature[];
  readonly slivers?: Slivers;
}

/** A coverage without sliver overlaps and sliver gaps. See ../arcs/clean.ts. */
export function run(given: CleanTask): Promise<CleanCoverage> {
  return cleanCoverage(given.features, given.slivers);
}

import type { CleanCoverage, CoverageFeature } from '../../../workers/arcs/clean.ts';
import type { Slivers } from '../../../workers/arcs/slivers.ts';

/** cleanCoverage(), in this thread or in the worker pool. */
export type Cleaner = (features: readonly CoverageFeature[], slivers?: Slivers) => Promise<CleanCoverage>;

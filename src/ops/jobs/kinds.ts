import { collectionJob } from './collection_job.ts';
import { crosswalkJob } from './crosswalk_job.ts';
import { dissolveJob } from './dissolve_job.ts';
import type { JobKind } from './kind.ts';

/** The operations whose answers jobs can make. */
export const JOB_OPS = ['export_collection', 'dissolve', 'crosswalk'] as const;
export type JobOp = (typeof JOB_OPS)[number];

const KINDS: Readonly<Record<JobOp, JobKind>> = {
  export_collection: collectionJob,
  dissolve: dissolveJob,
  crosswalk: crosswalkJob,
};

/** The kind of job for an operation. @throws Error for an operation without jobs */
export function jobKind(op: string): JobKind {
  const kind = Object.hasOwn(KINDS, op) ? KINDS[op as JobOp] : undefined;
  if (!kind) throw new Error(`there are no jobs of ${op}`);
  return kind;
}

import { collectionJob } from './collection_job.ts';
import { crosswalkJob } from './crosswalk_job.ts';
import { dissolveJob } from './dissolve_job.ts';
import { importJob } from './import_job.ts';
import type { JobKind } from './kind.ts';
import { removeJob } from './remove_job.ts';
import { setJob } from './set_job.ts';

const KINDS = {
  export_collection: collectionJob,
  dissolve: dissolveJob,
  crosswalk: crosswalkJob,
  create_area_set: setJob,
  import_file: importJob,
  remove_source: removeJob,
} as const satisfies Readonly<Record<string, JobKind>>;
export type JobOp = keyof typeof KINDS;

/** The operations whose answers jobs can make. */
export const JOB_OPS = Object.keys(KINDS) as readonly JobOp[];

/** Those of them that create_job takes: those for operators create their own, of which there is one at a time. */
export const CREATED_OPS = JOB_OPS.filter((op) => op !== 'import_file' && op !== 'remove_source');

/** The kind of job for an operation. @throws Error for an operation without jobs */
export function jobKind(op: string): JobKind {
  const kind = Object.hasOwn(KINDS, op) ? KINDS[op as JobOp] : undefined;
  if (!kind) throw new Error(`there are no jobs of ${op}`);
  return kind;
}

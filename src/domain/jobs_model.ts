import type { Visibility } from '../access.ts';
import type { Queryable } from '../db/connect.ts';
import type { Role } from '../roles.ts';
import type { JobState } from './job_states.ts';
import type { Acting } from './members.ts';

/** Boundaries that one job may have, whatever the plan says. */
export const MOST_IN_JOB = 100_000;

/** A boundary that is not in the file, and why. */
export interface FailedBoundary {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

/** A job as those who may see it do. */
export interface Job {
  readonly id: string;
  readonly op: string;
  readonly name: string;
  readonly visibility: Visibility;
  readonly state: JobState;
  /** Reserved. */
  readonly units: number;
  readonly charged: number;
  /** Boundaries. */
  readonly total: number;
  readonly done: number;
  readonly failed_count: number;
  /** The first thousand; none in lists. */
  readonly failed: readonly FailedBoundary[];
  readonly error: { readonly code: string; readonly detail: string } | null;
  /** The file that it made; null: there is none yet, or it was deleted. */
  readonly file: string | null;
  readonly mail: boolean;
  readonly webhook: string | null;
  readonly creator: { readonly id: string; readonly email: string; readonly name: string | null };
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** Milliseconds since it was started, until its end. */
  readonly running_ms: number;
}

/** What is to be done. */
export interface NewJob {
  readonly op: string;
  /** JSON. */
  readonly input: string;
  readonly name: string;
  readonly visibility: Visibility;
  readonly units: number;
  readonly total: number;
  readonly mail: boolean;
  readonly webhook: string | null;
}

/** A job that a process has claimed: `token` tells the claim from earlier ones. */
export interface ClaimedJob {
  readonly id: string;
  readonly org: string;
  readonly account: string;
  readonly role: Role;
  readonly op: string;
  readonly input: string;
  readonly name: string;
  readonly visibility: Visibility;
  readonly units: number;
  readonly reservation: string | null;
  readonly token: number;
  readonly attempts: number;
  readonly mail: boolean;
  readonly webhook: string | null;
}

/** A part that is kept. */
export interface KeptPart {
  readonly part: number;
  readonly blob: string;
  readonly about: unknown;
}

/** Who a job is done for, as they are now. */
export interface JobCreator {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly slug: string;
  readonly plan: string;
  /** Days that the plan keeps the result; null: until it is deleted. */
  readonly job_days: number | null;
}

/** The claim is over: the job was canceled, or another process has it. What was made in it is not kept. */
export class ClaimLost extends Error {}

/**
 * Jobs: work that outlives a call. Owns its tables. A process claims a job for some seconds and renews the claim while it
 * works; each claim has a number, and what an older one brings is refused. So a job is delivered once and charged once,
 * whatever process ends when. A job is its creator's and the admins': to others it is not_found.
 */
export interface Jobs {
  /**
   * Reserves the units and queues the job. Throws quota_exceeded, rate_limited when too many of the organization's wait,
   * invalid_input when it keeps too many results.
   */
  create(by: Acting, plan: string, job: NewJob): Promise<Job>;
  /** The jobs that someone sees, newest first. */
  list(by: Acting, page: { limit: number; offset: number }): Promise<{ items: Job[]; total: number }>;
  /** Throws not_found. */
  get(by: Acting, id: string): Promise<Job>;
  /** The input of a job as it was given. Throws not_found. */
  inputOf(by: Acting, id: string): Promise<Record<string, unknown>>;
  /** Ends a job that waits or runs, and gives its units back; one that has ended stays as it is. Throws not_found. */
  cancel(by: Acting, id: string): Promise<Job>;

  /** Claims the next job for so many seconds; null: none is due. */
  claim(seconds: number): Promise<ClaimedJob | null>;
  /** Ends all claims. Only for the one process that has the database. */
  free(): Promise<void>;
  /** Goes on holding the claim. False: it is over. */
  renew(job: ClaimedJob, seconds: number): Promise<boolean>;
  /** Null: they are no longer in the organization. */
  creatorOf(job: ClaimedJob): Promise<JobCreator | null>;
  /**
   * Says of which revision of the data the parts will be made, and gives those there are; `dropped`: parts of another
   * revision, which are not of use any more. Throws ClaimLost, and rate_limited when the data changes too often.
   */
  begin(job: ClaimedJob, revision: number, total: number): Promise<{ parts: KeptPart[]; dropped: string[] }>;
  /** Keeps a part. Throws ClaimLost. */
  keepPart(
    job: ClaimedJob,
    part: KeptPart,
    so: { readonly done: number; readonly failed: readonly FailedBoundary[] },
  ): Promise<void>;
  /** In the transaction that makes its file: ends the job and charges `units` of what is reserved. Throws ClaimLost. */
  finish(tx: Queryable, job: ClaimedJob, done: { readonly file: string; readonly units: number }): Promise<void>;
  /** Ends the job without a file and gives its units back. False: the claim is over. */
  fail(job: ClaimedJob, error: { readonly code: string; readonly detail: string }): Promise<boolean>;
  /** Gives the job back, to be taken after so many seconds. `innocent`: the attempt does not count. */
  release(job: ClaimedJob, seconds: number, innocent?: boolean): Promise<void>;
  /** Drops the parts of a job that has ended; gives the names of their blobs. */
  dropParts(id: string): Promise<string[]>;
  /** Those of some blobs that are not parts of any job. */
  unnamed(blobs: readonly string[]): Promise<string[]>;
  /** Holds the units of live jobs for longer, and drops old jobs. */
  sweep(): Promise<void>;
  /** For metrics; seconds since the job that waits for longest was due. */
  figures(): Promise<{ queued: number; running: number; failed: number; age_s: number }>;
}

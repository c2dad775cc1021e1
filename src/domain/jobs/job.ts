import type { Language } from '../../common/languages.ts';
import type { Visibility } from '../../core/access.ts';
import type { Role } from '../../core/roles.ts';
import type { Queryable } from '../../db/connect.ts';
import type { WebhookOutcome } from '../delivery/webhooks.ts';
import type { ActingMember } from '../people/members.ts';
import type { JobState } from './states.ts';

/** Maximum boundaries of one job, whatever the plan allows. */
export const MOST_IN_JOB = 100_000;

/** A boundary that is not in the file, and why. */
export interface FailedBoundary {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

/** A job as its creator and the admins see it. */
export interface Job {
  readonly id: string;
  readonly op: string;
  readonly name: string;
  readonly visibility: Visibility;
  readonly state: JobState;
  /** Units reserved. */
  readonly units: number;
  readonly charged: number;
  /** Number of boundaries. */
  readonly total: number;
  readonly done: number;
  readonly failed_count: number;
  /** The first 1,000; empty in lists. */
  readonly failed: readonly FailedBoundary[];
  readonly error: { readonly code: string; readonly detail: string } | null;
  /** Id of the file that it made; null if there is none yet or it was deleted. */
  readonly file: string | null;
  /** Whether area sets are in its file that who asks may not read: the file is not_found for them. */
  readonly file_hidden: boolean;
  /** What it does while it runs; null if it does not say. */
  readonly doing: string | null;
  /** What it says of its result, if it makes no file; null in lists. */
  readonly report: Readonly<Record<string, unknown>> | null;
  readonly mail: boolean;
  readonly webhook: string | null;
  /** What became of the webhook; null: none was asked for, or the job has not ended. */
  readonly webhook_delivery: WebhookOutcome | null;
  readonly creator: { readonly id: string; readonly email: string; readonly name: string | null };
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** Milliseconds from the start to the end, or to now. */
  readonly running_ms: number;
}

/** A job to create. */
export interface NewJob {
  readonly op: string;
  /** JSON. */
  readonly input: string;
  readonly name: string;
  readonly visibility: Visibility;
  readonly units: number;
  readonly total: number;
  readonly mail: boolean;
  /** Language of the mail. */
  readonly language: Language;
  readonly webhook: string | null;
  /** The area set to which it adds a version, '' for a new one; null for any other job. */
  readonly sets: string | null;
  /** Only one job of its operation may wait or run in the whole service. */
  readonly isAlone?: boolean;
}

/** A job that a process has claimed. `token` is the fencing token: each claim has a higher one. */
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
  /** Language of the mail; null: English. */
  readonly language: string | null;
  readonly webhook: string | null;
  /** As of the job that was created, until begin() records another. */
  readonly sets: string | null;
}

/** A finished part of a job. */
export interface StoredPart {
  readonly part: number;
  readonly blob: string;
  readonly about: unknown;
}

/** The creator of a job, with their current role and plan. */
export interface JobCreator {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  /** Whether they run the service. */
  readonly operator: boolean;
  readonly slug: string;
  readonly plan: string;
  /** Days that the plan keeps the result; null: until it is deleted. */
  readonly job_days: number | null;
}

/** Thrown when the claim is over: the job was canceled, or another process has it. Its work is discarded. */
export class ClaimLost extends Error {}

/**
 * Jobs: work that outlives a request. Owns its tables. A process claims a job under a lease of some seconds and renews
 * it while it works. Each claim has a fencing token; writes under an older one are refused. So a job is delivered once
 * and charged once, even if processes die. Only its creator and the admins see a job; to others it is not_found.
 */
export interface Jobs {
  /** @throws invalid_input (webhook) if a webhook may not go to this URL */
  checkWebhook(url: string): Promise<void>;
  /**
   * Reserves the units and queues the job.
   * @throws quota_exceeded, rate_limited if too many jobs of the organization are queued or running, or another one of
   * its operation where only one may be; invalid_input if it keeps too many results, unauthorized below the role of member
   */
  create(by: ActingMember, plan: string, job: NewJob): Promise<Job>;
  /** The jobs that the caller sees, newest first. */
  list(by: ActingMember, page: { limit: number; offset: number }): Promise<{ items: Job[]; total: number }>;
  /** @throws not_found */
  get(by: ActingMember, id: string): Promise<Job>;
  /** The input of a job as it was given. @throws not_found */
  inputOf(by: ActingMember, id: string): Promise<Record<string, unknown>>;
  /** Cancels a live job and refunds its units; an ended one does not change. @throws not_found, unauthorized */
  cancel(by: ActingMember, id: string): Promise<Job>;

  /** Claims the next due job for `seconds`; null if none is due. */
  claim(seconds: number): Promise<ClaimedJob | null>;
  /** Ends all claims. Only for a process that has the database to itself. */
  releaseAllClaims(): Promise<void>;
  /** Extends the lease of the claim. False if it is over. */
  renew(job: ClaimedJob, seconds: number): Promise<boolean>;
  /** The creator of the job; null if they left the organization. */
  creatorOf(job: Pick<ClaimedJob, 'account' | 'org'>): Promise<JobCreator | null>;
  /**
   * Records the data that the parts are made from (its revision, and the state of the area sets, null without any) and
   * returns the parts there are. `dropped`: blobs of the parts of other data, which are deleted.
   * @throws ClaimLost, and rate_limited if the data changes too often
   */
  begin(
    job: ClaimedJob,
    data: { readonly revision: number; readonly sets: string | null },
    total: number,
  ): Promise<{ parts: StoredPart[]; dropped: string[] }>;
  /** Stores a part. @throws ClaimLost */
  storePart(
    job: ClaimedJob,
    part: StoredPart,
    so: { readonly done: number; readonly failed: readonly FailedBoundary[] },
  ): Promise<void>;
  /** Says what the job does now. */
  say(job: ClaimedJob, doing: string): Promise<void>;
  /**
   * Ends the job in the transaction that creates its file, or what it stores in place of one (`file` null), and charges
   * `units` of those reserved.
   * @throws ClaimLost, and quota_exceeded if the reservation had expired
   */
  finish(
    tx: Queryable,
    job: ClaimedJob,
    done: { readonly file: string | null; readonly units: number; readonly report?: object | undefined },
  ): Promise<void>;
  /** Ends the job without a file and gives its units back. False if the claim is over. */
  fail(job: ClaimedJob, error: { readonly code: string; readonly detail: string }): Promise<boolean>;
  /** Queues the job again, due in `seconds`. `innocent`: the attempt does not count. */
  release(job: ClaimedJob, seconds: number, innocent?: boolean): Promise<void>;
  /** Deletes the parts of a job that has ended; returns the names of their blobs. */
  dropParts(id: string): Promise<string[]>;
  /** The given blobs that are not parts of any job. */
  orphanBlobs(blobs: readonly string[]): Promise<string[]>;
  /** Extends the reservations of live jobs, and deletes old jobs. */
  sweep(): Promise<void>;
  /** Whether a job of any organization waits, now or for a later try, or runs. */
  anyLive(): Promise<boolean>;
  /** Counts for metrics, `failed` within the last day; `age_s`: seconds since the oldest queued job was due. */
  figures(): Promise<{ queued: number; running: number; failed: number; age_s: number }>;
}

import type { Logger } from 'pino';
import { type Repeated, repeat } from '../common/repeat.ts';
import type { Database } from '../db/connect.ts';
import type { Billing } from '../domain/billing/billing.ts';
import type { Limits } from '../domain/billing/limits.ts';
import { compactRevision } from '../domain/boundaries/revision.ts';
import { sweepTileSelections } from '../domain/boundaries/tile_selections.ts';
import type { Outbox } from '../domain/delivery/outbox.ts';
import type { Webhooks } from '../domain/delivery/webhooks.ts';
import type { Jobs } from '../domain/jobs/job.ts';
import type { FileBlobs } from '../domain/library/blobs.ts';
import type { Files } from '../domain/library/file_entry.ts';
import type { OAuth } from '../domain/people/oauth.ts';
import { sweepSignIn } from '../domain/people/sign_in.ts';
import type { Subscriptions } from '../domain/subscriptions/subscription.ts';
import type { Upstream } from '../domain/upstream/upstream.ts';
import type { JobRunner } from './job_runner.ts';

const SWEEP_MS = 60_000;
/** Interval at which messages about changes are written. */
const ANNOUNCE_MS = 2_000;
/** Interval at which files that follow their boundaries are looked at. */
const FOLLOW_MS = 3_000;
/** Interval of the job sweep, which also extends the reservations of units: each lasts two days. */
const SWEEP_JOBS_MS = 1_800_000;
/**
 * Interval of the blob sweep. Deleting the last file that names a blob deletes the blob, so only blobs left by a
 * deleted organization or by a crash remain to be swept.
 */
const SWEEP_BLOBS_MS = 3_600_000;

/** Everything that has rows or bytes that expire. */
export interface SweepTargets {
  readonly db: Database;
  readonly billing: Billing;
  readonly outbox: Outbox;
  readonly oauth: OAuth;
  readonly limits: Limits;
  readonly files: Files;
  readonly fileBlobs: FileBlobs;
  readonly upstream: Upstream | null;
  readonly jobs: Jobs;
  readonly jobRunner: JobRunner;
  readonly webhooks: Webhooks;
  readonly subscriptions: Subscriptions;
  /** Makes files of the library again whose boundaries changed. */
  readonly renewFollowed: (signal: AbortSignal) => Promise<unknown>;
}

/**
 * Starts the periodic deletion of expired data, and the messages about changes. Stop each returned timer to end it; the
 * signal ends a round that computes. Failures are logged.
 */
export function startSweeps(of: SweepTargets, log: Logger, signal: AbortSignal): Repeated[] {
  const failed = (message: string) => (err: unknown) => {
    if (!signal.aborted) log.warn({ err }, message);
  };
  const sweepRows = () =>
    Promise.all([
      sweepSignIn(of.db),
      of.outbox.sweep(),
      of.oauth.sweep(),
      of.limits.sweep(),
      of.upstream?.sweep(),
      of.webhooks.sweep(),
      of.subscriptions.sweep(),
      sweepTileSelections(of.db),
      compactRevision(of.db),
    ]);
  return [
    repeat(ANNOUNCE_MS, () => of.subscriptions.announce(signal), failed('messages about changes were not written')),
    repeat(FOLLOW_MS, () => of.renewFollowed(signal), failed('files that follow were not looked at')),
    repeat(SWEEP_MS, () => of.billing.sweep(), failed('reservations were not swept')),
    repeat(SWEEP_MS, sweepRows, failed('expired sign-ins and sent mail were not swept')),
    repeat(SWEEP_MS, () => of.files.sweep(), failed('expired files were not deleted')),
    repeat(SWEEP_JOBS_MS, () => of.jobs.sweep(), failed('jobs were not swept')),
    repeat(SWEEP_BLOBS_MS, () => of.jobRunner.sweep(), failed('unreferenced job parts were not removed')),
    repeat(SWEEP_BLOBS_MS, () => of.fileBlobs.sweep(), failed('unreferenced content was not removed')),
  ];
}

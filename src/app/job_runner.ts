import { writeHashed } from '../adapters/hashed_file.ts';
import type { Storage } from '../adapters/storage.ts';
import { type Repeated, repeat } from '../common/repeat.ts';
import { safeCsvParts } from '../common/safe_csv.ts';
import { asksSafeCsv } from '../core/asks_safe_csv.ts';
import { asOutage, asProblem, problem } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import type { Context } from '../core/op.ts';
import { weaker } from '../core/roles.ts';
import { withSets } from '../core/with_sets.ts';
import { backoffSeconds } from '../domain/backoff.ts';
import { DataMoved } from '../domain/boundaries/reads.ts';
import {
  type ClaimedJob,
  ClaimLost,
  type FailedBoundary,
  type JobCreator,
  type StoredPart,
} from '../domain/jobs/job.ts';
import { fileOfJob } from '../domain/jobs/jobs.ts';
import { MOST_ATTEMPTS, verdictOf } from '../domain/jobs/states.ts';
import { ArcsMoved } from '../geometry/arc_leases.ts';
import { type JobPlan, planJob, type SetsOfJob, type StoringPlan } from '../ops/jobs/kind.ts';
import { jobKind } from '../ops/jobs/kinds.ts';
import type { Services } from '../services.ts';
import { faultOf } from './job_faults.ts';
import { bytesOf, makePart, removeParts, sweepParts } from './job_parts.ts';

/** Delay between two polls for due jobs. */
const POLL_MS = 1000;
/** Delay between two reports of what a job does. */
const SAY_MS = 1000;

export interface JobRunnerOptions {
  readonly services: Services;
  /** Where parts are stored until the file is assembled. */
  readonly storage: Storage;
  /** Maximum number of jobs that run at once. */
  readonly atOnce: number;
  /** Lease of a claim in milliseconds: the claim expires when it is not renewed for this long. */
  readonly leaseMs: number;
}

/** Runs jobs in this process until it is stopped. */
export interface JobRunner {
  /** Starts claiming jobs. */
  start(): Promise<void>;
  /** Runs all due jobs and resolves with their number once none is left. For tests and callers that do not poll. */
  runDue(): Promise<number>;
  /** Deletes parts that a killed process left behind. */
  sweep(): Promise<void>;
  /** Stops claiming jobs. Running jobs are released together with the parts that they have finished. */
  stop(): Promise<void>;
}

/** The abort reason of jobs when the process shuts down. */
class Stopping extends Error {}

/** Creates the job runner of this process. */
export function createJobRunner({ services, storage, atOnce, leaseMs }: JobRunnerOptions): JobRunner {
  const { jobs, log, files, fileBlobs } = services;
  const engine = services.engine.inBackground();
  const leaseS = leaseMs / 1000;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let poll: Repeated | null = null;

  function contextOf(job: ClaimedJob, creator: JobCreator, signal: AbortSignal): Context {
    const { org } = job;
    const { id, email, name, slug, plan } = creator;
    // The credential that created the job may have been limited to less than its creator may.
    const role = weaker(job.role, creator.role);
    return {
      caller: { account: { id, email, name }, org: { id: org, slug, plan }, role, credential: null, operator: false },
      requestId: job.id,
      address: null,
      signal,
      deadline: Number.MAX_SAFE_INTEGER,
      transport: 'rpc',
      services: { ...services, engine },
      baseUrl: services.config.BASE_URL,
      headers: {},
    };
  }

  /** The creator of a job, as of now. @throws unauthorized */
  async function creatorOf(job: ClaimedJob): Promise<JobCreator> {
    const creator = await jobs.creatorOf(job);
    if (!creator) throw problem('unauthorized', 'Its creator is no longer in the organization.');
    return creator;
  }

  /** Assembles the file and delivers it: library entry, price and job completion are one transaction. */
  async function deliver(
    job: ClaimedJob,
    creator: JobCreator,
    plan: JobPlan & SetsOfJob,
    parts: readonly StoredPart[],
    failed: readonly FailedBoundary[],
    signal: AbortSignal,
  ): Promise<void> {
    const draft = await fileBlobs.draft();
    try {
      const left = new Set(failed.map(({ id }) => id));
      const abouts = parts.map(({ about }) => about);
      const joined = plan.join(bytesOf(storage, parts, signal), abouts, left, signal);
      const pieces = asksSafeCsv(inputOf(job)) ? safeCsvParts(joined) : joined;
      const { sha256, bytes } = await writeHashed(draft.path, pieces, { most: services.config.EXPORT_BYTES, signal });
      const made = { ...fileOfJob(job, plan.file, creator.job_days), sets: plan.setIds };
      const blob = { sha256, format: plan.file.format, bytes };
      const by = { account: job.account, org: job.org, role: job.role };
      const units = plan.unitsWithout(failed.length - plan.leftOut.length);
      await files.saveMade(
        by,
        made,
        async () => {
          const stored = await draft.put(blob);
          // Last, as making the file may take hours, in which a set may change or be shared no longer.
          if (plan.sets !== null) {
            const { services: now } = await withSets(contextOf(job, await creatorOf(job), signal), inputOf(job));
            if (now.sets?.state !== plan.sets) throw new DataMoved();
          }
          return stored;
        },
        (tx, id) => jobs.finish(tx, job, { file: id, units }),
      );
      log.info({ job: job.id, op: job.op, units, bytes, org: job.org }, 'job done');
    } finally {
      await draft.drop();
    }
    await removeParts(storage, await jobs.dropParts(job.id));
  }

  /** Stores what a job says that it does, the newest at most once a second. */
  function createSayer(job: ClaimedJob) {
    let [said, wanted] = ['', ''];
    const repeated = repeat(
      SAY_MS,
      async () => {
        if (wanted === said) return;
        said = wanted;
        await jobs.say(job, said);
      },
      (err) => log.warn({ err, job: job.id }, 'what a job does was not stored'),
    );
    const say = (doing: string): void => {
      wanted = doing;
    };
    return { say, stop: () => repeated.stop() };
  }

  /** Stores the result of a job that makes no file: it, the price and the end of the job are one transaction. */
  async function storeResult(job: ClaimedJob, plan: StoringPlan, signal: AbortSignal): Promise<void> {
    // Whatever the boundaries of the moment are: no part of it is made of others.
    const data = { revision: 0, sets: job.sets };
    await jobs.begin(job, data, plan.total);
    const sayer = createSayer(job);
    try {
      await plan.store(
        {
          found: async (total) => void (await jobs.begin(job, data, total)),
          say: sayer.say,
          within: async (tx, report) => {
            signal.throwIfAborted();
            await jobs.finish(tx, job, { file: null, units: plan.units, report });
          },
        },
        signal,
      );
    } finally {
      await sayer.stop();
    }
    log.info({ job: job.id, op: job.op, units: plan.units, org: job.org }, 'job done');
  }

  async function attempt(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    const creator = await creatorOf(job);
    const plan = await planJob(jobKind(job.op), contextOf(job, creator, signal), inputOf(job), job.sets);
    if ('store' in plan) return storeResult(job, plan, signal);
    const { parts: known, dropped } = await jobs.begin(job, plan, plan.total);
    await removeParts(storage, dropped);
    const kept = new Map(known.map((one) => [one.part, one]));
    const failed: FailedBoundary[] = [...plan.leftOut, ...failuresIn(known)];
    let done = 0;
    const parts: StoredPart[] = [];
    for (const [index, { boundaries }] of plan.parts.entries()) {
      signal.throwIfAborted();
      done += boundaries;
      const before = failed.length;
      let part = kept.get(index);
      if (!part) {
        const made = await makePart(storage, { job, plan, index }, failed, signal);
        part = { ...made, about: { about: made.about, failed: failed.slice(before) } };
        try {
          await jobs.storePart(job, part, { done, failed });
        } catch (error) {
          await removeParts(storage, [part.blob]);
          throw error;
        }
      }
      log.debug({ job: job.id, part: index }, 'job part');
      parts.push({ ...part, about: (part.about as PartMetadata).about });
    }
    await deliver(job, creator, plan, parts, failed, signal);
  }

  async function work(job: ClaimedJob): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, stopping.signal]);
    const heartbeat = repeat(
      Math.max(250, leaseMs / 3),
      async () => {
        if (!(await jobs.renew(job, leaseS)))
          over.abort(new ClaimLost('the job was canceled or claimed by another process'));
      },
      (err) => log.warn({ err, job: job.id }, 'the claim of a job was not renewed'),
    );
    try {
      // A job whose process dies on every attempt is not retried forever.
      if (job.attempts > MOST_ATTEMPTS) throw problem('internal_error', 'Its process crashed too often.');
      await attempt(job, signal);
    } catch (error) {
      await afterFailure(job, signal.aborted ? signal.reason : error);
    } finally {
      await heartbeat.stop();
    }
  }

  async function afterFailure(job: ClaimedJob, error: unknown): Promise<void> {
    if (error instanceof ClaimLost) {
      log.info({ job: job.id }, 'a job was canceled or claimed by another process');
      return;
    }
    if (error instanceof Stopping) return jobs.release(job, 0, true);
    if (error instanceof DataMoved || error instanceof ArcsMoved) return jobs.release(job, 1, true);
    const known = asProblem(error) ?? asOutage(error);
    const verdict = verdictOf(faultOf(error), job.attempts);
    log.warn({ err: error, job: job.id, verdict }, 'a job failed');
    if (verdict === 'retry') return jobs.release(job, backoffSeconds(job.attempts));
    const reported = known ?? problem('internal_error', 'Something failed on our side.');
    if (await jobs.fail(job, { code: reported.code, detail: reported.message }))
      await removeParts(storage, await jobs.dropParts(job.id));
  }

  /** Claims due jobs while there is room; returns how many. */
  async function claimDueJobs(): Promise<number> {
    let taken = 0;
    while (!stopping.signal.aborted && running.size < atOnce) {
      const job = await jobs.claim(leaseS);
      if (!job) break;
      taken++;
      log.info({ job: job.id, op: job.op, attempts: job.attempts }, 'job claimed');
      const one = work(job)
        .catch((err: unknown) => log.error({ err, job: job.id }, 'a job could not be settled'))
        .finally(() => {
          running.delete(one);
        });
      running.add(one);
    }
    return taken;
  }

  return {
    async start() {
      if (atOnce === 0) return;
      // Only one process can open an embedded database, so every claim in it belongs to a dead process.
      if (services.db.kind === 'embedded') await jobs.releaseAllClaims();
      poll = repeat(POLL_MS, claimDueJobs, (err) => log.warn({ err }, 'jobs could not be claimed'));
      await claimDueJobs();
    },
    async runDue() {
      let all = 0;
      for (let taken = await claimDueJobs(); taken > 0 || running.size > 0; taken = await claimDueJobs()) {
        all += taken;
        await Promise.all(running);
      }
      return all;
    },
    sweep: () => sweepParts(storage, jobs),
    async stop() {
      stopping.abort(new Stopping('the process is stopping'));
      await poll?.stop();
      await Promise.all(running);
    },
  };
}

const inputOf = ({ op, input }: ClaimedJob) => parseInput(jobKind(op).input, JSON.parse(input));

interface PartMetadata {
  readonly about: unknown;
  readonly failed: readonly FailedBoundary[];
}

const failuresIn = (parts: readonly StoredPart[]): FailedBoundary[] =>
  parts.flatMap(({ about }) => [...(about as PartMetadata).failed]);

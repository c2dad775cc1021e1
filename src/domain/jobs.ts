import type { Visibility } from '../access.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { only } from '../elements.ts';
import { invalidInput, problem } from '../errors.ts';
import { atLeast, type Role, weaker } from '../roles.ts';
import type { Billing, Reservation } from './billing.ts';
import type { MadeFile } from './files_model.ts';
import { chargedUnits, isLive, type JobState, MOST_RESETS } from './job_states.ts';
import { type Acting, requireRole } from './members.ts';
import { newId } from './new_id.ts';
import type { Outbox } from './outbox.ts';
import type { Webhooks } from './webhooks.ts';

/** Boundaries that one job may have, whatever the plan says. */
export const MOST_IN_JOB = 100_000;
/** Jobs of an organization that wait or run. */
const MOST_LIVE = 20;
/** Results of jobs that an organization keeps. */
const MOST_KEPT = 500;
/** Boundaries that a job names of those that are not in its file. */
const MOST_FAILED = 10_000;
/** Days that a job is listed after its end, where its file is gone. */
const LISTED_DAYS = 30;
/** Units stay held for so long after they were held last; sweep() holds them again. */
const HELD_MS = 2 * 86_400_000;
/** A reservation that is not a job's yet. */
const CREATING_MS = 60_000;

const noSuchJob = () => problem('not_found', 'There is no job with this id.');

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

/** The file that a job makes. */
export function fileOfJob(job: ClaimedJob, made: Pick<MadeFile, 'format' | 'detail'>, days: number | null): MadeFile {
  const { name, visibility, op: madeBy } = job;
  return { ...made, name, visibility, madeBy, recipe: null, days };
}

interface JobRow extends Omit<Job, 'creator' | 'created_at' | 'started_at' | 'ended_at' | 'running_ms'> {
  account: string;
  email: string;
  account_name: string | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  read_at: Date;
}

function toJob({ account, email, account_name, read_at, ...row }: JobRow): Job {
  const { created_at, started_at, ended_at } = row;
  const until = (ended_at ?? read_at).getTime();
  return {
    ...row,
    creator: { id: account, email, name: account_name },
    created_at: created_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
    running_ms: started_at === null ? 0 : Math.max(0, until - started_at.getTime()),
  };
}

/** What jobs need of the rest of the program. */
export interface JobsOptions {
  readonly billing: Billing;
  readonly outbox: Outbox;
  readonly webhooks: Webhooks;
  /** Without a slash at the end. */
  readonly baseUrl: string;
}

/** The jobs of a database. */
export function createJobs(db: Database, { billing, outbox, webhooks, baseUrl }: JobsOptions): Jobs {
  const seesAll = ({ role }: Acting): boolean => atLeast(role, 'admin');
  const heldBy = (job: Pick<ClaimedJob, 'org' | 'op' | 'units' | 'reservation'>): Reservation | null =>
    job.units === 0 ? null : { id: job.reservation, org: job.org, op: job.op, units: job.units };

  async function seen(from: Queryable, by: Acting, id: string): Promise<Job> {
    const [row] = await from.query<JobRow>(loadQuery('job_seen'), [by.org, by.account, seesAll(by), id]);
    if (!row) throw noSuchJob();
    return toJob(row);
  }

  /** Tells whoever wants to know that a job has ended, in the transaction that ends it. */
  async function announce(
    tx: Queryable,
    job: Pick<ClaimedJob, 'id' | 'org' | 'op' | 'name' | 'webhook'>,
    to: string | null,
    ended: { state: JobState; file: string | null; units: number; error: Job['error'] },
  ): Promise<void> {
    const { id, op, name } = job;
    const url = ended.file === null ? null : `${baseUrl}/v1/files/${ended.file}/content`;
    if (job.webhook !== null) {
      const { state, file, units, error } = ended;
      const told = { id, op, name, state, units, file_id: file, url, error };
      await webhooks.put(tx, job.org, job.webhook, { type: `job.${state}`, job: told });
    }
    if (to === null) return;
    const subject = ended.state === 'done' ? `${name} is ready` : `${name} could not be made`;
    const lines =
      ended.state === 'done'
        ? [`The job ${id} is done. Its file:`, '', `${url}`, '', 'It asks for your key or your sign-in.']
        : [`The job ${id} failed: ${ended.error?.detail ?? 'no reason is known.'}`, '', 'No units were charged.'];
    await outbox.put(tx, { to, subject: subject.slice(0, 200), text: `${lines.join('\n')}\n` });
  }

  async function mailOf(tx: Queryable, job: ClaimedJob): Promise<string | null> {
    if (!job.mail) return null;
    const [creator] = await tx.query(loadQuery('job_creator'), [job.account, job.org]);
    return creator?.email ?? null;
  }

  return {
    async create(by, plan, job) {
      const { op, units } = job;
      const reservation =
        units === 0
          ? null
          : await billing.reserve({ org: by.org, plan, op, units, deadline: Date.now() + CREATING_MS });
      try {
        return await db.transaction(async (tx) => {
          await tx.query(loadQuery('org_lock'), [by.org]);
          const [member] = await tx.query<{ role: Role }>(loadQuery('org_hold_member'), [by.org, by.account]);
          if (!member) throw problem('unauthorized', 'You are not in the organization any more.');
          requireRole(weaker(member.role, by.role), 'member');
          const { live, kept } = only(await tx.query<{ live: number; kept: number }>(loadQuery('job_live'), [by.org]));
          if (live >= MOST_LIVE) {
            const message = `${live} jobs of the organization wait or run; more can be created when one of them has ended.`;
            throw problem('rate_limited', message, { retry_after: 30 });
          }
          if (kept + live >= MOST_KEPT) {
            const message = `the organization keeps ${kept} results of jobs, at most ${MOST_KEPT}: delete files first`;
            throw invalidInput([{ path: '', code: 'too_many', message }]);
          }
          const id = newId('job');
          const about = [by.role, op, job.input, job.name, job.visibility, units, reservation?.id ?? null] as const;
          const values = [id, by.org, by.account, ...about, job.total, job.mail, job.webhook] as const;
          await tx.query(loadQuery('job_put'), values);
          if (reservation && !(await billing.extendIn(tx, reservation, Date.now() + HELD_MS))) {
            throw problem('rate_limited', 'The job could not be created in time: try again.', { retry_after: 1 });
          }
          return seen(tx, by, id);
        });
      } catch (error) {
        // When this fails too, the reservation expires by itself.
        if (reservation) await billing.refund(reservation).catch(() => undefined);
        throw error;
      }
    },

    async list(by, { limit, offset }) {
      const values = [by.org, by.account, seesAll(by), limit, offset];
      const rows = await db.query<JobRow & { of_all: number }>(loadQuery('job_list'), values);
      const items = rows.map(({ of_all: _, ...row }) => toJob(row));
      if (rows.length > 0 || offset === 0) return { items, total: rows[0]?.of_all ?? 0 };
      const [first] = await db.query<{ of_all: number }>(loadQuery('job_list'), [...values.slice(0, 3), 1, 0]);
      return { items, total: first?.of_all ?? 0 };
    },

    get: (by, id) => seen(db, by, id),
    async inputOf(by, id) {
      const [row] = await db.query(loadQuery('job_input'), [by.org, by.account, seesAll(by), id]);
      if (!row) throw noSuchJob();
      return JSON.parse(row.input) as Record<string, unknown>;
    },

    async cancel(by, id) {
      return db.transaction(async (tx) => {
        const job = await seen(tx, by, id);
        if (!isLive(job.state)) return job;
        requireRole(by.role, 'member');
        const [held] = await tx.query(loadQuery('job_cancel'), [id, by.org]);
        if (held) {
          const reservation = heldBy({ ...held, org: by.org });
          if (reservation) await billing.settlePartIn(tx, reservation, 0);
          const ended = { state: 'canceled', file: null, units: 0, error: null } as const;
          await announce(tx, { ...held, id, org: by.org, name: job.name }, null, ended);
        }
        return seen(tx, by, id);
      });
    },

    async claim(seconds) {
      const [job] = await db.query<ClaimedJob>(loadQuery('job_claim'), [seconds]);
      return job ?? null;
    },
    async free() {
      await db.query(loadQuery('job_free'));
    },
    renew: async ({ id, token }, seconds) => (await db.query(loadQuery('job_renew'), [id, token, seconds])).length > 0,
    async creatorOf({ account, org }) {
      const [creator] = await db.query<JobCreator>(loadQuery('job_creator'), [account, org]);
      return creator ?? null;
    },

    async begin({ id, token }, revision, total) {
      return db.transaction(async (tx) => {
        const [before] = await tx.query(loadQuery('job_revision'), [id]);
        const [row] = await tx.query(loadQuery('job_begin'), [id, token, revision, total]);
        if (!row || !before) throw new ClaimLost('the job has another claim');
        if (row.resets > MOST_RESETS) {
          throw problem('rate_limited', 'The boundaries changed too often while the job ran: create it again.');
        }
        const moved = before.revision !== null && Number(before.revision) !== revision;
        if (!moved) return { parts: await tx.query<KeptPart>(loadQuery('job_parts'), [id]), dropped: [] };
        const dropped = await tx.query(loadQuery('job_drop_parts'), [id]);
        return { parts: [], dropped: dropped.map(({ blob }) => blob) };
      });
    },

    async keepPart({ id, token }, { part, blob, about }, { done, failed }) {
      const told = JSON.stringify(failed.slice(0, MOST_FAILED));
      const values = [id, token, part, blob, JSON.stringify(about), done, told];
      const kept = await db.query(loadQuery('job_put_part'), values);
      if (kept.length === 0) throw new ClaimLost('the job has another claim');
    },

    async finish(tx, job, { file, units: made }) {
      const charged = chargedUnits(job.units, made);
      const values = [job.id, job.token, 'done', charged, file, null];
      if ((await tx.query(loadQuery('job_end'), values)).length === 0) throw new ClaimLost('the job has another claim');
      const held = heldBy(job);
      if (held && !(await billing.settlePartIn(tx, held, charged))) {
        throw problem('quota_exceeded', 'The units of the job were given back, as it waited too long.');
      }
      const ended = { state: 'done', file, units: charged, error: null } as const;
      await announce(tx, job, await mailOf(tx, job), ended);
    },

    async fail(job, error) {
      return db.transaction(async (tx) => {
        const values = [job.id, job.token, 'failed', 0, null, JSON.stringify(error)];
        if ((await tx.query(loadQuery('job_end'), values)).length === 0) return false;
        const held = heldBy(job);
        if (held) await billing.settlePartIn(tx, held, 0);
        await announce(tx, job, await mailOf(tx, job), { state: 'failed', file: null, units: 0, error });
        return true;
      });
    },

    async release({ id, token }, seconds, innocent = false) {
      await db.query(loadQuery('job_release'), [id, token, seconds, innocent ? 1 : 0]);
    },
    async dropParts(id) {
      return (await db.query(loadQuery('job_drop_parts'), [id])).map(({ blob }) => blob);
    },
    async unnamed(blobs) {
      return (await db.query<{ blob: string }>(loadQuery('job_unnamed'), [blobs])).map(({ blob }) => blob);
    },
    async sweep() {
      await db.query(loadQuery('job_sweep'), [LISTED_DAYS]);
      for (const job of await db.query(loadQuery('job_held'))) {
        const held = heldBy(job);
        if (held) await billing.extend(held, Date.now() + HELD_MS);
      }
    },
    async figures() {
      return only(await db.query<Awaited<ReturnType<Jobs['figures']>>>(loadQuery('job_figures')));
    },
  };
}

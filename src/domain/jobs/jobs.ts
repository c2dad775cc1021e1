import { only } from '../../common/elements.ts';
import { plainWordsIn } from '../../common/texts/tables.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import { atLeast, weaker } from '../../core/roles.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Billing, Reservation } from '../billing/billing.ts';
import type { Outbox } from '../delivery/outbox.ts';
import type { Webhooks } from '../delivery/webhooks.ts';
import type { MadeFile } from '../library/file_entry.ts';
import { newId } from '../new_id.ts';
import { type ActingMember, requireRole } from '../people/members.ts';
import { type ClaimedJob, ClaimLost, type Job, type Jobs } from './job.ts';
import { endOfJob } from './job_mail.ts';
import { type JobRow, toJob } from './job_rows.ts';
import { chargedUnits, isLive, type JobState, MOST_RESETS } from './states.ts';

/** Maximum queued and running jobs of an organization. */
const MOST_LIVE = 20;
/** Maximum results of jobs that an organization keeps. */
const MOST_KEPT = 500;
/** Maximum failed boundaries that are stored for a job. */
const MOST_FAILED = 10_000;
/** Days that a job without a file stays listed after its end. */
const LISTED_DAYS = 30;
/** Lifetime of the reservation of a live job, in milliseconds; sweep() extends it. */
const RESERVATION_MS = 2 * 86_400_000;
/** Lifetime of a reservation while its job is being created, in milliseconds. */
const CREATING_MS = 60_000;

/** Limit of what a job says that it does, in characters. */
const MOST_SAID = 200;

const noSuchJob = () => problem('not_found', 'There is no job with this id.');

/** Describes the file that a job made. `days`: days until it is deleted, null to keep it. */
export function fileOfJob(job: ClaimedJob, made: Pick<MadeFile, 'format' | 'detail'>, days: number | null): MadeFile {
  const { name, visibility, op: madeBy } = job;
  return { ...made, name, visibility, madeBy, recipe: null, days };
}

/** @throws rate_limited if a job of the operation waits or runs; holds off others until the transaction ends */
async function requireAlone(tx: Queryable, op: string): Promise<void> {
  await tx.query(loadQuery('job_hold_op'), [op]);
  if (!only(await tx.query(loadQuery('job_op_live'), [op])).live) return;
  throw problem('rate_limited', `A job of ${op} waits or runs, and there is one at a time.`, { retry_after: 30 });
}

/** The services that jobs use. */
export interface JobsOptions {
  readonly billing: Billing;
  readonly outbox: Outbox;
  readonly webhooks: Webhooks;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

/** The jobs of a database. */
export function createJobs(db: Database, { billing, outbox, webhooks, baseUrl }: JobsOptions): Jobs {
  const seesAll = ({ role }: ActingMember): boolean => atLeast(role, 'admin');
  const reservationOf = (job: Pick<ClaimedJob, 'org' | 'op' | 'units' | 'reservation'>): Reservation | null =>
    job.units === 0 ? null : { id: job.reservation, org: job.org, op: job.op, units: job.units };

  async function withOutcomes(from: Queryable, rows: readonly JobRow[]): Promise<Job[]> {
    const ended = rows.filter(({ webhook, ended_at }) => webhook !== null && ended_at !== null);
    const outcomes = await webhooks.outcomes(
      from,
      ended.map(({ id }) => id),
    );
    return rows.map((row) => toJob(row, outcomes));
  }

  async function seen(from: Queryable, by: ActingMember, id: string): Promise<Job> {
    const [row] = await from.query<JobRow>(loadQuery('job_seen'), [by.org, by.account, seesAll(by), id]);
    if (!row) throw noSuchJob();
    return withOutcomes(from, [row]).then(only);
  }

  /** Queues the webhook and the mail about the end of a job, in the transaction that ends it. */
  async function announce(
    tx: Queryable,
    job: Pick<ClaimedJob, 'id' | 'org' | 'op' | 'name' | 'webhook' | 'language'>,
    to: string | null,
    ended: { state: JobState; file: string | null; units: number; error: Job['error'] },
  ): Promise<void> {
    const { id, op, name } = job;
    const url = ended.file === null ? null : `${baseUrl}/v1/files/${ended.file}/content`;
    if (job.webhook !== null) {
      const { state, file, units, error } = ended;
      const payload = { id, op, name, state, units, file_id: file, url, error };
      await webhooks.put(tx, { org: job.org, job: id, url: job.webhook }, { type: `job.${state}`, job: payload });
    }
    if (to === null) return;
    const words = plainWordsIn(job.language);
    const reason = ended.state === 'done' ? null : (ended.error?.detail ?? words('mail.job.unknown'));
    await outbox.put(tx, { to, language: words.language, ...endOfJob({ id, name, url, reason }, words) });
  }

  async function mailOf(tx: Queryable, job: ClaimedJob): Promise<string | null> {
    if (!job.mail) return null;
    const [creator] = await tx.query(loadQuery('job_creator'), [job.account, job.org]);
    return creator?.email ?? null;
  }

  return {
    async checkWebhook(url) {
      const message = await webhooks.refusalOf(url);
      if (message !== null) throw invalidInput([{ path: 'webhook', code: 'not_public', message }]);
    },
    async create(by, plan, job) {
      const { op, units } = job;
      const reservation =
        units === 0
          ? null
          : await billing.reserve({ org: by.org, plan, op, units, deadline: Date.now() + CREATING_MS });
      try {
        return await db.transaction(async (tx) => {
          await tx.query(loadQuery('org_lock'), [by.org]);
          const [member] = await tx.query(loadQuery('org_hold_member'), [by.org, by.account]);
          if (!member) throw problem('unauthorized', 'You are no longer in the organization.');
          requireRole(weaker(member.role, by.role), 'member');
          const { live, kept } = only(await tx.query(loadQuery('job_live'), [by.org]));
          if (job.isAlone) await requireAlone(tx, op);
          if (live >= MOST_LIVE) {
            const message = `${live} jobs of the organization are waiting or running, the maximum. Try again when one has ended.`;
            throw problem('rate_limited', message, { retry_after: 30 });
          }
          if (kept + live >= MOST_KEPT) {
            const message = `the organization has ${kept} job results and can keep ${MOST_KEPT}: delete files first`;
            throw invalidInput([{ path: '', code: 'too_many', message }]);
          }
          const id = newId('job');
          const about = [by.role, op, job.input, job.name, job.visibility, units, reservation?.id ?? null] as const;
          const values = [
            id,
            by.org,
            by.account,
            ...about,
            job.total,
            job.mail,
            job.webhook,
            job.sets,
            job.language,
          ] as const;
          await tx.query(loadQuery('job_put'), values);
          if (reservation && !(await billing.extendIn(tx, reservation, Date.now() + RESERVATION_MS))) {
            throw problem('rate_limited', 'The job could not be created in time: try again.', { retry_after: 1 });
          }
          return seen(tx, by, id);
        });
      } catch (error) {
        // If this fails too, the reservation expires.
        if (reservation) await billing.refund(reservation).catch(() => undefined);
        throw error;
      }
    },

    async list(by, { limit, offset }) {
      const values = [by.org, by.account, seesAll(by), limit, offset];
      const rows = await db.query<JobRow & { of_all: number }>(loadQuery('job_list'), values);
      const items = await withOutcomes(
        db,
        rows.map(({ of_all: _, ...row }) => row),
      );
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
          const reservation = reservationOf({ ...held, org: by.org });
          if (reservation) await billing.settlePartIn(tx, reservation, 0);
          const ended = { state: 'canceled', file: null, units: 0, error: null } as const;
          await announce(tx, { ...held, id, org: by.org, name: job.name, language: null }, null, ended);
        }
        return seen(tx, by, id);
      });
    },

    async claim(seconds) {
      const [job] = await db.query(loadQuery('job_claim'), [seconds]);
      return job ?? null;
    },
    async releaseAllClaims() {
      await db.query(loadQuery('job_free'));
    },
    renew: async ({ id, token }, seconds) => (await db.query(loadQuery('job_renew'), [id, token, seconds])).length > 0,
    async creatorOf({ account, org }) {
      const [creator] = await db.query(loadQuery('job_creator'), [account, org]);
      return creator ?? null;
    },

    async begin({ id, token }, { revision, sets }, total) {
      return db.transaction(async (tx) => {
        const [before] = await tx.query(loadQuery('job_revision'), [id]);
        const [row] = await tx.query(loadQuery('job_begin'), [id, token, revision, sets, total]);
        if (!row || !before) throw new ClaimLost('another process has claimed the job');
        if (row.resets > MOST_RESETS) {
          throw problem('rate_limited', 'The boundaries changed too often while the job ran: create it again.');
        }
        const isSame = Number(before.revision) === revision && before.sets === sets;
        const moved = before.revision !== null && !isSame;
        if (!moved) return { parts: await tx.query(loadQuery('job_parts'), [id]), dropped: [] };
        const dropped = await tx.query(loadQuery('job_drop_parts'), [id]);
        return { parts: [], dropped: dropped.map(({ blob }) => blob) };
      });
    },

    async storePart({ id, token }, { part, blob, about }, { done, failed }) {
      const failedJson = JSON.stringify(failed.slice(0, MOST_FAILED));
      const values = [id, token, part, blob, JSON.stringify(about), done, failedJson];
      const kept = await db.query(loadQuery('job_put_part'), values);
      if (kept.length === 0) throw new ClaimLost('another process has claimed the job');
    },

    async say({ id, token }, doing) {
      await db.query(loadQuery('job_say'), [id, token, doing.slice(0, MOST_SAID)]);
    },

    async finish(tx, job, { file, units: made, report }) {
      if (report !== undefined) await tx.query(loadQuery('job_report'), [job.id, job.token, JSON.stringify(report)]);
      const charged = chargedUnits(job.units, made);
      const values = [job.id, job.token, 'done', charged, file, null];
      if ((await tx.query(loadQuery('job_end'), values)).length === 0)
        throw new ClaimLost('another process has claimed the job');
      const held = reservationOf(job);
      if (held && !(await billing.settlePartIn(tx, held, charged))) {
        throw problem('quota_exceeded', 'The job waited too long and its units were released. Create it again.');
      }
      const ended = { state: 'done', file, units: charged, error: null } as const;
      await announce(tx, job, await mailOf(tx, job), ended);
    },

    async fail(job, error) {
      return db.transaction(async (tx) => {
        const values = [job.id, job.token, 'failed', 0, null, JSON.stringify(error)];
        if ((await tx.query(loadQuery('job_end'), values)).length === 0) return false;
        const held = reservationOf(job);
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
    async orphanBlobs(blobs) {
      return (await db.query(loadQuery('job_unnamed'), [blobs])).map(({ blob }) => blob);
    },
    async sweep() {
      await db.query(loadQuery('job_sweep'), [LISTED_DAYS]);
      for (const job of await db.query(loadQuery('job_held'))) {
        const held = reservationOf(job);
        if (held) await billing.extend(held, Date.now() + RESERVATION_MS);
      }
    },
    async anyLive() {
      return only(await db.query(loadQuery('job_any'))).live;
    },
    async figures() {
      return only(await db.query(loadQuery('job_figures')));
    },
  };
}

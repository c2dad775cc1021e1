import { z } from 'zod';
import type { Context } from '../../core/op.ts';
import { opaqueId, timestamp } from '../../core/schemas.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { JOB_STATES, paceOf } from '../../domain/jobs/states.ts';
import { KEY_ERRORS, person } from '../account/api_key.ts';
import { visibility } from '../library/file.ts';
import { JOB_OPS } from './kinds.ts';

export const jobId = opaqueId.describe('Id of a job: job_….');

/** A job in an answer. */
export const jobEntry = z.object({
  id: z.string(),
  op: z.enum(JOB_OPS),
  name: z.string().describe('Name of the file, or of the area set.'),
  visibility,
  state: z.enum(JOB_STATES),
  units: z.int().describe('Units reserved when the job was created.'),
  charged: z.int().describe('Units charged for the result; 0 until it is done.'),
  total: z.int().describe('Boundaries.'),
  done: z.int().describe('Boundaries done so far.'),
  rate: z.number().nullable().describe('Boundaries a second since the start.'),
  left_s: z.int().nullable().describe('Seconds left at that rate; null: not known, or not running.'),
  failed: z
    .object({
      count: z.int(),
      items: z
        .array(z.object({ id: z.string(), name: z.string(), reason: z.string() }))
        .describe('The first 1,000; none in lists.'),
    })
    .describe('Boundaries that are not in the file.'),
  error: z.object({ code: z.string(), detail: z.string() }).nullable().describe('Why a failed job failed.'),
  file_id: z
    .string()
    .nullable()
    .describe('Id of the file in the library; null: not made yet, deleted, or a job without one.'),
  url: z.url().nullable().describe('URL of the file; null where file_hidden says why.'),
  file_hidden: z
    .string()
    .nullable()
    .describe('Why you may not read the file, which you may still delete; null: there is none, or you may.'),
  doing: z.string().nullable().describe('What it does now, if it says that; null unless it runs.'),
  report: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Of an import that is done: what was stored, left out and changed. None in lists.'),
  mail: z.boolean(),
  webhook: z.string().nullable(),
  webhook_delivery: z
    .object({
      state: z.enum(['pending', 'delivered', 'failed']).describe('failed: it was tried for a day.'),
      attempts: z.int(),
      delivered_at: timestamp.nullable(),
      next_at: timestamp.nullable().describe('When the next attempt is due.'),
      error: z.string().nullable().describe('Why the last attempt failed.'),
    })
    .nullable()
    .describe('What became of the webhook; null: none was asked for, the job has not ended, or it is 30 days ago.'),
  creator: person,
  created_at: timestamp,
  started_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
});

/** Errors that any operation on jobs may have. */
export const JOB_ERRORS = [...KEY_ERRORS, 'not_found'] as const;

const HIDDEN =
  'It has areas of a set that you may not read: one that is no longer shared with you, or was deleted. delete_file deletes it.';

/** A job as an answer, with its pace and the URL of its file. */
export function jobAnswer({ baseUrl }: Pick<Context, 'baseUrl'>, job: Job): z.input<typeof jobEntry> {
  const { running_ms, failed, failed_count, file, file_hidden: isHidden, op, ...rest } = job;
  const { rate, left_s } = paceOf(job, running_ms);
  return {
    ...rest,
    doing: job.state === 'running' ? job.doing : null,
    op: op as (typeof JOB_OPS)[number],
    rate,
    left_s: job.state === 'running' ? left_s : null,
    failed: { count: failed_count, items: [...failed] },
    file_id: file,
    url: file === null || isHidden ? null : `${baseUrl}/v1/files/${file}/content`,
    file_hidden: isHidden ? HIDDEN : null,
  };
}

/** The progress of a job as a sentence. */
export function jobInWords({ state, doing, done, total, rate, left_s }: z.input<typeof jobEntry>): string {
  if (state !== 'running') return state;
  if (doing !== null) return `running: ${doing}`;
  const pace = rate === null || left_s === null ? '' : `, ${rate} a second, ${left_s} s left`;
  return `running: ${done} of ${total} boundaries${pace}`;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { looseBoolean } from '../../core/schemas.ts';
import { isLive } from '../../domain/jobs/states.ts';
import { acting } from '../orgs/org.ts';
import { JOB_ERRORS, jobAnswer, jobEntry, jobId, jobInWords } from './job.ts';

/** Limits: seconds that a call may wait for the end of a job, and calls of a process that wait at once. */
const MOST_WAIT = 25;
const MOST_WAITING = 200;
/** Milliseconds between two checks. */
const POLL_MS = 500;
/** Milliseconds before its deadline at which a waiting call is answered. */
const SPARE_MS = 3_000;
let waiting = 0;

export const getJob = defineOp({
  name: 'get_job',
  summary: 'A job: its progress, what failed, and where its file is.',
  description:
    'With wait, the answer comes when the job has ended or the time is over. Only for its creator and admins.',
  route: { method: 'GET', path: '/jobs/:id' },
  access: RULES.get_job,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    id: jobId,
    input: looseBoolean.default(false).describe('Include its input, so that it can be created again.'),
    wait: z.int().min(0).max(MOST_WAIT).default(0).describe('Maximum seconds to wait for the end of the job.'),
  }),
  output: jobEntry.extend({
    input: z.record(z.string(), z.unknown()).optional().describe('The input of the job; only with input=true.'),
  }),
  errors: JOB_ERRORS,
  examples: [
    { input: { id: 'job_01JD3XHZ6Q8W9V2T5R4N7M0KAB' } },
    { input: { id: 'job_01JD3XHZ6Q8W9V2T5R4N7M0KAB', input: true }, note: 'With its input' },
  ],
  async run(ctx, { id, input, wait }) {
    const by = acting(ctx);
    const until = performance.now() + Math.min(wait * 1000, ctx.deadline - Date.now() - SPARE_MS);
    const { jobs } = ctx.services;
    const given = input ? { input: await jobs.inputOf(by, id) } : {};
    const look = async () => ({ ...jobAnswer(ctx, await jobs.get(by, id)), ...given });
    let job = await look();
    if (!isLive(job.state) || waiting >= MOST_WAITING) return job;
    waiting++;
    try {
      while (isLive(job.state) && performance.now() + POLL_MS < until) {
        ctx.progress?.(jobInWords(job));
        await sleep(POLL_MS, undefined, { signal: ctx.signal });
        job = await look();
      }
      return job;
    } finally {
      waiting--;
    }
  },
});

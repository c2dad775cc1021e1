import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { acting } from '../orgs/org.ts';
import { JOB_ERRORS, jobAnswer, jobEntry, jobId } from './job.ts';

export const cancelJob = defineOp({
  name: 'cancel_job',
  summary: 'Cancels a waiting or running job: no file is made, and its units are released.',
  description: 'Has no effect on a job that has ended. Only for its creator and admins.',
  route: { method: 'POST', path: '/jobs/:id/cancel' },
  access: RULES.cancel_job,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ id: jobId }),
  output: jobEntry,
  errors: JOB_ERRORS,
  examples: [{ input: { id: 'job_01JD3XHZ6Q8W9V2T5R4N7M0KAB' } }],
  async run(ctx, { id }) {
    return jobAnswer(ctx, await ctx.services.jobs.cancel(acting(ctx), id));
  },
});

import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { pageInput, pageOf } from '../../core/schemas.ts';
import { KEY_ERRORS } from '../account/api_key.ts';
import { acting } from '../orgs/org.ts';
import { jobAnswer, jobEntry } from './job.ts';

export const listJobs = defineOp({
  name: 'list_jobs',
  summary: "Lists the caller's jobs in the organization, newest first; admins see all of them.",
  description: 'A job is listed while its file is kept, and for 30 days after its end.',
  route: { method: 'GET', path: '/jobs' },
  access: RULES.list_jobs,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject(pageInput()),
  output: pageOf(jobEntry),
  errors: KEY_ERRORS,
  examples: [{ input: {} }, { input: { limit: 5 } }],
  async run(ctx, page) {
    const { items, total } = await ctx.services.jobs.list(acting(ctx), page);
    return { items: items.map((job) => jobAnswer(ctx, job)), total, ...page };
  },
});

import { RULES } from '../../core/access.ts';
import { created, defineOp } from '../../core/op.ts';
import { holder, KEY_ERRORS } from '../account/api_key.ts';
import { jobAnswer, jobEntry } from '../jobs/job.ts';
import { removeInput, removeJob } from '../jobs/remove_job.ts';
import { acting } from '../orgs/org.ts';
import { readerLanguage } from '../reader_language.ts';

export const removeSource = defineOp({
  name: 'remove_source',
  summary: 'Removes an imported source with all its boundaries, as a job. For operators.',
  description:
    'All of the source is removed or nothing: its boundaries, codes and names, and the arcs that no other boundary uses. Seed ' +
    'boundaries whose places it took come back, and ids of boundaries that another source has too lead to that one. get_job says ' +
    'how far it is, then how many boundaries were removed and restored. A source that is not stored is not_found, so a second call ' +
    'changes nothing. Seed data is refused.',
  route: { method: 'DELETE', path: '/imports/:source' },
  access: RULES.remove_source,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: removeInput,
  output: jobEntry,
  errors: [...KEY_ERRORS, 'not_found'],
  success: { created: 'always' },
  examples: [{ input: { source: 'my-communes' } }],
  audit: ['data.remove'],
  async run(ctx, input) {
    const by = acting(ctx);
    const { units, total } = await removeJob.plan(ctx, input);
    const job = await ctx.services.jobs.create(by, holder(ctx.caller).org.plan, {
      ...{ op: 'remove_source', input: JSON.stringify(input), name: removeJob.nameOf(input), visibility: 'restricted' },
      ...{ units, total, mail: false, language: readerLanguage(ctx), webhook: null, sets: null, isAlone: true },
    });
    return created(jobAnswer(ctx, job), `/v1/jobs/${job.id}`);
  },
});

import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { looseBoolean, pageInput, pageOf, timestamp } from '../../core/schemas.ts';
import { ACTIVE, FEEDBACK_KINDS, FEEDBACK_STATUSES } from '../../domain/boards/feedback.ts';
import { feedbackItem } from './item.ts';

export const listFeedback = defineOp({
  name: 'list_feedback',
  summary: 'Lists feature requests and issue reports with status and upvotes.',
  description:
    'With a key each item says whether the caller voted. Send the as_of of the first page back with the next ones: ' +
    'later items are then left out, so no item is shown twice.',
  route: { method: 'GET', path: '/feedback' },
  access: (input) => (input.mine ? RULES.list_feedback_mine : RULES.list_feedback),
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    kind: z.enum([...FEEDBACK_KINDS, 'all']).default('all'),
    status: z
      .enum(['active', 'all', ...FEEDBACK_STATUSES])
      .default('active')
      .describe('active: open, planned or in progress.'),
    sort: z.enum(['top', 'new']).default('top').describe('top: most upvotes first; new: most recent first.'),
    q: z.string().min(1).max(200).optional().describe('Words to find in the title, in any language.'),
    mine: looseBoolean.optional().describe('Only items that the caller filed; needs a key.'),
    as_of: z.iso.datetime({ offset: true }).optional().describe('The as_of of an earlier page.'),
    ...pageInput(),
  }),
  output: pageOf(feedbackItem).extend({ as_of: timestamp.describe('Send it back with the next pages.') }),
  errors: ['invalid_input', 'unauthorized', 'rate_limited'],
  examples: [{ input: {} }, { input: { kind: 'feature', sort: 'new', q: 'export' } }, { input: { mine: true } }],
  async run(ctx, input) {
    const account = ctx.caller.account?.id ?? null;
    const { kind, status, sort, q, mine, limit, offset } = input;
    const search = {
      kind: kind === 'all' ? null : kind,
      statuses: status === 'all' ? null : status === 'active' ? ACTIVE : [status],
      author: mine ? account : null,
      asOf: input.as_of ?? null,
      sort,
      q,
      limit,
      offset,
    };
    return { ...(await ctx.services.feedback.list(search, account)), limit, offset };
  },
});

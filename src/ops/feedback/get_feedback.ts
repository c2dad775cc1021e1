import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { pageInput, timestamp } from '../../core/schemas.ts';
import { feedbackComment, feedbackId, feedbackItem, feedbackStatus } from './item.ts';

export const getFeedback = defineOp({
  name: 'get_feedback',
  summary: 'A feedback item with its comments, oldest first, and the statuses it went through.',
  route: { method: 'GET', path: '/feedback/:id' },
  access: RULES.get_feedback,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ id: feedbackId, ...pageInput(100, 50) }),
  output: feedbackItem.extend({
    comments: z.object({ items: z.array(feedbackComment), total: z.int(), limit: z.int(), offset: z.int() }),
    history: z.array(z.object({ status: feedbackStatus, duplicate_of: z.int().nullable(), set_at: timestamp })),
  }),
  errors: ['invalid_input', 'not_found', 'rate_limited'],
  examples: [{ input: { id: 1 } }],
  async run(ctx, { id, limit, offset }) {
    const { feedback } = ctx.services;
    const item = await feedback.item(id, ctx.caller.account?.id ?? null);
    const items = await feedback.comments(id, { limit, offset });
    const comments = { items, total: item.comment_count, limit, offset };
    return { ...item, comments, history: await feedback.history(id) };
  },
});

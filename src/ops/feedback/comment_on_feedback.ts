import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { created, defineOp } from '../../core/op.ts';
import { countAttempt } from '../../domain/people/attempts.ts';
import { accountOf } from '../account/api_key.ts';
import { COMMENTS_A_DAY, feedbackComment, feedbackId, plainText } from './item.ts';

export const commentOnFeedback = defineOp({
  name: 'comment_on_feedback',
  summary: 'Adds a comment to a feature request or issue report.',
  description: `The board is public: write nothing private. At most ${COMMENTS_A_DAY.times} comments a day (UTC).`,
  route: { method: 'POST', path: '/feedback/:id/comments' },
  access: RULES.comment_on_feedback,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    id: feedbackId,
    body: plainText(5000).pipe(z.string().min(1, 'must not be empty')).describe('Plain text.'),
  }),
  output: feedbackComment,
  success: { created: 'always' },
  errors: ['invalid_input', 'unauthorized', 'not_found', 'rate_limited'],
  examples: [{ input: { id: 1, body: 'This would help us too.' } }],
  async run(ctx, { id, body }) {
    const account = accountOf(ctx.caller);
    const { db, feedback } = ctx.services;
    const comment = await db.transaction(async (tx) => {
      await countAttempt(tx, 'feedback_comment', account.id, COMMENTS_A_DAY);
      return feedback.comment(tx, { item: id, account: account.id, byOperator: ctx.caller.operator, body });
    });
    return created(comment, `/v1/feedback/${id}`);
  },
});

import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { ownReview, reviewId } from './review.ts';

export const publishReview = defineOp({
  name: 'publish_review',
  summary: 'Publishes the newest version of a review that waits.',
  route: { method: 'POST', path: '/reviews/:id/publish' },
  access: RULES.publish_review,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    id: reviewId,
    expected_version: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .optional()
      .describe('The version that was read: a newer one is not published unread.'),
  }),
  output: ownReview,
  errors: ['invalid_input', 'unauthorized', 'not_found', 'rate_limited'],
  examples: [{ input: { id: 'rev_01JD0000000000000000000000', expected_version: 1 } }],
  run: (ctx, { id, expected_version: version }) => ctx.services.reviews.publish(id, version),
});

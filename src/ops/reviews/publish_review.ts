import { z } from 'zod';
import { RULES } from '../../access.ts';
import { defineOp } from '../../op.ts';
import { ownReview, reviewId } from './review.ts';

export const publishReview = defineOp({
  name: 'publish_review',
  summary: 'Publishes the newest version of a review that waits.',
  route: { method: 'POST', path: '/reviews/:id/publish' },
  access: RULES.publish_review,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ id: reviewId }),
  output: ownReview,
  errors: ['invalid_input', 'unauthorized', 'not_found', 'rate_limited'],
  examples: [{ input: { id: 'rev_01JD0000000000000000000000' } }],
  run: (ctx, { id }) => ctx.services.reviews.publish(id),
});

import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { plainText } from '../feedback/item.ts';
import { ownReview, reviewId } from './review.ts';

export const respondToReview = defineOp({
  name: 'respond_to_review',
  summary: 'Sets the response listed under a review; an empty one removes it.',
  route: { method: 'PUT', path: '/reviews/:id/response' },
  access: RULES.respond_to_review,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ id: reviewId, body: plainText(5000) }),
  output: ownReview,
  errors: ['invalid_input', 'unauthorized', 'not_found', 'rate_limited'],
  examples: [{ input: { id: 'rev_01JD0000000000000000000000', body: 'Thank you: the next release has it.' } }],
  run: (ctx, { id, body }) => ctx.services.reviews.respond(id, body === '' ? null : body),
});

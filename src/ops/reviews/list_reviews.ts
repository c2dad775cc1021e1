import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { pageInput, pageOf } from '../../core/schemas.ts';
import { REVIEW_SORTS } from '../../domain/boards/reviews.ts';
import { publishedReview, rating } from './review.ts';

export const listReviews = defineOp({
  name: 'list_reviews',
  summary: 'Published reviews with the average rating, the distribution and the responses.',
  description: 'The average and the distribution cover all published reviews, whatever the filters.',
  route: { method: 'GET', path: '/reviews' },
  access: (input) => (input.state === 'pending' ? RULES.list_reviews_pending : RULES.list_reviews),
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    sort: z
      .enum(REVIEW_SORTS)
      .default('new')
      .describe('new: newest first; helpful: the longest texts first; highest, lowest: by rating.'),
    rating: rating.optional().describe('Only reviews with this many stars.'),
    state: z.enum(['published', 'pending']).default('published').describe('pending is only for operators.'),
    ...pageInput(),
  }),
  output: pageOf(publishedReview).extend({
    average: z.number().nullable().describe('Null when nothing is published.'),
    distribution: z.object({ '1': z.int(), '2': z.int(), '3': z.int(), '4': z.int(), '5': z.int() }),
  }),
  errors: ['invalid_input', 'unauthorized', 'rate_limited'],
  examples: [{ input: {} }, { input: { sort: 'lowest', rating: 2 } }, { input: { state: 'pending' } }],
  async run(ctx, { sort, state, limit, offset, rating: stars = null }) {
    const { reviews } = ctx.services;
    const ratings = await reviews.ratings();
    if (state === 'published') {
      return { ...(await reviews.list({ sort, rating: stars, limit, offset })), limit, offset, ...ratings };
    }
    const { items, total } = await reviews.pending({ limit, offset });
    return { items: items.map((one) => ({ ...one, published_at: null })), total, limit, offset, ...ratings };
  },
});

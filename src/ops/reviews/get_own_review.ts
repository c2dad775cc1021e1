import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import { defineOp } from '../../core/op.ts';
import { pageInput, pageOf } from '../../core/schemas.ts';
import { accountOf } from '../account/api_key.ts';
import { ownReview, reviewVersion } from './review.ts';

export const getOwnReview = defineOp({
  name: 'get_own_review',
  summary: "The caller's review: its newest version, whether it is published, and earlier versions.",
  description:
    'published_version is the one on the public page; limit and offset page through the versions, newest first.',
  route: { method: 'GET', path: '/account/review' },
  access: RULES.get_own_review,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject(pageInput()),
  output: ownReview.extend({
    published_version: z.int().nullable().describe('Null: none is on the public page.'),
    versions: pageOf(reviewVersion),
  }),
  errors: ['invalid_input', 'unauthorized', 'not_found', 'rate_limited'],
  examples: [{ input: {} }],
  async run(ctx, page) {
    const own = await ctx.services.reviews.own(accountOf(ctx.caller).id, page);
    if (!own) throw problem('not_found', 'You have written no review.');
    const { review, published_version, items, total } = own;
    return { ...review, published_version, versions: { items, total, ...page } };
  },
});

import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { looseBoolean, oneLine } from '../../core/schemas.ts';
import { ANONYMOUS_AUTHOR } from '../../domain/boards/reviews.ts';
import { type Allowance, countAttempt } from '../../domain/people/attempts.ts';
import { accountOf } from '../account/api_key.ts';
import { plainText } from '../feedback/item.ts';
import { ownReview, rating } from './review.ts';

/** One edit an hour. The first submission is not an edit: its author can correct it at once. */
const AN_HOUR: Allowance = { times: 1, windowS: 3600, what: 'edits of a review' };

const text = plainText(5000).default('');

/** The greeting of a mail to the author of a review, by the name that it is shown under if they have one. */
const greeting = (name: string): string => (name === ANONYMOUS_AUTHOR ? 'Hello' : `Hello ${name}`);

export const submitReview = defineOp({
  name: 'submit_review',
  summary: "Posts the caller's public review, or replaces the existing one.",
  description:
    'One review an account, one edit an hour (the first submission is none); earlier versions are kept. It is published at once unless a text holds a ' +
    'link or the account is less than a day old: then it waits for an operator, and the published version stays.',
  route: { method: 'PUT', path: '/reviews/me' },
  access: RULES.submit_review,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    rating,
    title: z.union([z.literal(''), oneLine]).default(''),
    body: text,
    likes: text.describe('Positive points.'),
    dislikes: text.describe('Negative points.'),
    use_case: text,
    display_name: oneLine.optional().describe('Default: your first name.'),
    display_company: oneLine.optional(),
    marketing_consent: looseBoolean.default(false).describe('Whether the review may be quoted.'),
  }),
  output: ownReview,
  errors: ['invalid_input', 'unauthorized', 'rate_limited'],
  examples: [{ input: { rating: 5, title: 'Exact', body: 'Every border fits its neighbors.' } }],
  async run(ctx, input) {
    const account = accountOf(ctx.caller);
    const { db, outbox, reviews } = ctx.services;
    return db.transaction(async (tx) => {
      const { display_name = null, display_company = null, ...rest } = input;
      const review = await reviews.submit(tx, account, { ...rest, display_name, display_company });
      if (review.version > 1) await countAttempt(tx, 'review', account.id, AN_HOUR);
      const fate =
        review.state === 'published'
          ? 'It is on the public page now.'
          : 'Someone from the team will read it before it is published, because it has a link or your account is new.';
      await outbox.put(tx, {
        to: account.email,
        subject: 'Thank you for your review',
        text: `${greeting(review.display_name)},\n\nthank you for your review of Boundary Lookup (${review.rating} of 5). ${fate}\n`,
      });
      return review;
    });
  },
});

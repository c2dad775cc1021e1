import { z } from 'zod';
import { type PlainWords, plainWordsIn } from '../../common/texts/tables.ts';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { looseBoolean, oneLine } from '../../core/schemas.ts';
import { ANONYMOUS_AUTHOR, type OwnReview } from '../../domain/boards/reviews.ts';
import type { MailContent } from '../../domain/delivery/outbox.ts';
import { type Allowance, countAttempt } from '../../domain/people/attempts.ts';
import { accountOf } from '../account/api_key.ts';
import { plainText } from '../feedback/item.ts';
import { readerLanguage } from '../reader_language.ts';
import { ownReview, rating } from './review.ts';

/** One edit an hour. The first submission is not an edit: its author can correct it at once. */
const AN_HOUR: Allowance = { times: 1, windowS: 3600, what: 'edits of a review' };

const text = plainText(5000).default('');

/** The mail to the author of a review, who is greeted by the name that it is shown under if they have one. */
function thanksFor({ state, rating, display_name: name }: OwnReview, words: PlainWords): MailContent {
  const greeting = name === ANONYMOUS_AUTHOR ? words('mail.review.hello') : words('mail.review.helloTo', { name });
  const fate = words(state === 'published' ? 'mail.review.published' : 'mail.review.waits');
  const text = `${greeting}\n\n${words('mail.review.thanks', { rating })} ${fate}\n`;
  return { subject: words('mail.review.subject'), text };
}

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
      const words = plainWordsIn(readerLanguage(ctx));
      await outbox.put(tx, { to: account.email, language: words.language, ...thanksFor(review, words) });
      return review;
    });
  },
});

import { z } from 'zod';
import { opaqueId, timestamp } from '../../core/schemas.ts';

export const reviewId = opaqueId.describe('Id of a review.');
export const rating = z.int().min(1).max(5);

const shown = z.object({
  id: z.string(),
  rating,
  title: z.string(),
  body: z.string(),
  likes: z.string(),
  dislikes: z.string(),
  use_case: z.string(),
  display_name: z.string(),
  display_company: z.string().nullable(),
  response: z.object({ body: z.string(), created_at: timestamp }).nullable().describe('Response of the operators.'),
});

/** A review as everyone sees it. */
export const publishedReview = shown.extend({
  published_at: timestamp.nullable().describe('Null: pending.'),
  version: z.int().optional().describe('Pending version, for publish_review.'),
});

/** A version of a review, as its author sees it. */
export const reviewVersion = shown.omit({ id: true, response: true }).extend({
  version: z.int(),
  marketing_consent: z.boolean(),
  created_at: timestamp,
  published_at: timestamp.nullable().describe('Null: it never was on the public page.'),
});

/** The newest version of a review, as its author and operators see it. */
export const ownReview = shown.extend({
  version: z.int(),
  state: z.enum(['published', 'pending']).describe('pending: it waits for an operator.'),
  marketing_consent: z.boolean(),
  created_at: timestamp,
});

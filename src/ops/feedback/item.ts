import { z } from 'zod';
import { oneLine, timestamp } from '../../core/schemas.ts';
import { FEEDBACK_KINDS, FEEDBACK_STATUSES } from '../../domain/boards/feedback.ts';
import type { Allowance } from '../../domain/people/attempts.ts';

export const feedbackId = z.int().min(1).describe('Id of a feedback item.');
export const feedbackStatus = z.enum(FEEDBACK_STATUSES);

/** An item as everyone sees it; `voted` only when the caller is known. */
export const feedbackItem = z.object({
  id: z.int(),
  kind: z.enum(FEEDBACK_KINDS),
  status: feedbackStatus,
  duplicate_of: z.int().nullable().describe('The item that this one repeats.'),
  title: z.string(),
  details: z.string(),
  upvotes: z.int(),
  comment_count: z.int().describe('How many comments there are; get_feedback has them.'),
  created_at: timestamp,
  voted: z.boolean().optional().describe('Whether the caller voted for it; only with a key.'),
});

export const feedbackComment = z.object({
  id: z.int(),
  by_operator: z.boolean().describe('Whether an operator of the service wrote it.'),
  body: z.string(),
  created_at: timestamp,
});

/** Plain text of several lines, without control characters other than tabs and line feeds. */
export function plainText(maximum: number) {
  return z
    .string()
    .max(maximum)
    .transform((text) => text.replace(/\r\n?/g, '\n').trim())
    .pipe(z.string().regex(/^[^\p{Cc}]*(?:[\t\n][^\p{Cc}]*)*$/u, 'must be plain text without control characters'));
}

/** The input of a new item. */
export const newItem = z.strictObject({
  title: oneLine.describe('One line.'),
  details: plainText(10_000).default('').describe('Plain text.'),
});

/** Limit of one account's new items in a UTC day, requests and reports together (docs/contract.md, Limits). */
export const ITEMS_A_DAY: Allowance = { times: 10, windowS: 'utc day', what: 'new items today' };
/** Limit of one account's comments in a UTC day. */
export const COMMENTS_A_DAY: Allowance = { times: 50, windowS: 'utc day', what: 'comments today' };

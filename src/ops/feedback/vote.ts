import { z } from 'zod';
import { RULES, type Rule } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { accountOf } from '../account/api_key.ts';
import { feedbackId, feedbackItem } from './item.ts';

function vote(op: { name: string; summary: string; method: 'PUT' | 'DELETE'; access: Rule; voted: boolean }) {
  return defineOp({
    name: op.name,
    summary: op.summary,
    description: 'One vote a person; doing it again changes nothing.',
    route: { method: op.method, path: '/feedback/:id/vote' },
    access: op.access,
    effect: 'write',
    cost: { units: 0, per: 'call' },
    input: z.strictObject({ id: feedbackId }),
    output: feedbackItem,
    errors: ['invalid_input', 'unauthorized', 'not_found', 'rate_limited'],
    examples: [{ input: { id: 1 } }],
    async run(ctx, { id }) {
      const account = accountOf(ctx.caller);
      return ctx.services.feedback.vote(id, account.id, op.voted);
    },
  });
}

export const upvoteFeedback = vote({
  name: 'upvote_feedback',
  summary: 'Votes for a feedback item.',
  method: 'PUT',
  access: RULES.upvote_feedback,
  voted: true,
});

export const removeFeedbackVote = vote({
  name: 'remove_feedback_vote',
  summary: 'Withdraws the vote for a feedback item.',
  method: 'DELETE',
  access: RULES.remove_feedback_vote,
  voted: false,
});

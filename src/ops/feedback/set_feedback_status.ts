import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { invalidInput } from '../../core/errors.ts';
import { defineOp } from '../../core/op.ts';
import { feedbackId, feedbackItem, feedbackStatus } from './item.ts';

export const setFeedbackStatus = defineOp({
  name: 'set_feedback_status',
  summary: 'Moves a feedback item to another status.',
  description:
    'From open, planned or in_progress to any other status; a done, declined or duplicate item must first be set to open. A ' +
    'duplicate needs the item that it repeats.',
  route: { method: 'PUT', path: '/feedback/:id/status' },
  access: RULES.set_feedback_status,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    id: feedbackId,
    status: feedbackStatus,
    duplicate_of: feedbackId.optional().describe('With duplicate: the item it repeats.'),
  }),
  output: feedbackItem,
  errors: ['invalid_input', 'unauthorized', 'not_found', 'rate_limited'],
  examples: [{ input: { id: 1, status: 'planned' } }],
  async run(ctx, { id, status, duplicate_of }) {
    if ((status === 'duplicate') !== (duplicate_of !== undefined)) {
      const message = 'is required with the status duplicate, and allowed only with it';
      throw invalidInput([{ path: 'duplicate_of', code: 'invalid_value', message }]);
    }
    return ctx.services.feedback.setStatus(id, status, duplicate_of ?? null);
  },
});

import { z } from 'zod';
import { RULES, type Rule } from '../../core/access.ts';
import { created, defineOp } from '../../core/op.ts';
import type { FeedbackKind } from '../../domain/boards/feedback.ts';
import { countAttempt } from '../../domain/people/attempts.ts';
import { accountOf } from '../account/api_key.ts';
import { feedbackItem, ITEMS_A_DAY, newItem } from './item.ts';

function fileItem(op: {
  name: string;
  summary: string;
  path: `/${string}`;
  access: Rule;
  kind: FeedbackKind;
  example: z.input<typeof newItem>;
}) {
  return defineOp({
    name: op.name,
    summary: op.summary,
    description: `The board is public: write nothing private. At most ${ITEMS_A_DAY.times} new items a day (UTC), of both kinds together. Returns the item and up to five similar existing ones.`,
    route: { method: 'POST', path: op.path },
    access: op.access,
    effect: 'write',
    cost: { units: 0, per: 'call' },
    input: newItem,
    output: z.object({ item: feedbackItem, similar: z.array(feedbackItem) }),
    success: { created: 'always' },
    errors: ['invalid_input', 'unauthorized', 'rate_limited'],
    examples: [{ input: op.example }],
    async run(ctx, { title, details }) {
      const account = accountOf(ctx.caller);
      const { db, feedback } = ctx.services;
      const id = await db.transaction(async (tx) => {
        await countAttempt(tx, 'feedback_item', account.id, ITEMS_A_DAY);
        return feedback.file(tx, { kind: op.kind, title, details, account: account.id });
      });
      const item = await feedback.item(id, account.id);
      return created({ item, similar: await feedback.similar(id, account.id) }, `/v1/feedback/${id}`);
    },
  });
}

export const requestFeature = fileItem({
  name: 'request_feature',
  summary: 'Files a feature request on the public board and upvotes it for the caller.',
  path: '/feedback/features',
  access: RULES.request_feature,
  kind: 'feature',
  example: { title: 'Export as TopoJSON', details: 'With shared borders, as the atlases have them.' },
});

export const reportIssue = fileItem({
  name: 'report_issue',
  summary: 'Reports an issue on the public board and upvotes it for the caller.',
  path: '/feedback/issues',
  access: RULES.report_issue,
  kind: 'issue',
  example: { title: 'The border of r62422 is a year old', details: 'A district was added in March.' },
});

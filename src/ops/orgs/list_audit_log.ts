import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { pageInput, pageOf, timestamp } from '../../core/schemas.ts';
import { listAudit } from '../../domain/people/audit.ts';
import { holder, KEY_ERRORS } from '../account/api_key.ts';

export const listAuditLog = defineOp({
  name: 'list_audit_log',
  summary: "The organization's audit log, newest first: who changed what, and when.",
  route: { method: 'GET', path: '/orgs/audit-log' },
  access: RULES.list_audit_log,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    ...pageInput(),
    action: z.string().min(1).max(100).optional().describe('Only this action, such as member.remove.'),
  }),
  output: pageOf(
    z.object({
      id: z.string(),
      created_at: timestamp,
      action: z.string(),
      actor: z.object({
        type: z.enum(['person', 'api_key', 'oauth_client', 'system']),
        id: z.string().nullable(),
        name: z.string(),
      }),
      target: z.object({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
      details: z.record(z.string(), z.unknown()),
      request_id: z.string().nullable(),
    }),
  ),
  errors: KEY_ERRORS,
  examples: [{ input: {} }],
  async run(ctx, { limit, offset, action }) {
    const page = await listAudit(ctx.services.db, holder(ctx.caller).org.id, { limit, offset, action });
    return { ...page, limit, offset };
  },
});

import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { acting, member, ORG_ERRORS, role, userId } from './org.ts';

export const updateMember = defineOp({
  name: 'update_member',
  summary: 'Changes the role of a member, up to your own role; the last owner must stay an owner.',
  route: { method: 'PATCH', path: '/orgs/members/:user_id' },
  access: RULES.update_member,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ user_id: userId, role }),
  output: member,
  errors: ORG_ERRORS,
  examples: [{ input: { user_id: 'usr_01JD0000000000000000000000', role: 'member' } }],
  audit: ['member.update'],
  run: (ctx, input) => ctx.services.orgs.updateMember(acting(ctx), input.user_id, input.role),
});

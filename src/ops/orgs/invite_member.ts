import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { created, defineOp } from '../../core/op.ts';
import { emailAddress } from '../../core/schemas.ts';
import { readerLanguage } from '../reader_language.ts';
import { acting, invite, inviteAnswer, ORG_ERRORS, role } from './org.ts';

export const inviteMember = defineOp({
  name: 'invite_member',
  summary: 'Invites someone by email; the invitation can be accepted for 7 days.',
  route: { method: 'POST', path: '/orgs/invites' },
  access: RULES.invite_member,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ email: emailAddress, role: role.default('member') }),
  output: invite,
  success: { created: 'always' },
  errors: ORG_ERRORS,
  examples: [{ input: { email: 'ada@example.org', role: 'member' } }],
  audit: ['invite.create'],
  async run(ctx, input) {
    const made = await ctx.services.invites.create(acting(ctx), { ...input, language: readerLanguage(ctx) });
    return created(inviteAnswer(ctx, made), `/v1/orgs/invites/${made.id}`);
  },
});

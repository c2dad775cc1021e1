import { z } from 'zod';
import { actorOf, RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { deleted } from '../../core/schemas.ts';
import { accountOf, KEY_ERRORS } from './api_key.ts';

export const deleteAccount = defineOp({
  name: 'delete_account',
  summary:
    'Deletes the account with its keys, sessions, memberships and the organizations where it is the only member.',
  description: 'Refused while an organization with other members would lose its last owner.',
  route: { method: 'DELETE', path: '/account' },
  access: RULES.delete_account,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({}),
  output: deleted,
  errors: KEY_ERRORS,
  examples: [{ input: {} }],
  audit: [
    'member.remove',
    'team.remove_member',
    'org.delete',
    'api_key.revoke',
    'oauth_grant.revoke',
    'file.unshare',
    'set.unshare',
  ],
  async run(ctx) {
    const { id } = accountOf(ctx.caller);
    await ctx.services.accounts.remove(id, actorOf(ctx));
    return { id, deleted: true as const };
  },
});

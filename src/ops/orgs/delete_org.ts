import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { deleted } from '../../core/schemas.ts';
import { acting, ORG_ERRORS } from './org.ts';

export const deleteOrg = defineOp({
  name: 'delete_org',
  summary: 'Deletes the organization with all its content; a personal one is deleted only with its account.',
  route: { method: 'DELETE', path: '/orgs/current' },
  access: RULES.delete_org,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({}),
  output: deleted,
  errors: ORG_ERRORS,
  examples: [{ input: {} }],
  audit: [
    'org.delete',
    'member.remove',
    'team.remove_member',
    'api_key.revoke',
    'oauth_grant.revoke',
    'file.unshare',
    'set.unshare',
  ],
  async run(ctx) {
    const by = acting(ctx);
    await ctx.services.orgs.remove(by);
    return { id: by.org, deleted: true as const };
  },
});

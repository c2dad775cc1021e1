import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import { defineOp } from '../../core/op.ts';
import { accountOf } from '../account/api_key.ts';
import { ORG_ERRORS, org } from './org.ts';

export const switchOrg = defineOp({
  name: 'switch_org',
  summary: 'Switches the browser session to another organization of the person.',
  route: { method: 'PUT', path: '/orgs/current' },
  access: RULES.switch_org,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ org: z.string().min(1).max(200).describe('Id or slug.') }),
  output: org,
  errors: ORG_ERRORS,
  examples: [{ input: { org: 'engines' } }],
  async run(ctx, input) {
    const { id } = accountOf(ctx.caller);
    const { credential } = ctx.caller;
    const { orgs, sessions } = ctx.services;
    const wanted = await orgs.find(id, input.org);
    if (!credential || !(await sessions.switchOrg(credential.id, wanted.id))) {
      throw problem('not_found', 'You are not in an organization with this id or slug.');
    }
    return wanted;
  },
});

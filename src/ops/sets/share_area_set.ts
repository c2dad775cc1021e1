import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { listOf, setName } from '../../core/schemas.ts';
import { fileAccess, share } from '../library/file.ts';
import { acting, teamName } from '../orgs/org.ts';
import { SET_ERRORS } from './set.ts';

export const shareAreaSet = defineOp({
  name: 'share_area_set',
  summary: 'Shares an area set with a team or a member of the organization.',
  description:
    'read: use its areas; write: add versions; admin: share, hide and delete. Sharing again changes the access. Needs admin ' +
    'access to the set; viewers read at most. Returns all shares of the set.',
  route: { method: 'POST', path: '/sets/:name/shares' },
  access: RULES.share_area_set,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z
    .strictObject({
      name: setName,
      team: teamName.optional(),
      user: z.string().trim().min(1).max(254).optional().describe('Email or user id of a member.'),
      access: fileAccess.default('read'),
    })
    .refine(({ team, user }) => (team === undefined) !== (user === undefined), 'give either a team or a user'),
  output: listOf(share),
  errors: SET_ERRORS,
  examples: [{ input: { name: 'territories', team: 'cartography' } }],
  audit: ['set.share'],
  async run(ctx, { name, team, user, access }) {
    const to = team === undefined ? { user: user as string } : { team };
    return { items: await ctx.services.areaSets.share(acting(ctx), name, to, access) };
  },
});

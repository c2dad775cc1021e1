import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { deleted } from '../../core/schemas.ts';
import { acting, ORG_ERRORS, teamName, userId } from './org.ts';

export const removeTeamMember = defineOp({
  name: 'remove_team_member',
  summary: 'Removes a member from a team.',
  route: { method: 'DELETE', path: '/orgs/teams/:team/members/:user_id' },
  access: RULES.remove_team_member,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ team: teamName, user_id: userId }),
  output: deleted,
  errors: ORG_ERRORS,
  examples: [{ input: { team: 'cartography', user_id: 'usr_01JD0000000000000000000000' } }],
  audit: ['team.remove_member'],
  async run(ctx, input) {
    await ctx.services.teams.removeMember(acting(ctx), input.team, input.user_id);
    return { id: input.user_id, deleted: true as const };
  },
});

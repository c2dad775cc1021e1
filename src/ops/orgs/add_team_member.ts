import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { acting, ORG_ERRORS, team, teamName, userId } from './org.ts';

export const addTeamMember = defineOp({
  name: 'add_team_member',
  summary: 'Adds a member of the organization to a team.',
  route: { method: 'PUT', path: '/orgs/teams/:team/members/:user_id' },
  access: RULES.add_team_member,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ team: teamName, user_id: userId }),
  output: team,
  errors: ORG_ERRORS,
  examples: [{ input: { team: 'cartography', user_id: 'usr_01JD0000000000000000000000' } }],
  audit: ['team.add_member'],
  run: (ctx, input) => ctx.services.teams.addMember(acting(ctx), input.team, input.user_id),
});

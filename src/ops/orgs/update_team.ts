import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { acting, changesSomething, ORG_ERRORS, renaming, team, teamName } from './org.ts';

export const updateTeam = defineOp({
  name: 'update_team',
  summary: 'Changes the name or the slug of a team.',
  route: { method: 'PATCH', path: '/orgs/teams/:team' },
  access: RULES.update_team,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ team: teamName, ...renaming }).refine(...changesSomething),
  output: team,
  errors: ORG_ERRORS,
  examples: [{ input: { team: 'cartography', name: 'Maps' } }],
  audit: ['team.update'],
  run: (ctx, { team: which, ...change }) => ctx.services.teams.update(acting(ctx), which, change),
});

import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { deleted } from '../../core/schemas.ts';
import { acting, ORG_ERRORS, teamName } from './org.ts';

export const deleteTeam = defineOp({
  name: 'delete_team',
  summary: 'Deletes a team; its members stay in the organization.',
  route: { method: 'DELETE', path: '/orgs/teams/:team' },
  access: RULES.delete_team,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ team: teamName }),
  output: deleted,
  errors: ORG_ERRORS,
  examples: [{ input: { team: 'cartography' } }],
  audit: ['file.unshare', 'set.unshare', 'team.remove_member', 'team.delete'],
  async run(ctx, input) {
    return { id: await ctx.services.teams.remove(acting(ctx), input.team), deleted: true as const };
  },
});

import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { created, defineOp } from '../../core/op.ts';
import { oneLine } from '../../core/schemas.ts';
import { acting, ORG_ERRORS, slug, team } from './org.ts';

export const createTeam = defineOp({
  name: 'create_team',
  summary: 'Creates a team in the organization; without a slug it gets one made from its name.',
  route: { method: 'POST', path: '/orgs/teams' },
  access: RULES.create_team,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ name: oneLine, slug: slug.optional() }),
  output: team,
  success: { created: 'always' },
  errors: ORG_ERRORS,
  examples: [{ input: { name: 'Cartography' } }],
  audit: ['team.create'],
  async run(ctx, input) {
    const made = await ctx.services.teams.create(acting(ctx), input);
    return created(made, `/v1/orgs/teams/${made.id}`);
  },
});

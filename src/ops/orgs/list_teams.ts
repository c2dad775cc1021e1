import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { listOf } from '../../core/schemas.ts';
import { holder } from '../account/api_key.ts';
import { ORG_ERRORS, team } from './org.ts';

export const listTeams = defineOp({
  name: 'list_teams',
  summary: 'The teams of the organization with their members, by name.',
  route: { method: 'GET', path: '/orgs/teams' },
  access: RULES.list_teams,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({}),
  output: listOf(team),
  errors: ORG_ERRORS,
  examples: [{ input: {} }],
  async run(ctx) {
    return { items: await ctx.services.teams.list(holder(ctx.caller).org.id) };
  },
});

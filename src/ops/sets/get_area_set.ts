import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { setName } from '../../core/schemas.ts';
import { share } from '../library/file.ts';
import { acting } from '../orgs/org.ts';
import { areaSet, SET_ERRORS, setAnswer, setReport } from './set.ts';

export const getAreaSet = defineOp({
  name: 'get_area_set',
  summary: 'An area set with its versions, the report of the newest, and its shares for callers who can manage them.',
  route: { method: 'GET', path: '/sets/:name' },
  access: RULES.get_area_set,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ name: setName }),
  output: areaSet.extend({
    report: setReport.describe('Of the newest version.'),
    shares: z.array(share).nullable().describe('Null without admin access.'),
  }),
  errors: SET_ERRORS,
  examples: [{ input: { name: 'territories' } }],
  async run(ctx, { name }) {
    const { areaSets } = ctx.services;
    const by = acting(ctx);
    const set = await areaSets.get(by, name);
    const report = setReport.parse(await areaSets.reportOf(set.versions.at(-1)?.id ?? 0));
    return { ...setAnswer(set), report, shares: await areaSets.sharesOf(by, name) };
  },
});

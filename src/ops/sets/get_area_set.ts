import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { asOf, setName } from '../../core/schemas.ts';
import { share } from '../library/file.ts';
import { acting } from '../orgs/org.ts';
import { areaSet, SET_ERRORS, setAnswer, setReport, versionOn } from './set.ts';

export const getAreaSet = defineOp({
  name: 'get_area_set',
  summary: 'An area set with its versions, the report of one, and its shares for callers who can manage them.',
  route: { method: 'GET', path: '/sets/:name' },
  access: RULES.get_area_set,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    name: setName,
    on: asOf.describe('The report of the version in force on this date. Default: of the newest.'),
  }),
  output: areaSet.extend({
    report: setReport.describe('Of the version in force on `on`, else of the newest.'),
    shares: z.array(share).nullable().describe('Null without admin access.'),
  }),
  errors: SET_ERRORS,
  examples: [{ input: { name: 'territories' } }],
  async run(ctx, { name, on = '9999-12-31' }) {
    const { areaSets } = ctx.services;
    const by = acting(ctx);
    const set = await areaSets.get(by, name);
    const version = versionOn(set, on);
    const report = setReport.parse(await areaSets.reportOf(version.id));
    return { ...setAnswer(set), report, shares: await areaSets.sharesOf(by, name) };
  },
});

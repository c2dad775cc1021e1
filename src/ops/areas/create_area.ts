import { z } from 'zod';
import { defined } from '../../common/elements.ts';
import { RULES } from '../../core/access.ts';
import { bytes, defineOp } from '../../core/op.ts';
import { detail, format } from '../../core/schemas.ts';
import { contentType, documentHeaders } from '../boundaries/document.ts';
import { keepExport } from '../boundaries/export.ts';
import { UPSTREAM_ERRORS } from '../boundaries/fetched.ts';
import { exportSchema, featureSchema, includesWaterSchema, inlandWaterSchema } from '../boundaries/schema.ts';
import { planAnswer, planned, sources, sourcesOf } from './area_answer.ts';
import { sidesOf } from './execute.ts';
import { AREA_UNITS, areaAsked, makeArea, planArea } from './make_area.ts';

export const createArea = defineOp({
  name: 'create_area',
  summary: 'Turns an area described in words into one polygon, and shows how the words were understood.',
  description:
    'English, Spanish, German and French: lists ("Vaduz, Schaan and Triesen"), differences ("Luxembourg without its ' +
    'capital"), levels ("the counties of Texas"), neighbors, distances ("municipalities within 5 km of Vaduz"), directions ' +
    '("the northern half of Spain"), the largest and the most populous, borders, groups such as Benelux. `plan` says what ' +
    'was included and excluded and why. Words not understood or ambiguous give could_not_map with candidates, ' +
    'never a smaller area. A plan can be sent instead of a description; dry_run returns only the plan, free.',
  route: { method: 'POST', path: '/areas' },
  access: RULES.create_area,
  effect: 'read',
  cost: { units: AREA_UNITS, per: 'call', note: 'dry_run is free, and so is a call that fails' },
  input: areaAsked.extend({
    detail: detail.default('medium'),
    format: format.default('geojson'),
    dry_run: z.boolean().default(false).describe('Return the plan without the area, free.'),
  }),
  output: z.union([
    featureSchema(
      z.object({
        area_km2: z.number(),
        exact: z.boolean().describe('False where the area was overlaid: it is cut, widened, or of borders that cross.'),
        includes_water: includesWaterSchema,
        inland_water_km2: inlandWaterSchema,
        plan: planAnswer,
        sources,
        detail,
        tolerance_m: z.number(),
        attribution: z.string(),
      }),
    ),
    exportSchema.extend({ area_km2: z.number(), plan: planAnswer, sources }),
    z.object({ plan: planAnswer, sources }),
  ]),
  success: { documents: [contentType('geojson'), 'application/json'] },
  errors: [
    'invalid_input',
    'invalid_id',
    'unauthorized',
    'quota_exceeded',
    'could_not_map',
    'areas_unavailable',
    'not_found',
    'no_geometry',
    ...UPSTREAM_ERRORS,
    'too_large',
    'rate_limited',
  ],
  examples: [
    { input: { description: 'Andalucía without the province of Sevilla' } },
    {
      input: { description: 'Sevilla and its neighbors', dry_run: true },
      note: 'The plan alone, free',
    },
    {
      input: {
        plan: {
          steps: [
            { op: 'place', id: 'iso:ES-AN' },
            { op: 'clip', of: 0, direction: 'north' },
          ],
        },
        detail: 'low',
      },
      note: 'A plan instead of words',
    },
  ],
  prepare: planArea,
  price: (_ctx, { dry_run }) => (dry_run ? 0 : AREA_UNITS),
  async run(ctx, input, prepared) {
    const { planned: made } = prepared;
    if (input.dry_run) {
      const { include, exclude } = sidesOf(prepared.executed.region);
      return {
        plan: planned(made, prepared.executed, prepared.language),
        sources: sourcesOf([...include, ...exclude]),
      };
    }
    const { written, executed } = await makeArea(ctx, prepared, input);
    const { include, exclude } = sidesOf(executed.region);
    const all = [...include, ...exclude];
    if (input.format !== 'geojson') {
      const about = { format: input.format, detail: input.detail, boundary_id: null, version: null };
      const kept = await keepExport(ctx, written, about, 'create_area');
      return {
        ...kept,
        area_km2: written.areaKm2,
        plan: planned(made, executed, prepared.language),
        sources: sourcesOf(all),
      };
    }
    return bytes(written.bytes, contentType('geojson'), {
      headers: documentHeaders(written, defined(all[0]).source.url),
    });
  },
});

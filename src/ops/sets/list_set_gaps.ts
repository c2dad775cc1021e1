import { z } from 'zod';
import { today } from '../../common/dates.ts';
import { RULES } from '../../core/access.ts';
import { invalidInput } from '../../core/errors.ts';
import { bytes, defineOp } from '../../core/op.ts';
import { asOf, setName } from '../../core/schemas.ts';
import { acting } from '../orgs/org.ts';
import { seamFeature } from './seams.ts';
import { SET_ERRORS } from './set.ts';

const GEOJSON = 'application/geo+json';

export const listSetGaps = defineOp({
  name: 'list_set_gaps',
  summary: 'The gaps between the areas of a set and their overlaps, as a GeoJSON collection.',
  description:
    'A gap is surrounded by areas of the set; what is open to the outside is none. Each has its km2 and the areas beside it. ' +
    'filled_gap and given_overlap are those that create_area_set gave to an area, as gaps and overlaps said.',
  route: { method: 'GET', path: '/sets/:name/gaps' },
  access: RULES.list_set_gaps,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    name: setName,
    on: asOf.describe('Of the version in force on this date. Default: today.'),
  }),
  output: z.object({ type: z.literal('FeatureCollection'), features: z.array(seamFeature) }),
  success: { documents: [GEOJSON] },
  errors: SET_ERRORS,
  examples: [{ input: { name: 'territories' } }],
  async run(ctx, { name, on = today() }) {
    const { areaSets } = ctx.services;
    const set = await areaSets.get(acting(ctx), name);
    const version = set.versions.findLast(({ valid_from }) => valid_from <= on);
    const seams = version === undefined ? null : await areaSets.seamsOf(version.id);
    if (seams === null) {
      const message = 'of this version they were not looked for: store it again';
      throw invalidInput([{ path: 'on', code: 'missing', message }]);
    }
    return bytes(Buffer.from(`{"type":"FeatureCollection","features":${seams}}`), GEOJSON);
  },
});

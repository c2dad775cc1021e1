import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { created, defineOp } from '../../core/op.ts';
import { countGroups } from './merged.ts';
import { areaSet, SET_ERRORS, setAnswer, setReport } from './set.ts';
import { BODY_BYTES, setInput } from './set_input.ts';
import { keepGiven, planSet, storeSet } from './store_set.ts';
import { BODY_TYPES } from './uploaded.ts';

const MOST_VALUES = 110_100;

export const createAreaSet = defineOp({
  name: 'create_area_set',
  summary: 'Stores areas of your own, such as sales territories, as a set or as a new version of it.',
  description:
    'From a file in any format that is read and any projection, as the body (the parameters are then in the query) or, up to ' +
    '8 MiB, as content; from a file of the library (file_id); or from groups of boundaries as dissolve takes them. The areas get the ids ' +
    'set:NAME/CODE, which only those who may read the set can use, wherever an id is taken. Each version is valid from a date ' +
    'until the next. Borders are cleaned by slivers so that neighbors share them; the report says what was changed, left ' +
    'out and overlaps. A version is stored whole or not at all.',
  route: { method: 'POST', path: '/sets' },
  access: RULES.create_area_set,
  effect: 'write',
  cost: { units: 1, per: 'call', note: 'from groups: each distinct member' },
  bodyBytes: BODY_BYTES,
  mostValues: MOST_VALUES,
  intake: BODY_TYPES,
  input: setInput,
  output: z.union([
    areaSet.extend({ report: setReport }),
    z.object({ file_id: z.string(), bytes: z.int() }).describe('With keep_file.'),
  ]),
  errors: [
    ...SET_ERRORS,
    'invalid_id',
    'too_many_boundaries',
    'no_children',
    'no_geometry',
    'quota_exceeded',
    'too_large',
  ],
  success: { created: 'always' },
  examples: [
    {
      input: { name: 'territories', groups: { west: ['iso:ES-SE'], east: ['iso:ES-CO'] } },
      note: 'From groups of boundaries',
    },
    {
      input: {
        name: 'zones',
        content:
          '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"id":"z1","name":"Zone 1"},' +
          '"geometry":{"type":"Polygon","coordinates":[[[-6,37],[-5.9,37],[-5.9,37.1],[-6,37.1],[-6,37]]]}}]}',
        valid_from: '2019-01-01',
      },
      note: 'From a file',
    },
  ],
  audit: ['set.create', 'set.version'],
  settles: true,
  count: ({ groups }) => countGroups(groups),
  prepare: planSet,
  price: (_ctx, { keep_file }, { units }) => (keep_file ? 0 : units),
  async run(ctx, input, planned, settle) {
    if (input.keep_file) {
      const kept = await keepGiven(ctx, input);
      return created(kept, `/v1/files/${kept.file_id}`);
    }
    const { areaSets } = ctx.services;
    const report = await storeSet(ctx, input, planned, { within: settle });
    return created({ ...setAnswer(await areaSets.get(planned.by, input.name)), report }, `/v1/sets/${input.name}`);
  },
});

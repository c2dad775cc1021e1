import { today } from '../../common/dates.ts';
import { contextWith } from '../../core/op.ts';
import { looseBoolean } from '../../core/schemas.ts';
import { createAreaSet } from '../sets/create_area_set.ts';
import type { SetInput } from '../sets/set_input.ts';
import { planSet, storeSet } from '../sets/store_set.ts';
import type { JobKind } from './kind.ts';

/** For an estimate: bytes of a stored area, and areas stored in a millisecond. */
const ROUGH = { bytes: 2_000, areas: 1 };

/** Jobs that store a version of an area set. How many areas there are is known once its file is read. */
export const setJob: JobKind = {
  op: createAreaSet,
  count: createAreaSet.count,
  input: createAreaSet.input.extend({
    keep_file: looseBoolean.default(false).refine((keeps) => !keeps, 'a job stores the areas: leave it out'),
  }),
  kept: (given) => ({ ...given, valid_from: given.valid_from ?? today() }),
  stores: true,
  nameOf: (input) => (input as SetInput).name,
  async plan(ctx, given, into = null) {
    const input = given as SetInput;
    const planned = await planSet(ctx, input, into === null ? undefined : into || null);
    const total = input.features?.length ?? Object.keys(input.groups ?? {}).length;
    return {
      total,
      units: planned.units,
      leftOut: [],
      into: planned.room.set ?? '',
      store: (beside, signal) => storeSet(contextWith(ctx, { signal }), input, planned, beside),
      estimate: async () => ({ bytes: total * ROUGH.bytes, ms: total / ROUGH.areas }),
    };
  },
};

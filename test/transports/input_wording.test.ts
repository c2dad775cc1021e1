import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseInput } from '../../src/core/input.ts';
import { boundaryId } from '../../src/core/schemas.ts';

const CHILDREN = '{children_of, admin_level?, levels?}';
const FORMS = `must be an array of ids, ${CHILDREN}, or {country, kind?}`;

const schema = z.strictObject({
  limit: z.int().min(1).max(40).optional(),
  ids: z.array(z.string().min(1).max(3)).min(1).max(2).optional(),
  format: z.enum(['geojson', 'kml', 'wkt']).optional(),
  since: z.iso.datetime().optional(),
  pair: z.tuple([z.number(), z.number()]).optional(),
  team: z.boolean().optional(),
  only: z.literal('all').optional(),
  share: z.number().gt(0).optional(),
  side: z
    .union([
      z.array(boundaryId).min(1).max(3),
      z.strictObject({
        children_of: boundaryId,
        admin_level: z.int().min(1).optional(),
        levels: z.enum(['direct']).optional(),
      }),
      z.strictObject({ country: z.string().length(2), kind: z.string().optional() }),
    ])
    .optional(),
  level: z.union([z.enum(['state', 'county']), z.int().min(1)]).optional(),
  step: z
    .discriminatedUnion('op', [z.object({ op: z.literal('place') }), z.object({ op: z.literal('side'), of: z.int() })])
    .optional(),
  title: z.union([z.literal(''), z.string().max(3)]).default(''),
  name: z
    .string()
    .regex(/^[a-z]+$/, 'must be small letters')
    .optional(),
});

/** What a caller reads of an input. */
function reported(input: Record<string, unknown>): string {
  try {
    parseInput(schema, input);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing is wrong with it');
}

test.each([
  [{ limit: 50 }, 'limit: must be at most 40'],
  [{ limit: 0 }, 'limit: must be at least 1'],
  [{ limit: 1.5 }, 'limit: must be a whole number'],
  [{ limit: 'x' }, 'limit: must be a number'],
  [{ ids: [] }, 'ids: must not be empty'],
  [{ ids: ['a', 'b', 'c'] }, 'ids: must have at most 2 items'],
  [{ ids: ['abcd'] }, 'ids.0: must have at most 3 characters'],
  [{ ids: 'a' }, 'ids: must be a list'],
  [{ ids: [7] }, 'ids.0: must be text'],
  [{ format: 'shp' }, 'format: "shp" is not one of geojson, kml and wkt'],
  [{ format: 7 }, 'format: is not one of geojson, kml and wkt'],
  [{ format: 'x'.repeat(99) }, `format: "${'x'.repeat(40)}…" is not one of geojson, kml and wkt`],
  [{ since: 'now' }, 'since: must be a time as ISO 8601 has it, such as 2026-11-22T10:00:00Z'],
  [{ pair: { x: 1 } }, 'pair: must be a list'],
  [{ team: 'yes' }, 'team: must be true or false'],
  [{ only: 'some' }, 'only: must be all'],
  [{ share: 0 }, 'share: must be more than 0'],
  [{ name: 'A' }, 'name: must be small letters'],
  [{ odd: 1 }, 'odd: unknown field'],
  [{ side: 5 }, `side: ${FORMS}`],
  [{ side: 'r1' }, `side: ${FORMS}`],
  [{ side: {} }, `side: ${FORMS}`],
  [{ side: { odd: 1 } }, `side: ${FORMS}`],
  [{ side: [7] }, `side: ${FORMS}; nearest is an array of ids: 0: must be text`],
  [{ side: { children_of: 7 } }, `side: ${FORMS}; nearest is ${CHILDREN}: children_of: must be text`],
  [{ side: { children_of: 'r1', admin_level: 0 } }, 'side.admin_level: must be at least 1'],
  [{ side: { children_of: 'r1', depth: 1 } }, `side.depth: unknown field; side ${FORMS}`],
  [
    { side: { children_of: 'r1', levels: 'direct', country: 'ES' } },
    `side: ${FORMS}; nearest is ${CHILDREN}: country: not in it`,
  ],
  [{ side: { kind: 'city' } }, `side: ${FORMS}; nearest is {country, kind?}: country: must be text`],
  [{ side: [] }, 'side: must not be empty'],
  [{ level: 'shire' }, 'level: must be one of state, county or a whole number'],
  [{ level: 0 }, 'level: must be at least 1'],
  [
    { level: 1.5 },
    'level: must be one of state, county or a whole number; nearest is a whole number: must be a whole number',
  ],
  [{ level: [] }, 'level: must be one of state, county or a whole number'],
  [{ step: { op: 'polygon' } }, 'step.op: "polygon" is not one of place and side'],
  [{ step: {} }, 'step.op: is not one of place and side'],
  [{ title: 7 }, 'title: must be "" or text'],
  [{ title: 'abcd' }, 'title: must have at most 3 characters'],
])('%j is refused: %s', (input, words) => {
  expect(reported(input)).toBe(words);
});

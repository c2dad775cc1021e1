import { z } from 'zod';
import { today } from '../../common/dates.ts';
import { setIdsIn } from '../../common/set_ids.ts';
import { RULES } from '../../core/access.ts';
import { invalidInput } from '../../core/errors.ts';
import { type Context, defineOp } from '../../core/op.ts';
import { asOf, kind, latitude, longitude, looseBoolean, setName } from '../../core/schemas.ts';
import { acting } from '../orgs/org.ts';
import { SET_ERRORS, versionOn } from './set.ts';

const PAGE = 1000;

export const listSetAreas = defineOp({
  name: 'list_set_areas',
  summary: 'Lists the areas of a set by id, without polygons.',
  description: 'get_boundary returns one with its polygon, export_collection all of them with {"set": name}.',
  route: { method: 'GET', path: '/sets/:name/areas' },
  access: RULES.list_set_areas,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    name: setName,
    on: asOf.describe('The version in force on this date. Default: today.'),
    members: looseBoolean
      .default(false)
      .describe('With the boundaries that each area was made from, where the version was made from groups.'),
    limit: z.int().min(1).max(PAGE).default(PAGE).describe('Page size.'),
    cursor: z.string().min(1).max(200).optional().describe('next of the previous page.'),
  }),
  output: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        kind,
        population: z.int().nullable(),
        area_km2: z.number().nullable().describe('Null without a polygon.'),
        bbox: z.object({ west: longitude, south: latitude, east: longitude, north: latitude }).nullable(),
        centroid: z.object({ lat: latitude, lon: longitude }).nullable().describe('A point inside.'),
        broken: z.string().nullable().describe('Why it has no polygon.'),
        properties: z.record(z.string(), z.string()).describe('The properties that it had in its file, as text.'),
        members: z
          .array(z.string())
          .nullable()
          .optional()
          .describe(
            'With members: their ids. Null where the version was not made from groups, was stored before members were ' +
              'kept, or has members of a set that the caller may not read.',
          ),
      }),
    ),
    valid_from: z.iso.date().describe('Of the version.'),
    total: z.int(),
    limit: z.int(),
    next: z.string().nullable().describe('The cursor of the next page; null on the last.'),
  }),
  errors: SET_ERRORS,
  examples: [{ input: { name: 'territories' } }],
  async run(ctx, { name, on = today(), members, limit, cursor }) {
    const { areaSets } = ctx.services;
    const set = await areaSets.get(acting(ctx), name);
    const version = versionOn(set, on);
    const [of, after] = cursor === undefined ? [version.id, ''] : readCursor(cursor);
    if (of !== version.id) {
      throw invalidInput([{ path: 'cursor', code: 'changed', message: 'the set has another version: start again' }]);
    }
    const rows = await areaSets.areasOf(version.id, after, limit + 1);
    const made = members ? await areaSets.membersOf(version.id) : null;
    const memberOf = await readableMembers(ctx, made);
    const items = rows
      .slice(0, limit)
      .map((one) => (members ? { ...one, members: memberOf(one.id.slice(one.id.indexOf('/') + 1)) } : one));
    const next = rows.length > limit ? cursorOf(version.id, items.at(-1)?.id ?? '') : null;
    return { items, valid_from: version.valid_from, total: version.areas, limit, next };
  },
});

/** The members of an area by its code; null for those with areas of a set that the caller may not read. */
async function readableMembers(
  ctx: Context,
  made: Readonly<Record<string, readonly string[]>> | null,
): Promise<(code: string) => string[] | null> {
  if (made === null) return () => null;
  const named = new Set(Object.values(made).flatMap((ids) => ids.flatMap(setIdsIn)));
  if (named.size > 0) {
    for (const { name } of await ctx.services.areaSets.readable(acting(ctx), [...named])) named.delete(name);
  }
  return (code) => {
    const ids = Object.hasOwn(made, code) ? made[code] : undefined;
    return ids && !ids.some((id) => setIdsIn(id).some((name) => named.has(name))) ? [...ids] : null;
  };
}

const cursorOf = (version: number, id: string) =>
  Buffer.from(`${version} ${id.slice(id.indexOf('/') + 1)}`).toString('base64url');

function readCursor(cursor: string): [version: number, code: string] {
  const [, version, code] = /^(\d{1,15}) (\S{1,200})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (code !== undefined) return [Number(version), code];
  throw invalidInput([
    { path: 'cursor', code: 'invalid_value', message: 'must be next of an answer to the same call' },
  ]);
}

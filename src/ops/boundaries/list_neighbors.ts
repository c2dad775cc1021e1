import { z } from 'zod';
import { defined } from '../../common/elements.ts';
import { RULES } from '../../core/access.ts';
import { invalidInput } from '../../core/errors.ts';
import { type Context, defineOp } from '../../core/op.ts';
import { adminLevel, asOf, boundaryId, recordedBefore } from '../../core/schemas.ts';
import { DataMoved, type Snapshot } from '../../domain/boundaries/reads.ts';
import { type NeighborList, neighborsOf, type OverlaidList, type WhichNeighbors } from '../../geometry/neighbors.ts';
import { landAndSea, markedShares } from './common_borders.ts';
import { cursorOf, dataChanged, listTag, readCursor, wrongCursor } from './cursor.ts';
import { geometryOf } from './document.ts';
import { asRead, boundaryFor, onSnapshot, requireGeometry, UPSTREAM_ERRORS } from './fetched.ts';
import { overlaidList, overlaidWith, shownBeside } from './overlaid.ts';
import { boundarySchema, canonicalId, naming, namingOf } from './schema.ts';

/** Limit and default of the items of a page. */
const PAGE = 1000;
/** Limit of the boundaries listed because their borders cross this one's. */
const CROSSING = 100;

/** The share of a border at sea, from which on all of it is: land and sea are measured on lines of their own. */
const AT_SEA = 0.999;

const km = z.number().min(0);

const neighborSchema = boundarySchema.extend({
  contact: z.enum(['line', 'point']).describe('line: they share a border; point: they meet in single points only.'),
  shared_km: km.describe('Length of the common border; 0 for a point.'),
  land_km: km.nullable().describe('Length with land on both sides; null: the land of one is not known.'),
  sea_km: km.nullable().describe('Length with sea on both sides. Along a coast a border is in neither.'),
  maritime: z
    .boolean()
    .nullable()
    .describe('Whether all of the common border is at sea, by the coast or as the map marks it.'),
});

/** The whole list for a boundary, cached while the data stays the same. */
function listFor(
  { services, signal }: Context,
  reading: Snapshot,
  boundary: Awaited<ReturnType<Snapshot['get']>>,
  which: WhichNeighbors,
): Promise<NeighborList> {
  const { cache, db, engine } = services;
  const ref = geometryOf(boundary);
  const make = async (stop: AbortSignal) => {
    const { west, south, east, north } = boundary;
    const box = [west ?? 0, south ?? 0, east ?? 0, north ?? 0] as const;
    const maritime = (await reading.maritimeLines()).within(box);
    const border = await engine.relations.border(ref, stop, maritime);
    const list = await neighborsOf(db, boundary, border, which, stop);
    if (list.revision !== reading.revision) throw new DataMoved();
    const at = { services, signal: stop };
    const marked = await markedShares(at, reading, border, list);
    return { ...list, marked, ground: await landAndSea(at, reading, boundary, list) };
  };
  const key = `${reading.revision} ${tagOf(boundary.id, which)}`;
  return cache.getOrMake('neighbors', key, make, signal);
}

/** What the boundary and those of other arrangements have in common, cached while the data stays the same. */
function overlaidFor(
  { services, signal }: Context,
  reading: Snapshot,
  boundary: Awaited<ReturnType<Snapshot['get']>>,
  which: WhichNeighbors,
  list: NeighborList,
): Promise<OverlaidList> {
  const make = (stop: AbortSignal) => overlaidWith({ services, signal: stop }, reading, boundary, which, list);
  const key = `${reading.revision} ${tagOf(boundary.id, which)}`;
  return services.cache.getOrMake('overlaid', key, make, signal);
}

/** Identifies a list within one state of the data, as in a cursor. */
function tagOf(id: string, { levels, adminLevel }: WhichNeighbors): string {
  return `${id} ${levels ?? adminLevel ?? 'own'}`;
}

export const listNeighbors = defineOp({
  name: 'list_neighbors',
  summary: 'Lists the neighbors of a boundary, with the length of the common border in km.',
  description:
    'Of its own admin level (for a postcode area: postcode areas), another, or any. The longest common border comes ' +
    'first; those that meet it only in points last, with contact "point". Lengths are geodesic, of the full shapes. A ' +
    'border is common where both have exactly the same line: one that only runs beside it, as of another source, or ' +
    'across the antimeridian, is not counted. Compare shared_km with border_km, which includes coasts; crossing: whose ' +
    'borders cross this one or partly lie on it; overlaid: what an area of a set meets beside its set.',
  route: { method: 'GET', path: '/boundaries/:id/neighbors' },
  access: RULES.list_neighbors,
  effect: 'read',
  cost: { units: 1, per: 'call' },
  input: z.strictObject({
    id: boundaryId,
    admin_level: adminLevel.optional().describe('Default: its own.'),
    levels: z.enum(['all']).optional().describe('Instead of admin_level: every level, and postcode areas.'),
    limit: z.int().min(1).max(PAGE).default(PAGE).describe('Page size.'),
    cursor: z.string().min(1).max(200).optional().describe('next of the previous page.'),
    ...naming,
    as_of: asOf,
    recorded_before: recordedBefore,
    scope: z.enum(['official', 'all']).optional().describe('all: overlaid with your sets.'),
  }),
  output: z.object({
    items: z.array(neighborSchema),
    total: z.int().describe('Number of items in the whole list.'),
    limit: z.int(),
    next: z.string().nullable().describe('The cursor of the next page; null on the last.'),
    border_km: km.describe('Length of all borders of the boundary, including holes.'),
    shared_km: km.describe('The part of border_km that the whole list shares, each piece counted once.'),
    crossing: z.object({
      total: z.int(),
      ids: z.array(canonicalId).describe(`The first ${CROSSING} by id.`),
    }),
    overlaid: overlaidList,
  }),
  errors: [
    'invalid_input',
    'invalid_id',
    'unauthorized',
    'quota_exceeded',
    'not_found',
    'no_geometry',
    ...UPSTREAM_ERRORS,
    'rate_limited',
  ],
  examples: [
    { input: { id: 'iso:ES-SE' } },
    { input: { id: 'iso:ES-SE', admin_level: 4 }, note: 'Which regions it borders on' },
    { input: { id: 'iso:ES-SE', levels: 'all', limit: 5 }, note: 'Of every level, five at a time' },
  ],
  async prepare(ctx, { id, admin_level, levels, cursor }) {
    if (admin_level !== undefined && levels !== undefined) {
      throw invalidInput([{ path: 'levels', code: 'conflict', message: 'give admin_level or levels, not both' }]);
    }
    if (cursor !== undefined) readCursor(cursor);
    const found = await boundaryFor(ctx, id);
    await requireGeometry(ctx, [found]);
    return found;
  },
  async run(ctx, { id, admin_level, levels, limit, cursor, scope, ...wanted }, found) {
    const place = cursor === undefined ? null : readCursor(cursor);
    const which = { adminLevel: admin_level, levels };
    return onSnapshot(ctx, async (reading) => {
      const boundary = await asRead(reading, id, found);
      const list = await listFor(ctx, reading, boundary, which);
      const tag = listTag(ctx, tagOf(boundary.id, which));
      if (place && place.revision !== reading.revision) throw dataChanged();
      if (place && (place.list !== tag || place.offset >= list.ids.length)) throw wrongCursor();
      const offset = place?.offset ?? 0;
      const ids = list.ids.slice(offset, offset + limit);
      const items = await reading.byIds(ids);
      if (items.length !== ids.length) throw new DataMoved();
      const shown = await reading.show(
        items.map(({ boundary: one }) => one),
        namingOf(ctx, wanted),
      );
      const after = offset + ids.length;
      const isAsked = place === null && (scope === 'all' || boundary.id.startsWith('set:'));
      const beside = isAsked ? await overlaidFor(ctx, reading, boundary, which, list) : null;
      return {
        items: shown.map((one, i) => {
          const km = defined(list.km[offset + i]);
          const { land = null, sea = null } = list.ground[offset + i] ?? {};
          const isMarked = (list.marked[offset + i] ?? 0) > AT_SEA;
          const isSea = land === null || sea === null ? null : land === 0 && sea > 0 && sea > AT_SEA * km;
          return {
            ...one,
            contact: km > 0 ? ('line' as const) : ('point' as const),
            shared_km: km,
            land_km: land,
            sea_km: sea,
            maritime: isMarked || isSea,
          };
        }),
        total: list.ids.length,
        limit,
        next: after < list.ids.length ? cursorOf({ revision: reading.revision, offset: after, list: tag }) : null,
        border_km: list.borderKm,
        shared_km: list.sharedKm,
        crossing: { total: list.crossing.length, ids: list.crossing.slice(0, CROSSING) },
        overlaid: beside === null ? null : await shownBeside(reading, beside, namingOf(ctx, wanted)),
      };
    });
  },
});

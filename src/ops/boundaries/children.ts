import { createHash } from 'node:crypto';
import { z } from 'zod';
import { readSetName } from '../../common/set_ids.ts';
import { invalidInput } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import { loadingNotice } from '../../core/schemas.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import {
  idsOf,
  listAreasOfSet,
  listSubdivisions,
  type SubdivisionFilter,
  type SubdivisionList,
} from '../../domain/boundaries/children.ts';
import { DataMoved, type Snapshot } from '../../domain/boundaries/reads.ts';
import type { Naming } from '../../domain/names/languages.ts';
import { cursorOf, dataChanged, listTag, readCursor, wrongCursor } from './cursor.ts';
import { onSnapshot, parentFor } from './fetched.ts';
import { writtenList } from './list.ts';
import { boundarySchema } from './schema.ts';

/** Limit and default of the items of a page. */
export const PAGE = 1000;

/** A page of subdivisions, and what the whole list leaves out. */
export const childrenSchema = z.object({
  items: z.array(boundarySchema),
  total: z.int().describe('Number of items in the whole list.'),
  without_geometry: z
    .int()
    .optional()
    .describe('How many of them have no polygon, as what an extract cuts; absent if all have one.'),
  limit: z.int(),
  next: z.string().nullable().describe('The cursor of the next page; null on the last.'),
  covers: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe("The part of the boundary's area that the whole list covers; null where no area is known."),
  other_levels: z
    .array(z.object({ admin_level: z.int().nullable(), count: z.int() }))
    .describe('Levels of direct subdivisions that the list leaves out, and how many: levels=direct includes them.'),
  ...loadingNotice,
});

/** Which subdivisions of a boundary are requested, and how. */
export interface ChildrenRequest extends SubdivisionFilter {
  readonly limit: number;
  readonly cursor?: string;
  readonly naming: Naming;
}

/** A page as it is sent. */
interface Page {
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string;
  readonly size: number;
  readonly items: number;
}

/** Items that cost about as much as one plain request; a page with more counts as several. */
const ITEMS_A_REQUEST = 100;
/**
 * A page of the subdivisions of a boundary as JSON, from one state of the data. Lists and pages are cached while that
 * state lasts; concurrent calls share one run.
 * @throws what parentFor() throws; invalid_input for a cursor of another list or of older data; rate_limited when the
 * network may not request more large pages now
 */
export async function childrenPage(ctx: Context, id: string, asked: ChildrenRequest): Promise<Page> {
  const set = readSetName(id);
  if (set !== null && asked.adminLevel !== undefined) {
    throw invalidInput([{ path: 'admin_level', code: 'conflict', message: 'areas of sets have no admin level' }]);
  }
  const parent = set === null ? (await parentFor(ctx, id, asked)).id : `set:${set}`;
  const weigh = countRequestsOnce(ctx);
  const key = `children ${JSON.stringify([parent, asked])}`;
  return onSnapshot(ctx, async (reading) => {
    const kept = reading.kept<Page>(key);
    if (kept) {
      await weigh(kept.items);
      return kept;
    }
    const page = await pageOf(ctx, reading, parent, asked, weigh);
    reading.keep(key, page);
    return page;
  });
}

/** childrenPage() in a reading, for a set, or a boundary whose known subdivisions are stored. */
export async function pageOf(
  ctx: Context,
  reading: Snapshot,
  id: string,
  asked: ChildrenRequest,
  weigh: Weigh,
): Promise<Page> {
  const place = asked.cursor === undefined ? null : readCursor(asked.cursor);
  const set = readSetName(id);
  const parent = set === null ? await reading.get(id) : null;
  const outline =
    parent === null ? await areasOfSet(ctx, reading, set ?? '') : await outlineFor(ctx, reading, parent, asked);
  const list = parent === null ? listTag(ctx, `${id} ${ctx.services.sets?.state}`) : tagOf(ctx, parent, asked);
  if (place && place.revision !== reading.revision) throw dataChanged();
  if (place && (place.list !== list || place.offset >= outline.total)) throw wrongCursor();
  const offset = place?.offset ?? 0;
  const ids = idsOf(outline, offset, asked.limit);
  await weigh(ids.length);
  const after = { revision: reading.revision, offset: offset + ids.length, list };
  const next = after.offset < outline.total ? cursorOf(after) : null;
  const key = JSON.stringify([reading.revision, list, offset, asked.limit, asked.naming]);
  const make = () => makePage(reading, outline, ids, { ...asked, next });
  return ctx.services.cache.getOrMake('lists', key, make, ctx.signal);
}

type Weigh = (items: number) => Promise<void>;

/** Counts a page against the limit of the caller's network: once, however often its work starts over. */
export function countRequestsOnce(ctx: Context): Weigh {
  let weighed = false;
  return async (items) => {
    if (!weighed) await ctx.countRequests?.(Math.ceil(items / ITEMS_A_REQUEST));
    weighed = true;
  };
}

/** The whole list that is requested, in order. */
export function outlineFor(
  ctx: Context,
  { revision }: Snapshot,
  parent: ResolvedBoundary,
  which: SubdivisionFilter,
): Promise<SubdivisionList> {
  const { services, signal } = ctx;
  const make = async (stop: AbortSignal) => {
    const outline = await listSubdivisions(services.db, parent, which, stop);
    if (outline.revision !== revision) throw new DataMoved();
    return outline;
  };
  return services.cache.getOrMake('outlines', `${revision} ${tagOf(ctx, parent, which)}`, make, signal);
}

/** All areas of a set that the call reads. @throws DataMoved */
function areasOfSet({ services, signal }: Context, { revision }: Snapshot, set: string): Promise<SubdivisionList> {
  const make = async (stop: AbortSignal) => {
    const outline = await listAreasOfSet(services.db, set, stop);
    if (outline.revision !== revision) throw new DataMoved();
    return outline;
  };
  return services.cache.getOrMake('outlines', `${revision} set ${set}`, make, signal);
}

async function makePage(
  reading: Snapshot,
  { total, withoutGeometry, covers, otherLevels }: SubdivisionList,
  ids: readonly string[],
  { limit, naming, next }: ChildrenRequest & { readonly next: string | null },
): Promise<Page> {
  const found = (await reading.byIds(ids)).map(({ boundary }) => boundary);
  const cut = withoutGeometry > 0 ? { without_geometry: withoutGeometry } : {};
  const more = { total, ...cut, limit, next, covers, other_levels: otherLevels };
  const bytes = writtenList(await reading.written(found, naming), more);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { bytes, sha256, size: bytes.byteLength, items: ids.length };
}

/** Identifies a list: the boundary, and which of its subdivisions. */
function tagOf(ctx: Context, { id }: ResolvedBoundary, { levels, adminLevel }: SubdivisionFilter): string {
  return listTag(ctx, `${id} ${levels ?? adminLevel ?? 'next'}`);
}

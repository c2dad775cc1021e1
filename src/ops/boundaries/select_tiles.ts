import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { type Context, contextWith, created, defineOp } from '../../core/op.ts';
import { askedAs, type Part, type PartAsked, partAsked } from '../../domain/boundaries/land.ts';
import type { TileSelection } from '../../domain/boundaries/tile_selections.ts';
import { UPSTREAM_ERRORS } from './fetched.ts';
import { part } from './schema.ts';
import {
  countSelection,
  leftOutOf,
  leftOutSchema,
  membersOf,
  SELECTION_ERRORS,
  type Selection,
  selectBoundaries,
  selectionFields,
} from './selection.ts';

/** Room for the ids of 5,000 boundaries. */
const BODY_BYTES = 256 * 1024;
const MOST_VALUES = 5_100;
/** Boundaries that count as one plain request, as in export_collection. */
const BOUNDARIES_A_REQUEST = 10;

/**
 * POST /tiles/selections: stores a selection under the SHA-256 of its canonical form, for tiles that are drawn from it.
 * It runs like an operation but is not in the registry: tiles are outside /v1, and no other route leads to it.
 */
export const selectTiles = defineOp({
  name: 'select_tiles',
  summary: 'Stores a selection and returns the URLs of its vector tiles.',
  route: { method: 'POST', path: '/tiles/selections' },
  access: RULES.export_collection,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  bodyBytes: BODY_BYTES,
  mostValues: MOST_VALUES,
  readsSets: true,
  input: z.strictObject({ ...selectionFields, ...part }),
  output: z.object({
    sha256: z.string().length(64),
    tiles: z.string().describe('URL template of the tiles, with {z}, {x} and {y}.'),
    tilejson: z.url(),
    count: z.int().describe('Boundaries that are drawn.'),
    left_out: leftOutSchema.optional().describe('With area: boundaries that the tiles lack as that is not known.'),
    expires_at: z.iso.datetime().describe('When the selection is deleted, unless it is used before.'),
  }),
  errors: [...SELECTION_ERRORS, 'no_geometry', 'unauthorized', ...UPSTREAM_ERRORS, 'rate_limited'],
  success: { created: 'if_new' },
  examples: [{ input: { children_of: 'iso:ES-AN' } }],
  count: countSelection,
  async run(ctx, given) {
    const selected = await selectBoundaries(ctx, given);
    const { members, leftOut } = selected;
    const isPart = partAsked(given) !== 'all';
    if (isPart) membersOf(selected);
    await ctx.countRequests?.(Math.ceil(members.length / BOUNDARIES_A_REQUEST));
    const ids = [...members, ...leftOut].map(({ id }) => id);
    const kept = await ctx.services.tileSelections.put(await canonical(ctx, given, ids), ctx.caller.org?.id ?? null);
    const address = `${ctx.baseUrl}/tiles/selections/${kept.sha256}`;
    const answer = {
      sha256: kept.sha256,
      tiles: `${address}/{z}/{x}/{y}.mvt`,
      tilejson: `${address}.json`,
      count: members.length,
      ...(isPart && { left_out: leftOutOf(leftOut) }),
      expires_at: kept.expiresAt.toISOString(),
    };
    return kept.created ? created(answer, `/tiles/selections/${kept.sha256}.json`) : answer;
  },
});

/** A selection of boundaries, or of their land or water. */
type PartSelection = Selection & PartAsked;

/** A selection with every id in its canonical form, and `ids` sorted, because they are a set. */
async function canonical(ctx: Context, given: PartSelection, ids: readonly string[]): Promise<TileSelection> {
  const { children_of, country } = given;
  return {
    ...given,
    area: undefined,
    ...askedAs(partAsked(given)),
    ...(given.ids && { ids: [...new Set(ids)].sort() }),
    ...(children_of && { children_of: (await ctx.services.boundaries.get(children_of)).id }),
    ...(country && { country: country.toUpperCase() }),
    // Sets of other organizations may have the same names: whether one was stored says nothing of them.
    ...(ctx.services.sets && { org: ctx.caller.org?.id }),
  };
}

/** The part of boundaries that a stored selection shows. */
export const partOf = (selection: TileSelection): Part => partAsked(selection as PartSelection);

/**
 * The current boundaries of a stored selection. Nothing is fetched from an upstream source.
 * @throws what selectBoundaries() throws: not_found when no boundary is left
 */
export function selectKept(ctx: Context, selection: TileSelection) {
  const services = { ...ctx.services, upstream: null };
  return selectBoundaries(contextWith(ctx, { services }), selection as PartSelection);
}

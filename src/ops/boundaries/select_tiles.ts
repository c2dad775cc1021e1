import { z } from 'zod';
import { RULES } from '../../access.ts';
import type { TileSelection } from '../../domain/tile_selections.ts';
import { type Context, created, defineOp } from '../../op.ts';
import { UPSTREAM_ERRORS } from './fetched.ts';
import { countSelection, SELECTION_ERRORS, type Selection, selectBoundaries, selectionFields } from './selection.ts';

/** Ids of 5,000 boundaries. */
const BODY_BYTES = 256 * 1024;
const MOST_VALUES = 5_100;
/** Boundaries whose work is that of one plain request, as export_collection counts them. */
const BOUNDARIES_A_REQUEST = 10;

/**
 * POST /tiles/selections: keeps a selection under the SHA-256 of its canonical form, so that tiles are drawn of it. It is
 * run as operations are, and is none of them: tiles stand outside of /v1, and no other route leads to it.
 */
export const selectTiles = defineOp({
  name: 'select_tiles',
  summary: 'Keeps a selection, for vector tiles of it.',
  route: { method: 'POST', path: '/tiles/selections' },
  access: RULES.export_collection,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  bodyBytes: BODY_BYTES,
  mostValues: MOST_VALUES,
  input: z.strictObject(selectionFields),
  output: z.object({
    sha256: z.string().length(64),
    tiles: z.string().describe('Their address, with {z}, {x} and {y} left open.'),
    tilejson: z.url(),
    count: z.int().describe('Boundaries that are drawn.'),
    expires_at: z.iso.datetime().describe('Unless it is used until then.'),
  }),
  errors: [...SELECTION_ERRORS, 'unauthorized', ...UPSTREAM_ERRORS, 'rate_limited'],
  success: { created: 'if_new' },
  examples: [{ input: { children_of: 'iso:ES-AN' } }],
  count: countSelection,
  async run(ctx, given) {
    const { members, leftOut } = await selectBoundaries(ctx, given);
    await ctx.weigh?.(Math.ceil(members.length / BOUNDARIES_A_REQUEST));
    const ids = [...members, ...leftOut].map(({ id }) => id);
    const kept = await ctx.services.tileSelections.put(await canonical(ctx, given, ids), ctx.caller.org?.id ?? null);
    const address = `${ctx.baseUrl}/tiles/selections/${kept.sha256}`;
    const answer = {
      sha256: kept.sha256,
      tiles: `${address}/{z}/{x}/{y}.mvt`,
      tilejson: `${address}.json`,
      count: members.length,
      expires_at: kept.expiresAt.toISOString(),
    };
    return kept.created ? created(answer, `/tiles/selections/${kept.sha256}.json`) : answer;
  },
});

/** A selection with every id in its canonical form; ids in one order, as they are a set. */
async function canonical(ctx: Context, given: Selection, ids: readonly string[]): Promise<TileSelection> {
  const { children_of, country } = given;
  return {
    ...given,
    ...(given.ids && { ids: [...new Set(ids)].sort() }),
    ...(children_of && { children_of: (await ctx.services.boundaries.get(children_of)).id }),
    ...(country && { country: country.toUpperCase() }),
  };
}

/**
 * The boundaries of a selection that is kept, as of now. Nothing is fetched from elsewhere for it. Throws what
 * selectBoundaries() throws: not_found where there is none any more.
 */
export function selectKept(ctx: Context, selection: TileSelection) {
  const services = { ...ctx.services, upstream: null };
  return selectBoundaries({ ...ctx, services }, selection as Selection);
}

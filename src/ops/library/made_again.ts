/** Files of the library made again, from what they were made from. */
import { problem } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import type { Format } from '../../core/schemas.ts';
import type { Claimed } from '../../domain/library/following.ts';
import { exportCollection } from '../boundaries/export_collection.ts';
import { boundaryFor, requireGeometry } from '../boundaries/fetched.ts';
import { unionBoundaries } from '../boundaries/union_boundaries.ts';
import { collectionInput, type MadePlan, planCollection, planUnion, unionInput, type Wanted } from './made.ts';
import { renderFile } from './render.ts';

/** A file to make again; `boundary` and `version`: of a single boundary as it is now, else null. */
export interface AgainPlan extends Pick<MadePlan, 'units' | 'make'> {
  readonly boundary: string | null;
  readonly version: number | null;
}

/**
 * Plans to make a file again from the boundaries of now, in its format and detail, for what saving it costs.
 * @throws what save_file throws before it makes a file
 */
export async function planAgain(ctx: Context, file: Claimed): Promise<AgainPlan> {
  const { boundary: id, detail, input } = file;
  if (id !== null && detail !== null) {
    const boundary = await boundaryFor(ctx, id);
    await requireGeometry(ctx, [boundary]);
    const wanted = { format: file.format as Format, detail };
    return {
      ...{ boundary: boundary.id, version: boundary.boundary.version, units: 1 },
      async make() {
        const { content } = await renderFile(ctx.services, boundary, wanted, ctx.signal);
        return (async function* parts() {
          yield content;
        })();
      },
    };
  }
  const { format, detail: asked, ...given } = input ?? {};
  const { name, visibility } = file;
  const wanted = { format, detail: asked, name, visibility } as Wanted;
  const plan =
    file.made_by === unionBoundaries.name
      ? await planUnion(ctx, unionInput.parse(given), wanted)
      : file.made_by === exportCollection.name
        ? await planCollection(ctx, collectionInput.parse(given), wanted)
        : null;
  if (plan === null) throw problem('invalid_input', `A file made by ${file.made_by} cannot be made again.`);
  return { boundary: null, version: null, units: Math.max(1, plan.units), make: () => plan.make() };
}

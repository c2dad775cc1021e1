import type { Context } from '../../src/core/op.ts';
import type { PointDegrees } from '../../src/domain/boundaries/reverse.ts';
import type { Naming } from '../../src/domain/names/languages.ts';
import { answerInMemory } from '../../src/ops/boundaries/reverse_in_memory.ts';

/**
 * answerInMemory() right after the revision of the data was confirmed. Memory answers for 800 ms after that, which a
 * busy machine may need to get from one line of a test to the next.
 */
export async function answerOfMemory(ctx: Context, place: PointDegrees, naming: Naming): Promise<Uint8Array | null> {
  await ctx.services.boundaries.withSnapshot(async () => undefined);
  return answerInMemory(ctx, place, naming);
}

/** Removes a source of boundaries: a job of remove_source. */
import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import { putAudit } from '../../domain/people/audit.ts';
import { removeSource, type StoredSource, storedSources } from '../../sources/stored.ts';
import { acting } from '../orgs/org.ts';
import { requireOperator } from './import_job.ts';
import type { JobKind, StoringBeside } from './kind.ts';

/** The input of remove_source. */
export const removeInput = z.strictObject({
  source: z.string().min(1).max(40).describe('A stored source, as get_data_status lists it.'),
});

export const removeJob: JobKind = {
  op: { access: RULES.remove_source, effect: 'write' },
  input: removeInput,
  stores: true,
  nameOf: (input) => (input as z.output<typeof removeInput>).source,
  async plan(ctx, given) {
    await requireOperator(ctx);
    const source = await removable(ctx, (given as z.output<typeof removeInput>).source);
    return {
      ...{ total: source.boundaries, units: 0, leftOut: [], into: null },
      store: (beside, signal) => storeRemoval(ctx, source, beside, signal),
      estimate: async () => ({ bytes: 0, ms: 0 }),
    };
  },
};

/** The stored source with this id. @throws not_found; invalid_input for seed data */
async function removable({ services }: Context, id: string): Promise<StoredSource> {
  const source = (await storedSources(services.db)).find((one) => one.id === id);
  if (!source) throw problem('not_found', `No source ${id} is stored. get_data_status lists those that are.`);
  if (!source.seed) return source;
  const message = 'is seed data, which each start loads again: the setting SEED decides (none, countries, all)';
  throw invalidInput([{ path: 'source', code: 'conflict', message }]);
}

/** Removes the source in one transaction with the end of the job. */
async function storeRemoval(
  ctx: Context,
  { id, name }: StoredSource,
  beside: StoringBeside,
  signal: AbortSignal,
): Promise<void> {
  beside.say('removing its boundaries');
  signal.throwIfAborted();
  const by = acting(ctx);
  const say = (message: string): void => beside.say(message);
  await removeSource(ctx.services, id, say, async (tx, removed) => {
    await putAudit(tx, by.actor, by.org, {
      action: 'data.remove',
      target: { type: 'source', id, name },
      details: { boundaries: removed.boundaries, restored: removed.restored },
    });
    await beside.within(tx, { source: id, removed: removed.boundaries, restored: removed.restored });
  });
}

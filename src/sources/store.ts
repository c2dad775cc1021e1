import type { Database } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { patient, putWays, TOPOLOGY_LOCK } from '../domain/topology.ts';
import type { Engine } from '../geometry/engine.ts';
import { build } from './store/arrangement.ts';
import { chooseBoundaries, chooseWays, completeWays } from './store/candidates.ts';
import type { Progress, Run, StoreInput, StoreSummary } from './store/model.ts';
import { putRelations, write } from './store/write.ts';

/**
 * Stores boundaries of one source: their ways, the arcs those are cut into, rings, tiers, parents, kinds and names, in
 * one transaction. Again is idempotent; a newer version of a boundary or of a way replaces the older, and every stored
 * boundary that uses a changed way is made anew. A boundary that does not assemble keeps its last good shape, marked
 * stale, or is stored without one, with the reason.
 */
export async function storeBoundaries(
  { db, engine }: { db: Database; engine: Engine },
  input: StoreInput,
  progress: Progress = () => {},
): Promise<StoreSummary> {
  return db.withLock(TOPOLOGY_LOCK, async () => {
    const { source } = input;
    await db.query(loadQuery('store_put_source'), [
      source.id,
      source.name,
      source.url,
      source.licence,
      source.attribution,
      source.resolution,
      source.starter,
    ]);
    const [{ id }] = await db.query<{ id: number }>(loadQuery('store_begin_run'), [source.id, input.file]);
    const summary = await runImport({ db, engine, input, id, progress, summary: emptySummary(input) });
    await patient(db).query(loadQuery('store_analyze'));
    await db.query(loadQuery('store_end_run'), [id, JSON.stringify({ ...summary, broken: summary.broken.length })]);
    return summary;
  });
}

async function runImport(run: Run): Promise<StoreSummary> {
  const { ways, changed } = await chooseWays(run);
  const candidates = await chooseBoundaries(run, changed);
  if (candidates.length === 0 && changed.size === 0) return run.summary;
  run.progress(`${candidates.length} boundaries to make`);
  await completeWays(run, candidates, ways);
  let { plan, built } = await build(run, candidates, ways, new Set());
  // What does not assemble keeps the shape it has, which then belongs to the arrangement like any other.
  const kept = candidates.filter(
    ({ stored }, i) =>
      stored?.has_geometry && (plan.boundaries[i].trouble !== null || 'trouble' in built.boundaries[i]),
  );
  if (kept.length > 0) ({ plan, built } = await build(run, candidates, ways, new Set(kept.map(({ id }) => id))));
  run.progress(`${built.arcs.first.length} arcs; writing`);
  await run.db.transaction(async (transaction) => {
    const tx = patient(transaction);
    if (run.input.relations) await putRelations(tx, run.input.relations);
    await putWays(
      tx,
      [...changed].map((id) => ways.get(id)).filter((way) => way !== undefined),
    );
    await write(run, tx, plan, built);
  });
  return run.summary;
}

const emptySummary = (input: StoreInput): StoreSummary => ({
  read: input.boundaries.length,
  added: 0,
  replaced: 0,
  unchanged: 0,
  older: 0,
  reassembled: 0,
  broken: [],
  aliased: 0,
  doubles: 0,
  arcs: 0,
  retiered: 0,
  conflicts: 0,
});

import { defined, only } from '../../common/elements.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Engine } from '../../geometry/engine.ts';
import { derivePlaces } from '../unshaped/unshaped.ts';
import { areaTrouble } from './area_gate.ts';
import { build, extentsOf, type PendingBatches } from './arrangement.ts';
import { batchesOf, waysOfBatches } from './batches.ts';
import { chooseBoundaries, chooseWays, completeWays } from './candidates.ts';
import { dropRemovedCoast, putCoast, renewLand } from './land.ts';
import { removeBoundaries } from './removals.ts';
import { SeenCoast } from './removed_coast.ts';
import {
  type Candidate,
  type LandRun,
  type Progress,
  type Run,
  type ShapeFault,
  type Storage,
  type StoreInput,
  sourceColumns,
} from './source_rows.ts';
import type { StoreSummary } from './summary.ts';
import { type Extent, TOPOLOGY_LOCK, withImportTimeout } from './topology.ts';
import { putWays, type WayRow } from './topology_writes.ts';
import { putNodes, putRelations, replaceSeeds, write } from './write.ts';

/**
 * Stores boundaries of one source: their ways, the arcs cut from them, rings, tiers, parents, kinds and names. Each
 * batch is one transaction (store/batches.ts: regions that cannot touch), so readers never see half an arrangement.
 * It is idempotent: running it again resumes a run that was killed, as the committed boundaries count as unchanged.
 * A newer version of a boundary or way replaces the older one, and every stored boundary that uses a changed way is
 * reassembled. A boundary that does not assemble keeps its last good shape, marked stale, or is stored without a shape
 * and with the reason.
 */
export async function storeBoundaries(
  { db, engine }: { db: Database; engine: Engine },
  input: StoreInput,
  progress: Progress = () => {},
): Promise<StoreSummary> {
  return storeParts({ db, engine }, input, [input], progress);
}

/**
 * Stores a source that arrives in parts, as one run; see storeBoundaries. Only one part is in memory at a time. A
 * boundary is in one part, a way in each part that uses it.
 */
export async function storeParts(
  { db, engine }: { db: Database; engine: Engine },
  about: Whole,
  parts: Parts,
  progress: Progress = () => {},
): Promise<StoreSummary> {
  const whole: Storage = {
    inOrder: db.kind === 'embedded',
    query: db.query,
    exec: db.exec,
    transaction: db.transaction,
  };
  return db.withLock(TOPOLOGY_LOCK, () => store({ db: whole, engine }, about, parts, progress));
}

/** What all parts of a source have in common. */
export type Whole = Pick<StoreInput, 'source' | 'file' | 'timestamp' | 'few'>;
export type Parts = Iterable<StoreInput> | AsyncIterable<StoreInput>;

/**
 * As storeBoundaries, but in one transaction together with the writes of `also`: all of it commits or nothing. The
 * caller holds TOPOLOGY_LOCK.
 */
export async function storeWhole(
  { db, engine }: { db: Database; engine: Engine },
  input: StoreInput,
  also: (tx: Queryable, run: LandRun) => Promise<void>,
  progress: Progress = () => {},
): Promise<StoreSummary> {
  return db.transaction(async (tx) => {
    const summary = await storeIn({ tx, engine }, input, [input], progress);
    await also(tx, { db: inside(tx), engine, progress, summary });
    return summary;
  });
}

/** A transaction of the caller as where an import stores. */
const inside = (tx: Queryable): Storage => ({
  inOrder: true,
  query: tx.query,
  exec: tx.exec,
  transaction: (work) => work(tx),
});

/** As storeParts, but in a transaction of the caller, who holds TOPOLOGY_LOCK. */
export async function storeIn(
  { tx, engine }: { tx: Queryable; engine: Engine },
  about: Whole,
  parts: Parts,
  progress: Progress = () => {},
): Promise<StoreSummary> {
  async function* few(): AsyncGenerator<StoreInput> {
    for await (const input of parts) yield { ...input, few: true };
  }
  return store({ db: inside(tx), engine }, { ...about, few: true }, few(), progress);
}

async function store(
  { db, engine }: { db: Storage; engine: Engine },
  { source, file, timestamp, few }: Whole,
  parts: Parts,
  progress: Progress,
): Promise<StoreSummary> {
  await db.query(loadQuery('store_put_source'), sourceColumns(source));
  const { id } = only(await db.query(loadQuery('store_begin_run'), [source.id, file]));
  const summary = emptySummary();
  const unshaped = new Set<string>();
  const seen = new SeenCoast();
  for await (const input of parts) {
    summary.read += input.boundaries.length;
    const later = new Set<string>();
    await runImport({ db, engine, input, id, progress, summary, later }, seen);
    const among = await withImportTimeout(db).query(loadQuery('unshaped_among'), [[...later]]);
    for (const { id } of among) unshaped.add(id);
    // After each part, not only the last: the queries of the next part need statistics about what this one stored.
    await withImportTimeout(db).query(loadQuery(few ? 'store_settle_names' : 'store_analyze'));
  }
  if (unshaped.size > 0) await placeUnshaped(db, engine, [...unshaped]);
  await db.query(loadQuery('store_end_run'), [id, JSON.stringify({ ...summary, broken: summary.broken.length })]);
  if (timestamp) await db.query(loadQuery('store_set_data_at'), [source.id, timestamp]);
  return summary;
}

/**
 * Places boundaries without a polygon, now that all ways of their borders are stored; then other boundaries whose place
 * depends on these.
 */
async function placeUnshaped(db: Storage, engine: Engine, ids: readonly string[]): Promise<void> {
  await db.transaction(async (transaction) => {
    const tx = withImportTimeout(transaction);
    await derivePlaces(tx, engine, ids);
    const own = new Set(ids);
    const touched = await tx.query(loadQuery('unshaped_touched'), [ids]);
    await derivePlaces(
      tx,
      engine,
      touched.map(({ id }) => id).filter((id) => !own.has(id)),
    );
  });
}

async function runImport(run: Run, seen: SeenCoast): Promise<StoreSummary> {
  await putNodes(withImportTimeout(run.db), run.input.nodes?.values() ?? []);
  const { ways, changed, renewed } = await chooseWays(run);
  const candidates = await chooseBoundaries(run, changed);
  for (const { id } of run.input.boundaries) if (id !== null) run.later.add(id);
  for (const { id } of candidates) run.later.add(id);
  const deleted = run.input.deleted ?? [];
  if (run.input.replace === true) await replaceUnchanged(run, candidates);
  await putCoast(run, seen);
  if (candidates.length + changed.size + renewed.size + deleted.length === 0) {
    await dropRemovedCoast(run, seen);
    await renewLand(run);
    return run.summary;
  }
  await completeWays(run, candidates, ways);
  const batches = batchesOf(candidates, ways, run.input.batchSize);
  run.progress(`${candidates.length} boundaries to build, in ${batches.length} batches`);
  const ofBatches = waysOfBatches(batches, changed);
  const unused = new Set([...changed, ...renewed]);
  for (const some of ofBatches) for (const way of some) unused.delete(way);
  const relations = new Map(run.input.relations?.map((relation) => [`r${relation.id}`, relation]));
  const wayRows = (ids: ReadonlySet<number>) => [...ids].flatMap((id) => ways.get(id) ?? []);

  let [done, written, analyzed] = [0, 0, 0];
  const extents: (readonly Extent[])[] = [];
  const stored: Promise<void>[] = [];
  const built: Promise<void>[] = [];
  const settled = (promise: Promise<unknown>) => promise.then(nothing, nothing);
  try {
    for (const [n, { candidates: some, follows }] of batches.entries()) {
      await stored[n - (follows || run.db.inOrder ? 1 : BATCHES_AHEAD)];
      const before = stored[n - 1] ?? Promise.resolve();
      extents.push(extentsOf(some, ways));
      const pending = { extents: () => extents.slice(done, n).flat(), written: before };
      const ready = prepare(run, some, ways, pending);
      built.push(settled(ready));
      const own = some.flatMap(({ id, input }) => (input && relations.get(id)) ?? []);
      for (const { id } of own) relations.delete(`r${id}`);
      const store = async () => {
        const built = await ready;
        await before;
        await run.db.transaction(async (transaction) => {
          const tx = withImportTimeout(transaction);
          await putRelations(tx, own);
          await putWays(tx, wayRows(defined(ofBatches[n])));
          await write(run, tx, built);
        });
        done = n + 1;
        written += some.length;
        // The next batch looks up stored arcs around it: refresh statistics that date from nearly empty tables. Within a
        // transaction, which cannot vacuum, only where many were written.
        const { few } = run.input;
        if (batches[n + 1]?.follows && written >= (few ? Math.max(MANY_BUILT, 2 * analyzed) : 2 * analyzed)) {
          await withImportTimeout(run.db).query(loadQuery(few ? 'store_analyze_built' : 'store_analyze'));
          analyzed = written;
        }
        run.progress(`batch ${n + 1}/${batches.length} written`);
      };
      stored.push(store());
      defined(stored[n]).catch(nothing);
    }
    await stored.at(-1);
  } finally {
    // All work must be over when the lock is released.
    await Promise.all([...built, ...stored.map(settled)]);
  }
  // Relations and ways that no batch wrote: those of boundaries that keep their stored version.
  await run.db.transaction(async (transaction) => {
    await putRelations(withImportTimeout(transaction), [...relations.values()]);
    await putWays(withImportTimeout(transaction), wayRows(unused));
    await removeBoundaries(run, withImportTimeout(transaction), deleted);
  });
  await dropRemovedCoast(run, seen);
  await renewLand(run);
  return run.summary;
}

/** Lets boundaries that an earlier run stored take the place of seed boundaries now that this is asked for. */
async function replaceUnchanged(run: Run, candidates: readonly Candidate[]): Promise<void> {
  const built = new Set(candidates.map(({ id }) => id));
  const { source, boundaries } = run.input;
  const sourceIds = boundaries.map(({ sourceId }) => sourceId);
  await run.db.transaction(async (transaction) => {
    const tx = withImportTimeout(transaction);
    const rows = await tx.query(loadQuery('store_boundaries'), [[], source.id, sourceIds, []]);
    const ids = rows.filter((row) => row.source === source.id && !built.has(row.id)).map(({ id }) => id);
    if (ids.length > 0) await replaceSeeds(run, tx, ids);
  });
}

/**
 * How many batches may be in flight: being built, waiting or being written. On an embedded database only one is, as it
 * usually runs inside the server, which has requests to answer.
 */
const BATCHES_AHEAD = 3;

const nothing = () => {};

/** So many boundaries are worth statistics within a transaction. */
const MANY_BUILT = 1_000;

/** Builds a batch while earlier ones are pending. Builds it again if some boundaries must keep their stored shape. */
async function prepare(run: Run, candidates: readonly Candidate[], ways: Map<number, WayRow>, pending: PendingBatches) {
  const first = await build(run, candidates, ways, new Map(), pending);
  // A boundary that cannot be published keeps its stored shape, if there is one, which is then part of the arrangement
  // like any other.
  const kept = new Map<string, ShapeFault>();
  const heirs = new Set(first.plan.superseded.values());
  first.plan.boundaries.forEach(({ candidate, trouble }, i) => {
    const result = trouble ?? defined(first.built.boundaries[i]);
    // A boundary without a shape takes no place, so the seed boundaries whose place it would take stay.
    if ('trouble' in result && !candidate.stored?.has_geometry && !heirs.has(candidate.id)) return;
    const why = 'trouble' in result ? result : areaTrouble(run, candidate, result);
    if (why) kept.set(candidate.id, why);
  });
  if (kept.size === 0) return first;
  return build(run, candidates, ways, kept, pending);
}

/** The summary of a run that did nothing. */
export const emptySummary = (): StoreSummary => ({
  read: 0,
  added: 0,
  replaced: 0,
  unchanged: 0,
  older: 0,
  reassembled: 0,
  deleted: 0,
  broken: [],
  aliased: 0,
  doubles: 0,
  namesakes: [],
  restored: 0,
  arcs: 0,
  retiered: 0,
  loaded: 0,
  conflicts: 0,
  land: { worked: 0, unknown: 0, gaps: [], broken: [] },
});

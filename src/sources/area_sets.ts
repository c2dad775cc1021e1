/**
 * Stores versions of area sets. A version is built by the ordinary import, in tables that only its transaction sees, as an
 * edition is (editions.ts): official boundaries take no part in it, and it none in theirs. It is then copied into the
 * tables of sets (sql/migrations/000370_area_sets.sql).
 */
import { only } from '../common/elements.ts';
import { Semaphore } from '../common/semaphore.ts';
import { atCapacity } from '../core/errors.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import type { Engine } from '../geometry/engine.ts';
import { SHADOWED } from './shadowed.ts';
import { storeIn } from './store/boundaries.ts';
import type { BatchSize } from './store/source_rows.ts';
import type { StoreSummary } from './store/summary.ts';
import { withImportTimeout } from './store/topology.ts';
import type { SourceBoundary } from './types.ts';

/** What was built, before it is stored under a number. */
export interface Drafted {
  readonly areas: number;
  readonly vertices: number;
  readonly broken: StoreSummary['broken'];
}

/**
 * Vertices of areas that are built together, as the memory of the process and its threads grows with them. The arcs, their
 * detail levels and conflicts are the same in batches of any size; a ring may only begin at another of its arcs.
 */
const BATCH: BatchSize = { aim: 60_000, most: 100_000 };

/** Versions that are stored at once, which takes a core each and a connection, and how many calls wait for that. */
const storing = new Semaphore(2);
const MOST_WAITING = 4;

/**
 * Builds areas and stores them as a version. All is one transaction.
 * @param areas with their ids, `set:NAME/CODE`
 * @param put adds the version in the transaction, and returns its number
 * @throws rate_limited when too many versions wait to be stored
 */
export async function storeAreas(
  { db, engine }: { readonly db: Database; readonly engine: Engine },
  {
    name,
    areas,
    batchSize = BATCH,
  }: { readonly name: string; readonly areas: SourceBoundary[]; readonly batchSize?: BatchSize },
  put: (tx: Queryable, drafted: Drafted) => Promise<number>,
): Promise<Drafted> {
  if (storing.waiting >= MOST_WAITING) throw atCapacity();
  const store = async (transaction: Queryable): Promise<Drafted> => {
    const tx = withImportTimeout(transaction);
    const { making } = only(await tx.query(loadQuery('edition_shadow'), [SHADOWED]));
    await tx.query(loadQuery('edition_hide'));
    await tx.exec(making);
    // Of the source only the id is copied: answers have the title of the set and the attribution of the version.
    const source = { id: `set:${name}`, name, url: null, license: '', attribution: '', resolution: null, seed: false };
    const input = { source, file: 'area set', boundaries: areas, coast: [], batchSize };
    const { broken } = await storeIn({ tx: transaction, engine }, input, [input]);
    const { areas: count, vertices } = only(await tx.query(loadQuery('sets_drafted')));
    const drafted = { areas: count, vertices, broken };
    const version = [await put(tx, drafted)] as const;
    await tx.query(loadQuery('sets_copy_arcs'), version);
    await tx.query(loadQuery('sets_copy_conflicts'), version);
    await tx.query(loadQuery('sets_copy_boundaries'), version);
    await tx.query(loadQuery('sets_copy_shapes'), version);
    await tx.query(loadQuery('sets_copy_names'), version);
    return drafted;
  };
  return storing.run(() => db.transaction(store));
}

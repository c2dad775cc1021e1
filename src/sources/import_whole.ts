import type { Database, Queryable } from '../db/connect.ts';
import type { Engine } from '../geometry/engine.ts';
import type { CoverageOptions } from './coverage/options.ts';
import type { Coverage } from './coverage/read.ts';
import { coverageInput } from './coverage_input.ts';
import { OSM_SOURCE } from './osm/source.ts';
import { SEED_SOURCES } from './seed/all.ts';
import { storeWhole } from './store/boundaries.ts';
import type { StoreInput } from './store/source_rows.ts';
import type { StoreSummary } from './store/summary.ts';
import { TOPOLOGY_LOCK } from './store/topology.ts';
import { requireUse } from './stored.ts';

/**
 * Stores the areas that were read of a file in one transaction: a process that dies leaves what was stored before.
 * `importFile` commits in batches instead, as it takes files of any size.
 * @param also runs in the same transaction, after the areas are stored; if it throws, nothing is stored
 * @throws Error when the source is one of other polygons
 */
export async function importWhole(
  { db, engine }: { readonly db: Database; readonly engine: Engine },
  read: Pick<Coverage, 'boundaries' | 'placing'>,
  options: CoverageOptions,
  about: { readonly file: string; readonly accept: ReadonlySet<string> },
  also: (tx: Queryable, summary: StoreSummary) => Promise<void>,
  progress: (message: string) => void,
): Promise<void> {
  await requireUse(db, options.source, 'boundaries');
  const input: StoreInput = coverageInput(read, options, about);
  await db.withLock(TOPOLOGY_LOCK, () =>
    storeWhole({ db, engine }, input, (tx, { summary }) => also(tx, summary), progress),
  );
}

/** Whether a name is that of OpenStreetMap or of seed data, which a file of areas must not take. */
export const isReserved = (source: string): boolean => source === OSM_SOURCE.id || SEED_SOURCES.includes(source);

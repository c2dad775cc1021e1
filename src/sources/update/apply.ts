import { basename } from 'node:path';
import { only } from '../../common/elements.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Engine } from '../../geometry/engine.ts';
import { OSM_SOURCE } from '../osm/source.ts';
import { storeWhole } from '../store/boundaries.ts';
import type { Progress } from '../store/source_rows.ts';
import type { StoreSummary } from '../store/summary.ts';
import { TOPOLOGY_LOCK } from '../store/topology.ts';
import { type LeftOut, readChange } from './change_file.ts';
import { planChange } from './plan.ts';

export type Deps = { readonly db: Database; readonly engine: Engine };

/** The result of applying one change file. */
export interface ChangeSummary extends StoreSummary {
  readonly file: string;
  /** Sequence number of the change in its replication folder; null for a single file. */
  readonly sequence: number | null;
  /** RFC 3339: the replication folder's time of the change, else that of the newest object in the file, else null. */
  readonly timestamp: string | null;
  /** How many objects the file has. */
  readonly objects: number;
  /** How many of them concern boundaries. */
  readonly relevant: number;
  /** Lakes, rivers and coastlines that changed and are not read. */
  readonly leftOut: LeftOut;
}

export interface ApplyOptions {
  /** URL of the replication folder; '' for a single file. */
  readonly address: string;
  readonly sequence: number | null;
  /** The replication folder's time of the change. */
  readonly timestamp?: string | null;
  readonly accept?: readonly string[];
}

/**
 * Applies one OsmChange file in one transaction together with its sequence number: all of it or nothing. It is
 * idempotent. A single file older than changes that were applied before is refused, as stored nodes have no versions.
 * @throws Error when the file is damaged, is not an OsmChange, or is older than what was applied
 */
export async function applyChange(
  { db, engine }: Deps,
  path: string,
  { address, sequence, timestamp: given = null, accept = [] }: ApplyOptions,
  progress: Progress = () => {},
): Promise<ChangeSummary> {
  return db.withLock(TOPOLOGY_LOCK, async () => {
    const change = await readChange(db, path);
    const timestamp = given ?? change.timestamp;
    const { data_at } = only(await db.query(loadQuery('update_state'), [address]));
    if (address === '' && data_at && timestamp && Date.parse(timestamp) < new Date(data_at).getTime()) {
      const latest = new Date(data_at).toISOString();
      throw new Error(
        `${path}: its newest object is of ${timestamp}, but changes up to ${latest} are already applied: apply changes in order`,
      );
    }
    const { deletedNodes, nodesLeft, waysLeft, lost, ...input } = await planChange(db, change);
    const relevant = change.relations.size + change.ways.size + change.nodes.size;
    const summary = await storeWhole(
      { db, engine },
      { source: OSM_SOURCE, file: basename(path), ...input, current: true, accept: new Set(accept) },
      async (tx) => {
        await tx.query(loadQuery('update_drop_nodes'), [deletedNodes, nodesLeft]);
        await tx.query(loadQuery('update_drop_ways'), [waysLeft, lost.ways, lost.boundaries]);
        await tx.query(loadQuery('update_advance'), [address, sequence, timestamp, OSM_SOURCE.id]);
      },
      progress,
    );
    const { read: objects, leftOut } = change;
    return { ...summary, file: basename(path), sequence, timestamp, objects, relevant, leftOut };
  });
}

import { basename } from 'node:path';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { only } from '../../elements.ts';
import type { Engine } from '../../geometry/engine.ts';
import { OSM_SOURCE } from '../osm/source.ts';
import { storeWhole } from '../store/boundaries.ts';
import type { Progress, StoreSummary } from '../store/model.ts';
import { TOPOLOGY_LOCK } from '../store/topology.ts';
import { readChange } from './change_file.ts';
import { planChange } from './plan.ts';

export type Deps = { readonly db: Database; readonly engine: Engine };

/** What one change file did. */
export interface ChangeSummary extends StoreSummary {
  readonly file: string;
  /** The number of the change in its replication folder; null for a file given by hand. */
  readonly sequence: number | null;
  /** Of the newest object in the file, RFC 3339; null when the objects carry no times. */
  readonly timestamp: string | null;
  /** Objects of the file, and those of them that boundaries have to do with. */
  readonly objects: number;
  readonly relevant: number;
}

export interface ApplyOptions {
  /** Address of the replication folder, '' for a file given by hand. */
  readonly address: string;
  readonly sequence: number | null;
  /** The time that the replication folder gives the change. */
  readonly timestamp?: string | null;
  readonly accept?: readonly string[];
}

/**
 * Takes in one OsmChange file: in one transaction with the number it has, so all of it or nothing. Again changes
 * nothing. A file of objects older than changes that were taken in already is refused, because nodes have no versions
 * here.
 * @throws Error when the file is damaged, no OsmChange, or older than what was taken in
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
        `${path}: its newest object is of ${timestamp}, and changes up to ${latest} were taken in before: apply changes in order`,
      );
    }
    const { nodesGone, nodesLeft, waysLeft, lost, ...input } = await planChange(db, change);
    const relevant = change.relations.size + change.ways.size + change.nodes.size;
    const summary = await storeWhole(
      { db, engine },
      { source: OSM_SOURCE, file: basename(path), ...input, current: true, accept: new Set(accept) },
      async (tx) => {
        await tx.query(loadQuery('update_drop_nodes'), [nodesGone, nodesLeft]);
        await tx.query(loadQuery('update_drop_ways'), [waysLeft, lost.ways, lost.boundaries]);
        await tx.query(loadQuery('update_advance'), [address, sequence, timestamp, OSM_SOURCE.id]);
      },
      progress,
    );
    return { ...summary, file: basename(path), sequence, timestamp, objects: change.read, relevant };
  });
}

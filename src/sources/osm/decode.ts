import { setTimeout as delay } from 'node:timers/promises';
import type {
  BlobsTask,
  LayOutTask,
  NodesFound,
  NodesTask,
  RelationsFound,
  WaysFound,
  WaysTask,
} from '../../../workers/osm/passes.ts';
import { layOutPlaces, nodesOf, relationsOf, waysOf } from '../../../workers/osm/passes.ts';
import type { GeometryPool } from '../../geometry/pool.ts';

/** The steps of reading a PBF file that run on a few blobs (workers/osm/passes.ts), in this thread or in the pool. */
export interface Decode {
  /** How many tasks to run at once. */
  readonly width: number;
  relationsOf(task: BlobsTask): Promise<RelationsFound>;
  waysOf(task: WaysTask): Promise<WaysFound>;
  nodesOf(task: NodesTask): Promise<NodesFound>;
  layOutPlaces(task: LayOutTask): Promise<void>;
}

/** Decodes in the caller's thread. */
export const decodeHere: Decode = {
  width: 1,
  relationsOf: async (task) => relationsOf(task),
  waysOf: async (task) => waysOf(task),
  nodesOf: async (task) => nodesOf(task),
  layOutPlaces: async (task) => layOutPlaces(task),
};

/** Milliseconds between checks whether the pool has room again. */
const BUSY_MS = 50;

/** Decodes in the threads of the pool; waits while requests fill its queue. */
export function decodeInPool(pool: GeometryPool): Decode {
  const room = async () => {
    while (pool.isFull) await delay(BUSY_MS);
  };
  return {
    // One more than threads, so that no thread waits for the main thread.
    width: pool.threads + 1,
    relationsOf: async (task) => room().then(() => pool.runPatiently('relationsOf', task)),
    waysOf: async (task) => room().then(() => pool.runPatiently('waysOf', task)),
    nodesOf: async (task) => room().then(() => pool.runPatiently('nodesOf', task)),
    layOutPlaces: async (task) => room().then(() => pool.runPatiently('layOutPlaces', task)),
  };
}

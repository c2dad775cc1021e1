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

/** The parts of reading a PBF file that need no more than some blobs (workers/osm/passes.ts), wherever they are run. */
export interface Decode {
  /** Tasks that are worth having under way at a time. */
  readonly width: number;
  relationsOf(task: BlobsTask): Promise<RelationsFound>;
  waysOf(task: WaysTask): Promise<WaysFound>;
  nodesOf(task: NodesTask): Promise<NodesFound>;
  layOutPlaces(task: LayOutTask): Promise<void>;
}

/** In the caller's thread. */
export const decodeHere: Decode = {
  width: 1,
  relationsOf: async (task) => relationsOf(task),
  waysOf: async (task) => waysOf(task),
  nodesOf: async (task) => nodesOf(task),
  layOutPlaces: async (task) => layOutPlaces(task),
};

const BUSY_MS = 50;

/** In the threads of the pool; while requests fill its queue, reading waits. */
export function decodeInPool(pool: GeometryPool): Decode {
  const room = async () => {
    while (pool.isFull) await delay(BUSY_MS);
  };
  return {
    // One more than threads, so that none waits for the main thread.
    width: pool.threads + 1,
    relationsOf: async (task) => room().then(() => pool.runPatiently('relationsOf', task)),
    waysOf: async (task) => room().then(() => pool.runPatiently('waysOf', task)),
    nodesOf: async (task) => room().then(() => pool.runPatiently('nodesOf', task)),
    layOutPlaces: async (task) => room().then(() => pool.runPatiently('layOutPlaces', task)),
  };
}

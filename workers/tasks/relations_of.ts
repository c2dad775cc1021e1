import { type BlobsTask, type RelationsFound, relationsOf } from '../osm/passes.ts';

/** The boundary relations in blobs of a PBF file, and the ids of their ways. */
export function run(given: BlobsTask): RelationsFound {
  return relationsOf(given);
}

/** The memory of the result that is moved to the main thread. */
export const moved = ({ texts, ways }: RelationsFound): ArrayBufferView[] => [texts.bytes, ways.ids];

import { type WaysFound, type WaysTask, waysOf } from '../osm/passes.ts';

/** The ways among `wanted` in blobs of a PBF file, with the ids of their nodes. */
export function run(given: WaysTask): WaysFound {
  return waysOf(given);
}

/** The memory of the result that is moved to the main thread. */
export const moved = ({ texts, refs, coords }: WaysFound): ArrayBufferView[] => [texts.bytes, refs.ids, coords];

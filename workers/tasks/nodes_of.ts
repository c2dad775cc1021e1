import { type NodesFound, type NodesTask, nodesOf } from '../osm/passes.ts';

/**
 * Writes the coordinates of wanted nodes in blobs of a PBF file into the shared array; returns the nodes whose tags are
 * wanted.
 */
export function run(given: NodesTask): NodesFound {
  return nodesOf(given);
}

import { type LayOutTask, layOutPlaces } from '../osm/passes.ts';

/** The coordinates of the nodes of each way, in order, from the shared array. */
export function run(given: LayOutTask): void {
  layOutPlaces(given);
}

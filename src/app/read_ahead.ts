import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../services.ts';

/** Shapes per statement: reading them takes some ten milliseconds of the database, and a few of this thread. */
const SHAPES = 100;
/** Share of the memory for arcs that is filled before anyone asks for them. */
const ARCS_SHARE = 0.25;
/** Share of the time that reading shapes may take: calls that wait for the database come first. */
const BUSY_SHARE = 0.5;

/**
 * Reads boundaries into memory by canonical id, in the order given, and then the shapes of those that found room, so
 * that the first calls for a place or a point wait for no statement. It ends early when `isClosing`, when the data
 * changes, and when the shapes fill a quarter of the memory for arcs.
 */
export async function readAhead(
  { boundaries, engine }: Pick<Services, 'boundaries' | 'engine'>,
  ids: readonly string[],
  isClosing: () => boolean,
): Promise<void> {
  const read = await boundaries.readAhead(ids);
  const { heap } = engine.arcs;
  const most = ARCS_SHARE * heap.heap.buffer.byteLength;
  for (let from = 0; from < read && heap.bytes < most && !isClosing(); from += SHAPES) {
    const began = performance.now();
    const some = await boundaries.byIds(ids.slice(from, Math.min(read, from + SHAPES)));
    const refs = some.flatMap(({ id, ring_hash, admin_level }) =>
      ring_hash === null ? [] : [{ id, ringHash: ring_hash, adminLevel: admin_level }],
    );
    await engine.shapes.withShapes(refs, undefined, async () => undefined, true);
    await sleep((performance.now() - began) * (1 / BUSY_SHARE - 1), null, { ref: false });
  }
}

/** What is known of boundaries besides their borders and the coastlines of OpenStreetMap: what files say by their extents. */
import type { MapBox } from '../../../workers/osm/blob.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { batches } from '../batches.ts';
import { isWithin, unitsOf } from './land_extent.ts';
import type { Box } from './parts.ts';

/** As land.ts of workers/arcs has them. */
const PARTS = { land: 1, water: 2 } as const;
/**
 * How far beyond the extent of a file a boundary may reach, in 1e-7 degrees (1.1 km): ways that cross the edge of an extract
 * are whole in it.
 */
const EDGE = 100_000;
/** Bytes of an id in a list, at most. */
const ID_BYTES = 50;

/**
 * Stores the extent that a file with coastlines states. The land of boundaries within that was not known is then pending, as
 * they may have no coast because they are not by the sea.
 */
export async function putExtent(tx: Queryable, bbox: MapBox): Promise<void> {
  const extent = unitsOf(bbox);
  const added = await tx.query(loadQuery('land_put_extent'), extent);
  if (added.length === 0) return;
  await tx.query(loadQuery('land_drop_within'), extent);
  await tx.query(loadQuery('land_mark_unknown'), extent);
}

interface Shape extends Box {
  readonly id: string;
  readonly known: 'land' | 'water' | null;
  readonly decided_by: string | null;
}

/** What is known of some boundaries, of which the coastlines of a source are to say the land. */
export async function knownOf(db: Queryable, shapes: readonly Shape[], source: string) {
  const extents = await db.query(loadQuery('land_extents'));
  const parts = Uint8Array.from(shapes, ({ known, decided_by: by }) =>
    known !== null && by === source ? PARTS[known] : 0,
  );
  const isCovered = Uint8Array.from(shapes, (shape) =>
    extents.some((extent) => isWithin(shape, extent, EDGE)) ? 1 : 0,
  );
  const open = new Set<string>();
  const asked = shapes.flatMap(({ id }, i) => (parts[i] === 0 && isCovered[i] === 0 ? [id] : []));
  for (const ids of batches(asked, () => ID_BYTES))
    for (const { id } of await db.query(loadQuery('land_open'), [ids])) open.add(id);
  return { parts, isCovered, isOpen: Uint8Array.from(shapes, ({ id }) => (open.has(id) ? 1 : 0)) };
}

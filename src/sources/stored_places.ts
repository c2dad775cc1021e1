import type { PlaceNodes } from '../../workers/arcs/center.ts';
import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';

/** The places of the label and admin_centre nodes of stored boundaries (1e-7 degrees), by boundary id. */
export async function storedPlaces(db: Queryable, ids: readonly string[]): Promise<Map<string, PlaceNodes>> {
  const relations = ids.filter((id) => id.startsWith('r')).map((id) => Number(id.slice(1)));
  const found = new Map<string, PlaceNodes>();
  if (relations.length === 0) return found;
  const rows = await db.query(loadQuery('store_places'), [relations]);
  for (const { id, role, x, y } of rows) {
    const had = found.get(`r${id}`) ?? { label: null, seat: null };
    found.set(`r${id}`, {
      label: had.label ?? (role === 'label' ? [x, y] : null),
      seat: had.seat ?? (role === 'label' ? null : [x, y]),
    });
  }
  return found;
}

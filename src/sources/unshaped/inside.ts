import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Engine } from '../../geometry/engine.ts';
import type { BoundaryRef } from '../../geometry/engine_model.ts';
import { CLEAR_SHARE, type Inside, type Parent, type Point, type Unshaped, type User } from './known.ts';

interface Around extends Omit<Parent, 'parent'> {
  readonly point: number;
  readonly id: string;
  readonly ring_hash: string;
  /** Whether its border is made of ways, so a point on it is recognized by its way. */
  readonly mapped: boolean;
}

/** Per boundary, the polygons of a higher rank that hold at least CLEAR_SHARE of the points that are evidence. */
export async function insideOf(
  tx: Queryable,
  engine: Engine,
  rank: number,
  rows: readonly Unshaped[],
  points: readonly (readonly Point[])[],
  users: ReadonlyMap<number, readonly User[]>,
): Promise<Inside[][]> {
  const all = points.flatMap((some, row) => some.map((point) => ({ ...point, row })));
  const around = await tx.query(loadQuery('unshaped_around'), [
    all.map(({ x }) => x),
    all.map(({ y }) => y),
    all.map(() => rank),
  ]);
  if (around.length === 0) return rows.map(() => []);
  const polygons = [...new Map(around.map((one) => [one.id, one])).values()];
  const index = new Map(polygons.map(({ id }, i) => [id, i]));
  const pairs = around.filter((polygon) => isEvidence(defined(all[polygon.point]), polygon, users));
  const refs = polygons.map(({ id, ring_hash }): BoundaryRef => ({ id, ringHash: ring_hash, adminLevel: null }));
  const sides =
    pairs.length === 0
      ? new Int8Array(0)
      : await engine.points.locateAll(
          tx,
          refs,
          pairs.map(({ id, point }) => ({
            boundary: index.get(id) as number,
            x: defined(all[point]).x,
            y: defined(all[point]).y,
          })),
        );
  const held = rows.map(() => new Map<string, { polygon: Around; inside: number; on: number }>());
  pairs.forEach((polygon, i) => {
    const own = defined(held[defined(all[polygon.point]).row]);
    const count = own.get(polygon.id) ?? { polygon, inside: 0, on: 0 };
    own.set(polygon.id, count);
    if (defined(sides[i]) > 0) count.inside++;
    else if (sides[i] === 0) count.on++;
  });
  return held.map((polygons, row) =>
    [...polygons.values()].flatMap(({ polygon, inside, on }) => {
      const telling = defined(points[row]).filter((point) => isEvidence(point, polygon, users)).length - on;
      const share = telling > 0 ? inside / telling : 0;
      const { id: parent, admin_level, country, mapped } = polygon;
      return share >= CLEAR_SHARE ? [{ parent, admin_level, country, mapped, share }] : [];
    }),
  );
}

/**
 * Whether a point is evidence for a polygon: it must not be on its border. A coarse border may be near any border of
 * its level, so its admin_level must be lower than that of every border the point is on.
 */
function isEvidence(
  { way, top }: Point,
  { id, admin_level, mapped }: Around,
  users: ReadonlyMap<number, readonly User[]>,
): boolean {
  if (way === null) return true;
  return mapped ? !users.get(way)?.some((user) => user.id === id) : top > (admin_level ?? 0);
}

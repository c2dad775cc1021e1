import type { PlaceNodes } from '../../../workers/arcs/center.ts';
import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { intsOf } from '../ints.ts';
import { type BorderWay, type Finding, NO_LEVEL, type Point, type Unshaped, type User, type Way } from './known.ts';

/** The most midpoints per boundary from ways that are not a country's border. */
const OWN_POINTS = 16;

/** The most midpoints per boundary from ways that are. */
const BORDER_POINTS = 8;

/** The ways of these boundaries that are stored with coordinates, by id. */
export async function waysOf(tx: Queryable, rows: readonly Unshaped[]): Promise<Map<number, Way>> {
  const ids = [...new Set(rows.flatMap(({ ways }) => ways))];
  const found = await tx.query(loadQuery('unshaped_ways'), [ids]);
  return new Map(found.map((way) => [way.id, way]));
}

/** The stored ways of a boundary's border. */
export function borderOf(
  row: Unshaped,
  ways: ReadonlyMap<number, Way>,
  users: ReadonlyMap<number, readonly User[]>,
): BorderWay[] {
  return [...new Set(row.ways)].flatMap((id) => {
    const way = ways.get(id);
    if (!way) return [];
    const levels = (users.get(id) ?? []).map(({ admin_level }) => admin_level ?? NO_LEVEL);
    return [{ id, coords: intsOf(way.coords), top: Math.min(way.admin_level ?? NO_LEVEL, ...levels) }];
  });
}

/** Points for a boundary: midpoints of edges along its border (at most OWN_POINTS + BORDER_POINTS), and its label. */
export function pointsOf(border: readonly BorderWay[], places: PlaceNodes | undefined): Point[] {
  const own = border.filter(({ top }) => top > 2).sort((a, b) => b.top - a.top || a.id - b.id);
  const others = border.filter(({ top }) => top <= 2);
  const points = [...midpoints(own, OWN_POINTS), ...midpoints(others, BORDER_POINTS)];
  const label = places?.label;
  if (label) points.push({ x: label[0], y: label[1], way: null, top: NO_LEVEL });
  return points;
}

/** Up to `most` midpoints of edges, spread evenly over the first `most` ways. */
function midpoints(border: readonly BorderWay[], most: number): Point[] {
  const ways = border.slice(0, most);
  const each = Math.floor(most / Math.max(1, ways.length));
  return ways.flatMap(({ id, coords, top }) => {
    const edges = coords.length / 2 - 1;
    const count = Math.min(each, edges);
    return Array.from({ length: count }, (_, i): Point => {
      const at = 2 * Math.floor(((i + 0.5) * edges) / count);
      return {
        x: (defined(coords[at]) + defined(coords[at + 2])) / 2,
        y: (defined(coords[at + 1]) + defined(coords[at + 3])) / 2,
        way: id,
        top,
      };
    });
  });
}

/** The bounding box of a border in degrees; null when none of its ways is stored. */
export function boxOf(border: readonly BorderWay[]): Finding['box'] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { coords } of border) {
    for (let i = 0; i < coords.length; i += 2) {
      west = Math.min(west, defined(coords[i]));
      south = Math.min(south, defined(coords[i + 1]));
      east = Math.max(east, defined(coords[i]));
      north = Math.max(north, defined(coords[i + 1]));
    }
  }
  return west <= east ? [west / 1e7, south / 1e7, east / 1e7, north / 1e7] : null;
}

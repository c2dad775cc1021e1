/** Gaps between the areas of a version and overlaps of two, as a map. */
import { z } from 'zod';
import { Turns } from '../../common/turns.ts';
import { problem } from '../../core/errors.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { NamedSeam, OfficialChains, Tiling } from '../../sources/coverage/tiling.ts';

/** Vertices of official borders to which the areas of one version are snapped. */
const MOST_OFFICIAL = 2_000_000;

/** Official borders that a database has. @throws too_large */
export const officialIn =
  (db: Queryable): OfficialChains =>
  async (boxes) => {
    const sides = [0, 1, 2, 3].map((side) => Array.from(boxes).filter((_, i) => i % 4 === side));
    const [west = [], south = [], east = [], north = []] = sides;
    const values = [west, south, east, north] as const;
    const [size] = await db.query(loadQuery('sets_official_size'), values);
    if ((size?.vertices ?? 0) > MOST_OFFICIAL) {
      throw problem(
        'too_large',
        `Official borders near the areas have ${size?.vertices} vertices; areas are snapped to at most ${MOST_OFFICIAL}. ` +
          'Store fewer areas in a set.',
      );
    }
    const rows = await db.query(loadQuery('sets_official_arcs'), values);
    return rows.map(({ coords }) => {
      const chain = new Int32Array(coords.byteLength / 4);
      new Uint8Array(chain.buffer).set(coords);
      return chain;
    });
  };

const position = z.array(z.number());

/** A gap or an overlap as a feature. */
export const seamFeature = z.object({
  type: z.literal('Feature'),
  properties: z.object({
    what: z.enum(['gap', 'overlap', 'filled_gap', 'given_overlap']),
    km2: z.number(),
    areas: z.array(z.string()).describe('Ids: of a gap those beside it, the longest common border first.'),
  }),
  geometry: z
    .object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(z.array(position))) })
    .nullable()
    .describe('Null beyond the 1,000 largest.'),
});
type SeamFeature = z.input<typeof seamFeature>;

/** The gaps and overlaps of a version as features. */
export async function seamFeatures(
  tiling: Tiling,
  idOf: (sourceId: string) => string,
  signal: AbortSignal,
): Promise<SeamFeature[]> {
  const turns = new Turns(signal);
  const features: SeamFeature[] = [];
  const lists = [
    ['gap', tiling.gaps],
    ['overlap', tiling.overlaps],
    ['filled_gap', tiling.filled],
    ['given_overlap', tiling.given],
  ] as const;
  for (const [what, seams] of lists) {
    for (const seam of seams) {
      if (turns.spend()) await turns.next();
      const properties = { what, km2: seam.km2, areas: seam.areas.map(idOf) };
      features.push({ type: 'Feature', properties, geometry: shapeOf(seam) });
    }
  }
  return features;
}

/** Each ring is a polygon, with the rings inside of it that go the other way around as its holes. */
function shapeOf({ rings }: NamedSeam): SeamFeature['geometry'] {
  if (rings === null) return null;
  const all = rings.map((ring) => {
    const points = Array.from({ length: ring.length / 2 }, (_, i) => [
      (ring[2 * i] ?? 0) / 1e7,
      (ring[2 * i + 1] ?? 0) / 1e7,
    ]);
    return { points, signed: twiceArea(points) };
  });
  const shells = all.filter(({ signed }) => signed * (all[0]?.signed ?? 1) > 0);
  const polygons = shells.map(({ points }) => [points]);
  for (const { points, signed } of all) {
    if (signed * (all[0]?.signed ?? 1) > 0) continue;
    const at = shells.findIndex((shell) => contains(shell.points, points[0] ?? []));
    (polygons[at] ?? polygons[0])?.push(points);
  }
  return { type: 'MultiPolygon', coordinates: polygons };
}

const twiceArea = (points: readonly (readonly number[])[]): number =>
  points.reduce((sum, [x = 0, y = 0], i) => {
    const [nx = x, ny = y] = points[i + 1] ?? [];
    return sum + x * ny - nx * y;
  }, 0);

/** Whether a ring contains a point, by the number of its edges east of it. */
function contains(ring: readonly (readonly number[])[], [px = 0, py = 0]: readonly number[]): boolean {
  let inside = false;
  for (let i = 1; i < ring.length; i++) {
    const [[ax = 0, ay = 0] = [], [bx = 0, by = 0] = []] = [ring[i - 1], ring[i]];
    if (ay > py !== by > py && px < ax + ((py - ay) / (by - ay)) * (bx - ax)) inside = !inside;
  }
  return inside;
}

/** Gaps between the areas of a version and overlaps of two, as a map. */
import { z } from 'zod';
import { Turns } from '../../common/turns.ts';
import { problem } from '../../core/errors.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { OfficialChains, Tiling } from '../../sources/coverage/tiling.ts';

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

/** The gaps and overlaps of a version as a list of features, as JSON. */
export async function seamFeatures(
  tiling: Tiling,
  idOf: (sourceId: string) => string,
  signal: AbortSignal,
): Promise<string> {
  const turns = new Turns(signal);
  const features: string[] = [];
  const lists = [
    ['gap', tiling.gaps],
    ['overlap', tiling.overlaps],
    ['filled_gap', tiling.filled],
    ['given_overlap', tiling.given],
  ] as const;
  for (const [what, seams] of lists) {
    for (const { km2, areas, geometry } of seams) {
      if (turns.spend(1 + areas.length)) await turns.next();
      const properties = JSON.stringify({ what, km2, areas: areas.map(idOf) });
      features.push(`{"type":"Feature","properties":${properties},"geometry":${geometry}}`);
    }
  }
  return `[${features.join(',')}]`;
}

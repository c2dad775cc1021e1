import { z } from 'zod';
import { meaningful } from '../../../workers/digits.ts';
import { defined } from '../../common/elements.ts';
import type { Context } from '../../core/op.ts';
import { loadQuery } from '../../db/query.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { DataMoved, type Snapshot } from '../../domain/boundaries/reads.ts';
import type { Naming } from '../../domain/names/languages.ts';
import type { NeighborList, Overlaid, OverlaidList, WhichNeighbors } from '../../geometry/neighbors.ts';
import { FAR } from '../../geometry/spatial_relations.ts';
import { geometryOf } from './document.ts';
import { boundarySchema } from './schema.ts';

/** Limit of the boundaries that one area is compared with: the overlay takes up to about 2,000 pairs a second. */
const MOST = 1_000;
/** Borders within two steps of the grid of an overlay, a centimeter, touch. */
const TOUCH_METERS = 0.02;
/** A common area up to that of a strip of a centimeter along the border comes from this grid. */
const STRIP_KM = 1e-5;

const share = z.number().min(0).max(1);
const overlaidSchema = boundarySchema.extend({
  origin: z.enum(['official', 'own']).describe('own: an area of an area set.'),
  relation: z
    .enum(['overlaps', 'touches'])
    .describe('touches: they meet, and have at most a strip of a centimeter along the border in common.'),
  common_km2: z.number().min(0).describe('Area that the two have in common.'),
  share: share.describe('What part of the boundary of the call that is.'),
  share_of_other: share.describe('What part of this one that is.'),
  shared_km: z.number().min(0).describe('Length of the lines that both have, vertex by vertex.'),
});

export const overlaidList = z
  .object({
    items: z.array(overlaidSchema).describe('The largest common area first, then the longest common line.'),
    total: z.int().describe('Number of items.'),
    not_compared: z
      .int()
      .describe(`Boundaries near it beyond the ${MOST} that are compared, areas of sets and low admin levels first.`),
  })
  .nullable()
  .describe(
    'Nothing records how borders of an area set meet others. So an area of a set is compared with official boundaries (of ' +
      'admin_level, else of all levels), and with scope=all with areas of other sets; an official one with areas of sets, ' +
      'with scope=all. null: not asked for, or a later page.',
  );

/**
 * The boundaries beside which nothing records how the borders of this one run: official ones and areas of other sets
 * for an area of a set, areas of sets for an official boundary. They are overlaid, at full detail.
 * @throws internal_error, naming two boundaries, when no overlay measures their common area
 */
export async function overlaidWith(
  { services, signal }: Pick<Context, 'services' | 'signal'>,
  reading: Snapshot,
  boundary: ResolvedBoundary,
  { adminLevel, levels }: WhichNeighbors,
  { borderKm }: Pick<NeighborList, 'borderKm'>,
): Promise<OverlaidList> {
  const { db, engine, sets } = services;
  // No set is read, so that there is none beside the boundary.
  if (sets === undefined) return { items: [], notCompared: 0, size: 100 };
  const which = levels ?? (adminLevel === undefined ? 'administrative' : 'level');
  const values = [boundary.id, which, adminLevel ?? null, MOST] as const;
  const rows = await db.query(loadQuery('boundary_overlaid'), values, { signal });
  if (rows.some(({ revision }) => Number(revision) !== reading.revision)) throw new DataMoved();
  const ids = rows.flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return { items: [], notCompared: 0, size: 100 };
  const others = await reading.byIds(ids);
  if (others.length !== ids.length) throw new DataMoved();
  const refs = [boundary, ...others].map(geometryOf);
  const places = others.map((_, i) => i + 1);
  const common = await engine.relations.crosswalk(refs, { a: [0], b: places, maxPairs: MOST }, signal);
  const areas = new Map(Array.from(common.b, (b, k) => [b, defined(common.areaKm2[k])]));
  const pairs = places.map((place): [number, number, number] => [place, 0, areas.has(place - 1) ? 0 : TOUCH_METERS]);
  const apart = pairs.filter(([, , meters]) => meters > 0);
  const nearness = await engine.relations.near(refs, apart, signal);
  const far = new Set(apart.flatMap(([place], k) => (nearness[k] === FAR ? [place - 1] : [])));
  const lines = await engine.relations.commonLines(refs, signal);
  const whole = defined(common.wholeA[0]);
  const items = others.flatMap((one, i): Overlaid[] => {
    if (far.has(i)) return [];
    const km2 = areas.get(i) ?? 0;
    const theirs = defined(common.wholeB[i]);
    return [
      {
        id: one.id,
        relation: km2 > STRIP_KM * borderKm ? 'overlaps' : 'touches',
        common_km2: km2,
        share: Math.min(1, meaningful(km2 / whole)),
        share_of_other: Math.min(1, km2 / theirs),
        shared_km: defined(lines[i]) / 1000,
      },
    ];
  });
  items.sort((p, q) => q.common_km2 - p.common_km2 || q.shared_km - p.shared_km || (p.id < q.id ? -1 : 1));
  const total = Number(rows[0]?.total ?? 0);
  return { items, notCompared: total - ids.length, size: 200 + 200 * items.length };
}

/** A list as the answer has it, with the boundaries. @throws DataMoved */
export async function shownBeside(reading: Snapshot, { items, notCompared }: OverlaidList, naming: Naming) {
  const found = await reading.byIds(items.map(({ id }) => id));
  if (found.length !== items.length) throw new DataMoved();
  const shown = await reading.show(
    found.map(({ boundary }) => boundary),
    naming,
  );
  return {
    items: shown.map((one, i) => ({
      ...one,
      origin: one.id.startsWith('set:') ? ('own' as const) : ('official' as const),
      ...defined(items[i]),
    })),
    total: items.length,
    not_compared: notCompared,
  };
}

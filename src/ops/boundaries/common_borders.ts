import { LAND, WATER } from '../../common/arrangements.ts';
import { defined } from '../../common/elements.ts';
import type { Context } from '../../core/op.ts';
import { loadQuery } from '../../db/query.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { DataMoved, type Snapshot } from '../../domain/boundaries/reads.ts';
import type { NeighborList } from '../../geometry/neighbors.ts';

/** Kilometers of a common border with land on both sides, and with water on both; null: the land of one is not known. */
export type LandAndSea = { readonly land: number; readonly sea: number } | null;

/**
 * How much of the border with each neighbor of a list is on land and how much is at sea: what the land parts of the two
 * have in common, and their water parts. Where a border runs along the coast it is neither.
 */
export async function landAndSea(
  { services, signal }: Pick<Context, 'services' | 'signal'>,
  reading: Snapshot,
  boundary: ResolvedBoundary,
  { ids, km }: Pick<NeighborList, 'ids' | 'km'>,
): Promise<LandAndSea[]> {
  const land = await reading.landOf([boundary.id, ...ids]);
  const kindOf = (id: string): Kind => {
    const known = land.get(id);
    if (known === undefined) return 'unknown';
    return typeof known.ground === 'string' ? known.ground : 'mixed';
  };
  const own = kindOf(boundary.id);
  const kinds = ids.map(kindOf);
  const isMeasured = (kind: Kind, i: number) =>
    (own === 'mixed' || kind === 'mixed') && isCut(own) && isCut(kind) && defined(km[i]) > 0;
  const cut = ids.filter((_, i) => isMeasured(defined(kinds[i]), i));
  const measured = async (part: 'land' | 'water', arrangement: number): Promise<ReadonlyMap<string, number>> => {
    const shape = cut.length > 0 && (own === 'mixed' || own === part) ? land.get(boundary.id)?.partOf('', part) : null;
    if (!shape) return new Map();
    const ref = { id: boundary.id, ringHash: shape.ringHash, arrangement, adminLevel: boundary.admin_level };
    const { arcs, meters } = await services.engine.relations.border(ref, signal);
    const values = [arrangement, [...arcs], [...meters], cut] as const;
    const rows = await services.db.query(loadQuery('land_common'), values, { signal });
    if (rows.some(({ revision }) => Number(revision) !== reading.revision)) throw new DataMoved();
    return new Map(rows.flatMap(({ id, meters: m }) => (id === null || m === null ? [] : [[id, m / 1000] as const])));
  };
  const [onLand, atSea] = [await measured('land', LAND), await measured('water', WATER)];
  return ids.map((id, i): LandAndSea => {
    const [kind, all] = [defined(kinds[i]), defined(km[i])];
    if (own === 'unknown' || kind === 'unknown') return null;
    if (isMeasured(kind, i)) return { land: onLand.get(id) ?? 0, sea: atSea.get(id) ?? 0 };
    if (isLand(own) && isLand(kind)) return { land: all, sea: 0 };
    if (own === 'water' && kind === 'water') return { land: 0, sea: all };
    // Of two sources, one of which ends at the shore: nothing says where the coast of the other one is.
    if (all > 0 && (own === 'mixed' || kind === 'mixed')) return null;
    return { land: 0, sea: 0 };
  });
}

/**
 * The share of the border with each neighbor of a list that the map itself marks as a border at sea, from 0 to 1.
 * @param border the arcs of the boundary, and the meters of each that are marked
 */
export async function markedShares(
  { services, signal }: Pick<Context, 'services' | 'signal'>,
  reading: Snapshot,
  { arcs, marked }: { readonly arcs: Float64Array; readonly marked: Float64Array },
  { ids, km }: Pick<NeighborList, 'ids' | 'km'>,
): Promise<number[]> {
  const some = [...arcs.keys()].filter((k) => defined(marked[k]) > 0);
  if (some.length === 0 || ids.length === 0) return ids.map(() => 0);
  const values = [some.map((k) => defined(arcs[k])), some.map((k) => defined(marked[k])), ids] as const;
  const rows = await services.db.query(loadQuery('land_common_present'), values, { signal });
  if (rows.some(({ revision }) => Number(revision) !== reading.revision)) throw new DataMoved();
  const meters = new Map(rows.map((row) => [row.id, row.meters]));
  return ids.map((id, i) => (defined(km[i]) === 0 ? 0 : (meters.get(id) ?? 0) / 1000 / defined(km[i])));
}

/** What a boundary is of; shore: its source ends at the shore, so that it is land and was not cut along a coast. */
type Kind = 'unknown' | 'shore' | 'land' | 'water' | 'mixed';

const isCut = (kind: Kind): boolean => kind === 'land' || kind === 'water' || kind === 'mixed';
const isLand = (kind: Kind): boolean => kind === 'land' || kind === 'shore';

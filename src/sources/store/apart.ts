/** Stores shapes of boundaries in arrangements other than the present one, which is never touched. */
import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { putJson } from '../batches.ts';
import { buildApart, type ShapeApart } from './arrangement.ts';
import { placeOf, ringHasher, shapeRow } from './rows.ts';
import type { BuildRun } from './source_rows.ts';
import { distinctArcs, jsonBytes, withImportTimeout } from './topology.ts';
import { putBuiltArcs, settle } from './write.ts';

/** What became of shapes that were to be stored apart. */
export interface StoredApart {
  /** The areas of those that were stored, in km2, by boundary id. */
  readonly areas: ReadonlyMap<string, number>;
  /** Those whose rings do not assemble, with the reason and its place (degrees). They have no shape any more. */
  readonly broken: readonly {
    readonly id: string;
    readonly reason: string;
    readonly lat: number | null;
    readonly lon: number | null;
  }[];
}

/**
 * Gives boundaries a shape in an arrangement, in place of the one they have there, and takes that of the `removed` away,
 * in the caller's transaction. The caller holds TOPOLOGY_LOCK. The arcs, tiers and conflicts of the arrangement are
 * renewed around them; those of other arrangements are not read.
 */
export async function storeApart(
  run: BuildRun,
  transaction: Queryable,
  arrangement: number,
  shapes: readonly ShapeApart[],
  removed: readonly string[] = [],
): Promise<StoredApart> {
  const tx = withImportTimeout(transaction);
  const areas = new Map<string, number>();
  const remade = [...new Set([...shapes.map(({ id }) => id), ...removed])];
  if (remade.length === 0) return { areas, broken: [] };
  const made = await buildApart(run, tx, arrangement, shapes, remade);
  const ids = await putBuiltArcs(run, tx, made);
  const ringHash = ringHasher(made.built.arcs, made.tiered, ids.signed);
  const rows: object[] = [];
  const broken: StoredApart['broken'][number][] = [];
  const dropped = new Set(removed);
  shapes.forEach(({ id, type, adminLevel }, i) => {
    const shape = defined(made.built.boundaries[i]);
    if ('trouble' in shape) {
      broken.push({ id, ...placeOf(shape) });
      dropped.add(id);
      return;
    }
    const { arcs, ringEnd, polygonEnd, largest } = shapeRow(id, shape, ids.signed);
    const [west, south, east, north] = shape.box;
    areas.set(id, shape.areaKm2);
    rows.push({
      arrangement,
      boundary_id: id,
      type,
      admin_level: adminLevel,
      arcs,
      ring_end: ringEnd,
      polygon_end: polygonEnd,
      arc_ids: distinctArcs(arcs),
      largest,
      west,
      south,
      east,
      north,
      lat: shape.center[1],
      lon: shape.center[0],
      area_km2: shape.areaKm2,
      geometry_hash: jsonBytes(shape.geometryHash),
      ring_hash: jsonBytes(ringHash(shape.rings)),
    });
  });
  if (dropped.size > 0) await tx.query(loadQuery('store_drop_shapes_apart'), [arrangement, [...dropped]]);
  await putJson(tx, loadQuery('store_put_shapes_apart'), rows);
  await settle(run, tx, made, ids);
  return { areas, broken };
}

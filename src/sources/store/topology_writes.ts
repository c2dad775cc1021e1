/** Writes the tables of the arrangement: ways, arcs, shapes, conflicts. Its writer holds TOPOLOGY_LOCK (topology.ts). */

import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { batches, putJson } from '../batches.ts';
import { bytesOf, distinctArcs, hex } from './topology.ts';

export interface WayRow {
  readonly id: number;
  readonly version: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly refs: Float64Array | null;
  readonly coords: Int32Array | null;
  readonly missing: number | null;
  /** For a way without coords: places of its nodes (1e-7 degrees), NOWHERE (workers/osm/elements.ts) where unknown. */
  readonly places?: Int32Array | null;
}

export interface ArcRow {
  readonly hash: Uint8Array;
  readonly coords: Uint8Array;
  readonly weights: Uint8Array;
  readonly ends: Uint8Array;
  readonly exact: number;
  readonly area: number;
  readonly turn: number;
  readonly box: ArrayLike<number>;
  readonly class: number;
  readonly main: boolean;
  /** The cells its tiers depend on; null for an arc that is already stored. */
  readonly reach: ReachRow | null;
}

/** The cells that the tiers of an arc depend on: encoded keys (workers/arcs/reach.ts) and bounding box. */
export interface ReachRow {
  readonly bytes: Uint8Array;
  readonly box: ArrayLike<number>;
}

/** A boundary's shape, as written. */
export interface ShapeRow {
  readonly boundaryId: string;
  readonly arcs: readonly number[];
  readonly ringEnd: readonly number[];
  readonly polygonEnd: readonly number[];
  readonly largest: number;
  readonly ewkb: Uint8Array;
}

/** Numbers as a PostgreSQL array literal. */
const list = (numbers: Iterable<number>) => `{${[...numbers].join()}}`;

/** Upserts ways, in batches. */
export async function putWays(db: Queryable, ways: readonly WayRow[]): Promise<void> {
  for (const batch of batches(ways, (way) => (way.coords?.byteLength ?? 0) + 200)) {
    await db.query(loadQuery('store_put_ways'), [
      batch.map((way) => way.id),
      batch.map((way) => way.version),
      batch.map((way) => JSON.stringify(way.tags)),
      batch.map((way) => way.refs && `{${way.refs.join()}}`),
      batch.map((way) => way.coords && bytesOf(way.coords)),
      batch.map((way) => way.missing),
      batch.map((way) => (way.coords === null && way.places ? bytesOf(way.places) : null)),
    ]);
  }
}

/**
 * Inserts the arcs that an arrangement does not have yet, in batches. Returns the ids of all, in order, and how many
 * were `added`.
 */
export async function putArcs(
  db: Queryable,
  arrangement: number,
  arcs: Iterable<ArcRow>,
): Promise<{ ids: number[]; added: number }> {
  const ids: number[] = [];
  let added = 0;
  for (const batch of batches(arcs, (arc) => arc.coords.length + (arc.reach?.bytes.length ?? 0) + 200)) {
    const known = new Map<string, number>();
    const note = (rows: { id: number; hash: Uint8Array }[]) => {
      for (const { id, hash } of rows) known.set(hex(hash), id);
    };
    note(await db.query(loadQuery('store_arc_ids'), [batch.map((arc) => arc.hash), arrangement]));
    const fresh = batch.filter((arc) => !known.has(hex(arc.hash)));
    if (fresh.length > 0) {
      added += fresh.length;
      note(
        await db.query(loadQuery('store_put_arcs'), [
          fresh.map((arc) => arc.hash),
          fresh.map((arc) => arc.coords),
          fresh.map((arc) => arc.weights),
          fresh.map((arc) => arc.ends),
          fresh.map((arc) => arc.exact),
          fresh.map((arc) => arc.area),
          fresh.map((arc) => arc.turn),
          ...[0, 1, 2, 3].map((side) => fresh.map((arc) => arc.box[side])),
          fresh.map((arc) => arc.class),
          fresh.map((arc) => arc.main),
          fresh.map((arc) => arc.reach?.bytes),
          ...[0, 1, 2, 3].map((side) => fresh.map((arc) => arc.reach?.box[side])),
          arrangement,
        ]),
      );
    }
    for (const arc of batch) ids.push(known.get(hex(arc.hash)) as number);
  }
  return { ids, added };
}

/** Updates the tiers of stored arcs. */
export async function setTiers(
  db: Queryable,
  arcs: readonly { id: number; weights: Uint8Array; ends: Uint8Array; exact: number }[],
): Promise<void> {
  for (const batch of batches(arcs, (arc) => arc.weights.length + 200)) {
    await db.query(loadQuery('store_set_tiers'), [
      batch.map((arc) => arc.id),
      batch.map((arc) => arc.weights),
      batch.map((arc) => arc.ends),
      batch.map((arc) => arc.exact),
    ]);
  }
}

/** Updates the class and `main` of stored arcs, and their reach; a null `reach` keeps the stored one. */
export async function setRoles(
  db: Queryable,
  arcs: readonly { id: number; class: number; main: boolean; reach: ReachRow | null }[],
): Promise<void> {
  for (const batch of batches(arcs, (arc) => (arc.reach?.bytes.length ?? 0) + 200)) {
    const side = (number: number) => batch.map((arc) => arc.reach?.box[number] ?? null);
    await db.query(loadQuery('store_set_roles'), [
      batch.map((arc) => arc.id),
      batch.map((arc) => arc.class),
      batch.map((arc) => arc.main),
      batch.map((arc) => arc.reach?.bytes ?? null),
      side(0),
      side(1),
      side(2),
      side(3),
    ]);
  }
}

/** Upserts shapes of boundaries, in batches; their arcs are stored already. */
export async function putShapes(db: Queryable, shapes: readonly ShapeRow[]): Promise<void> {
  for (const batch of batches(shapes, (shape) => shape.ewkb.length + 20 * shape.arcs.length)) {
    await db.query(loadQuery('store_put_shapes'), [
      batch.map((shape) => shape.boundaryId),
      batch.map((shape) => list(shape.arcs)),
      batch.map((shape) => list(shape.ringEnd)),
      batch.map((shape) => list(shape.polygonEnd)),
      batch.map((shape) => list(distinctArcs(shape.arcs))),
      batch.map((shape) => shape.largest),
      batch.map((shape) => shape.ewkb),
    ]);
  }
}

/** Updates the arcs of shapes after some were cut at new junctions or joined at lost ones; the geometry is the same. */
export async function recutShapes(
  db: Queryable,
  arrangement: number,
  shapes: readonly { id: string; arcs: readonly number[]; ringEnd: readonly number[] }[],
): Promise<void> {
  await putJson(
    db,
    loadQuery('store_recut_shapes'),
    shapes.map(({ id, arcs, ringEnd }) => ({
      arrangement,
      boundary_id: id,
      arcs,
      ring_end: ringEnd,
      arc_ids: distinctArcs(arcs),
    })),
  );
}

/** Inserts conflicts: places (1e-7 degrees) where arcs meet other than at a common end. */
export async function putConflicts(
  db: Queryable,
  conflicts: readonly { a: number; b: number; kind: string; x: number; y: number }[],
): Promise<void> {
  if (conflicts.length === 0) return;
  await db.query(loadQuery('store_put_conflicts'), [
    conflicts.map((conflict) => conflict.a),
    conflicts.map((conflict) => conflict.b),
    conflicts.map((conflict) => conflict.kind),
    conflicts.map((conflict) => conflict.x),
    conflicts.map((conflict) => conflict.y),
  ]);
}

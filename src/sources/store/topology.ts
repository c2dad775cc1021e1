/**
 * Reads and writes the tables of the arrangement for its writer: ways, arcs, shapes, conflicts. One writer at a time
 * holds TOPOLOGY_LOCK and works in a transaction, so readers see either the old arrangement or the new one.
 */

import { defined, only } from '../../common/elements.ts';
import type { Queryable, StatementOptions } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { batches, putJson } from '../batches.ts';
import { intsOf } from '../ints.ts';

/** The lock that every writer of arcs holds: two writers that cannot see each other's arcs would miss a crossing. */
export const TOPOLOGY_LOCK = 'topology';

/** Timeout of one statement of an import, in milliseconds; far longer than a request's. */
const IMPORT_TIMEOUT_MS = 30 * 60_000;

/** The same database or transaction with the statement timeout of an import. */
export function withImportTimeout(db: Queryable): Queryable {
  return {
    query: ((sql: string, values?: readonly unknown[], options?: StatementOptions) =>
      db.query(sql, values, { timeoutMs: IMPORT_TIMEOUT_MS, ...options })) as Queryable['query'],
    exec: (sql) => db.exec(sql),
  };
}

export interface StoredArc {
  readonly id: number;
  readonly hash: Uint8Array;
  readonly coords: Uint8Array;
  readonly weights: Uint8Array;
  readonly ends: Uint8Array;
  readonly exact: number;
  /** The smallest end class of a boundary that uses it. */
  readonly class: number;
  /** Whether it is in the shell of the largest part of a boundary. */
  readonly main: boolean;
  /** Whether it meets another arc other than at a common end. */
  readonly conflicted: boolean;
}

export interface StoredShape {
  readonly id: string;
  /** Signed arc ids, ring after ring. */
  readonly arcs: readonly number[];
  readonly ring_end: readonly number[];
  readonly polygon_end: readonly number[];
  /** Index of its polygon with the largest area. */
  readonly largest: number;
  readonly admin_level: number | null;
  readonly type: 'administrative' | 'postal_code';
}

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

/** The bytes of a typed array, as a view, not a copy. */
export const bytesOf = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** The hexadecimal text of bytes. */
export const hex = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

/** Hex text of a bytea, as jsonb_populate_recordset reads it. */
export const jsonBytes = (bytes: Uint8Array | null) => bytes && `\\x${hex(bytes)}`;

/** Numbers as a PostgreSQL array literal. */
const list = (numbers: Iterable<number>) => `{${[...numbers].join()}}`;

export type Extent = readonly [west: number, south: number, east: number, north: number];

/** The most boxes that one query looks up. */
const MOST_BOXES = 2_000;

/** Merges boxes until at most `most` are left: those centered in the same grid cell; the grid doubles as needed. */
export function mergeBoxes(boxes: readonly Extent[], most = MOST_BOXES): readonly Extent[] {
  let gathered = boxes;
  for (let side = 2 ** 16; gathered.length > most || side === 2 ** 16; side *= 2) {
    const cells = new Map<number, [number, number, number, number]>();
    for (const [west, south, east, north] of gathered) {
      const cell = Math.floor((west + east) / 2 / side) * 2 ** 20 + Math.floor((south + north) / 2 / side);
      const one = cells.get(cell);
      if (one === undefined) cells.set(cell, [west, south, east, north]);
      else {
        one[0] = Math.min(one[0], west);
        one[1] = Math.min(one[1], south);
        one[2] = Math.max(one[2], east);
        one[3] = Math.max(one[3], north);
      }
    }
    gathered = [...cells.values()];
  }
  return gathered;
}

const byId = (rows: readonly StoredArc[]) => new Map(rows.map((row) => [row.id, row]));

/** The sides of boxes, as columns. */
function sidesOf(
  boxes: readonly Extent[],
): readonly [west: number[], south: number[], east: number[], north: number[]] {
  const side = (k: number): number[] => boxes.map((box) => defined(box[k]));
  return [side(0), side(1), side(2), side(3)];
}

/**
 * The arcs of an arrangement, by id, whose box meets one of the boxes, up to the class `limit` of each box; without
 * `known` ids.
 */
export async function arcsAround(
  db: Queryable,
  arrangement: number,
  boxes: readonly { readonly box: Extent; readonly limit: number }[],
  known: Iterable<number>,
): Promise<Map<number, StoredArc>> {
  if (boxes.length === 0) return new Map();
  const rows = await db.query(loadQuery('store_arcs_around'), [
    ...sidesOf(boxes.map(({ box }) => box)),
    boxes.map(({ limit }) => limit),
    [...known],
    arrangement,
  ]);
  return byId(rows);
}

/** Whether the box of any stored arc of an arrangement meets one of the boxes. */
export async function isNear(db: Queryable, arrangement: number, boxes: readonly Extent[]): Promise<boolean> {
  const { near } = only(await db.query(loadQuery('store_has_near'), [...sidesOf(boxes), arrangement]));
  return near;
}

/** Reads arcs; returns them by id. */
export async function arcsOf(db: Queryable, ids: readonly number[]): Promise<Map<number, StoredArc>> {
  return ids.length === 0 ? new Map() : byId(await db.query(loadQuery('store_arcs'), [ids]));
}

/** The reach of arcs (the encoded cells their tiers depend on, workers/arcs/reach.ts), by arc id. */
export async function reachOfArcs(db: Queryable, ids: readonly number[]): Promise<Map<number, Uint8Array>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query(loadQuery('store_arc_reach'), [ids]);
  return new Map(rows.map(({ id, reach }) => [id, reach]));
}

/** The reach of every arc of an arrangement whose tiers may depend on something in one of the boxes, by arc id. */
export async function reachAround(
  db: Queryable,
  arrangement: number,
  boxes: readonly Extent[],
): Promise<Map<number, Uint8Array>> {
  if (boxes.length === 0) return new Map();
  const rows = await db.query(loadQuery('store_reach_around'), [...sidesOf(boxes), arrangement]);
  return new Map(rows.map(({ id, reach }) => [id, reach]));
}

/** The ids of arcs with a recorded conflict with one of these arcs: they meet other than at a common end. */
export async function conflictPartners(db: Queryable, ids: readonly number[]): Promise<number[]> {
  const rows = await db.query(loadQuery('store_conflict_partners'), [ids]);
  return rows.map(({ id }) => id);
}

/** The boundaries that use one of the arcs, with their rings in its arrangement; without the boundaries in `except`. */
export async function ownersOf(
  db: Queryable,
  arcs: readonly number[],
  except: readonly string[],
): Promise<StoredShape[]> {
  return arcs.length === 0 ? [] : db.query(loadQuery('store_owners'), [arcs, except]);
}

/** The ids of the boundaries that use one of the arcs. */
export async function usersOf(db: Queryable, arcs: readonly number[]): Promise<string[]> {
  if (arcs.length === 0) return [];
  const rows = await db.query(loadQuery('store_users'), [arcs]);
  return rows.map(({ id }) => id);
}

/** The arcs in the shapes that the boundaries have in an arrangement, by id. */
export async function formerArcs(
  db: Queryable,
  arrangement: number,
  boundaries: readonly string[],
): Promise<Map<number, StoredArc>> {
  if (boundaries.length === 0) return new Map();
  return byId(await db.query(loadQuery('store_former_arcs'), [boundaries, arrangement]));
}

/** The stored ways among these ids, by id. */
export async function storedWays(
  db: Queryable,
  ids: readonly number[],
): Promise<Map<number, { version: number; coords: Int32Array | null; missing: number | null }>> {
  const rows = await db.query(loadQuery('store_ways'), [ids]);
  return new Map(
    rows.map((row) => [
      row.id,
      { version: row.version, coords: row.coords && intsOf(row.coords), missing: row.missing_node },
    ]),
  );
}

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

/** The ids of the arcs of a shape, each once. */
export const distinctArcs = (arcs: readonly number[]) => [...new Set(arcs.map(Math.abs))];

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

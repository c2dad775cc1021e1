/**
 * The tables of the arrangement as its writer sees them: ways, arcs, shapes, conflicts. One writer at a time holds the
 * lock TOPOLOGY_LOCK and one transaction; readers see either the old arrangement or the new one.
 */
import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';

/** The lock that every writer of arcs holds: two that cannot see each other's arcs would both miss their crossing. */
export const TOPOLOGY_LOCK = 'topology';

/** Rows that go to the database in one statement, by their size as JSON or bytes. */
const BATCH_BYTES = 8 * 2 ** 20;

/** How long one statement of an import may run: far longer than a request's. */
const PATIENCE_MS = 30 * 60_000;

/** The same database or transaction for the statements of an import. */
export function patient(db: Queryable): Queryable {
  return {
    query: (sql, values, options) => db.query(sql, values, { timeoutMs: PATIENCE_MS, ...options }),
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
}

export interface StoredShape {
  readonly id: string;
  /** Signed arc ids, ring after ring. */
  readonly arcs: readonly number[];
  readonly ring_end: readonly number[];
  readonly polygon_end: readonly number[];
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
}

/** A shape as it is written. */
export interface ShapeRow {
  readonly boundaryId: string;
  readonly arcs: readonly number[];
  readonly ringEnd: readonly number[];
  readonly polygonEnd: readonly number[];
  readonly ewkb: Uint8Array;
}

export const bytesOf = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** 32-bit integers of a bytea column, copied so that they are aligned. */
export function intsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

/** A bytea as jsonb_populate_recordset reads it. */
export const jsonBytes = (bytes: Uint8Array | null) => bytes && `\\x${hex(bytes)}`;

function* batches<T>(rows: readonly T[], sizeOf: (row: T) => number): Generator<T[]> {
  let batch: T[] = [];
  let size = 0;
  for (const row of rows) {
    batch.push(row);
    size += sizeOf(row);
    if (size >= BATCH_BYTES) {
      yield batch;
      batch = [];
      size = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

/** Sends rows as JSON to a statement that takes them as its only parameter, in batches. */
export async function putJson(db: Queryable, query: string, rows: readonly object[]): Promise<void> {
  const texts = rows.map((row) => JSON.stringify(row));
  for (const batch of batches(texts, (text) => text.length)) await db.query(loadQuery(query), [`[${batch.join()}]`]);
}

type Extent = readonly [west: number, south: number, east: number, north: number];

/** Half a degree: boxes of about the same size in one such cell are looked up as one. */
const CELL = 5_000_000;

/** Fewer boxes that cover the same: what they reach beside it is only looked at once more. */
function coarser(boxes: readonly Extent[]): Extent[] {
  const cells = new Map<string, Extent>();
  for (const [west, south, east, north] of boxes) {
    const size = Math.max(17, Math.ceil(Math.log2(Math.max(east - west, north - south, 1))));
    const key = `${size} ${Math.floor((west + east) / 2 / CELL)} ${Math.floor((south + north) / 2 / CELL)}`;
    const [w, s, e, n] = cells.get(key) ?? [west, south, east, north];
    cells.set(key, [Math.min(w, west), Math.min(s, south), Math.max(e, east), Math.max(n, north)]);
  }
  return [...cells.values()];
}

/**
 * The shapes that share the arrangement with new chains: every boundary with an arc whose box meets one of the boxes,
 * and so on from their arcs. Boundaries named in `except` (they are being made anew) are left out.
 */
export async function standingShapes(
  db: Queryable,
  around: readonly Extent[],
  except: readonly string[],
): Promise<{ shapes: StoredShape[]; arcs: Map<number, StoredArc> }> {
  const known = new Set(except);
  const shapes: StoredShape[] = [];
  const arcs = new Map<number, StoredArc>();
  let frontier = around;
  while (frontier.length > 0) {
    const boxes = coarser(frontier);
    const found = await db.query<{ id: string }>(loadQuery('store_standing'), [
      ...[0, 1, 2, 3].map((side) => boxes.map((box) => box[side])),
      [...known],
    ]);
    if (found.length === 0) break;
    const ids = found.map(({ id }) => id);
    for (const id of ids) known.add(id);
    const reached = await db.query<StoredShape>(loadQuery('store_shapes'), [ids]);
    shapes.push(...reached);
    const fresh = new Set<number>();
    for (const { arcs: refs } of reached)
      for (const ref of refs) if (!arcs.has(Math.abs(ref))) fresh.add(Math.abs(ref));
    const rows = await db.query<StoredArc>(loadQuery('store_arcs'), [[...fresh]]);
    for (const row of rows) arcs.set(row.id, row);
    frontier = rows.map((row) => boxOf(intsOf(row.coords)));
  }
  return { shapes, arcs };
}

/** The arcs that boundaries use as they are stored, by id. */
export async function formerArcs(db: Queryable, boundaries: readonly string[]): Promise<Map<number, StoredArc>> {
  const rows = await db.query<StoredArc>(loadQuery('store_former_arcs'), [boundaries]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** West, south, east, north of a chain. */
export function boxOf(coords: Int32Array): [number, number, number, number] {
  let [west, south, east, north] = [coords[0], coords[1], coords[0], coords[1]];
  for (let i = 2; i < coords.length; i += 2) {
    if (coords[i] < west) west = coords[i];
    if (coords[i] > east) east = coords[i];
    if (coords[i + 1] < south) south = coords[i + 1];
    if (coords[i + 1] > north) north = coords[i + 1];
  }
  return [west, south, east, north];
}

/** The stored ways among these ids. */
export async function storedWays(
  db: Queryable,
  ids: readonly number[],
): Promise<Map<number, { version: number; coords: Int32Array | null; missing: number | null }>> {
  const rows = await db.query<{ id: number; version: number; coords: Uint8Array | null; missing_node: number | null }>(
    loadQuery('store_ways'),
    [ids],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      { version: row.version, coords: row.coords && intsOf(row.coords), missing: row.missing_node },
    ]),
  );
}

export async function putWays(db: Queryable, ways: readonly WayRow[]): Promise<void> {
  for (const batch of batches(ways, (way) => (way.coords?.byteLength ?? 0) + 200)) {
    await db.query(loadQuery('store_put_ways'), [
      batch.map((way) => way.id),
      batch.map((way) => way.version),
      batch.map((way) => JSON.stringify(way.tags)),
      batch.map((way) => way.refs && `{${way.refs.join()}}`),
      batch.map((way) => way.coords && bytesOf(way.coords)),
      batch.map((way) => way.missing),
    ]);
  }
}

/** Ids of arcs by hash (hex): those stored already, and the others, which are written now. */
export async function putArcs(db: Queryable, arcs: readonly ArcRow[], run: number): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  const note = (rows: { id: number; hash: Uint8Array }[]) => {
    for (const { id, hash } of rows) ids.set(hex(hash), id);
  };
  for (const batch of batches(arcs, (arc) => arc.coords.length + 200)) {
    note(await db.query(loadQuery('store_arc_ids'), [batch.map((arc) => arc.hash)]));
    const fresh = batch.filter((arc) => !ids.has(hex(arc.hash)));
    if (fresh.length === 0) continue;
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
        run,
      ]),
    );
  }
  return ids;
}

/** Writes the tier bytes of stored arcs that changed. */
export async function setTiers(
  db: Queryable,
  arcs: readonly { id: number; weights: Uint8Array; ends: Uint8Array; exact: number }[],
  run: number,
): Promise<void> {
  for (const batch of batches(arcs, (arc) => arc.weights.length + 200)) {
    await db.query(loadQuery('store_set_tiers'), [
      batch.map((arc) => arc.id),
      batch.map((arc) => arc.weights),
      batch.map((arc) => arc.ends),
      batch.map((arc) => arc.exact),
      run,
    ]);
  }
}

/** Replaces the spans of ways: per way its signed arc ids in order. */
export async function putWayArcs(db: Queryable, ways: ReadonlyMap<number, readonly number[]>): Promise<void> {
  await db.query(loadQuery('store_drop_way_arcs'), [[...ways.keys()]]);
  const ids: number[] = [];
  const positions: number[] = [];
  const arcs: number[] = [];
  for (const [id, refs] of ways) {
    refs.forEach((ref, position) => {
      ids.push(id);
      positions.push(position);
      arcs.push(ref);
    });
  }
  if (ids.length > 0) await db.query(loadQuery('store_put_way_arcs'), [ids, positions, arcs]);
}

/** Every way that uses one of the arcs, with all its signed arc ids in order. */
export async function waysOfArcs(db: Queryable, arcs: readonly number[]): Promise<Map<number, number[]>> {
  const ways = new Map<number, number[]>();
  for (const { way_id, arc } of await db.query<{ way_id: number; arc: number }>(loadQuery('store_way_arcs_of'), [
    arcs,
  ])) {
    const list = ways.get(way_id);
    if (list) list.push(arc);
    else ways.set(way_id, [arc]);
  }
  return ways;
}

const distinctArcs = (arcs: readonly number[]) => [...new Set(arcs.map(Math.abs))];

export async function putShapes(db: Queryable, shapes: readonly ShapeRow[]): Promise<void> {
  for (const batch of batches(shapes, (shape) => 2 * shape.ewkb.length + 20 * shape.arcs.length)) {
    const rows = batch.map((shape) => ({
      boundary_id: shape.boundaryId,
      arcs: shape.arcs,
      ring_end: shape.ringEnd,
      polygon_end: shape.polygonEnd,
      arc_ids: distinctArcs(shape.arcs),
      geom: hex(shape.ewkb),
    }));
    await db.query(loadQuery('store_put_shapes'), [JSON.stringify(rows)]);
  }
}

/** The same shapes over finer arcs, after some of their arcs were cut at new junctions. */
export async function recutShapes(
  db: Queryable,
  shapes: readonly { id: string; arcs: readonly number[]; ringEnd: readonly number[] }[],
): Promise<void> {
  await putJson(
    db,
    'store_recut_shapes',
    shapes.map(({ id, arcs, ringEnd }) => ({ boundary_id: id, arcs, ring_end: ringEnd, arc_ids: distinctArcs(arcs) })),
  );
}

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

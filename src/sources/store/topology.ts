/**
 * Reads and writes the tables of the arrangement for its writer: ways, arcs, shapes, conflicts. One writer at a time
 * holds TOPOLOGY_LOCK and works in a transaction, so readers see either the old arrangement or the new one.
 */

import { defined, only } from '../../common/elements.ts';
import type { Queryable, StatementOptions } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
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

/** The bytes of a typed array, as a view, not a copy. */
export const bytesOf = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** The hexadecimal text of bytes. */
export const hex = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

/** Hex text of a bytea, as jsonb_populate_recordset reads it. */
export const jsonBytes = (bytes: Uint8Array | null) => bytes && `\\x${hex(bytes)}`;

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

/** The ids of the arcs of a shape, each once. */
export const distinctArcs = (arcs: readonly number[]) => [...new Set(arcs.map(Math.abs))];

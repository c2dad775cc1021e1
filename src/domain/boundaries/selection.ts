import { only } from '../../common/elements.ts';
import { problem } from '../../core/errors.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { NamedShape } from './boundary.ts';
import { DataMoved } from './reads.ts';

/** Boundaries that one selection can have. */
export const MAX_SELECTED = 5_000;

/** The area to select boundaries in: a country, or a box in degrees (west > east across the antimeridian). */
export type Place = {
  readonly kind?: string;
  readonly adminLevel?: number;
} & ({ readonly country: string } | { readonly box: readonly [number, number, number, number] });

/** A list of boundaries by their canonical ids, in order. */
export interface BoundaryList {
  readonly revision: number;
  readonly ids: readonly string[];
}

/** A selected boundary with a polygon. */
export interface Member {
  /** Canonical id. */
  readonly id: string;
  readonly name: string;
  /** Hash of the shape, in hexadecimal. */
  readonly ringHash: string;
  /** Of a part of the boundary: its arrangement, its area and a point inside (1e-7 degrees); absent for the whole. */
  readonly arrangement?: number;
  readonly areaKm2?: number;
  readonly center?: readonly [x: number, y: number];
  /** West, south, east, north in 1e-7 degrees; west > east across the antimeridian. */
  readonly box: readonly [number, number, number, number];
  readonly attribution: string;
  /** URL of the source's license. */
  readonly sourceUrl: string | null;
}

/** A selected boundary without a polygon, and the reason. */
export interface OmittedBoundary {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

/** The resolved selection at one revision of the data. */
export interface ResolvedSelection {
  readonly revision: number;
  readonly members: readonly Member[];
  readonly leftOut: readonly OmittedBoundary[];
}

/** A boundary without a polygon, as a result names it. */
export function omitted({ id, name, broken }: Pick<NamedShape, 'id' | 'name' | 'broken'>): OmittedBoundary {
  return { id, name, reason: broken?.reason ?? 'its source has no polygon' };
}

/** How many boundaries a selection may have, and the error when it has more. */
export interface SelectionLimit {
  readonly most: number;
  readonly code: 'too_large' | 'too_many_boundaries';
  /** What takes no more, such as `one job`. */
  readonly of: string;
  /** What to do instead. */
  readonly advice?: string;
}

export const ONE_CALL: SelectionLimit = {
  most: MAX_SELECTED,
  code: 'too_large',
  of: 'one call',
  advice: 'Use create_job instead.',
};

/** @throws the error of a limit if a selection exceeds it */
export function requireSelectable(count: number, { most, code, of, advice }: SelectionLimit = ONE_CALL): void {
  if (count <= most) return;
  const detail = `The selection has ${count} boundaries; ${of} takes at most ${most}.`;
  throw problem(code, advice === undefined ? detail : `${detail} ${advice}`);
}

/**
 * Lists the boundaries of a country, or those whose box is within a box, by local name, then id.
 * @throws the error of the limit
 */
export async function listPlace(
  db: Queryable,
  place: Place,
  { signal, limit = ONE_CALL }: { signal?: AbortSignal; limit?: SelectionLimit },
): Promise<BoundaryList> {
  const which = [place.kind ?? null, place.adminLevel ?? null, limit.most] as const;
  const find = () => {
    if ('country' in place) {
      return db.query(loadQuery('selection_place'), [place.country, ...which, null, null, null, null], { signal });
    }
    return db.query(loadQuery('selection_place'), [null, ...which, ...place.box], { signal });
  };
  const row = only(await find());
  requireSelectable(row.total, limit);
  return { revision: Number(row.revision), ids: row.ids };
}

/**
 * Lists the areas of a set that the call reads (src/core/with_sets.ts), by name, then id.
 * @throws the error of the limit
 */
export async function listSet(
  db: Queryable,
  set: string,
  signal?: AbortSignal,
  limit: SelectionLimit = ONE_CALL,
): Promise<BoundaryList> {
  const row = only(await db.query(loadQuery('selection_set'), [`set:${set}`, limit.most], { signal }));
  requireSelectable(row.total, limit);
  return { revision: Number(row.revision), ids: row.ids };
}

interface ShapeRow {
  readonly revision: number;
  readonly id: string | null;
  readonly name: string;
  readonly has_geometry: boolean;
  readonly broken: NamedShape['broken'];
  readonly ring_hash: string | null;
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
  readonly attribution: string;
  readonly source_url: string | null;
}

/**
 * Returns what an export needs to know of each boundary before it starts: its shape and its box. Keeps the order of the
 * list, whose length has been checked; each boundary once.
 * @throws DataMoved if the data has changed since the list was made
 */
export async function resolveSelection(
  db: Queryable,
  { revision, ids }: BoundaryList,
  signal?: AbortSignal,
): Promise<ResolvedSelection> {
  const found = new Map<string, ShapeRow>();
  for (let from = 0; from < ids.length; from += MAX_SELECTED) {
    const some = ids.slice(from, from + MAX_SELECTED);
    for (const row of await db.query(loadQuery('selection_shapes'), [some], { signal })) {
      if (Number(row.revision) !== revision) throw new DataMoved();
      if (row.id !== null) found.set(row.id, row);
    }
  }
  const members: Member[] = [];
  const leftOut: OmittedBoundary[] = [];
  for (const id of new Set(ids)) {
    const row = found.get(id);
    if (!row) throw new DataMoved();
    const { name, west, south, east, north, ring_hash: ringHash } = row;
    if (!row.has_geometry || ringHash === null || west === null || south === null || east === null || north === null) {
      leftOut.push(omitted({ id, name, broken: row.broken }));
    } else {
      const box = [west, south, east, north] as const;
      members.push({ id, name, ringHash, box, attribution: row.attribution, sourceUrl: row.source_url });
    }
  }
  return { revision, members, leftOut };
}

import { only } from '../../common/elements.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { ResolvedBoundary } from './boundary.ts';

/** Selects subdivisions: of one admin_level, direct ones or all. By default those of the next level that exists. */
export interface SubdivisionFilter {
  readonly adminLevel?: number;
  /** `direct`: subdivisions of any level whose direct parent is the boundary; `all`: every descendant. */
  readonly levels?: 'direct' | 'all';
}

/** A whole list of subdivisions: its order, and what it leaves out. */
export interface SubdivisionList {
  /** Revision of the data that it was made from. */
  readonly revision: number;
  readonly total: number;
  /** How many of them have no polygon, as what an extract cuts. */
  readonly withoutGeometry: number;
  /** Fraction of the boundary's area that they cover: 0 to 1, rounded to 1e-6. Null if no area is known. */
  readonly covers: number | null;
  /** Levels of direct subdivisions that are not in the list, with their counts; null: without a level. */
  readonly otherLevels: readonly { readonly admin_level: number | null; readonly count: number }[];
  /** Canonical ids ordered by local name, then id, separated by blanks: PIECE of them per string. */
  readonly pieces: readonly string[];
  /** Estimated bytes in memory. */
  readonly size: number;
}

/** Ids per piece; the query boundary_children uses the same number. */
const PIECE = 1000;

/** @throws no_children if the boundary is not administrative, invalid_input if `adminLevel` is not above its own */
export function requireSubdivided(parent: ResolvedBoundary, { adminLevel }: SubdivisionFilter): void {
  if (parent.type !== 'administrative' || parent.boundary.kind === 'postal_code') {
    throw problem('no_children', `${parent.id} (${parent.name}) is a postcode area: it has no subdivisions.`);
  }
  const own = parent.admin_level;
  if (adminLevel !== undefined && own !== null && adminLevel <= own) {
    const message = `must be above ${own}, the admin_level of ${parent.id} itself`;
    throw invalidInput([{ path: 'admin_level', code: 'too_small', message }]);
  }
}

/** Lists the selected administrative boundaries inside `parent`, those without a shape included. Empty for a leaf. */
export async function listSubdivisions(
  db: Queryable,
  parent: ResolvedBoundary,
  which: SubdivisionFilter,
  signal?: AbortSignal,
): Promise<SubdivisionList> {
  const values = [parent.id, parent.admin_level, which.levels ?? 'level', which.adminLevel ?? null] as const;
  const row = only(await db.query(loadQuery('boundary_children'), values, { signal }));
  const unknown = !parent.area_km2 || (row.total > 0 && row.measured === 0);
  return {
    revision: Number(row.revision),
    total: row.total,
    withoutGeometry: row.without_geometry,
    // Where subdivisions overlap, the shared area counts for each of them.
    covers: unknown ? null : Math.round(Math.min(1, row.area / (parent.area_km2 as number)) * 1e6) / 1e6,
    otherLevels: row.other_levels,
    pieces: row.pieces,
    size: sizeOf(row.pieces),
  };
}

/** Lists the areas of a set that the call reads (src/core/with_sets.ts), those without a shape included. */
export async function listAreasOfSet(db: Queryable, set: string, signal?: AbortSignal): Promise<SubdivisionList> {
  const row = only(await db.query(loadQuery('boundary_areas_of_set'), [`set:${set}`], { signal }));
  return {
    revision: Number(row.revision),
    total: row.total,
    withoutGeometry: row.without_geometry,
    covers: null,
    otherLevels: [],
    pieces: row.pieces,
    size: sizeOf(row.pieces),
  };
}

const sizeOf = (pieces: readonly string[]): number => pieces.reduce((sum, { length }) => sum + length + 50, 200);

/** Up to `limit` canonical ids of a list, from `offset` on. */
export function idsOf({ pieces }: Pick<SubdivisionList, 'pieces'>, offset: number, limit: number): string[] {
  const first = Math.floor(offset / PIECE);
  const some = pieces.slice(first, Math.ceil((offset + limit) / PIECE)).flatMap((piece) => piece.split(' '));
  return some.slice(offset - first * PIECE, offset - first * PIECE + limit);
}

/** Whether any subdivisions are stored, of `adminLevel` if given. */
export async function hasChildren(
  db: Queryable,
  parent: ResolvedBoundary,
  { adminLevel }: SubdivisionFilter,
): Promise<boolean> {
  const values = [parent.id, parent.admin_level, adminLevel ?? null];
  const { found } = only(await db.query(loadQuery('boundary_has_children'), values));
  return found;
}

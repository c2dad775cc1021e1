/** Which arcs a page of border lines has. */
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { DataMoved } from './reads.ts';

/** Selects borders. */
export interface LinesOf {
  /** The lowest admin_level that they bound; null: any. */
  readonly adminLevel: number | null;
  /** West, south, east, north in degrees (west > east across the antimeridian), which the box of an arc intersects. */
  readonly box: readonly [number, number, number, number] | null;
}

/** An arc, and the administrative boundaries that it bounds. */
export interface BorderArc {
  /** Counted from 1, as the rings of the boundary have it whose arcs are read. */
  readonly number: number;
  /** Its id. */
  readonly arc: number;
  /** The lowest admin_level first, then by id. */
  readonly beside: readonly {
    readonly id: string;
    /** Null: none. */
    readonly level: number | null;
    /** Whether its ring walks the arc backward: it is on the right of the arc as stored, else on the left. */
    readonly isBackward: boolean;
  }[];
  readonly disputed: boolean;
}

const NOWHERE = [null, null, null, null] as const;
/** What statements say of a boundary without an admin_level. */
const WITHOUT_LEVEL = 13;

/** Ids of boundaries that may have such borders, at most `limit`, in order from `first` on. @throws DataMoved */
export async function lineBoundaries(
  db: Queryable,
  revision: number,
  { adminLevel, box }: LinesOf,
  { first, limit }: { readonly first: string; readonly limit: number },
  signal?: AbortSignal,
): Promise<string[]> {
  const values = [adminLevel, ...(box ?? NOWHERE), first, limit] as const;
  const rows = await db.query(loadQuery('ogc_line_boundaries'), values, { signal });
  if (rows.some((row) => Number(row.revision) !== revision)) throw new DataMoved();
  return rows.flatMap(({ id }) => (id === null ? [] : id));
}

/** The arcs of a boundary from number `first` on, at most `limit`. @throws DataMoved */
export async function borderArcs(
  db: Queryable,
  revision: number,
  { id, box }: Pick<LinesOf, 'box'> & { readonly id: string },
  { first, limit }: { readonly first: number; readonly limit: number },
  signal?: AbortSignal,
): Promise<BorderArc[]> {
  const rows = await db.query(loadQuery('ogc_line_arcs'), [id, first, limit, ...(box ?? NOWHERE)], { signal });
  if (rows.some((row) => Number(row.revision) !== revision)) throw new DataMoved();
  return rows.flatMap(({ number, arc, ids, levels, backward, disputed }) => {
    if (number === null || arc === null) return [];
    const beside = (ids ?? []).map((one, i) => ({
      id: one,
      level: levels?.[i] === WITHOUT_LEVEL ? null : (levels?.[i] ?? null),
      isBackward: backward?.[i] === true,
    }));
    return { number, arc, beside, disputed: disputed === true };
  });
}

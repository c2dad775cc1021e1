import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { DataMoved } from './model.ts';

/** A kind or an admin_level, and how many boundaries with a polygon have it. */
export interface FeatureGroup {
  readonly kind: string | null;
  readonly adminLevel: number | null;
  readonly count: number;
}

/** The kinds and levels at a revision, levels first. @throws DataMoved if the data has another revision by now */
export async function featureGroups(db: Queryable, revision: number): Promise<FeatureGroup[]> {
  const rows = await db.query(loadQuery('ogc_collections'));
  if (rows.some((row) => Number(row.revision) !== revision)) throw new DataMoved();
  return rows.flatMap(({ kind, admin_level: adminLevel, count }): FeatureGroup[] => {
    if (count === null) return [];
    if (adminLevel !== null) return [{ kind: null, adminLevel, count: Number(count) }];
    return kind === null ? [] : [{ kind, adminLevel: null, count: Number(count) }];
  });
}

/** Selects the boundaries of a page of features. */
export interface PageOf {
  readonly kind: string | null;
  readonly adminLevel: number | null;
  /** The source of all of them; null: any. */
  readonly source: string | null;
  /** West, south, east, north in degrees (west > east across the antimeridian), which the boundary's box intersects. */
  readonly box: readonly [number, number, number, number] | null;
  /** The canonical id after which the page starts; empty for the first page. */
  readonly after: string;
}

/** Canonical ids of a page of boundaries with a polygon, at most `limit`, in id order. @throws DataMoved */
export async function featurePage(
  db: Queryable,
  revision: number,
  { kind, adminLevel, source, box, after }: PageOf,
  limit: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const values = [kind, adminLevel, ...(box ?? ([null, null, null, null] as const)), after, limit, source] as const;
  const rows = await db.query(loadQuery('ogc_items'), values, {
    signal,
  });
  if (rows.some((row) => Number(row.revision) !== revision)) throw new DataMoved();
  return rows.flatMap(({ id }) => (id === null ? [] : id));
}

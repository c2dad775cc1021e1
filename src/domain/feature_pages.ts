import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { DataMoved } from './boundaries_model.ts';

/** A kind or an admin_level, and how many boundaries with a polygon have it. */
export type FeatureGroup = { readonly count: number } & (
  | { readonly kind: string; readonly adminLevel: null }
  | { readonly kind: null; readonly adminLevel: number }
);

/** The kinds and levels of a revision of the data, levels first. Throws DataMoved where the data has another by now. */
export async function featureGroups(db: Queryable, revision: number): Promise<FeatureGroup[]> {
  const rows = await db.query(loadQuery('ogc_collections'));
  if (rows.some((row) => Number(row.revision) !== revision)) throw new DataMoved();
  return rows.flatMap(({ kind, admin_level: adminLevel, count }): FeatureGroup[] => {
    if (count === null) return [];
    if (adminLevel !== null) return [{ kind: null, adminLevel, count: Number(count) }];
    return kind === null ? [] : [{ kind, adminLevel: null, count: Number(count) }];
  });
}

/** Which boundaries a page of features begins with. */
export interface PageOf {
  readonly kind: string | null;
  readonly adminLevel: number | null;
  /** Degrees; west > east across the antimeridian. Those whose box meets it. */
  readonly box: readonly [number, number, number, number] | null;
  /** The canonical id after which to go on; empty: from the first on. */
  readonly after: string;
}

/** Canonical ids of a page of boundaries with a polygon, at most `limit`, in their order. Throws DataMoved. */
export async function featurePage(
  db: Queryable,
  revision: number,
  { kind, adminLevel, box, after }: PageOf,
  limit: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const values = [kind, adminLevel, ...(box ?? [null, null, null, null]), after, limit];
  const rows = await db.query<{ readonly revision: number; readonly id: string | null }>(
    loadQuery('ogc_items'),
    values,
    {
      signal,
    },
  );
  if (rows.some((row) => Number(row.revision) !== revision)) throw new DataMoved();
  return rows.flatMap(({ id }) => (id === null ? [] : id));
}

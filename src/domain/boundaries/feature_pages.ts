import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { tabledPopulations } from './populations.ts';
import { DataMoved } from './reads.ts';

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

/** A condition on the properties of boundaries, and on the places that they meet. */
export interface FeatureFilter {
  /** A jsonpath predicate on the properties and on `$.places`, the indexes of places. */
  readonly path: string;
  /** The values that it names. */
  readonly values: Readonly<Record<string, string | number>>;
  /** The boxes of each place: west, south, east, north in degrees. */
  readonly places: readonly (readonly Box[])[];
  /** The places that shapes meet, by id: only these boundaries are read. Absent: the places that boxes meet. */
  readonly met?: Readonly<Record<string, readonly number[]>>;
}

type Box = readonly [west: number, south: number, east: number, north: number];

/** Selects the boundaries of a page of features. */
export interface PageOf {
  readonly kind: string | null;
  readonly adminLevel: number | null;
  /** The source of all of them; null: any. */
  readonly source: string | null;
  /** West, south, east, north in degrees (west > east across the antimeridian), which the boundary's box intersects. */
  readonly box: Box | null;
  /** The canonical id after which the page starts; empty for the first page. */
  readonly after: string;
  readonly filter: FeatureFilter | null;
  /** Whether boundaries are read as of a date, of which the table of populations says nothing. */
  readonly isPast: boolean;
}

/** Canonical ids of a page of boundaries with a polygon, at most `limit`, in id order. @throws DataMoved */
export async function featurePage(
  db: Queryable,
  revision: number,
  { kind, adminLevel, source, box, after, filter, isPast }: PageOf,
  limit: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const places = filter?.places.flatMap((boxes, place) =>
    boxes.map(([west, south, east, north]) => ({
      place,
      west: Math.round(west * 1e7),
      south: Math.round(south * 1e7),
      east: Math.round(east * 1e7),
      north: Math.round(north * 1e7),
    })),
  );
  const usesPopulation = filter?.path.includes('population') === true && !isPast;
  const values = [
    kind,
    adminLevel,
    ...(box ?? ([null, null, null, null] as const)),
    after,
    limit,
    filter?.path ?? null,
    JSON.stringify(filter?.values ?? {}),
    JSON.stringify(places ?? []),
    filter?.met ? JSON.stringify(filter.met) : null,
    JSON.stringify(usesPopulation ? tabledPopulations() : {}),
    source,
  ] as const;
  const rows = await db.query(loadQuery('ogc_items'), values, {
    signal,
  });
  if (rows.some((row) => Number(row.revision) !== revision)) throw new DataMoved();
  return rows.flatMap(({ id }) => (id === null ? [] : id));
}

import type { Kind } from '../../core/schemas.ts';
import type { Database } from '../../db/connect.ts';
import type { PopulationSource } from './populations.ts';

/** An enclosing boundary, as lists of parents show it. */
export interface Parent {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly admin_level: number | null;
}

/** A boundary with its local name. Coordinates are degrees; absent values are null. */
export interface Boundary {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly admin_level: number | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly countries: string[];
  readonly disputed: boolean;
  /** Outermost first. */
  readonly parents: Parent[];
  /** west > east across the antimeridian. */
  readonly bbox: {
    readonly west: number;
    readonly south: number;
    readonly east: number;
    readonly north: number;
  } | null;
  /** A point inside. */
  readonly centroid: { readonly lat: number; readonly lon: number } | null;
  readonly population: number | null;
  readonly wikidata: string | null;
  readonly iso: string | null;
  readonly has_geometry: boolean;
  readonly source: string;
  readonly version: number;
  /** Why the last good shape is still served; degrees. */
  readonly stale: {
    readonly reason: string;
    readonly lat: number;
    readonly lon: number;
    readonly since: string;
  } | null;
  /** As of a date, from when it was as it is here: `2015-01-01`; absent of today. */
  readonly valid_from?: string;
  /** The date of the next change; null: none is known. */
  readonly valid_to?: string | null;
}

/** A boundary as answers show it: `name` in a language of the caller, `names` if requested. */
export interface LocalizedBoundary extends Boundary {
  readonly local_name: string;
  readonly names?: Readonly<Record<string, string>>;
}

/** The fields of a boundary that a merge needs: its shape and its source. */
export interface NamedShape {
  /** Canonical: `r…` or `w…`. */
  readonly id: string;
  readonly name: string;
  readonly admin_level: number | null;
  readonly has_geometry: boolean;
  /** Why there is no geometry, and where (degrees). */
  readonly broken: { readonly reason: string; readonly lat: number | null; readonly lon: number | null } | null;
  /** Hexadecimal. */
  readonly ring_hash: string | null;
  /** The arrangement of the shape (src/common/arrangements.ts); absent: the present one. */
  readonly arrangement?: number;
  readonly source: {
    readonly id: string;
    readonly name: string;
    readonly url: string | null;
    readonly license: string;
    readonly attribution: string;
    /** Whether its shapes substitute for those of OpenStreetMap. */
    readonly seed: boolean;
  };
  /** In a call with several dates, the date that it is of, and the database that reads as of it. */
  readonly dated?: { readonly date: string; readonly db: Database };
}

/** The id of a boundary, with its date in a call with several dates: `r123@2015-01-01`. */
export const shownId = ({ id, dated }: Pick<NamedShape, 'id' | 'dated'>): string =>
  dated === undefined ? id : `${id}@${dated.date}`;

/** A boundary with the fields that geometry needs beyond the answer. */
export interface ResolvedBoundary extends NamedShape {
  readonly type: 'administrative' | 'postal_code';
  /** Hexadecimal. */
  readonly meta_hash: string;
  /** When this version of it was stored; ISO 8601. */
  readonly imported_at: string;
  /** 1e-7 degrees; west > east across the antimeridian. */
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
  readonly area_km2: number | null;
  /**
   * By field that its source does not state: the source of the seed boundary that it was taken from (sources/inherit.ts).
   * Null when its source states all that is known.
   */
  readonly inherited: Readonly<Record<string, string>> | null;
  /** Its codes with their schemes, as its source writes them: `fips:48201`; null: none. */
  readonly code_ids: readonly string[] | null;
  /** The place of its source in the order that the operator set; null: after those that have one. */
  readonly source_position: number | null;
  readonly boundary: Boundary;
  /** Source of `boundary.population` if it comes from a table instead of the boundary's source. */
  readonly population_source: PopulationSource | null;
  /** Canonical ids of the other boundaries that carry the same wikidata id or ISO code. */
  readonly also: readonly string[];
}

/** A boundary under its local name, for files and for callers without a preferred language. */
export function withLocalName(boundary: Boundary): LocalizedBoundary {
  return withName(boundary, boundary.name, null);
}

/** A boundary with `name` as its name and its own name as `local_name`, and with `names` unless null. */
export function withName<T extends Boundary>(
  boundary: T,
  name: string,
  names: Readonly<Record<string, string>> | null,
): T & LocalizedBoundary {
  const { id, name: local_name, ...rest } = boundary;
  return { id, name, local_name, ...(names === null ? {} : { names }), ...rest } as unknown as T & LocalizedBoundary;
}

/** The fields of a boundary that a merge needs. */
export function shapeOf({
  id,
  name,
  admin_level,
  has_geometry,
  broken,
  ring_hash,
  source,
}: ResolvedBoundary): NamedShape {
  return { id, name, admin_level, has_geometry, broken, ring_hash, source };
}

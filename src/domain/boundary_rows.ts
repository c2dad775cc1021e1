import type { Kind } from '../schemas.ts';
import type { Boundary, NamedShape, Parent, ResolvedBoundary } from './boundary.ts';
import { compareIds } from './ids.ts';
import { populationOf } from './populations.ts';

/** A row of boundary_shapes. */
export interface ShapeRow {
  readonly id: string;
  readonly name: string;
  readonly admin_level: number | null;
  readonly has_geometry: boolean;
  readonly broken: NamedShape['broken'];
  readonly ring_hash: string | null;
  readonly source: string;
  readonly source_name: string;
  readonly source_url: string | null;
  readonly license: string;
  readonly attribution: string;
  readonly seed: boolean;
}

/** A row of boundary_resolve. */
export interface BoundaryRow extends ShapeRow {
  readonly type: 'administrative' | 'postal_code';
  readonly kind: Kind;
  readonly country: string | null;
  readonly countries: string[];
  readonly disputed: boolean;
  readonly iso: string | null;
  readonly wikidata: string | null;
  readonly population: number | null;
  readonly version: number;
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly area_km2: number | null;
  readonly stale: Boundary['stale'];
  readonly imported_at: string | Date;
  readonly meta_hash: string;
  readonly parents: readonly Parent[];
}

/** A row of gone_find. */
export interface Tombstone {
  readonly id: string;
  readonly name: string;
  readonly reason: 'deleted' | 'retagged' | 'member';
  readonly gone_at: string | Date;
  readonly replaced_by: string | null;
}

/** What became of a boundary, as one sentence. */
export function epitaph({ id, name, reason, gone_at, replaced_by }: Tombstone): string {
  const what = reason === 'deleted' ? 'was deleted from the map' : 'is not a boundary of its own any more';
  const heir = replaced_by === null ? '' : `; ${replaced_by} replaced it`;
  return `${id} (${name}) ${what}, as of ${new Date(gone_at).toISOString().slice(0, 10)}${heir}.`;
}

function toBoundary(row: BoundaryRow): Boundary {
  const { west, south, east, north, lat, lon } = row;
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    admin_level: row.admin_level,
    country: row.country,
    countries: row.countries,
    disputed: row.disputed,
    parents: [...row.parents],
    bbox:
      west === null || south === null || east === null || north === null
        ? null
        : { west: degrees(west), south: degrees(south), east: degrees(east), north: degrees(north) },
    centroid: lat === null || lon === null ? null : { lat: degrees(lat), lon: degrees(lon) },
    population: row.population ?? populationOf(row.iso)?.population ?? null,
    wikidata: row.wikidata,
    iso: row.iso,
    has_geometry: row.has_geometry,
    source: row.source,
    version: row.version,
    stale: row.stale,
  };
}

/** The shape of a row. */
export function toShape(row: ShapeRow): NamedShape {
  return {
    id: row.id,
    name: row.name,
    admin_level: row.admin_level,
    has_geometry: row.has_geometry,
    broken: row.broken,
    ring_hash: row.ring_hash,
    source: {
      id: row.source,
      name: row.source_name,
      url: row.source_url,
      license: row.license,
      attribution: row.attribution,
      seed: row.seed,
    },
  };
}

/** The boundary of a row; `also`: see ResolvedBoundary. */
export function toResolved(row: BoundaryRow, also: readonly string[]): ResolvedBoundary {
  return {
    ...toShape(row),
    type: row.type,
    meta_hash: row.meta_hash,
    imported_at: new Date(row.imported_at).toISOString(),
    west: row.west,
    south: row.south,
    east: row.east,
    north: row.north,
    area_km2: row.area_km2,
    boundary: toBoundary(row),
    population_source: row.population === null ? (populationOf(row.iso)?.source ?? null) : null,
    also,
  };
}

/** Dividing (not multiplying by 1e-7) gives the number nearest to seven decimals. */
function degrees(value: number): number {
  return value / 1e7;
}

/** Orders rows of one id: administrative first, then with geometry, then the lowest admin_level, then the lowest id. */
export function byPrecedence(a: BoundaryRow, b: BoundaryRow): number {
  return (
    Number(b.type === 'administrative') - Number(a.type === 'administrative') ||
    Number(b.has_geometry) - Number(a.has_geometry) ||
    (a.admin_level ?? 99) - (b.admin_level ?? 99) ||
    compareIds(a.id, b.id)
  );
}

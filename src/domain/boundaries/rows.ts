import { SizedLru } from '../../common/sized_lru.ts';
import type { Kind } from '../../core/schemas.ts';
import type { Boundary, NamedShape, Parent, ResolvedBoundary } from './boundary.ts';
import { compareIds } from './ids.ts';
import type { Land } from './land.ts';
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
  readonly inherited: ResolvedBoundary['inherited'];
  readonly code_ids: ResolvedBoundary['code_ids'];
  readonly source_position: ResolvedBoundary['source_position'];
  readonly parents: readonly Parent[];
  /** As of a date: from when its state was in force, and until when. Null of today. */
  readonly validity: readonly (string | null)[] | null;
}

/** A row of tombstone_find. */
export interface Tombstone {
  readonly id: string;
  readonly name: string;
  readonly reason: 'deleted' | 'retagged' | 'member';
  readonly gone_at: string | Date;
  readonly replaced_by: string | null;
}

/** A sentence that says what became of a former boundary and what replaced it. */
export function describeTombstone({ id, name, reason, gone_at, replaced_by }: Tombstone): string {
  const what = reason === 'deleted' ? 'was deleted from the map' : 'is no longer a separate boundary';
  const successor = replaced_by === null ? '' : `; ${replaced_by} replaced it`;
  return `${id} (${name}) ${what}, as of ${new Date(gone_at).toISOString().slice(0, 10)}${successor}.`;
}

/** A sentence that says when editions have a boundary that was not found. */
export function describeEditions(one: {
  readonly id: string;
  readonly name: string;
  readonly valid_from: string;
  readonly valid_to: string | null;
}): string {
  const time = one.valid_to === null ? `from ${one.valid_from} on` : `from ${one.valid_from} to ${one.valid_to}`;
  return `${one.id} (${one.name}) was in force ${time}: ask for it with as_of.`;
}

/** The columns that a boundary's document is made from, without its parents. */
export type DocumentRow = Pick<
  BoundaryRow,
  | ('id' | 'name' | 'kind' | 'admin_level' | 'country' | 'countries' | 'disputed' | 'population' | 'wikidata' | 'iso')
  | ('west' | 'south' | 'east' | 'north' | 'lat' | 'lon' | 'has_geometry' | 'source' | 'version' | 'stale')
> &
  Partial<Pick<BoundaryRow, 'validity'>>;

/** The figure of the table for a row whose source has none; null as of a date, as the table is of no other time. */
function tabled({ population, iso, validity }: Pick<DocumentRow, 'population' | 'iso' | 'validity'>) {
  return population === null && !validity ? populationOf(iso) : null;
}

/** The document of a row. `parents`: outermost first. */
export function toBoundary(row: DocumentRow, parents: Parent[]): Boundary {
  const { west, south, east, north, lat, lon } = row;
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    admin_level: row.admin_level,
    country: row.country,
    countries: row.countries,
    disputed: row.disputed,
    parents,
    bbox:
      west === null || south === null || east === null || north === null
        ? null
        : { west: degrees(west), south: degrees(south), east: degrees(east), north: degrees(north) },
    centroid: lat === null || lon === null ? null : { lat: degrees(lat), lon: degrees(lon) },
    population: row.population ?? tabled(row)?.population ?? null,
    wikidata: row.wikidata,
    iso: row.iso,
    has_geometry: row.has_geometry,
    source: row.source,
    version: row.version,
    stale: row.stale,
  };
}

/** The sources and parents that boundaries of a revision share: a source takes more memory than the rest of a shape. */
export class SharedObjects {
  private readonly sources = new Map<string, NamedShape['source']>();
  private readonly lines = new Map<string, Parent[]>();
  private readonly lands: SizedLru<Land>;

  /** `bytes` limits what is kept of the land of boundaries. */
  constructor(bytes: number) {
    this.lands = new SizedLru(bytes);
  }

  /** Bytes that the land of boundaries takes in memory. */
  get landBytes(): number {
    return this.lands.bytes;
  }

  source(row: ShapeRow): NamedShape['source'] {
    const before = this.sources.get(row.source);
    if (before) return before;
    const { source: id, source_name: name, source_url: url, license, attribution, seed } = row;
    const source = { id, name, url, license, attribution, seed };
    this.sources.set(id, source);
    return source;
  }

  /** The parents of a row; siblings get the same array. Do not modify it. */
  parents(row: BoundaryRow): Parent[] {
    const key = row.parents.map(({ id }) => id).join();
    const before = this.lines.get(key);
    if (before) return before;
    if (this.lines.size >= MOST_LINES) this.lines.clear();
    const parents = [...row.parents];
    this.lines.set(key, parents);
    return parents;
  }

  /** What landOf() read of a boundary, while it is in memory. */
  knownLand(id: string): Land | undefined {
    return this.lands.get(id);
  }

  /** What is known of the land of boundaries; `find` reads it for those of which that is not in memory. */
  async landOf(
    ids: readonly string[],
    find: (ids: readonly string[]) => Promise<ReadonlyMap<string, Land>>,
  ): Promise<Map<string, Land>> {
    const found = new Map<string, Land>();
    const missing = new Set<string>();
    for (const id of ids) {
      const land = this.lands.get(id);
      if (land === undefined) missing.add(id);
      else found.set(id, land);
    }
    if (missing.size === 0) return found;
    for (const [id, land] of await find([...missing])) {
      this.lands.set(id, land, LAND_BYTES);
      found.set(id, land);
    }
    return found;
  }
}

/** Maximum lists of parents that are shared; beyond it all are dropped. */
const MOST_LINES = 10_000;
/** Estimated bytes of what is known of the land of a boundary, without its cache entry. */
const LAND_BYTES = 300;

/** The shape of a row. */
export function toShape(row: ShapeRow, shared: SharedObjects): NamedShape {
  return {
    id: row.id,
    name: row.name,
    admin_level: row.admin_level,
    has_geometry: row.has_geometry,
    broken: row.broken,
    ring_hash: row.ring_hash,
    source: shared.source(row),
  };
}

/** The boundary of a row; `also`: see ResolvedBoundary. */
export function toResolved(row: BoundaryRow, also: readonly string[], shared: SharedObjects): ResolvedBoundary {
  return {
    ...toShape(row, shared),
    type: row.type,
    meta_hash: row.meta_hash,
    inherited: row.inherited,
    code_ids: row.code_ids,
    source_position: row.source_position,
    imported_at: new Date(row.imported_at).toISOString(),
    west: row.west,
    south: row.south,
    east: row.east,
    north: row.north,
    area_km2: row.area_km2,
    boundary: { ...toBoundary(row, shared.parents(row)), ...validity(row.validity) },
    population_source: tabled(row)?.source ?? null,
    also,
  };
}

function validity(row: BoundaryRow['validity']): Pick<Boundary, 'valid_from' | 'valid_to'> {
  const [from, to = null] = row ?? [];
  return typeof from === 'string' ? { valid_from: from, valid_to: to } : {};
}

/** Bytes of a boundary in memory without its name and the objects it shares: 1,800 measured with them. */
export const RESOLVED_BYTES = 1_600;
/** Estimated bytes of the rest per character of its JSON. */
const BYTES_A_CHARACTER = 3;

/** Estimated bytes of a boundary in memory. */
export function sizeOfResolved({
  name,
  also,
  broken,
  inherited,
  code_ids,
  boundary: { stale },
}: ResolvedBoundary): number {
  const odd = [also.length > 0 ? also : null, broken, stale, inherited, code_ids].filter((one) => one !== null);
  const rest = odd.length > 0 ? JSON.stringify(odd).length : 0;
  return RESOLVED_BYTES + BYTES_A_CHARACTER * (name.length + rest);
}

/** Bytes of a shape without its cache entry, its name and the source it shares: 350 measured in all. */
const SHAPE_BYTES = 100;

/** Estimated bytes of a shape in memory. */
export function sizeOfShape({ name, broken }: NamedShape): number {
  return SHAPE_BYTES + BYTES_A_CHARACTER * (name.length + (broken === null ? 0 : JSON.stringify(broken).length));
}

/** Degrees of a 1e-7 integer. Division, unlike multiplication by 1e-7, gives the number nearest to seven decimals. */
function degrees(value: number): number {
  return value / 1e7;
}

/** The position of sources without one. */
const UNPLACED = 2 ** 31;

type Preceding = Pick<BoundaryRow, 'id' | 'type' | 'has_geometry' | 'source_position' | 'admin_level'>;

/**
 * Orders rows of one id: administrative first, then with geometry, then of the source that the operator prefers, then
 * the lowest admin_level, then the lowest id.
 */
export function byPrecedence(a: Preceding, b: Preceding): number {
  return (
    Number(b.type === 'administrative') - Number(a.type === 'administrative') ||
    Number(b.has_geometry) - Number(a.has_geometry) ||
    (a.source_position ?? UNPLACED) - (b.source_position ?? UNPLACED) ||
    (a.admin_level ?? 99) - (b.admin_level ?? 99) ||
    compareIds(a.id, b.id)
  );
}

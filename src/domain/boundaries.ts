import type { Database } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { invalidInput, problem } from '../errors.ts';
import type { Kind } from '../schemas.ts';
import { batched } from './batches.ts';
import { type BoundaryId, compareIds, parseBoundaryId } from './ids.ts';

/** An enclosing boundary, as lists of parents show it. */
export interface Parent {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly admin_level: number | null;
}

/** A boundary as every answer shows it; degrees, absent is null. */
export interface Boundary {
  readonly id: string;
  readonly name: string;
  readonly names: Readonly<Record<string, string>>;
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
}

/** A boundary without its names by language, as search lists it. */
export type Summary = Omit<Boundary, 'names'>;

/** What of a boundary a merge needs: which shape it has, and whose it is. */
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
  readonly source: {
    readonly id: string;
    readonly name: string;
    readonly url: string | null;
    readonly licence: string;
    readonly attribution: string;
    /** Its shapes stand in for those of OpenStreetMap. */
    readonly starter: boolean;
  };
}

/** A boundary with what the geometry side needs beside the answer. */
export interface ResolvedBoundary extends NamedShape {
  readonly type: 'administrative' | 'postal_code';
  /** Hexadecimal. */
  readonly meta_hash: string;
  /** 1e-7 degrees; west > east across the antimeridian. */
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
  readonly area_km2: number | null;
  readonly boundary: Boundary;
  /** Canonical ids of the other boundaries that carry the same wikidata id or ISO code. */
  readonly also: readonly string[];
}

/** The boundaries of the database, read. Ids are in any form of spec section 2.1 unless a method says canonical. */
export interface Boundaries {
  /**
   * The boundary each id names, in the order given, repetitions kept. A wikidata id or ISO code that several carry
   * gives the administrative before others, then one with geometry, then the lowest admin_level, then the lowest id;
   * the rest is in `also`. Ids that answer for another boundary are followed.
   * Throws invalid_id, or not_found that names every unknown id.
   */
  resolve(ids: readonly string[]): Promise<ResolvedBoundary[]>;
  /** resolve(), with null for what is unknown. Throws invalid_id. */
  lookup(ids: readonly string[]): Promise<(ResolvedBoundary | null)[]>;
  /** resolve() without what only an answer about a boundary shows: several times as fast. */
  shapes(ids: readonly string[]): Promise<NamedShape[]>;
  /**
   * What lookup() found, every one of it. Throws not_found that names every id that is unknown, and of those that are
   * boundaries no more what became of them.
   */
  everyOne(texts: readonly string[], found: readonly (ResolvedBoundary | null)[]): Promise<ResolvedBoundary[]>;
  /** resolve() of one. */
  get(id: string): Promise<ResolvedBoundary>;
  /** Boundaries by canonical id, in the order given; unknown ids are left out and aliases not followed. */
  byIds(ids: readonly string[]): Promise<ResolvedBoundary[]>;
  /**
   * The administrative boundaries inside one, by name then id: those of the next admin_level that exists below its
   * own, or all descendants at `adminLevel`. Empty for a leaf.
   * Throws invalid_id, not_found, no_children when it is not administrative, and invalid_input when `adminLevel` is
   * not below its own.
   */
  children(id: string, adminLevel?: number): Promise<Boundary[]>;
  /** Whether postcode areas of one of the countries (ISO 3166-1 alpha-2) are stored with their polygons. */
  hasPostcodes(countries: readonly string[]): Promise<boolean>;
}

/** A row of boundary_shapes. */
interface ShapeRow {
  readonly id: string;
  readonly name: string;
  readonly admin_level: number | null;
  readonly has_geometry: boolean;
  readonly broken: NamedShape['broken'];
  readonly ring_hash: string | null;
  readonly source: string;
  readonly source_name: string;
  readonly source_url: string | null;
  readonly licence: string;
  readonly attribution: string;
  readonly starter: boolean;
}

/** A row of boundary_by_ids and boundary_resolve. */
interface BoundaryRow extends ShapeRow {
  readonly type: 'administrative' | 'postal_code';
  readonly names: Readonly<Record<string, string>>;
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
  readonly meta_hash: string;
  readonly parents: readonly string[];
}

interface AskedRow extends BoundaryRow {
  readonly form: BoundaryId['kind'];
  readonly key: string;
}

/** Boundaries read from `db`. */
export function createBoundaries(db: Database): Boundaries {
  async function withParents(rows: readonly BoundaryRow[]): Promise<Map<string, Boundary>> {
    const wanted = [...new Set(rows.flatMap((row) => row.parents))];
    const found = wanted.length ? await db.query<Parent & object>(loadQuery('boundary_parents'), [wanted]) : [];
    const parents = new Map(found.map((parent) => [parent.id, parent]));
    return new Map(rows.map((row) => [row.id, toBoundary(row, parents)]));
  }

  /** What callers ask for at the same time is asked of the database together. */
  const find = batched(async (_all, lists: readonly (readonly BoundaryId[])[]) => {
    const ids = lists.flat();
    const keysOf = (form: BoundaryId['kind']) => [...new Set(ids.filter((id) => id.kind === form).map(keyOf))];
    const values = [keysOf('osm'), keysOf('wikidata'), keysOf('iso')];
    const answers = new Map<string, AskedRow[]>();
    for (const row of await db.query<AskedRow>(loadQuery('boundary_resolve'), values)) {
      const key = `${row.form}:${row.key}`;
      answers.set(key, [...(answers.get(key) ?? []), row]);
    }
    for (const answer of answers.values()) answer.sort(byPrecedence);
    const found = { answers, boundaries: await withParents([...answers.values()].map(([row]) => row)) };
    return lists.map(() => found);
  });

  async function lookup(texts: readonly string[]): Promise<(ResolvedBoundary | null)[]> {
    const ids = texts.map(parseBoundaryId);
    if (ids.length === 0) return [];
    const { answers, boundaries } = await find('', ids);
    return ids.map((id) => {
      const [row, ...others] = answers.get(`${id.kind}:${keyOf(id)}`) ?? [];
      if (!row) return null;
      return toResolved(
        row,
        boundaries.get(row.id)!,
        others.map((other) => other.id),
      );
    });
  }

  async function everyOne(
    texts: readonly string[],
    found: readonly (ResolvedBoundary | null)[],
  ): Promise<ResolvedBoundary[]> {
    const unknown = [...new Set(texts.filter((_, i) => !found[i]).map((text) => shown(parseBoundaryId(text))))];
    if (unknown.length === 0) return found as ResolvedBoundary[];
    const gone = await db.query<Tombstone>(loadQuery('gone_find'), [unknown]);
    const words = gone.map(epitaph);
    throw problem('not_found', [`No boundary ${unknown.join(', ')}.`, ...words].join(' '));
  }

  async function resolve(texts: readonly string[]): Promise<ResolvedBoundary[]> {
    return everyOne(texts, await lookup(texts));
  }

  const findShapes = batched(async (_all, lists: readonly (readonly string[])[]) => {
    const rows = await db.query<ShapeRow>(loadQuery('boundary_shapes'), [[...new Set(lists.flat())]]);
    const found = new Map(rows.map((row) => [row.id, toShape(row)]));
    return lists.map(() => found);
  });

  async function shapes(texts: readonly string[]): Promise<NamedShape[]> {
    const ids = texts.map(parseBoundaryId);
    const plain = ids.flatMap((id) => (id.kind === 'osm' ? [id.id] : []));
    const found = plain.length > 0 ? await findShapes('', plain) : new Map<string, NamedShape>();
    // Other forms, ids that answer for another boundary and unknown ones are few: they take the longer way.
    const others = texts.filter((_, i) => !found.has(keyOf(ids[i])));
    const resolved = new Map((await resolve(others)).map((boundary, i) => [others[i], boundary]));
    return texts.map((text, i) => found.get(keyOf(ids[i])) ?? (resolved.get(text) as ResolvedBoundary));
  }

  async function byIds(ids: readonly string[]): Promise<ResolvedBoundary[]> {
    if (ids.length === 0) return [];
    const rows = await db.query<BoundaryRow>(loadQuery('boundary_by_ids'), [ids]);
    const boundaries = await withParents(rows);
    return rows.map((row) => toResolved(row, boundaries.get(row.id)!, []));
  }

  async function get(id: string): Promise<ResolvedBoundary> {
    return (await resolve([id]))[0];
  }

  async function children(id: string, adminLevel?: number): Promise<Boundary[]> {
    const parent = await get(id);
    if (parent.type !== 'administrative' || parent.boundary.kind === 'postal_code') {
      throw problem('no_children', `${parent.id} (${parent.name}) is a postcode area: it has no subdivisions.`);
    }
    const own = parent.admin_level;
    if (adminLevel !== undefined && own !== null && adminLevel <= own) {
      const message = `must be above ${own}, the admin_level of ${parent.id} itself`;
      throw invalidInput([{ path: 'admin_level', code: 'too_small', message }]);
    }
    const rows = await db.query<{ id: string }>(loadQuery('boundary_children'), [parent.id, own, adminLevel ?? null]);
    return (await byIds(rows.map((row) => row.id))).map((child) => child.boundary);
  }

  async function hasPostcodes(countries: readonly string[]): Promise<boolean> {
    const [row] = await db.query<{ mapped: boolean }>(loadQuery('boundary_has_postcodes'), [countries]);
    return row.mapped;
  }

  return { resolve, lookup, everyOne, shapes, get, byIds, children, hasPostcodes };
}

/** A row of gone_find. */
interface Tombstone {
  readonly id: string;
  readonly name: string;
  readonly reason: 'deleted' | 'retagged' | 'member';
  readonly gone_at: string | Date;
  readonly replaced_by: string | null;
}

function epitaph({ id, name, reason, gone_at, replaced_by }: Tombstone): string {
  const what = reason === 'deleted' ? 'was deleted from the map' : 'is no boundary of its own any more';
  const heir = replaced_by === null ? '' : `; ${replaced_by} replaced it`;
  return `${id} (${name}) ${what}, as of ${new Date(gone_at).toISOString().slice(0, 10)}${heir}.`;
}

/** The boundary without its names by language. */
export function toSummary(boundary: Boundary): Summary {
  const { names: _, ...summary } = boundary;
  return summary;
}

function toBoundary(row: BoundaryRow, parents: ReadonlyMap<string, Parent>): Boundary {
  const { west, south, east, north, lat, lon } = row;
  return {
    id: row.id,
    name: row.name,
    names: row.names,
    kind: row.kind,
    admin_level: row.admin_level,
    country: row.country,
    countries: row.countries,
    disputed: row.disputed,
    parents: row.parents.flatMap((id) => parents.get(id) ?? []),
    bbox:
      west === null || south === null || east === null || north === null
        ? null
        : { west: degrees(west), south: degrees(south), east: degrees(east), north: degrees(north) },
    centroid: lat === null || lon === null ? null : { lat: degrees(lat), lon: degrees(lon) },
    population: row.population,
    wikidata: row.wikidata,
    iso: row.iso,
    has_geometry: row.has_geometry,
    source: row.source,
    version: row.version,
    stale: row.stale,
  };
}

function toShape(row: ShapeRow): NamedShape {
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
      licence: row.licence,
      attribution: row.attribution,
      starter: row.starter,
    },
  };
}

function toResolved(row: BoundaryRow, boundary: Boundary, also: readonly string[]): ResolvedBoundary {
  return {
    ...toShape(row),
    type: row.type,
    meta_hash: row.meta_hash,
    west: row.west,
    south: row.south,
    east: row.east,
    north: row.north,
    area_km2: row.area_km2,
    boundary,
    also,
  };
}

/** Dividing (not multiplying by 1e-7) gives the number nearest to seven decimals. */
function degrees(value: number): number {
  return value / 1e7;
}

function keyOf(id: BoundaryId): string {
  return id.kind === 'iso' ? id.code : id.id;
}

function shown(id: BoundaryId): string {
  return id.kind === 'osm' ? id.id : `${id.kind}:${keyOf(id)}`;
}

/** Administrative first, then with geometry, then the lowest admin_level, then the lowest id. */
function byPrecedence(a: BoundaryRow, b: BoundaryRow): number {
  return (
    Number(b.type === 'administrative') - Number(a.type === 'administrative') ||
    Number(b.has_geometry) - Number(a.has_geometry) ||
    (a.admin_level ?? 99) - (b.admin_level ?? 99) ||
    compareIds(a.id, b.id)
  );
}

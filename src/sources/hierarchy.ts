import { defined } from '../common/elements.ts';
import type { Kind } from '../core/schemas.ts';
import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { populationOf } from '../domain/boundaries/populations.ts';
import { type City, cityOf } from '../domain/names/cities.ts';
import { foldName } from '../domain/names/fold.ts';
import { nameRows } from '../domain/names/names.ts';
import type { Engine } from '../geometry/engine.ts';
import type { BoundaryRef } from '../geometry/engine_model.ts';
import { countryAt } from './countries.ts';
import { kindOf } from './kinds.ts';
import { putJson } from './store/topology.ts';
import type { OtherName } from './types.ts';

/** A boundary is inside another if at least this share of its area is. */
const SHARE_OF_A_CHILD = 0.5;

const PAIRS_AT_ONCE = 2_000;
const ROWS_AT_ONCE = 2_000;

interface Pair {
  child: string;
  child_hash: string;
  parent: string;
  parent_hash: string;
}

interface HierarchyRow {
  id: string;
  type: 'administrative' | 'postal_code';
  name: string;
  names: Record<string, string>;
  other_names: OtherName[];
  codes: string[];
  iso: string | null;
  wikidata: string | null;
  kind: Kind;
  kind_given: Kind | null;
  admin_level: number | null;
  country: string | null;
  countries: string[];
  disputed: boolean;
  country_given: string | null;
  country_code: string | null;
  tags: Record<string, string>;
  place: string | null;
  population: number | null;
  lat: number | null;
  lon: number | null;
  area_km2: number | null;
  kind_known: boolean;
  /** For a boundary without a polygon, the country that unshaped.ts found. */
  traced_country: string | null;
  /** The boundaries that contain it, outermost first. */
  parents: string[];
  /** Its parents that carry an ISO 3166-1 code, outermost first. */
  carriers: Carrier[];
}

interface Carrier {
  id: string;
  country_code: string;
  admin_level: number | null;
}

/**
 * Derives parents (by share of overlapping area, not by exact containment), countries, kinds and search names, for
 * boundaries that were written and for all boundaries inside them.
 */
export async function deriveLineage(
  tx: Queryable,
  engine: Engine,
  made: readonly { readonly id: string }[],
  progress: (message: string) => void,
): Promise<void> {
  if (made.length === 0) return;
  const ids = made.map(({ id }) => id);
  const children = await deriveParents(tx, engine, ids, progress);
  const carriers = await nestedCarriers(tx);
  const within = await tx.query(loadQuery('hierarchy_descendants'), [ids]);
  const touched = [...new Set([...ids, ...children, ...within.map(({ id }) => id)])];
  const remade = new Set(ids);
  for (let from = 0; from < touched.length; from += ROWS_AT_ONCE) {
    const some = touched.slice(from, from + ROWS_AT_ONCE);
    const rows = await tx.query<HierarchyRow>(loadQuery('hierarchy_rows'), [some]);
    await deriveRows(tx, rows, carriers, remade);
    progress(`names ${Math.min(from + ROWS_AT_ONCE, touched.length)}/${touched.length}`);
  }
}

/** Writes the parents of the given boundaries and of those inside them. Returns the ids whose parents were written. */
async function deriveParents(
  tx: Queryable,
  engine: Engine,
  ids: readonly string[],
  progress: (message: string) => void,
): Promise<Set<string>> {
  await tx.query(loadQuery('hierarchy_clear'), [ids]);
  const pairs = await tx.query<Pair>(loadQuery('hierarchy_candidates'), [ids]);
  const children = new Set<string>();
  for (let from = 0; from < pairs.length; from += PAIRS_AT_ONCE) {
    const some = pairs.slice(from, from + PAIRS_AT_ONCE);
    const shares = await engine.overlapShares(
      tx,
      some.map((pair) => ({ child: refOf(pair.child, pair.child_hash), parent: refOf(pair.parent, pair.parent_hash) })),
    );
    const inside = some.flatMap((pair, i) => {
      const share = defined(shares[i]);
      return share >= SHARE_OF_A_CHILD ? [{ ...pair, share }] : [];
    });
    await tx.query(loadQuery('hierarchy_put'), [
      inside.map(({ child }) => child),
      inside.map(({ parent }) => parent),
      inside.map(({ share }) => share),
    ]);
    for (const { child } of inside) children.add(child);
    progress(`parents ${Math.min(from + PAIRS_AT_ONCE, pairs.length)}/${pairs.length}`);
  }
  await tx.query(loadQuery('hierarchy_order'), [[...children]]);
  return children;
}

const refOf = (id: string, ringHash: string): BoundaryRef => ({ id, ringHash, adminLevel: null });

/** By id of a boundary with a country code, the boundaries with a country code that contain it. */
async function nestedCarriers(tx: Queryable): Promise<Map<string, Set<string>>> {
  const nested = new Map<string, Set<string>>();
  for (const { child, parent } of await tx.query(loadQuery('hierarchy_carriers'))) {
    const parents = nested.get(child);
    if (parents) parents.add(parent);
    else nested.set(child, new Set([parent]));
  }
  return nested;
}

/** Derives countries, kinds and the names that depend on them, for boundaries whose parents are written. */
export async function deriveCountries(tx: Queryable, ids: readonly string[]): Promise<void> {
  const carriers = await nestedCarriers(tx);
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
    const some = ids.slice(from, from + ROWS_AT_ONCE);
    await deriveRows(tx, await tx.query<HierarchyRow>(loadQuery('hierarchy_rows'), [some]), carriers, new Set());
  }
}

async function deriveRows(
  tx: Queryable,
  rows: readonly HierarchyRow[],
  nested: ReadonlyMap<string, ReadonlySet<string>>,
  remade: ReadonlySet<string>,
): Promise<void> {
  const changed: object[] = [];
  const renamed: string[] = [];
  const names: object[] = [];
  for (const row of rows) {
    const countries = countriesOf(row, nested);
    const country = countries[0] ?? null;
    const { kind, known } = row.kind_given
      ? { kind: row.kind_given, known: true }
      : kindOf({
          type: row.type,
          adminLevel: row.admin_level,
          country,
          countryCode: row.country_code,
          tags: row.tags,
          place: row.place,
          id: row.id,
          parents: row.parents,
        });
    const disputed = countries.length > 1;
    const same = kind === row.kind && countries.join() === row.countries.join() && country === row.country;
    if (!same || disputed !== row.disputed || known !== row.kind_known) {
      changed.push({ id: row.id, kind, kind_known: known, country, countries, disputed });
    }
    // Rows of the name index have a weight that depends on the kind.
    if (kind === row.kind && !remade.has(row.id)) continue;
    renamed.push(row.id);
    for (const name of nameRows({
      type: row.type,
      name: row.name,
      names: row.names,
      otherNames: row.other_names,
      codes: row.codes,
      iso: row.iso,
      countryCode: row.country_code,
      wikidata: row.wikidata,
      kind,
      place: row.place,
      adminLevel: row.admin_level,
      population: row.population ?? populationOf(row.iso)?.population ?? null,
      areaKm2: row.area_km2,
      city: cityIn(row, kind, country),
    })) {
      names.push({ boundary_id: row.id, ...name });
    }
  }
  await putJson(tx, loadQuery('hierarchy_set'), changed);
  await tx.query(loadQuery('hierarchy_drop_names'), [renamed]);
  await putJson(tx, loadQuery('hierarchy_put_names'), names);
}

const CITY_KINDS: readonly Kind[] = ['city', 'municipality'];

/** The city of a row of kind city or municipality, else null: a city with a county's name is at best its seat. */
function cityIn(row: HierarchyRow, kind: Kind, country: string | null): City | null {
  if (!CITY_KINDS.includes(kind) || country === null || row.lat === null || row.lon === null) return null;
  const names = [row.name, ...Object.values(row.names)].map(foldName);
  return cityOf(country, [...new Set(names)], row.lat / 1e7, row.lon / 1e7);
}

/**
 * The country codes of a boundary: its own, or those of the innermost boundaries around it that carry one. If two of
 * these do not contain each other, both count (a disputed place), ordered by admin_level, then id. If the source states
 * a country that is not among them, only that one counts. Without any: the country traced from its ways, else the
 * country at its inside point, else that of its ISO 3166-2 code.
 */
function countriesOf(row: HierarchyRow, nested: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const carriers = [...row.carriers];
  if (row.country_code) carriers.push({ id: row.id, country_code: row.country_code, admin_level: row.admin_level });
  const innermost = carriers.filter(({ id }) => {
    const inner = (other: Carrier) => other.id === row.id || nested.get(other.id)?.has(id) === true;
    return !carriers.some((other) => other.id !== id && inner(other));
  });
  const codes = innermost
    .sort((a, b) => (a.admin_level ?? 99) - (b.admin_level ?? 99) || numberOf(a.id) - numberOf(b.id))
    .map(({ country_code }) => country_code);
  // A coarse outline of a neighbor may reach over the border, so a country that the source states takes precedence.
  const isStated = row.country_given !== null && row.country_code === null && !codes.includes(row.country_given);
  if (codes.length > 0 && !isStated) return [...new Set(codes)];
  const known = row.country_given ?? row.traced_country;
  if (known) return [known];
  const there = row.lat !== null && row.lon !== null ? countryAt(row.lat / 1e7, row.lon / 1e7) : null;
  const country = there ?? (row.iso ? row.iso.slice(0, 2) : null);
  return country ? [country] : [];
}

const numberOf = (id: string) => Number(id.slice(1));

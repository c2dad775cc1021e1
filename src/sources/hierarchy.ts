import { defined } from '../common/elements.ts';
import type { Kind } from '../core/schemas.ts';
import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { populationOf } from '../domain/boundaries/populations.ts';
import { type City, cityOf } from '../domain/names/cities.ts';
import { peopleOfCounty } from '../domain/names/county_people.ts';
import { foldName } from '../domain/names/fold.ts';
import { nameRows } from '../domain/names/names.ts';
import type { Engine } from '../geometry/engine.ts';
import type { BoundaryRef } from '../geometry/engine_model.ts';
import { putJson } from './batches.ts';
import { kindOf } from './kinds.ts';
import { type Settled, type Settling, settleLines } from './lines.ts';
import type { OtherName } from './types.ts';

/** A boundary is inside another if at least this share of its area is. */
const SHARE_OF_A_CHILD = 0.5;

const PAIRS_AT_ONCE = 2_000;
const ROWS_AT_ONCE = 2_000;

/** What parents and country, kind and names of a boundary are derived from. */
interface HierarchyRow extends Settling {
  type: 'administrative' | 'postal_code';
  name: string;
  names: Record<string, string>;
  other_names: OtherName[];
  codes: string[];
  wikidata: string | null;
  kind: Kind;
  kind_given: Kind | null;
  disputed: boolean;
  countries: string[];
  country: string | null;
  tags: Record<string, string>;
  place: string | null;
  population: number | null;
  area_km2: number | null;
  kind_known: boolean;
  /** The ids of the seed boundaries whose place it took. */
  former: string[];
}

/**
 * Derives parents, countries, kinds and search names, for boundaries that were written and for all that depend on them.
 * A parent's polygon holds the child (by share of overlapping area, not by exact containment), or it follows from
 * others: see lines.ts.
 */
export async function deriveFromPolygons(
  tx: Queryable,
  engine: Engine,
  made: readonly { readonly id: string }[],
  progress: (message: string) => void,
): Promise<void> {
  if (made.length === 0) return;
  const ids = made.map(({ id }) => id);
  const children = await deriveParents(tx, engine, ids, progress);
  const below = await tx.query(loadQuery('hierarchy_below'), [ids, [...children]]);
  await settleHierarchy(
    tx,
    [...new Set([...ids, ...children, ...below.flatMap(({ id }) => id ?? [])])],
    new Set(ids),
    progress,
  );
}

/**
 * Derives what follows from the polygons that hold these boundaries: their other parents, countries and kinds, and the
 * names of those in `remade` and of those whose kind changes. Parents come before their children.
 */
export async function settleHierarchy(
  tx: Queryable,
  ids: readonly string[],
  remade: ReadonlySet<string> = new Set(),
  progress: (message: string) => void = () => {},
): Promise<void> {
  let done = 0;
  for (const rank of await tx.query(loadQuery('hierarchy_ranks'), [ids])) {
    const some = rank.ids ?? [];
    const nested = await nestedCarriers(tx);
    for (let from = 0; from < some.length; from += ROWS_AT_ONCE) {
      const part = some.slice(from, from + ROWS_AT_ONCE);
      const rows = await tx.query<HierarchyRow>(loadQuery('hierarchy_rows'), [part]);
      await deriveRows(tx, rows, await settleLines(tx, rows, nested), remade);
      done += part.length;
      progress(`names ${done}/${ids.length}`);
    }
  }
}

/**
 * Writes the parents whose polygons hold the given boundaries or those inside them. Returns the ids of the boundaries
 * whose parents are others than before.
 */
async function deriveParents(
  tx: Queryable,
  engine: Engine,
  ids: readonly string[],
  progress: (message: string) => void,
): Promise<Set<string>> {
  const former = await tx.query(loadQuery('hierarchy_clear'), [ids]);
  const pairs = await tx.query(loadQuery('hierarchy_candidates'), [ids]);
  const children = new Set(former.map(({ child }) => child));
  for (let from = 0; from < pairs.length; from += PAIRS_AT_ONCE) {
    const some = pairs.slice(from, from + PAIRS_AT_ONCE);
    const shares = await engine.relations.overlapShares(
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

async function deriveRows(
  tx: Queryable,
  rows: readonly HierarchyRow[],
  settled: ReadonlyMap<string, Settled>,
  remade: ReadonlySet<string>,
): Promise<void> {
  const changed: object[] = [];
  const renamed: string[] = [];
  const names: object[] = [];
  for (const row of rows) {
    const { countries, lines } = defined(settled.get(row.id));
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
          id: row.former[0] ?? row.id,
          parents: lines.flatMap(({ id, former }) => [...former, id]),
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
      city: country === 'US' && kind === 'county' ? citiesIn(row) : cityIn(row, kind, country),
    })) {
      names.push({ boundary_id: row.id, ...name });
    }
  }
  await putJson(tx, loadQuery('hierarchy_set'), changed);
  await tx.query(loadQuery('hierarchy_drop_names'), [renamed]);
  await putJson(tx, loadQuery('hierarchy_put_names'), names);
}

const CITY_KINDS: readonly Kind[] = ['city', 'municipality'];

/** The cities in a county of the United States as one, so that the county of more people is meant; null: none known. */
function citiesIn({ codes }: HierarchyRow): City | null {
  const people = codes.map(peopleOfCounty).find((count) => count !== null);
  return people === undefined || people === null ? null : { people, capital: 0 };
}

/** The city of a row of kind city or municipality, else null: a city with a county's name is at best its seat. */
function cityIn(row: HierarchyRow, kind: Kind, country: string | null): City | null {
  if (!CITY_KINDS.includes(kind) || country === null || row.lat === null || row.lon === null) return null;
  const names = [row.name, ...Object.values(row.names)].map(foldName);
  return cityOf(country, [...new Set(names)], row.lat / 1e7, row.lon / 1e7);
}

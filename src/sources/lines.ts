import { defined } from '../common/elements.ts';
import type { Kind } from '../core/schemas.ts';
import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { compareIds } from '../domain/boundaries/ids.ts';
import { countryAt, sovereignOf } from './countries.ts';

/** A boundary that may be a parent of another. */
export interface Line {
  readonly id: string;
  readonly source: string;
  readonly seed: boolean;
  readonly kind: Kind;
  readonly country: string | null;
  readonly countries: readonly string[];
  readonly country_code: string | null;
  readonly admin_level: number | null;
  readonly area_km2: number | null;
  /** The ids of its own parents, which are complete. */
  readonly parents: readonly string[];
  /** The ids of the seed boundaries whose place it took. */
  readonly former: readonly string[];
}

/** A boundary whose parents and countries are derived. */
export interface Settling {
  readonly id: string;
  readonly source: string;
  readonly has_geometry: boolean;
  /** Its admin_level; 13 without one, 14 for a postcode area. */
  readonly rank: number;
  readonly admin_level: number | null;
  readonly country_given: string | null;
  readonly country_code: string | null;
  readonly iso: string | null;
  readonly lat: number | null;
  readonly lon: number | null;
  /** For a boundary without a polygon, the country that unshaped.ts found. */
  readonly traced_country: string | null;
  /** The ids of its stored parents, in no order. */
  readonly linked: readonly string[];
  /** Those whose polygon holds it; without a polygon of its own, all of them. */
  readonly held: readonly string[];
  /** Parents of the seed boundaries whose place it took, and boundaries that took the place of a parent of its own. */
  readonly passed: readonly string[];
}

/** The countries of a boundary, and its parents, outermost first. */
export interface Settled {
  readonly countries: readonly string[];
  readonly lines: readonly Line[];
}

/** By id of a country or territory, the countries and territories that contain it. */
export type Nested = ReadonlyMap<string, ReadonlySet<string>>;

/** The boundaries with these ids, as possible parents. */
export async function linesOf(tx: Queryable, ids: Iterable<string>): Promise<Map<string, Line>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const rows = await tx.query(loadQuery('hierarchy_lines'), [wanted]);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Derives and writes the parents of boundaries with a polygon, and their countries. The parents of all that may be their
 * parents must be written already.
 *
 * 1. Polygons that hold it are parents, and those of the seed boundaries that were replaced (boundary_replaced), where
 *    no polygon of that level holds it.
 * 2. A coarse outline may reach over a border: where the source of the boundary states its country, or has polygons
 *    around it in one country, polygons of other sources in another country do not count. A territory of the country, or
 *    an area inside it, is not another country.
 * 3. The parents of a parent are parents.
 * 4. The boundaries that carry the code of its countries are parents, with theirs.
 * 5. Of several boundaries of one country that are countries, one is a parent (oneOfEachCountry).
 */
export async function settleLines(
  tx: Queryable,
  rows: readonly Settling[],
  nested: Nested,
): Promise<Map<string, Settled>> {
  const known = await linesOf(
    tx,
    rows.flatMap(({ held, passed }) => [...held, ...passed]),
  );
  const learn = async (ids: Iterable<string>) => {
    const fresh = [...ids].filter((id) => !known.has(id));
    for (const [id, line] of await linesOf(tx, fresh)) known.set(id, line);
  };
  await learn([...known.values()].flatMap(({ parents }) => parents));
  const found = rows.map((row) => {
    const held = withParents(row, row.has_geometry ? inOwnCountry(row, known) : linesIn(row.held, known), known);
    return { row, held, countries: countriesOf(row, held, nested, known) };
  });
  const lacking = found.flatMap(({ row, held, countries }) =>
    row.has_geometry ? countries.filter((code) => !carries(code, [row, ...held])) : [],
  );
  const carriers = new Map(
    (await tx.query(loadQuery('unshaped_carriers'), [[...new Set(lacking)]])).map((row) => [
      row.country_code,
      row.parent,
    ]),
  );
  await learn(carriers.values());
  await learn([...carriers.values()].flatMap((id) => known.get(id)?.parents ?? []));
  const settled = new Map<string, Settled>();
  for (const { row, held, countries } of found) {
    const missing = countries.filter((code) => !carries(code, [row, ...held]));
    const added = row.has_geometry
      ? linesIn(
          missing.flatMap((code) => carriers.get(code) ?? []),
          known,
        )
      : [];
    const all = withParents(row, [...held, ...added.filter((line) => isAbove(line, row))], known);
    const lines = row.has_geometry ? oneOfEachCountry(row, all) : all;
    settled.set(row.id, { countries, lines: [...lines].sort(outermostFirst) });
  }
  await writeLinks(tx, rows, settled);
  return settled;
}

/** Writes the parents of boundaries with a polygon where they are others than the stored ones, and their order. */
async function writeLinks(tx: Queryable, rows: readonly Settling[], settled: ReadonlyMap<string, Settled>) {
  const shaped = rows.filter(({ has_geometry }) => has_geometry);
  const wrong: [child: string, parent: string][] = [];
  const lacking: [child: string, parent: string][] = [];
  for (const { id, linked } of shaped) {
    const parents = new Set(defined(settled.get(id)).lines.map((line) => line.id));
    for (const parent of linked) if (!parents.delete(parent)) wrong.push([id, parent]);
    for (const parent of parents) lacking.push([id, parent]);
  }
  const columns = (links: readonly (readonly [string, string])[]) => [
    links.map(([child]) => child),
    links.map(([, parent]) => parent),
  ];
  if (wrong.length > 0) await tx.query(loadQuery('hierarchy_drop_links'), columns(wrong) as [string[], string[]]);
  if (lacking.length > 0) await tx.query(loadQuery('hierarchy_put_links'), columns(lacking) as [string[], string[]]);
  await tx.query(loadQuery('hierarchy_order'), [shaped.map(({ id }) => id)]);
}

const linesIn = (ids: readonly string[], known: ReadonlyMap<string, Line>) => ids.flatMap((id) => known.get(id) ?? []);

const carries = (code: string, lines: readonly { readonly country_code: string | null }[]) =>
  lines.some(({ country_code }) => country_code === code);

const isAbove = (line: Line, { id, rank }: Settling) =>
  line.id !== id && line.admin_level !== null && line.admin_level < rank;

/** The lines with those of their parents. */
function withParents({ id }: Settling, lines: readonly Line[], known: ReadonlyMap<string, Line>): Line[] {
  const all = new Map(lines.map((line) => [line.id, line]));
  for (const { parents } of lines) for (const parent of linesIn(parents, known)) all.set(parent.id, parent);
  all.delete(id);
  return [...all.values()];
}

/** The polygons that count as parents by rules 1 and 2 of settleLines. */
function inOwnCountry(row: Settling, known: ReadonlyMap<string, Line>): Line[] {
  const own = row.country_code === null ? certainCountry(row, known) : null;
  const counts = ({ source, country, countries, parents }: Line) =>
    own === null ||
    source === row.source ||
    country === null ||
    countries.some((code) => isOfOneState(code, own)) ||
    carries(own, linesIn(parents, known));
  const held = linesIn(row.held, known).filter(counts);
  const levels = new Set(held.map(({ admin_level }) => admin_level));
  const passed = linesIn(row.passed, known).filter((line) => isAbove(line, row) && !levels.has(line.admin_level));
  return [...held, ...passed.filter(counts)];
}

/** The country that the source states, or the one of the polygons of the same source around it; null if not certain. */
function certainCountry(row: Settling, known: ReadonlyMap<string, Line>): string | null {
  if (row.country_given !== null) return row.country_given;
  const around = linesIn(row.held, known).filter(({ source }) => source === row.source);
  const [country, ...others] = new Set(around.flatMap(({ countries }) => countries));
  return country !== undefined && others.length === 0 ? country : null;
}

/** Whether two codes are the same country, or a territory and its country. */
const isOfOneState = (one: string, other: string) =>
  one === other || sovereignOf(one) === other || sovereignOf(other) === one;

/**
 * The country codes of a boundary: its own, or those of the innermost boundaries around it that carry one. If two of
 * these do not contain each other, both count (a disputed place), ordered by admin_level, then id. If the source states
 * a country that is not among them, only that one counts. Without any: the country of the polygons of its source, else
 * the one traced from its ways, else the country at its inside point, else that of its ISO 3166-2 code.
 */
function countriesOf(
  row: Settling,
  lines: readonly Line[],
  nested: Nested,
  known: ReadonlyMap<string, Line>,
): string[] {
  const carriers: Pick<Line, 'id' | 'country_code' | 'admin_level'>[] = lines.filter(
    (line) => line.country_code !== null,
  );
  if (row.country_code) carriers.push(row);
  const innermost = carriers.filter(({ id }) => {
    const inner = (other: { readonly id: string }) => other.id === row.id || nested.get(other.id)?.has(id) === true;
    return !carriers.some((other) => other.id !== id && inner(other));
  });
  const codes = innermost
    .sort((a, b) => (a.admin_level ?? 99) - (b.admin_level ?? 99) || compareIds(a.id, b.id))
    .flatMap(({ country_code }) => country_code ?? []);
  // A coarse outline of a neighbor may reach over the border, so a country that the source states takes precedence.
  const isStated = row.country_given !== null && row.country_code === null && !codes.includes(row.country_given);
  if (codes.length > 0 && !isStated) return [...new Set(codes)];
  const certain = certainCountry(row, known) ?? row.traced_country;
  if (certain) return [certain];
  const there = row.lat !== null && row.lon !== null ? countryAt(row.lat / 1e7, row.lon / 1e7) : null;
  const country = there ?? (row.iso ? row.iso.slice(0, 2) : null);
  return country ? [country] : [];
}

/**
 * Leaves out all but one of the countries with the same code that do not contain each other, as after an import of
 * outlines beside those of the seed data: the one that carries the code stays, else the one of the same source.
 */
export function oneOfEachCountry({ source }: Pick<Settling, 'source'>, lines: readonly Line[]): Line[] {
  const merit = ({ country, country_code, ...line }: Line) =>
    4 * Number(country_code !== null && country_code === country) +
    2 * Number(line.source === source) +
    Number(!line.seed);
  const better = (one: Line, other: Line) => merit(one) - merit(other) || compareIds(other.id, one.id);
  const isRival = (one: Line, other: Line) =>
    one.id !== other.id &&
    other.kind === 'country' &&
    one.country !== null &&
    one.country === other.country &&
    !one.parents.includes(other.id) &&
    !other.parents.includes(one.id);
  return lines.filter(
    (line) => line.kind !== 'country' || !lines.some((other) => isRival(line, other) && better(other, line) > 0),
  );
}

const outermostFirst = (a: Line, b: Line) =>
  (a.admin_level ?? 99) - (b.admin_level ?? 99) || (b.area_km2 ?? 0) - (a.area_km2 ?? 0) || compareIds(a.id, b.id);

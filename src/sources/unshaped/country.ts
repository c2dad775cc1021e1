import type { PointUnits } from '../../../workers/arcs/center.ts';
import { only } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { countryAt, countryOfList, countryOfTags } from '../countries.ts';
import {
  type Basis,
  CLEAR_SHARE,
  type Finding,
  type Inside,
  type Known,
  type Parent,
  type Point,
  SURE,
  type Unshaped,
  type User,
} from './known.ts';

/** The country that a boundary's own codes or tags name; null if they name none. */
export function statedCountry(row: Unshaped): Known | null {
  const code = row.country_code ?? row.country_given ?? row.iso?.slice(0, 2);
  if (code) return { country: code, basis: 'code' };
  const country = countryOfTags(row.tags);
  return country === null ? null : { country, basis: 'tags' };
}

/**
 * A guess from weak evidence: coarse polygons or country-coder (`points`), null if the two differ; without both, the
 * is_in tag.
 */
export function guessedCountry({ tags }: Unshaped, held: readonly Inside[], points: Known | null): Known | null {
  const coarse = commonCountry(held, 'coarse');
  if (coarse && points) return coarse.country === points.country ? coarse : null;
  const listed = countryOfList(tags.is_in ?? '');
  return coarse ?? points ?? (listed === null ? null : { country: listed, basis: 'list' });
}

/** The one country of the parents; null if they have none or more than one. */
export function commonCountry(parents: readonly Parent[], basis: Basis): Known | null {
  const countries = new Set(parents.flatMap(({ country }) => country ?? []));
  const [country] = countries;
  return country !== undefined && countries.size === 1 ? { country, basis } : null;
}

/**
 * The country that country-coder finds for at least CLEAR_SHARE of the places: the label, the seat, and points of the
 * border that are not on a country's border.
 */
export function countryOfPoints(points: readonly Point[], seat: PointUnits | null): Known | null {
  const places = points.flatMap(({ x, y, top }) => (top > 2 ? [[x, y] as const] : []));
  if (seat) places.push(seat);
  const votes = new Map<string | null, number>();
  for (const [x, y] of places) {
    const country = countryAt(y / 1e7, x / 1e7);
    votes.set(country, (votes.get(country) ?? 0) + 1);
  }
  for (const [country, count] of votes) {
    if (country !== null && count >= CLEAR_SHARE * places.length) return { country, basis: 'points' };
  }
  return null;
}

/** The two countries that a way is the border of; null unless exactly two are known. */
function sidesOf(users: readonly User[]): readonly [string, string] | null {
  const codes = new Set(
    users.flatMap(({ admin_level, country_code }) => (admin_level === 2 && country_code ? [country_code] : [])),
  );
  const [one, other] = codes;
  return one !== undefined && other !== undefined && codes.size === 2 ? [one, other] : null;
}

/**
 * The country of a boundary on a border of two countries, if its neighbor of the same level across it is in the other
 * one. Null without such a neighbor, or if neighbors disagree.
 */
export function countryAcross({ row, users }: Finding, found: ReadonlyMap<string, Finding>): Known | null {
  if (row.type !== 'administrative' || row.admin_level === null) return null;
  const votes = new Set<string>();
  for (const beside of users.values()) {
    const sides = sidesOf(beside);
    const neighbors = beside.filter(({ id, admin_level }) => id !== row.id && admin_level === row.admin_level);
    if (sides === null || neighbors.length !== 1) continue;
    const neighbor = only(neighbors);
    const { country, basis } = found.get(neighbor.id) ?? neighbor;
    if (country === null || !sides.includes(country) || !(neighbor.has_geometry || SURE.includes(basis))) continue;
    votes.add(sides[0] === country ? sides[1] : sides[0]);
  }
  const [country] = votes;
  return country !== undefined && votes.size === 1 ? { country, basis: 'neighbor' } : null;
}

/** Adds to the parents the polygons that hold its points, except those in another country. */
export function addHolders({ held, country: own, parents }: Finding): void {
  for (const { parent, country, share } of held) {
    if (own !== null && country !== null && own !== country) continue;
    if (!parents.has(parent)) parents.set(parent, share);
  }
}

/**
 * Adds to the parents the boundaries of its country that share a way of the country's border with it. A country is on
 * one side of that way, so the two overlap; where administrative boundaries overlap, the lower level holds the higher.
 */
export function addSameSide({ row, country, users, parents }: Finding): void {
  const level = row.admin_level;
  if (country === null || row.type !== 'administrative' || level === null) return;
  for (const beside of users.values()) {
    if (!beside.some(({ admin_level, country_code }) => admin_level === 2 && country_code === country)) continue;
    for (const user of beside) {
      if (user.country !== country || user.admin_level === null || user.admin_level >= level) continue;
      if (!parents.has(user.id)) parents.set(user.id, 1);
    }
  }
}

/** Adds to the parents the boundary that carries the country code of each. */
export async function addCountries(tx: Queryable, rank: number, findings: readonly Finding[]): Promise<void> {
  const codes = [...new Set(findings.flatMap(({ country }) => country ?? []))];
  const rows = await tx.query(loadQuery('unshaped_carriers'), [codes]);
  const carriers = new Map(rows.map((row) => [row.country_code, row]));
  for (const { row, country, parents } of findings) {
    const carrier = country === null ? undefined : carriers.get(country);
    if (!carrier || carrier.parent === row.id || (carrier.admin_level ?? 0) >= rank) continue;
    if (!parents.has(carrier.parent)) parents.set(carrier.parent, 1);
  }
}

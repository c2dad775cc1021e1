import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Engine } from '../../geometry/engine.ts';
import { putJson } from '../batches.ts';
import { deriveFromPolygons, settleHierarchy } from '../hierarchy.ts';
import { linesOf, oneOfEachCountry } from '../lines.ts';
import { storedPlaces } from '../stored_places.ts';
import { borderOf, boxOf, pointsOf, waysOf } from './borders.ts';
import {
  addCountries,
  addHolders,
  addSameSide,
  commonCountry,
  countryAcross,
  countryOfPoints,
  guessedCountry,
  statedCountry,
} from './country.ts';
import { insideOf } from './inside.ts';
import { type Finding, groupBy, NO_LEVEL, type Unshaped, type User, type Way } from './known.ts';

const POSTCODE = 14;

/** Ways whose coordinates are in memory at once, unless a single boundary has more. */
const WAYS_AT_ONCE = 2_000;

/**
 * Derives the hierarchy after boundaries were written: deriveFromPolygons() for those with polygons, and derivePlaces() for
 * boundaries without a polygon that depend on them. Skips ids in `later`, which the caller passes to derivePlaces().
 */
export async function deriveHierarchy(
  tx: Queryable,
  engine: Engine,
  made: readonly { readonly id: string }[],
  later: ReadonlySet<string>,
  progress: (message: string) => void,
): Promise<void> {
  await deriveFromPolygons(tx, engine, made, progress);
  await deriveTouched(tx, engine, made, later);
}

/**
 * Derives the hierarchy again after boundaries inherited from seed boundaries whose place they took: as deriveHierarchy()
 * of boundaries whose polygons are the same as before.
 */
export async function deriveHeirs(
  tx: Queryable,
  engine: Engine,
  heirs: readonly string[],
  later: ReadonlySet<string>,
): Promise<void> {
  const touched = await tx.query(loadQuery('replace_touched'), [heirs]);
  await settleHierarchy(
    tx,
    touched.flatMap(({ id }) => id ?? []),
    new Set(heirs),
  );
  await deriveTouched(
    tx,
    engine,
    heirs.map((id) => ({ id })),
    later,
  );
}

/** derivePlaces() for the boundaries without a polygon that depend on `made`, except those in `later`. */
async function deriveTouched(
  tx: Queryable,
  engine: Engine,
  made: readonly { readonly id: string }[],
  later: ReadonlySet<string>,
): Promise<void> {
  const touched = await tx.query(loadQuery('unshaped_touched'), [made.map(({ id }) => id)]);
  const ids = touched.map(({ id }) => id).filter((id) => !later.has(id));
  await derivePlaces(tx, engine, ids);
}

/**
 * Derives the country, parents and kind of boundaries without a polygon, which an extract cuts or which are broken.
 * Other boundaries among `ids` are ignored. The result depends on what is stored, not on the order of imports.
 *
 * 1. The country, from the first of these that is clear, else null: its own ISO codes; its is_in:country and
 *    addr:country tags; the relations that list it as a subarea; polygons of the map that hold its points; on a border
 *    of two countries, the one that its neighbor of the same level across it is not in; coarse polygons that hold its
 *    points and country-coder at those points, unless the two differ; its is_in tag.
 * 2. The parents: the relations that list it as a subarea; polygons that hold its points; boundaries of its country
 *    that share a way of the country's border with it, as a country is on one side of it only; the boundary of its
 *    country; and the parents of all these.
 *
 * Its points are midpoints of edges of its stored ways. A point on a boundary's border is not evidence for or against
 * that boundary, and one on a country's border not for any country: coarse polygons cover both sides there.
 */
export async function derivePlaces(tx: Queryable, engine: Engine, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx.query(loadQuery('unshaped_rows'), [ids]);
  // Parents before their children.
  const ranks = [...new Set(rows.map(rankOf))].sort((a, b) => a - b);
  for (const rank of ranks) {
    const findings: Finding[] = [];
    for (const some of inChunks(rows.filter((row) => rankOf(row) === rank))) {
      const stored = await waysOf(tx, some);
      const users = await usersOf(tx, rank, [...stored.keys()]);
      findings.push(...(await find(tx, engine, rank, some, stored, users)));
    }
    const sure = new Map(findings.map((finding) => [finding.row.id, { ...finding }]));
    for (const finding of findings) {
      const known = finding.country === null ? (countryAcross(finding, sure) ?? finding.hint) : finding;
      finding.country = known?.country ?? null;
      finding.basis = known?.basis ?? null;
      addHolders(finding);
      addSameSide(finding);
    }
    await addCountries(tx, rank, findings);
    await addAncestors(tx, findings);
    await dropRivals(tx, findings);
    await store(tx, findings);
  }
}

const rankOf = ({ type, admin_level }: Pick<Unshaped, 'type' | 'admin_level'>) =>
  type === 'administrative' ? (admin_level ?? NO_LEVEL) : POSTCODE;

function* inChunks(rows: readonly Unshaped[]): Generator<Unshaped[]> {
  let chunk: Unshaped[] = [];
  let ways = 0;
  for (const row of rows) {
    if (chunk.length > 0 && ways + row.ways.length > WAYS_AT_ONCE) {
      yield chunk;
      chunk = [];
      ways = 0;
    }
    chunk.push(row);
    ways += row.ways.length;
  }
  if (chunk.length > 0) yield chunk;
}

/** By way id, the boundaries whose border it is part of. Empty for ranks up to 2, which have nothing above them. */
async function usersOf(tx: Queryable, rank: number, ids: readonly number[]): Promise<Map<number, User[]>> {
  const users = new Map<number, User[]>();
  if (rank <= 2 || ids.length === 0) return users;
  for (const user of await tx.query(loadQuery('unshaped_users'), [ids])) {
    const others = users.get(user.way);
    if (others) others.push(user);
    else users.set(user.way, [user]);
  }
  return users;
}

/** Collects the evidence from tags, subarea members and points, for boundaries of one rank. */
async function find(
  tx: Queryable,
  engine: Engine,
  rank: number,
  rows: readonly Unshaped[],
  ways: ReadonlyMap<number, Way>,
  users: ReadonlyMap<number, readonly User[]>,
): Promise<Finding[]> {
  const ids = rows.map(({ id }) => id);
  const places = await storedPlaces(tx, ids);
  const borders = rows.map((row) => borderOf(row, ways, users));
  const points = rows.map(({ id }, i) => pointsOf(defined(borders[i]), places.get(id)));
  const members = groupBy(await tx.query(loadQuery('unshaped_members'), [ids]));
  const inside = await insideOf(tx, engine, rank, rows, points, users);
  return rows.map((row, i) => {
    const above = (members.get(row.id) ?? []).filter(({ admin_level }) => (admin_level ?? 0) < rank);
    const parents = new Map(above.map(({ parent }) => [parent, 1]));
    const held = defined(inside[i]);
    const exact = held.filter(({ mapped }) => mapped);
    const sure = statedCountry(row) ?? commonCountry(above, 'member') ?? commonCountry(exact, 'polygons');
    const seat = places.get(row.id)?.seat ?? null;
    return {
      row,
      box: boxOf(defined(borders[i])),
      country: sure?.country ?? null,
      basis: sure?.basis ?? null,
      hint: sure ? null : guessedCountry(row, held, countryOfPoints(defined(points[i]), seat)),
      held,
      users: new Map(defined(borders[i]).map(({ id }) => [id, users.get(id) ?? []])),
      parents,
    };
  });
}

/** Adds the parents of their parents. */
async function addAncestors(tx: Queryable, findings: readonly Finding[]): Promise<void> {
  const direct = [...new Set(findings.flatMap(({ parents }) => [...parents.keys()]))];
  const above = groupBy(await tx.query(loadQuery('unshaped_parents'), [direct]));
  for (const { row, parents } of findings) {
    for (const parent of [...parents.keys()]) {
      for (const { parent: ancestor } of above.get(parent) ?? []) {
        if (ancestor !== row.id && !parents.has(ancestor)) parents.set(ancestor, 1);
      }
    }
  }
}

/** Leaves out all but one of the parents that are countries with the same code. */
async function dropRivals(tx: Queryable, findings: readonly Finding[]): Promise<void> {
  const known = await linesOf(
    tx,
    findings.flatMap(({ parents }) => [...parents.keys()]),
  );
  for (const { row, parents } of findings) {
    const lines = [...parents.keys()].flatMap((id) => known.get(id) ?? []);
    const kept = new Set(oneOfEachCountry(row, lines).map(({ id }) => id));
    for (const { id } of lines) if (!kept.has(id)) parents.delete(id);
  }
}

/** Writes findings that changed, then derives countries, kinds and names from them. */
async function store(tx: Queryable, findings: readonly Finding[]): Promise<void> {
  const ids = findings.map(({ row }) => row.id);
  const before = groupBy(await tx.query(loadQuery('unshaped_parents'), [ids]));
  const moved = findings.filter(({ row, parents }) => {
    const had = before.get(row.id) ?? [];
    return (
      had.length !== parents.size || had.some(({ parent, share }) => Math.fround(parents.get(parent) ?? -1) !== share)
    );
  });
  const children = moved.map(({ row }) => row.id);
  if (children.length > 0) {
    await tx.query(loadQuery('unshaped_clear'), [children]);
    const links = moved.flatMap(({ row, parents }) => [...parents].map(([parent, share]) => ({ row, parent, share })));
    await tx.query(loadQuery('hierarchy_put'), [
      links.map(({ row }) => row.id),
      links.map(({ parent }) => parent),
      links.map(({ share }) => share),
    ]);
    await tx.query(loadQuery('hierarchy_order'), [children]);
  }
  const traced = findings.filter(({ row, country, basis, box }) => {
    const [west, south, east, north] = box ?? [null, null, null, null];
    const placed = row.west === west && row.south === south && row.east === east && row.north === north;
    return !placed || row.traced_country !== country || row.traced_basis !== basis || row.traced_basis === null;
  });
  await putJson(
    tx,
    loadQuery('unshaped_put'),
    traced.map(({ row, country, basis, box }) => {
      const [west, south, east, north] = box ?? [null, null, null, null];
      return { boundary_id: row.id, west, south, east, north, country, basis };
    }),
  );
  await settleHierarchy(tx, ids);
}

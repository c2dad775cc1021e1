import type { Place, PlaceNodes } from '../../workers/kernels/centre.ts';
import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { defined, only } from '../elements.ts';
import type { BoundaryRef, Engine } from '../geometry/engine.ts';
import { countryAt, countryOfList, countryOfTags } from './countries.ts';
import { deriveCountries, deriveLineage } from './hierarchy.ts';
import { storedPlaces } from './store/places.ts';
import { intsOf, putJson } from './store/topology.ts';

/**
 * The part of what is known of a boundary's border that has to be on one side: points of it in one country, or inside
 * one boundary.
 */
const CLEAR_SHARE = 0.75;

/** Midpoints of edges that are looked up for a boundary: of ways that are not a country's border, and of those that are. */
const OWN_POINTS = 16;
const BORDER_POINTS = 8;

/** Where a boundary has no admin_level, those of every level may hold it; a postcode area comes after all others. */
const NO_LEVEL = 13;
const POSTCODE = 14;

/** Ways whose places are in memory at a time; one boundary can have more. */
const WAYS_AT_ONCE = 2_000;

/** How the country of a boundary without a polygon is known, from the surest on. */
type Basis = 'code' | 'tags' | 'member' | 'polygons' | 'neighbor' | 'coarse' | 'points' | 'list';

/** What a neighbor has to be known by for another to be known by it. */
const SURE: readonly (Basis | null)[] = ['code', 'tags', 'member', 'polygons'] satisfies Basis[];

interface Known {
  readonly country: string;
  readonly basis: Basis;
}

/** A boundary without a polygon. */
interface Unshaped {
  readonly id: string;
  readonly type: 'administrative' | 'postal_code';
  readonly admin_level: number | null;
  readonly country_code: string | null;
  readonly country_given: string | null;
  readonly iso: string | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly ways: readonly number[];
  readonly traced_country: string | null;
  readonly traced_basis: Basis | null;
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
}

/** A boundary that may hold another. */
interface Parent {
  readonly parent: string;
  readonly admin_level: number | null;
  readonly country: string | null;
}

/** A boundary whose border a way is part of. */
interface User {
  readonly way: number;
  readonly id: string;
  readonly admin_level: number | null;
  readonly country_code: string | null;
  readonly country: string | null;
  readonly has_geometry: boolean;
  readonly basis: Basis | null;
}

/** A point on the border (1e-7 degrees), or where its label is: then it is of no way. */
interface Point {
  readonly x: number;
  readonly y: number;
  readonly way: number | null;
  /** The lowest admin_level whose border it is on. */
  readonly top: number;
}

/** What was found of a boundary. */
interface Finding {
  readonly row: Unshaped;
  readonly box: readonly [west: number, south: number, east: number, north: number] | null;
  country: string | null;
  basis: Basis | null;
  /** What evidence says that is less sure than a neighbor's. */
  readonly hint: Known | null;
  /** Polygons that hold clearly most of its points. */
  readonly held: readonly Inside[];
  /** By stored way of its border, the boundaries that have it in theirs. */
  readonly users: ReadonlyMap<number, readonly User[]>;
  /** The part of it that lies in each of its parents as far as its points tell. */
  readonly parents: Map<string, number>;
}

/**
 * What follows from boundaries that were made: hierarchy.ts for those with polygons, and for those without that depend
 * on them, what derivePlaces() finds. The ids in `later` are left to a call of derivePlaces() of their own.
 */
export async function deriveHierarchy(
  tx: Queryable,
  engine: Engine,
  made: readonly { readonly id: string }[],
  later: ReadonlySet<string>,
  progress: (message: string) => void,
): Promise<void> {
  await deriveLineage(tx, engine, made, progress);
  const touched = await tx.query<{ id: string }>(loadQuery('unshaped_touched'), [made.map(({ id }) => id)]);
  const ids = touched.map(({ id }) => id).filter((id) => !later.has(id));
  await derivePlaces(tx, engine, ids);
}

/**
 * Country, parents and kind of boundaries that have no polygon, because an extract cuts them or they are broken. Others
 * among `ids` are passed over. What is stored decides, whatever the order it came in:
 *
 * 1. The country: its own ISO codes; is_in:country and addr:country tags; the relations that name it as a subarea; the
 *    map's polygons that hold its points; on the border of two countries, the one that its neighbor of the same level
 *    across it is not in; coarse polygons that hold its points and country-coder at them, unless they differ; is_in.
 *    Where none of these is clear, it is not known.
 * 2. Its parents: the relations that name it; the polygons that hold its points; boundaries of its country that have a
 *    way of the country's border in common with it, for there all of one country is on one side; the country; and the
 *    parents of all these.
 *
 * Its points are midpoints of edges of those of its ways that are stored. A point on the border of a boundary says
 * nothing of it, nor one on a country's border of any country: the coarse polygons cover both sides there.
 */
export async function derivePlaces(tx: Queryable, engine: Engine, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx.query<Unshaped>(loadQuery('unshaped_rows'), [ids]);
  // Parents before what they contain.
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

/** By way, the boundaries whose border it is part of; nothing is asked where no boundary is above that rank. */
async function usersOf(tx: Queryable, rank: number, ids: readonly number[]): Promise<Map<number, User[]>> {
  const users = new Map<number, User[]>();
  if (rank <= 2 || ids.length === 0) return users;
  for (const user of await tx.query<User>(loadQuery('unshaped_users'), [ids])) {
    const others = users.get(user.way);
    if (others) others.push(user);
    else users.set(user.way, [user]);
  }
  return users;
}

/** What the tags, members and points of boundaries of one rank say. */
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
  const members = groupBy(await tx.query<Parent & { child: string }>(loadQuery('unshaped_members'), [ids]));
  const inside = await insideOf(tx, engine, rank, rows, points, users);
  return rows.map((row, i) => {
    const above = (members.get(row.id) ?? []).filter(({ admin_level }) => (admin_level ?? 0) < rank);
    const parents = new Map(above.map(({ parent }) => [parent, 1]));
    const held = defined(inside[i]);
    const exact = held.filter(({ mapped }) => mapped);
    const sure = saidOf(row) ?? agreed(above, 'member') ?? agreed(exact, 'polygons');
    const seat = places.get(row.id)?.seat ?? null;
    return {
      row,
      box: boxOf(defined(borders[i])),
      country: sure?.country ?? null,
      basis: sure?.basis ?? null,
      hint: sure ? null : guessOf(row, held, countryOfPoints(defined(points[i]), seat)),
      held,
      users: new Map(defined(borders[i]).map(({ id }) => [id, users.get(id) ?? []])),
      parents,
    };
  });
}

/** The country that a boundary's own codes and tags name. */
function saidOf(row: Unshaped): Known | null {
  const code = row.country_code ?? row.country_given ?? row.iso?.slice(0, 2);
  if (code) return { country: code, basis: 'code' };
  const country = countryOfTags(row.tags);
  return country === null ? null : { country, basis: 'tags' };
}

/** The country by coarse shapes, where they do not contradict each other; without them, by is_in. */
function guessOf({ tags }: Unshaped, held: readonly Inside[], points: Known | null): Known | null {
  const coarse = agreed(held, 'coarse');
  if (coarse && points) return coarse.country === points.country ? coarse : null;
  const listed = countryOfList(tags.is_in ?? '');
  return coarse ?? points ?? (listed === null ? null : { country: listed, basis: 'list' });
}

/** The country of parents; null where they have none, or not one. */
function agreed(parents: readonly Parent[], basis: Basis): Known | null {
  const countries = new Set(parents.flatMap(({ country }) => country ?? []));
  const [country] = countries;
  return country !== undefined && countries.size === 1 ? { country, basis } : null;
}

/** The country of clearly most points that are on no country's border, of the label and of the seat. */
function countryOfPoints(points: readonly Point[], seat: Place | null): Known | null {
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

interface Way {
  readonly id: number;
  readonly coords: Uint8Array;
  /** Of its own tags. */
  readonly admin_level: number | null;
}

/** Those of their ways whose places are stored. */
async function waysOf(tx: Queryable, rows: readonly Unshaped[]): Promise<Map<number, Way>> {
  const ids = [...new Set(rows.flatMap(({ ways }) => ways))];
  const found = await tx.query<Way>(loadQuery('unshaped_ways'), [ids]);
  return new Map(found.map((way) => [way.id, way]));
}

/** A way of a border, and the lowest admin_level of the boundaries whose border it is, as far as known. */
interface BorderWay {
  readonly id: number;
  readonly coords: Int32Array;
  readonly top: number;
}

function borderOf(
  row: Unshaped,
  ways: ReadonlyMap<number, Way>,
  users: ReadonlyMap<number, readonly User[]>,
): BorderWay[] {
  return [...new Set(row.ways)].flatMap((id) => {
    const way = ways.get(id);
    if (!way) return [];
    const levels = (users.get(id) ?? []).map(({ admin_level }) => admin_level ?? NO_LEVEL);
    return [{ id, coords: intsOf(way.coords), top: Math.min(way.admin_level ?? NO_LEVEL, ...levels) }];
  });
}

/** Midpoints of edges along a border, and its label. */
function pointsOf(border: readonly BorderWay[], places: PlaceNodes | undefined): Point[] {
  const own = border.filter(({ top }) => top > 2).sort((a, b) => b.top - a.top || a.id - b.id);
  const others = border.filter(({ top }) => top <= 2);
  const points = [...midpoints(own, OWN_POINTS), ...midpoints(others, BORDER_POINTS)];
  const label = places?.label;
  if (label) points.push({ x: label[0], y: label[1], way: null, top: NO_LEVEL });
  return points;
}

/** As many points, as evenly over the first ways as they go. */
function midpoints(border: readonly BorderWay[], most: number): Point[] {
  const ways = border.slice(0, most);
  const each = Math.floor(most / Math.max(1, ways.length));
  return ways.flatMap(({ id, coords, top }) => {
    const edges = coords.length / 2 - 1;
    const count = Math.min(each, edges);
    return Array.from({ length: count }, (_, i): Point => {
      const at = 2 * Math.floor(((i + 0.5) * edges) / count);
      return {
        x: (defined(coords[at]) + defined(coords[at + 2])) / 2,
        y: (defined(coords[at + 1]) + defined(coords[at + 3])) / 2,
        way: id,
        top,
      };
    });
  });
}

/** In degrees; null when no way is stored. */
function boxOf(border: readonly BorderWay[]): Finding['box'] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { coords } of border) {
    for (let i = 0; i < coords.length; i += 2) {
      west = Math.min(west, defined(coords[i]));
      south = Math.min(south, defined(coords[i + 1]));
      east = Math.max(east, defined(coords[i]));
      north = Math.max(north, defined(coords[i + 1]));
    }
  }
  return west <= east ? [west / 1e7, south / 1e7, east / 1e7, north / 1e7] : null;
}

interface Around extends Omit<Parent, 'parent'> {
  readonly point: number;
  readonly id: string;
  readonly ring_hash: string;
  /** Its border is made of ways, so that points on it are known by their way. */
  readonly mapped: boolean;
}

interface Inside extends Parent {
  readonly share: number;
  readonly mapped: boolean;
}

/** Per boundary, the polygons of a higher level that hold clearly most of its points. */
async function insideOf(
  tx: Queryable,
  engine: Engine,
  rank: number,
  rows: readonly Unshaped[],
  points: readonly (readonly Point[])[],
  users: ReadonlyMap<number, readonly User[]>,
): Promise<Inside[][]> {
  const all = points.flatMap((some, row) => some.map((point) => ({ ...point, row })));
  const around = await tx.query<Around>(loadQuery('unshaped_around'), [
    all.map(({ x }) => x),
    all.map(({ y }) => y),
    all.map(() => rank),
  ]);
  if (around.length === 0) return rows.map(() => []);
  const polygons = [...new Map(around.map((one) => [one.id, one])).values()];
  const index = new Map(polygons.map(({ id }, i) => [id, i]));
  const pairs = around.filter((polygon) => tells(defined(all[polygon.point]), polygon, users));
  const refs = polygons.map(({ id, ring_hash }): BoundaryRef => ({ id, ringHash: ring_hash, adminLevel: null }));
  const sides =
    pairs.length === 0
      ? new Int8Array(0)
      : await engine.locateAll(
          tx,
          refs,
          pairs.map(({ id, point }) => ({
            boundary: index.get(id) as number,
            x: defined(all[point]).x,
            y: defined(all[point]).y,
          })),
        );
  const held = rows.map(() => new Map<string, { polygon: Around; inside: number; on: number }>());
  pairs.forEach((polygon, i) => {
    const own = defined(held[defined(all[polygon.point]).row]);
    const count = own.get(polygon.id) ?? { polygon, inside: 0, on: 0 };
    own.set(polygon.id, count);
    if (defined(sides[i]) > 0) count.inside++;
    else if (sides[i] === 0) count.on++;
  });
  return held.map((polygons, row) =>
    [...polygons.values()].flatMap(({ polygon, inside, on }) => {
      const telling = defined(points[row]).filter((point) => tells(point, polygon, users)).length - on;
      const share = telling > 0 ? inside / telling : 0;
      const { id: parent, admin_level, country, mapped } = polygon;
      return share >= CLEAR_SHARE ? [{ parent, admin_level, country, mapped, share }] : [];
    }),
  );
}

/** Whether a point says anything of a polygon: it is not on its border. Coarse borders are near all of their level. */
function tells(
  { way, top }: Point,
  { id, admin_level, mapped }: Around,
  users: ReadonlyMap<number, readonly User[]>,
): boolean {
  if (way === null) return true;
  return mapped ? !users.get(way)?.some((user) => user.id === id) : top > (admin_level ?? 0);
}

/** The two countries whose border a way is; null when it is not known to be one. */
function sidesOf(users: readonly User[]): readonly [string, string] | null {
  const codes = new Set(
    users.flatMap(({ admin_level, country_code }) => (admin_level === 2 && country_code ? [country_code] : [])),
  );
  const [one, other] = codes;
  return one !== undefined && other !== undefined && codes.size === 2 ? [one, other] : null;
}

/**
 * The country a boundary is in because its neighbor of the same level, across the border of two countries, is in the
 * other one; null where no neighbor tells, or two tell different things.
 */
function countryAcross({ row, users }: Finding, found: ReadonlyMap<string, Finding>): Known | null {
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

/** Adds the polygons that hold its points and are not in another country. */
function addHolders({ held, country: own, parents }: Finding): void {
  for (const { parent, country, share } of held) {
    if (own !== null && country !== null && own !== country) continue;
    if (!parents.has(parent)) parents.set(parent, share);
  }
}

/**
 * Adds boundaries of its country that have a way of the country's border in common with it: all of one country is on one
 * side of that, so the two overlap, and of administrative boundaries that overlap the lower level holds the higher.
 */
function addSameSide({ row, country, users, parents }: Finding): void {
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

/** Adds the boundaries that carry their countries. */
async function addCountries(tx: Queryable, rank: number, findings: readonly Finding[]): Promise<void> {
  const codes = [...new Set(findings.flatMap(({ country }) => country ?? []))];
  const rows = await tx.query(loadQuery('unshaped_carriers'), [codes]);
  const carriers = new Map(rows.map((row) => [row.country_code, row]));
  for (const { row, country, parents } of findings) {
    const carrier = country === null ? undefined : carriers.get(country);
    if (!carrier || carrier.parent === row.id || (carrier.admin_level ?? 0) >= rank) continue;
    if (!parents.has(carrier.parent)) parents.set(carrier.parent, 1);
  }
}

/** Adds what their parents lie in. */
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

/** Writes what is other than before, and what follows from it for countries, kinds and names. */
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
    await tx.query(loadQuery('lineage_put'), [
      links.map(({ row }) => row.id),
      links.map(({ parent }) => parent),
      links.map(({ share }) => share),
    ]);
    await tx.query(loadQuery('lineage_order'), [children]);
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
  await deriveCountries(tx, ids);
}

function groupBy<T extends { readonly child: string }>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row.child);
    if (group) group.push(row);
    else groups.set(row.child, [row]);
  }
  return groups;
}

import { defined, only } from '../common/elements.ts';
import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import type { Engine } from '../geometry/engine.ts';

/** The share of each shape's area that the other must cover for the two to be the same place. */
export const MUTUAL_SHARE = 0.8;
/** The rule that matches by name. It also needs mutual overlap; smaller rules match by code and are sure. */
export const BY_NAME = 4;

/** What a boundary says that seed boundaries are matched by. */
export interface MatchedBy {
  readonly id: string;
  readonly wikidata: string | null;
  readonly iso: string | null;
  readonly codes: readonly string[];
  readonly country: string | null;
  readonly admin_level: number | null;
  readonly kind: string;
  /** Its folded name. */
  readonly folded: string | null;
}

/** A boundary and a seed boundary that may be the same place. */
export interface Match {
  readonly id: string;
  readonly seed: string;
  readonly seedName: string;
  /** Null when the seed boundary has no polygon. */
  readonly seedHash: string | null;
  readonly byName: boolean;
  /** Whether the code tells, so that the polygons need not be compared. */
  readonly isSure: boolean;
}

interface Written extends MatchedBy {
  readonly name: string;
  readonly ring_hash: string;
}

/** A boundary and the seed boundary of the same name, country and place beside which it stands. */
export interface Namesake {
  readonly id: string;
  readonly name: string;
  readonly seed: string;
  readonly seedName: string;
}

/** So many boundaries are worth statistics of their own. */
const MANY_WRITTEN = 1_000;

/**
 * Finds the seed boundaries whose place boundaries just written take. Two are the same place if they have the same
 * wikidata id, else ISO 3166 code, else national code and country, else kind, folded name and mutual overlap. Where a
 * code alone does not tell (another admin_level, or several boundaries with it), they must overlap each other too.
 * @param byName whether a name and overlap suffice; otherwise such pairs are `namesakes`, which both stay
 * @returns `replacement`: boundary id by seed id; `doubles`: how many seed shapes stay although they overlap a boundary
 *   of the same kind
 */
export async function findReplaced(
  tx: Queryable,
  engine: Engine,
  ids: readonly string[],
  byName: boolean,
): Promise<{ replacement: Map<string, string>; namesakes: Namesake[]; doubles: number }> {
  if (ids.length > MANY_WRITTEN) await tx.query(loadQuery('store_analyze_written'));
  const written = await tx.query<Written>(loadQuery('replace_written'), [ids]);
  const byId = new Map(written.map((one) => [one.id, one]));
  const replacement = new Map<string, string>();
  const namesakes = new Map<string, Namesake>();
  for (const match of await matchSeeds(tx, written)) {
    const { id, seed, seedName } = match;
    if (replacement.has(seed) || namesakes.has(seed)) continue;
    const { name, ring_hash } = defined(byId.get(id));
    const shapes = [
      [id, ring_hash],
      [seed, match.seedHash],
    ] as const;
    if (!match.isSure && !(await coverEachOther(tx, engine, shapes))) continue;
    if (byName || !match.byName) replacement.set(seed, id);
    else namesakes.set(seed, { id, name, seed, seedName });
  }
  const { doubles } = only(await tx.query(loadQuery('replace_doubles'), [ids, [...replacement.keys()]]));
  return { replacement, namesakes: [...namesakes.values()], doubles };
}

/**
 * Matches boundaries (administrative, with a polygon) with the seed boundaries that may be the same place; see
 * findReplaced.
 * @returns the matches, the most certain first
 */
export async function matchSeeds(tx: Queryable, boundaries: readonly MatchedBy[]): Promise<Match[]> {
  if (boundaries.length === 0) return [];
  const rows = await tx.query<{
    id: string;
    seed: string;
    seed_name: string;
    seed_hash: string | null;
    rule: number;
    same_level: boolean;
  }>(loadQuery('replace_candidates'), [JSON.stringify(boundaries)]);
  const claims = new Map<string, number>();
  const claimOf = ({ seed, rule, same_level }: (typeof rows)[number]) => `${seed} ${rule} ${same_level}`;
  for (const row of rows) claims.set(claimOf(row), (claims.get(claimOf(row)) ?? 0) + 1);
  return rows.map((row) => ({
    ...{ id: row.id, seed: row.seed, seedName: row.seed_name, seedHash: row.seed_hash },
    byName: row.rule >= BY_NAME,
    isSure: row.rule < BY_NAME && row.same_level && claims.get(claimOf(row)) === 1,
  }));
}

/**
 * Deletes replaced seed boundaries; their ids become aliases of their replacements, which `inherit` gives what the seed
 * boundaries say. Does not delete their arcs.
 */
export async function dropReplaced(tx: Queryable, replacement: ReadonlyMap<string, string>): Promise<void> {
  const seeds = [...replacement.keys()];
  await tx.query(loadQuery('replace_keep'), [seeds, [...replacement.values()]]);
  await tx.query(loadQuery('store_put_aliases'), [seeds, [...replacement.values()]]);
  await tx.query(loadQuery('store_drop_boundaries'), [seeds]);
}

/** A boundary id and its ring hash. */
type Shape = readonly [id: string, ringHash: string | null];

/** Whether each of two shapes covers at least MUTUAL_SHARE of the other. False if one has no shape. */
export async function coverEachOther(tx: Queryable, engine: Engine, [a, b]: readonly [Shape, Shape]): Promise<boolean> {
  if (a[1] === null || b[1] === null) return false;
  const one = { id: a[0], ringHash: a[1], adminLevel: null };
  const other = { id: b[0], ringHash: b[1], adminLevel: null };
  const shares = await engine.relations.overlapShares(tx, [
    { child: one, parent: other },
    { child: other, parent: one },
  ]);
  return Math.min(...shares) >= MUTUAL_SHARE;
}

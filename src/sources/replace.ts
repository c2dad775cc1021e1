import { only } from '../common/elements.ts';
import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import type { Engine } from '../geometry/engine.ts';

/** The share of each shape's area that the other must cover for the two to be the same place. */
const MUTUAL_SHARE = 0.8;
/** The rule that matches by name. It also needs mutual overlap; smaller rules match by code and are sure. */
export const BY_NAME = 4;

interface Match {
  id: string;
  name: string;
  ring_hash: string;
  seed: string;
  seed_name: string;
  seed_hash: string | null;
  rule: number;
  same_level: boolean;
}

/** A boundary and the seed boundary of the same name, country and place beside which it stands. */
export interface Namesake {
  readonly id: string;
  readonly name: string;
  readonly seed: string;
  readonly seedName: string;
}

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
  const matches = await tx.query<Match>(loadQuery('replace_candidates'), [ids]);
  const replacement = new Map<string, string>();
  const namesakes = new Map<string, Namesake>();
  const claims = new Map<string, number>();
  const claimOf = ({ seed, rule, same_level }: Match) => `${seed} ${rule} ${same_level}`;
  for (const match of matches) claims.set(claimOf(match), (claims.get(claimOf(match)) ?? 0) + 1);
  for (const match of matches) {
    const { id, seed, rule, same_level } = match;
    if (replacement.has(seed) || namesakes.has(seed)) continue;
    const shapes = [
      [id, match.ring_hash],
      [seed, match.seed_hash],
    ] as const;
    const isSure = rule < BY_NAME && same_level && claims.get(claimOf(match)) === 1;
    if (!isSure && !(await coverEachOther(tx, engine, shapes))) continue;
    if (rule < BY_NAME || byName) replacement.set(seed, id);
    else namesakes.set(seed, { id, name: match.name, seed, seedName: match.seed_name });
  }
  const { doubles } = only(
    await tx.query<{ doubles: number }>(loadQuery('replace_doubles'), [ids, [...replacement.keys()]]),
  );
  return { replacement, namesakes: [...namesakes.values()], doubles };
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

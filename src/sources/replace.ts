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
  ring_hash: string;
  seed: string;
  seed_hash: string | null;
  rule: number;
}

/**
 * Finds the seed shapes that boundaries just written replace. Two are the same place if they have the same wikidata id,
 * else ISO 3166 code, else national code and country, else kind, folded name and mutual overlap.
 * @returns `replacement`: boundary id by seed id; `doubles`: how many seed shapes stay although they overlap a boundary
 *   of the same kind
 */
export async function findReplaced(
  tx: Queryable,
  engine: Engine,
  made: readonly { readonly id: string }[],
): Promise<{ replacement: Map<string, string>; doubles: number }> {
  const ids = made.map(({ id }) => id);
  const matches = await tx.query<Match>(loadQuery('replace_candidates'), [ids]);
  const replacement = new Map<string, string>();
  for (const match of matches) {
    if (replacement.has(match.seed)) continue;
    const shapes = [
      [match.id, match.ring_hash],
      [match.seed, match.seed_hash],
    ] as const;
    if (match.rule < BY_NAME || (await coverEachOther(tx, engine, shapes))) replacement.set(match.seed, match.id);
  }
  const { doubles } = only(
    await tx.query<{ doubles: number }>(loadQuery('replace_doubles'), [ids, [...replacement.keys()]]),
  );
  return { replacement, doubles };
}

/** Deletes replaced seed boundaries; their ids become aliases of their replacements. Does not delete their arcs. */
export async function dropReplaced(tx: Queryable, replacement: ReadonlyMap<string, string>): Promise<void> {
  const seeds = [...replacement.keys()];
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
  const shares = await engine.overlapShares(tx, [
    { child: one, parent: other },
    { child: other, parent: one },
  ]);
  return Math.min(...shares) >= MUTUAL_SHARE;
}

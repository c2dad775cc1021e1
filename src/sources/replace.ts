import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { only } from '../elements.ts';
import type { Engine } from '../geometry/engine.ts';

/** Rules by codes are sure; a name counts only when the two shapes cover each other to this part. */
const MUTUAL_SHARE = 0.8;
export const BY_NAME = 4;

interface Match {
  id: string;
  ring_hash: string;
  seed: string;
  seed_hash: string | null;
  rule: number;
}

/**
 * Seed shapes of places that the boundaries just made are, with the boundary of each: the same wikidata id, else ISO
 * 3166 code, else national code and country, else kind, folded name and mutual overlap. Gives, too, the number of those
 * that overlap a boundary of the same kind and stay.
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

/** Removes seed shapes; their ids go on answering, as aliases of what they give way to. Their arcs stay. */
export async function dropReplaced(tx: Queryable, replacement: ReadonlyMap<string, string>): Promise<void> {
  const seeds = [...replacement.keys()];
  await tx.query(loadQuery('store_put_aliases'), [seeds, [...replacement.values()]]);
  await tx.query(loadQuery('store_drop_boundaries'), [seeds]);
}

/** A shape by the id of its boundary. */
type Shape = readonly [id: string, ringHash: string | null];

/** Whether two shapes cover each other to the part that makes them the same place. */
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

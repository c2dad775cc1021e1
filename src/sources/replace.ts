import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import type { Engine } from '../geometry/engine.ts';

/** Rules by codes are sure; a name counts only when the two shapes cover each other to this part. */
const MUTUAL_SHARE = 0.8;
const BY_NAME = 4;

interface Match {
  id: string;
  ring_hash: string;
  starter: string;
  starter_hash: string | null;
  rule: number;
}

/**
 * Removes starter shapes of places that the boundaries just made are: the same wikidata id, else ISO 3166 code, else
 * national code and country, else kind, folded name and mutual overlap. Their ids go on answering, as aliases.
 * Gives the numbers of those replaced and of those that overlap a boundary of the same kind and stay.
 */
export async function replaceStarters(
  tx: Queryable,
  engine: Engine,
  made: readonly { readonly id: string }[],
): Promise<{ replaced: number; doubles: number }> {
  const ids = made.map(({ id }) => id);
  const matches = await tx.query<Match>(loadQuery('replace_candidates'), [ids]);
  const replacement = new Map<string, string>();
  for (const match of matches) {
    if (replacement.has(match.starter)) continue;
    if (match.rule < BY_NAME || (await coverEachOther(tx, engine, match))) replacement.set(match.starter, match.id);
  }
  if (replacement.size > 0) {
    const starters = [...replacement.keys()];
    const former = await tx.query<{ arc_ids: number[] }>(loadQuery('store_shape_arcs'), [starters]);
    await tx.query(loadQuery('store_put_aliases'), [starters, [...replacement.values()]]);
    await tx.query(loadQuery('store_drop_boundaries'), [starters]);
    await tx.query(loadQuery('store_drop_dead_arcs'), [[...new Set(former.flatMap(({ arc_ids }) => arc_ids))]]);
  }
  const [{ doubles }] = await tx.query<{ doubles: number }>(loadQuery('replace_doubles'), [ids]);
  return { replaced: replacement.size, doubles };
}

async function coverEachOther(tx: Queryable, engine: Engine, match: Match): Promise<boolean> {
  if (!match.starter_hash) return false;
  const one = { id: match.id, ringHash: match.ring_hash, adminLevel: null };
  const other = { id: match.starter, ringHash: match.starter_hash, adminLevel: null };
  const shares = await engine.overlapShares(tx, [
    { child: one, parent: other },
    { child: other, parent: one },
  ]);
  return Math.min(...shares) >= MUTUAL_SHARE;
}

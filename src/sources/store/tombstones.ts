import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Engine } from '../../geometry/engine.ts';
import { BY_NAME, coverEachOther } from '../replace.ts';
import type { RemovedBoundary } from './source_rows.ts';

/**
 * Finds the successor of each deleted boundary: a boundary with the same wikidata id, else the same ISO 3166 code, else
 * the same kind and folded name whose polygon overlaps it enough (coverEachOther). Returns successor ids by deleted id.
 */
export async function findSuccessors(
  tx: Queryable,
  engine: Engine,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const heirs = new Map<string, string>();
  for (const match of await tx.query(loadQuery('tombstone_candidates'), [ids])) {
    if (heirs.has(match.id)) continue;
    const shapes = [
      [match.id, match.ring_hash],
      [match.heir, match.heir_hash],
    ] as const;
    if (match.rule < BY_NAME || (await coverEachOther(tx, engine, shapes))) heirs.set(match.id, match.heir);
  }
  return heirs;
}

/** Deletes boundaries and writes a tombstone for each; the id of one with a successor becomes an alias of it. */
export async function recordDeletions(
  tx: Queryable,
  deleted: readonly RemovedBoundary[],
  heirs: ReadonlyMap<string, string>,
): Promise<void> {
  await tx.query(loadQuery('tombstone_put'), [
    deleted.map(({ id }) => id),
    deleted.map(({ version }) => version),
    deleted.map(({ reason }) => reason ?? 'deleted'),
    deleted.map(({ id }) => heirs.get(id) ?? null),
  ]);
  if (heirs.size > 0) await tx.query(loadQuery('store_put_aliases'), [[...heirs.keys()], [...heirs.values()]]);
  await tx.query(loadQuery('store_drop_boundaries'), [deleted.map(({ id }) => id)]);
}

/** Deletes the tombstones of boundaries that came back, and records those that succeed a deleted boundary. */
export async function settleTombstones(tx: Queryable, made: readonly { readonly id: string }[]): Promise<void> {
  const found = await tx.query(loadQuery('tombstone_settle'), [made.map(({ id }) => id)]);
  if (found.length === 0) return;
  await tx.query(loadQuery('store_put_aliases'), [found.map(({ id }) => id), found.map(({ heir }) => heir)]);
}

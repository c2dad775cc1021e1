import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { deriveHierarchy } from '../unshaped/unshaped.ts';
import type { RemovedBoundary, Run } from './model.ts';
import { findSuccessors, recordDeletions } from './tombstones.ts';
import { remove } from './write.ts';

/** Removes boundaries that OpenStreetMap no longer has, and derives the hierarchy of what was inside them again. */
export async function removeBoundaries(run: Run, tx: Queryable, gone: readonly RemovedBoundary[]): Promise<void> {
  const ids = gone.map(({ id }) => id);
  const rows = await tx.query(loadQuery('store_ways_of_boundaries'), [ids]);
  const stored = new Set(rows.map(({ id }) => id));
  const there = gone.filter(({ id }) => stored.has(id));
  if (there.length > 0) {
    const within = await tx.query(loadQuery('hierarchy_descendants'), [[...stored]]);
    const heirs = await findSuccessors(tx, run.engine, [...stored]);
    await remove(run, tx, [...stored], () => recordDeletions(tx, there, heirs));
    const left = within.filter(({ id }) => !stored.has(id));
    await deriveHierarchy(tx, run.engine, left, run.later, run.progress);
    run.summary.gone += there.length;
  }
  const relations = ids.filter((id) => id.startsWith('r')).map((id) => Number(id.slice(1)));
  await tx.query(loadQuery('store_drop_raw'), [relations, rows.flatMap(({ ways }) => ways)]);
}

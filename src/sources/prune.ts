/** Which editions are kept, and the removal of the others. */
import { only } from '../common/elements.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { settleIntervals } from './editions.ts';
import { TOPOLOGY_LOCK, withImportTimeout } from './store/topology.ts';

/**
 * Which editions pruning keeps: all; the last ones of each layer (source, type and admin level), 0 for none; or those
 * that answer as of a date, `2015-01-01`, and of all later ones.
 */
export type Keep = { readonly all: true } | { readonly editions: number } | { readonly since: string };

/** What pruning removed, or would remove. */
export interface Pruned {
  readonly keep: Keep;
  /** Whether it was removed. */
  readonly applied: boolean;
  /** What leaves the store, an item for each layer of an edition. */
  readonly layers: readonly {
    readonly source: string;
    readonly valid_from: string;
    readonly type: string;
    readonly admin_level: number | null;
    readonly boundaries: number;
  }[];
  /** Editions of which nothing is left. */
  readonly editions: number;
  /** States of boundaries, shapes and arcs that no other edition has. */
  readonly states: number;
  readonly shapes: number;
  readonly arcs: number;
  /** Bytes of these in the tables, without indexes. The database reuses them once it has vacuumed. */
  readonly bytes: number;
}

/** Which editions pruning keeps. */
export async function keptEditions(db: Pick<Queryable, 'query'>): Promise<Keep> {
  const [row] = await db.query(loadQuery('prune_keep'));
  if (row?.since != null) return { since: row.since };
  return row?.editions == null ? { all: true } : { editions: row.editions };
}

/** Sets which editions pruning keeps. It removes nothing. */
export async function keepEditions(db: Pick<Queryable, 'query'>, keep: Keep): Promise<Keep> {
  const editions = 'editions' in keep ? keep.editions : null;
  await db.query(loadQuery('prune_set_keep'), [editions, 'since' in keep ? keep.since : null]);
  return keptEditions(db);
}

/** What removing the rows that were replaced by a moment removed, or would remove. */
export interface PrunedRecords {
  readonly applied: boolean;
  /** The first moment whose answers are kept; null: none is known. */
  readonly first: string | null;
  readonly rows: number;
  /** Bytes of these in the tables, without indexes. */
  readonly bytes: number;
}

/** Ends the transaction of a report without its changes. */
class ReportOnly<T> extends Error {
  readonly report: T;

  constructor(report: T) {
    super('only a report');
    this.report = report;
  }
}

/**
 * Removes the editions that are not kept, with the states, shapes and arcs that no kept edition has, in one transaction;
 * without `apply` it reports the same and changes nothing. Answers as of a date from which editions are kept stay the
 * same, except that what began before the first kept edition is valid from that one.
 */
export function pruneEditions(db: Database, apply: boolean): Promise<Pruned> {
  return reported(db, apply, (tx) => prune(tx, apply));
}

/**
 * Removes the rows that were replaced by a moment, so that earlier moments can no longer be asked for (core/pins.ts);
 * without `apply` it reports the same and changes nothing. Answers from that moment on stay the same.
 */
export function pruneRecords(db: Database, moment: string, apply: boolean): Promise<PrunedRecords> {
  return reported(db, apply, async (tx) => {
    const { deleted: rows, bytes } = only(await tx.query(loadQuery('prune_recorded'), [moment]));
    const { first } = only(await tx.query(loadQuery('prune_records'), [moment]));
    return { applied: apply, first, rows, bytes };
  });
}

/** What `work` returns, in a transaction that is rolled back unless it is to be applied. */
async function reported<T>(db: Database, apply: boolean, work: (tx: Queryable) => Promise<T>): Promise<T> {
  try {
    return await db.withLock(TOPOLOGY_LOCK, () =>
      db.transaction(async (transaction) => {
        const report = await work(withImportTimeout(transaction));
        if (!apply) throw new ReportOnly(report);
        return report;
      }),
    );
  } catch (error) {
    if (error instanceof ReportOnly) return error.report as T;
    throw error;
  }
}

async function prune(tx: Queryable, applied: boolean): Promise<Pruned> {
  const keep = await keptEditions(tx);
  const none = { editions: 0, states: 0, shapes: 0, arcs: 0, bytes: 0 };
  if ('all' in keep) return { keep, applied, layers: [], ...none };
  const values = 'editions' in keep ? ([keep.editions, null] as const) : ([null, keep.since] as const);
  const found = await tx.query(loadQuery('prune_layers'), values);
  const layers = found.map(({ edition: _, ...layer }) => layer);
  if (found.length === 0) return { keep, applied, layers, ...none };
  const numbers = found.map(({ edition }) => edition);
  const types = found.map(({ type }) => type);
  await tx.query(loadQuery('prune_members'), [numbers, types, found.map(({ admin_level }) => admin_level)]);
  const editions = only(await tx.query(loadQuery('prune_editions'))).deleted;
  const states = only(await tx.query(loadQuery('prune_states')));
  const shapes = only(await tx.query(loadQuery('prune_shapes')));
  await tx.query(loadQuery('prune_reaches'), [numbers]);
  const arcs = only(await tx.query(loadQuery('prune_arcs')));
  await tx.query(loadQuery('prune_conflicts'));
  for (const source of new Set(found.map((one) => one.source))) await settleIntervals(tx, source);
  await tx.query(loadQuery('prune_sources'));
  const bytes = states.bytes + shapes.bytes + arcs.bytes;
  return { keep, applied, layers, editions, states: states.deleted, shapes: shapes.deleted, arcs: arcs.deleted, bytes };
}

import { only } from '../common/elements.ts';
import { QueueError } from '../common/semaphore.ts';
import { type Database, DatabaseError } from './connect.ts';
import { loadQuery, type StatementName, statementName } from './query.ts';
import type { StatementOptions } from './queryable.ts';

/**
 * Statements that a replica may answer: only boundary data, and only where each answer carries its revision or is
 * compared with the content that its caller requested (the last two).
 */
export const REPLICA_STATEMENTS = [
  'area_children',
  'area_lands',
  'area_near',
  'boundary_boxes',
  'boundary_children',
  'boundary_has_postcodes',
  'boundary_names',
  'boundary_neighbors',
  'boundary_resolve',
  'boundary_shapes',
  'dissolve_nested',
  'dissolve_unassigned',
  'locate_set',
  'ogc_collections',
  'ogc_items',
  'reverse_candidates',
  'selection_place',
  'selection_shapes',
  'tile_boundaries',
  'tile_members',
  'ring_hashes',
  'shape_load',
] as const satisfies readonly StatementName[];

/** Of the statements that a replica may answer: how many it did, and why the primary answered the others. */
export interface ReplicaCounts {
  readonly replica: number;
  /** The replica had not replayed everything that callers may know of. */
  readonly behind: number;
  /** The replica was unreachable, failed or took too long. */
  readonly failed: number;
}

/** A database that reads boundary data from a replica when that has everything that callers may know of. */
export interface Replicated {
  readonly db: Database;
  readonly counts: ReplicaCounts;
  /** Whether the replica is in use, brief lags after a change aside. If it is not ready, this starts a check of it. */
  readonly isUsed: () => boolean;
}

/** How to reach a replica. */
export interface ReplicaOptions {
  /** Opens it. @throws DatabaseError */
  readonly open: () => Promise<Database>;
  /** Logs when the replica is no longer used and why, and when it is used again. */
  readonly log: (level: 'info' | 'warn', message: string, fields: object) => void;
}

/** Least milliseconds between two checks of a replica that is behind, while reads come. */
const CHECK_MS = 50;
/** Milliseconds until a failed replica is tried again, while reads come. */
const RETRY_MS = 1_000;
/** Milliseconds that a statement on the replica may take before the replica counts as failed. */
const PATIENCE_MS = 3_000;
/** Milliseconds after which a lag is logged; a moment behind is normal after a change. */
const BEHIND_MS = 1_000;

/** Errors of the caller or of the load, which the primary would give too. */
const OWN_ERRORS = new Set(['value', 'closed']);

interface Position {
  readonly revision: number;
  /** Bytes of the write-ahead log. */
  readonly position: number;
}

/**
 * Returns `primary` with the reads of boundary data (REPLICA_STATEMENTS) sent to a replica. A read may go there once
 * the replica has replayed the WAL position at which this process first saw the newest revision it knows of. So a
 * caller never sees less than was shown before, or than their own call has changed. Otherwise, and when the replica
 * fails, the primary answers. Everything else, including transactions and work under a lock, stays with the primary.
 */
export function replicatedDatabase(primary: Database, { open, log }: ReplicaOptions): Replicated {
  const may = new Set<string>(REPLICA_STATEMENTS);
  const revisionSql: string = loadQuery('data_revision');
  const counts = { replica: 0, behind: 0, failed: 0 };
  /** What the replica must have; null: a change was announced, and the revision has not been read since. */
  let need: Position | null = null;
  /** WAL position of the newest known revision, whatever was announced since. */
  let newest = -1;
  let doubts = 0;
  let locks = 0;
  let replica: Database | null = null;
  let reached = -1;
  let looking = false;
  let nextLook = 0;
  let state: 'new' | 'used' | 'behind' | 'failed' = 'new';
  let behindSince: number | null = null;
  let closed = false;

  primary.listen('boundary_data', invalidateRevision);

  function invalidateRevision(): void {
    doubts++;
    need = null;
  }

  /** Runs data_position for data_revision: it also has the WAL position, at which a new revision was first seen. */
  async function revisionOf(options?: StatementOptions): Promise<Position[]> {
    const before = doubts;
    const rows = await primary.query(loadQuery('data_position'), [], options);
    const seen = { revision: Number(only(rows).revision), position: Number(only(rows).position) };
    const isNewer = need === null || (seen.revision !== need.revision && seen.position > need.position);
    if (before === doubts && isNewer) {
      need = seen;
      newest = seen.position;
    }
    return rows as Position[];
  }

  function setState(to: typeof state, fields: object = {}): void {
    if (state === to || closed) return;
    state = to;
    if (to === 'used') log('info', 'the replica answers reads of boundary data', fields);
    else if (to === 'behind') log('warn', 'the replica is behind: the primary answers instead', fields);
    else log('warn', 'the replica failed: the primary answers instead', fields);
  }

  function fail(error: unknown): void {
    const lost = replica;
    replica = null;
    reached = -1;
    behindSince = null;
    nextLook = performance.now() + RETRY_MS;
    setState('failed', { error: error instanceof Error ? error.message : String(error) });
    lost?.close().catch(() => undefined);
  }

  async function opened(): Promise<Database> {
    const opening = open();
    const other = await withTimeout(opening).catch((error) => {
      opening.then((late) => late.close()).catch(() => undefined);
      throw error;
    });
    try {
      const mine = only(await primary.query(loadQuery('data_identity')));
      const its = only(await withTimeout(other.query(loadQuery('data_identity'))));
      if (mine.cluster !== its.cluster || mine.database !== its.database) {
        throw new Error('DATABASE_REPLICA_URL is not a replica of DATABASE_URL');
      }
      // After a lost connection, another server may be behind the URL: forget how far this one was.
      other.listen('boundary_data', () => {
        if (replica === other) reached = -1;
      });
      return other;
    } catch (error) {
      other.close().catch(() => undefined);
      throw error;
    }
  }

  /** Checks how far the replica is, unless that was checked a moment ago. */
  function startCheck(): void {
    if (looking || closed || performance.now() < nextLook) return;
    looking = true;
    nextLook = performance.now() + CHECK_MS;
    checkPosition()
      .catch(fail)
      .finally(() => {
        looking = false;
      });
  }

  async function checkPosition(): Promise<void> {
    replica ??= await opened();
    if (closed) {
      await replica.close();
      return;
    }
    const { position } = only(await withTimeout(replica.query(loadQuery('data_replayed'))));
    if (position === null) throw new Error('DATABASE_REPLICA_URL is a server that is not a replica');
    reached = Number(position);
    const now = performance.now();
    if (reached >= newest) {
      behindSince = null;
      return;
    }
    behindSince ??= now;
    if (state === 'failed' || now - behindSince >= BEHIND_MS) setState('behind', { bytes: newest - reached });
  }

  const isReady = (): boolean => locks === 0 && replica !== null && need !== null && reached >= need.position;

  async function read(sql: string, values: readonly unknown[] | undefined, options?: StatementOptions) {
    const from = replica;
    if (from !== null && isReady()) {
      try {
        const rows = await withTimeout(from.query(sql, values, options));
        counts.replica++;
        setState('used');
        return rows;
      } catch (error) {
        options?.signal?.throwIfAborted();
        if (error instanceof QueueError || (error instanceof DatabaseError && OWN_ERRORS.has(error.code))) throw error;
        if (replica === from) fail(error);
      }
    } else startCheck();
    counts[state === 'failed' ? 'failed' : 'behind']++;
    return primary.query(sql, values, options);
  }

  startCheck();
  const db: Database = {
    ...primary,
    query: (async (sql: string, values?: readonly unknown[], options?: StatementOptions) => {
      if (sql === revisionSql) return revisionOf(options);
      const name = statementName(sql);
      if (name !== undefined && may.has(name)) return read(sql, values, options);
      const rows = await primary.query(sql, values, options);
      // Search rows do not carry their revision: later reads must not come from an older one.
      if (name?.startsWith('search_')) invalidateRevision();
      return rows;
    }) as Database['query'],
    async withLock(name, work) {
      locks++;
      try {
        return await primary.withLock(name, work);
      } finally {
        locks--;
      }
    },
    async close() {
      closed = true;
      await Promise.all([primary.close(), replica?.close()]);
    },
  };
  const isUsed = (): boolean => {
    if (!isReady()) startCheck();
    return state === 'used';
  };
  return { db, counts, isUsed };
}

/** The replica's answer. @throws Error after PATIENCE_MS */
async function withTimeout<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => undefined);
  }
}

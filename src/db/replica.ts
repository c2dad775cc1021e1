import { only } from '../elements.ts';
import { type Database, DatabaseError } from './connect.ts';
import { loadQuery, type StatementName, statementName } from './query.ts';
import type { StatementOptions } from './queryable.ts';

/**
 * What a replica may answer: boundary data alone, and only where each answer tells of which revision it is, or is
 * compared with the content that its caller asked for (the last two).
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

/** Of statements that a replica may answer, how many it did, and why the primary did the others. */
export interface ReplicaCounts {
  readonly replica: number;
  /** The replica had not replayed what callers may know of. */
  readonly behind: number;
  /** It was not reachable, failed or took too long. */
  readonly failed: number;
}

/** A database whose boundary data is read from a replica where that has all that callers may know of. */
export interface Replicated {
  readonly db: Database;
  readonly counts: ReplicaCounts;
  /** Whether the replica answers, but for the moments after a change; has it looked at when it does not. */
  readonly isUsed: () => boolean;
}

/** How a replica is reached. */
export interface ReplicaOptions {
  /** Opens it. Throws DatabaseError. */
  readonly open: () => Promise<Database>;
  /** Told when the replica is used no more and why, and when it is used again. */
  readonly log: (level: 'info' | 'warn', message: string, fields: object) => void;
}

/** So often a replica that is behind is asked how far it is, while reads come. */
const LOOK_MS = 50;
/** So often one that failed is tried again, while reads come. */
const RETRY_MS = 1_000;
/** One that does not answer a statement in this time has failed. */
const PATIENCE_MS = 3_000;
/** Falling behind is normal for a moment after a change; after so long it is told. */
const BEHIND_MS = 1_000;

/** Errors of the caller, or of the load, which the primary would not make good. */
const OWN_ERRORS = new Set(['value', 'waited', 'queue_full', 'closed']);

interface Position {
  readonly revision: number;
  /** Bytes of the write-ahead log. */
  readonly position: number;
}

/**
 * `primary` with the reads of boundary data (REPLICA_STATEMENTS) sent to a replica. A read may go there when the replica
 * has replayed the place in the log at which this process first saw the newest revision it knows of: so no one is shown
 * less than was shown before, or than a call of theirs has changed. Otherwise, and where the replica fails, the primary
 * answers. Everything else, transactions and what is done under a lock stay with the primary.
 */
export function replicatedDatabase(primary: Database, { open, log }: ReplicaOptions): Replicated {
  const may = new Set<string>(REPLICA_STATEMENTS);
  const revisionSql: string = loadQuery('data_revision');
  const counts = { replica: 0, behind: 0, failed: 0 };
  /** What the replica must have; null: a change was announced, and no one has asked for the revision since. */
  let need: Position | null = null;
  /** The place of the newest revision that was known, whatever was announced since. */
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

  primary.listen('boundary_data', doubt);

  function doubt(): void {
    doubts++;
    need = null;
  }

  /** In place of data_revision: it, and where in the log it was seen first. */
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

  function turn(to: typeof state, fields: object = {}): void {
    if (state === to || closed) return;
    state = to;
    if (to === 'used') log('info', 'the replica answers reads of boundary data', fields);
    else if (to === 'behind') log('warn', 'the replica is behind: the primary answers in its place', fields);
    else log('warn', 'the replica failed: the primary answers in its place', fields);
  }

  function fail(error: unknown): void {
    const lost = replica;
    replica = null;
    reached = -1;
    behindSince = null;
    nextLook = performance.now() + RETRY_MS;
    turn('failed', { error: error instanceof Error ? error.message : String(error) });
    lost?.close().catch(() => undefined);
  }

  async function opened(): Promise<Database> {
    const opening = open();
    const other = await inTime(opening).catch((error) => {
      opening.then((late) => late.close()).catch(() => undefined);
      throw error;
    });
    try {
      const mine = only(await primary.query(loadQuery('data_identity')));
      const its = only(await inTime(other.query(loadQuery('data_identity'))));
      if (mine.cluster !== its.cluster || mine.database !== its.database) {
        throw new Error('DATABASE_REPLICA_URL is not a replica of DATABASE_URL');
      }
      // Another server may be behind the address once a connection was lost: what was known of this one is forgotten.
      other.listen('boundary_data', () => {
        if (replica === other) reached = -1;
      });
      return other;
    } catch (error) {
      other.close().catch(() => undefined);
      throw error;
    }
  }

  /** Asks how far the replica is, unless that was asked a moment ago. */
  function look(): void {
    if (looking || closed || performance.now() < nextLook) return;
    looking = true;
    nextLook = performance.now() + LOOK_MS;
    ask()
      .catch(fail)
      .finally(() => {
        looking = false;
      });
  }

  async function ask(): Promise<void> {
    replica ??= await opened();
    if (closed) {
      await replica.close();
      return;
    }
    const { position } = only(await inTime(replica.query(loadQuery('data_replayed'))));
    if (position === null) throw new Error('DATABASE_REPLICA_URL leads to a server that is not a replica');
    reached = Number(position);
    const now = performance.now();
    if (reached >= newest) {
      behindSince = null;
      return;
    }
    behindSince ??= now;
    if (state === 'failed' || now - behindSince >= BEHIND_MS) turn('behind', { bytes: newest - reached });
  }

  const isReady = (): boolean => locks === 0 && replica !== null && need !== null && reached >= need.position;

  async function read(sql: string, values: readonly unknown[] | undefined, options?: StatementOptions) {
    const from = replica;
    if (from !== null && isReady()) {
      try {
        const rows = await inTime(from.query(sql, values, options));
        counts.replica++;
        turn('used');
        return rows;
      } catch (error) {
        options?.signal?.throwIfAborted();
        if (error instanceof DatabaseError && OWN_ERRORS.has(error.code)) throw error;
        if (replica === from) fail(error);
      }
    } else look();
    counts[state === 'failed' ? 'failed' : 'behind']++;
    return primary.query(sql, values, options);
  }

  look();
  const db: Database = {
    ...primary,
    query: (async (sql: string, values?: readonly unknown[], options?: StatementOptions) => {
      if (sql === revisionSql) return revisionOf(options);
      const name = statementName(sql);
      if (name !== undefined && may.has(name)) return read(sql, values, options);
      const rows = await primary.query(sql, values, options);
      // Searches do not tell of which revision their rows are: what is read next must not be of an older one.
      if (name?.startsWith('search_')) doubt();
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
    if (!isReady()) look();
    return state === 'used';
  };
  return { db, counts, isUsed };
}

/** What a replica answers, or an Error after PATIENCE_MS. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
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

import pg from 'pg';
import { Semaphore } from '../common/semaphore.ts';
import { cancelStatement } from './cancel.ts';
import { type AnnouncementListener, LISTEN } from './channels.ts';
import { createConnection, type Deadline } from './connection.ts';
import type { Backend, HeldLock } from './database.ts';
import { DatabaseError, toDatabaseError } from './database_error.ts';
import { columnTypes } from './values.ts';

/** How to reach a native database. */
export interface NativeOptions {
  readonly url: string;
  readonly deadlineMs: number;
  readonly poolSize: number;
  readonly log: (message: string, fields?: object) => void;
}

const QUEUE_LIMIT = 10_000;
const APPLICATION = 'boundary-lookup';

/** Time for the server's own statement_timeout to end a statement before the connection is cut. */
const GRACE_MS = 5_000;

/** Settings that determine how values are written, whatever the server's configuration. */
const VALUES = '-c timezone=UTC -c datestyle=ISO -c extra_float_digits=1 -c bytea_output=hex';

/**
 * Statements here take milliseconds. The planner expects some to take long; JIT compilation or parallel processes would
 * then take ten milliseconds themselves.
 */
const SHORT = '-c jit=off -c max_parallel_workers_per_gather=0';

/** Opens a pool of connections to PostgreSQL. @throws DatabaseError when the first connection fails or is refused */
export async function openNative(options: NativeOptions): Promise<Backend> {
  const { deadlineMs, log } = options;
  const config: pg.ClientConfig = {
    connectionString: options.url,
    application_name: APPLICATION,
    options: `${VALUES} ${SHORT}`,
    keepAlive: true,
    connectionTimeoutMillis: deadlineMs,
    types: columnTypes,
  };
  const pool = new pg.Pool({ ...config, statement_timeout: deadlineMs, max: options.poolSize });
  // A queue in front of the pool, because a waiter cannot leave the pool's own queue.
  const gate = new Semaphore(options.poolSize, QUEUE_LIMIT);
  let announced: AnnouncementListener = () => undefined;
  const lost = (error: Error): void => {
    log('A database connection was lost.', { error: error.message });
    announced(null);
  };
  pool.on('error', lost);
  pool.on('connect', (client) => {
    // The pool has no listener on a checked-out client: without one, a client's error would end the process.
    client.on('error', () => announced(null));
    client.on('notification', ({ channel }) => announced(channel));
  });
  const listening = new WeakSet<pg.PoolClient>();

  const backend: Backend = {
    kind: 'native',
    deadlineMs,
    onAnnounced: (listener) => {
      announced = listener;
    },
    withConnection: (work, patience) =>
      gate.run(async () => {
        const client = await pool.connect().catch((error) => {
          throw noSession(error);
        });
        const connection = createConnection(client, nativeDeadline(client, deadlineMs, config));
        try {
          if (!listening.has(client)) {
            listening.add(client);
            // A replica does not allow LISTEN.
            for (const statement of LISTEN) await connection.command(statement).catch(() => undefined);
          }
          return await work(connection);
        } finally {
          connection.detach();
          client.release(!connection.reusable);
        }
      }, patience),
    lock: (name) => advisoryLock(config, name, log),
    close: () => pool.end(),
  };
  try {
    await backend.withConnection((connection) => connection.command('select 1'), {});
  } catch (error) {
    await pool.end();
    throw error;
  }
  return backend;
}

/**
 * The error of a session that did not start. Whatever the server refuses it for (a database that takes no connections, is
 * being renamed or restored, a password that was changed), it is away for the call, and nothing is known of a statement.
 */
function noSession(error: unknown): DatabaseError {
  const refused = toDatabaseError(error);
  if (refused.code === 'too_many_connections') return refused;
  return new DatabaseError('connection_lost', refused.message, { cause: error });
}

function nativeDeadline(client: pg.PoolClient, ms: number, config: pg.ClientConfig): Deadline {
  return {
    ms,
    graceMs: GRACE_MS,
    setTimeLimit: async (session, timeout) => {
      await session.query(`set statement_timeout = ${Math.ceil(timeout)}`);
    },
    cancel: () => cancelStatement(config, client),
    force: () => {
      // PoolClient hides end(), which cuts the connection of a client with a running query.
      (client as unknown as pg.Client).end().catch(() => undefined);
    },
  };
}

/**
 * A session-level advisory lock on a connection of its own: waiting for it takes nothing from the pool, and it is
 * released when its process dies. The key is the 64-bit hash of the name.
 */
async function advisoryLock(config: pg.ClientConfig, name: string, log: NativeOptions['log']): Promise<HeldLock> {
  const client = new pg.Client({ ...config, application_name: `${APPLICATION} lock` });
  const loss = new AbortController();
  let released = false;
  const lose = (why: string): void => {
    if (released || loss.signal.aborted) return;
    log('The connection that holds a lock was lost.', { lock: name, error: why });
    const message = `The lock ${name} was lost because its connection ended: another process may have it now.`;
    loss.abort(new DatabaseError('lock_lost', message));
  };
  client.on('error', (error) => lose(error.message));
  client.on('end', () => lose('it was closed'));
  try {
    await client.connect();
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
  } catch (error) {
    released = true;
    await client.end().catch(() => undefined);
    throw toDatabaseError(error);
  }
  return {
    lost: loss.signal,
    async release() {
      released = true;
      await client.end().catch(() => undefined);
    },
  };
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import { Semaphore, type WaitOptions } from '../common/semaphore.ts';
import type { AnnouncementListener, Channel } from './channels.ts';
import type { Connection } from './connection.ts';
import { DatabaseError } from './database_error.ts';
import type { Database, Queryable, StatementOptions } from './queryable.ts';

/** What each kind of database implements; everything else is built on it here, once for both. */
export interface Backend {
  readonly kind: 'embedded' | 'native';
  /** Milliseconds that a statement may run when its caller does not say. */
  readonly deadlineMs: number;
  /** Sets the listener for announcements on CHANNELS and for the loss of a session that listened. */
  onAnnounced(listener: AnnouncementListener): void;
  /** Runs `work` with a session of its own, after waiting for a free one with `patience`. */
  withConnection<T>(work: (connection: Connection) => Promise<T>, patience: WaitOptions): Promise<T>;
  /** Takes the named lock, which excludes other processes. */
  lock(name: string): Promise<HeldLock>;
  close(): Promise<void>;
}

/** A lock between processes, while it is held. */
export interface HeldLock {
  /** Aborts when the lock is lost, with a DatabaseError `lock_lost`: from then on another process may hold it. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** What the current asynchronous context holds of the database. */
interface Scope {
  readonly transaction: { open: boolean } | null;
  /** Names of its locks; a name is removed when its lock is released, also for calls that outlive the work. */
  readonly locks: Set<string>;
  /** Aborts when one of the locks is lost: then no further statement is sent, and the running one is canceled. */
  readonly lost: AbortSignal | null;
}

const LOCK_QUEUE_LIMIT = 10_000;
/**
 * A wait of a smaller share of a statement's time is not deducted from it: setting another limit takes two statements
 * more, when sessions are scarce.
 */
const SHORT_WAIT = 1 / 30;

const TRANSACTION_CONTROL = /^(?:\s|--[^\n]*\n)*(?:begin|start|commit|end|rollback|abort|savepoint|release|prepare)\b/i;

/** Builds the Database that callers use on a backend. */
export function createDatabase(backend: Backend): Database {
  const scopes = new AsyncLocalStorage<Scope>();
  const gates = new Map<string, Semaphore>();
  const listeners = new Set<{ readonly channel: Channel; readonly hear: () => void }>();
  backend.onAnnounced((channel) => {
    for (const one of listeners) if (channel === null || one.channel === channel) one.hear();
  });
  let scoped = 0;
  let running = 0;
  let closing: Promise<void> | null = null;
  let drained: (() => void) | null = null;

  function enter(what: string): void {
    const inside = (scopes.getStore()?.locks.size ?? 0) > 0;
    if (closing && !inside) throw new DatabaseError('closed', 'The database is closed.');
    if (scopes.getStore()?.transaction?.open) {
      throw new DatabaseError('in_transaction', `${what} inside a transaction: use the transaction's own queries.`);
    }
  }

  /** A caller that holds a lock, such as an import, waits without limit: no one would retry for it. */
  function patience(ms?: number, signal?: AbortSignal): WaitOptions {
    const holds = (scopes.getStore()?.locks.size ?? 0) > 0;
    return holds ? { signal } : { ms, signal };
  }

  /** Runs `work` in a scope. Without scopes, promises are not tracked: that would cost a request 5 % of its time. */
  async function within<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    scoped++;
    try {
      return await scopes.run(scope, work);
    } finally {
      if (--scoped === 0) scopes.disable();
    }
  }

  async function counted<T>(work: () => Promise<T>): Promise<T> {
    running++;
    try {
      return await work();
    } finally {
      if (--running === 0) drained?.();
    }
  }

  async function transact<T>(connection: Connection, work: (tx: Queryable) => Promise<T>): Promise<T> {
    const state = { open: true };
    let failure: unknown;
    const guard = async <R>(statement: () => Promise<R>): Promise<R> => {
      if (!state.open) throw new DatabaseError('transaction_over', 'The transaction has ended already.');
      try {
        return await statement();
      } catch (error) {
        failure ??= error;
        throw error;
      }
    };
    const { locks, lost } = scopes.getStore() ?? { locks: new Set<string>(), lost: null };
    const tx: Queryable = {
      query: <R>(sql: string, values: readonly unknown[] = [], options: StatementOptions = {}) =>
        guard(async () => {
          refuseControl(sql);
          const signal = either(options.signal, lost);
          return (await connection.query(sql, values, { ...options, signal })) as R[];
        }),
      exec: (sql) => guard(() => connection.exec(sql)),
    };
    await connection.command('begin');
    try {
      const result = await within({ transaction: state, locks, lost }, () => work(tx));
      state.open = false;
      lost?.throwIfAborted();
      // Statements that `work` did not await belong to the transaction too.
      await connection.idle();
      if (failure !== undefined) throw doomed(failure);
      if ((await connection.command('commit')) !== 'COMMIT') throw doomed(undefined);
      return result;
    } catch (error) {
      state.open = false;
      // If this fails too, the session is not reusable and the backend drops it.
      await connection.command('rollback').catch(() => undefined);
      throw error;
    }
  }

  return {
    kind: backend.kind,
    listen(channel, hear) {
      const listener = { channel, hear };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async query<R>(sql: string, values: readonly unknown[] = [], options: StatementOptions = {}) {
      enter('A query on the database');
      refuseControl(sql);
      const { timeoutMs = backend.deadlineMs } = options;
      const signal = either(options.signal, scopes.getStore()?.lost);
      const wait = patience(timeoutMs, signal);
      const asked = performance.now();
      const rows = await counted(() =>
        backend.withConnection((connection) => {
          const waited = performance.now() - asked;
          const whole = wait.ms === undefined || waited < SHORT_WAIT * timeoutMs;
          const left = whole ? timeoutMs : Math.max(1, Math.ceil(timeoutMs - waited));
          return connection.query(sql, values, { timeoutMs: left, signal });
        }, wait),
      );
      return rows as R[];
    },
    async exec(sql) {
      enter('A script on the database');
      // An explicit transaction, because the embedded database can lose a statement in the middle and commit the rest.
      await counted(() => backend.withConnection((c) => transact(c, (tx) => tx.exec(sql)), patience()));
    },
    async transaction(work, options = {}) {
      enter('A second transaction');
      const signal = either(options.signal, scopes.getStore()?.lost);
      return counted(() => backend.withConnection((c) => transact(c, work), patience(backend.deadlineMs, signal)));
    },
    async withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
      enter('A lock taken');
      const held = scopes.getStore()?.locks ?? new Set<string>();
      if (held.has(name)) throw new DatabaseError('in_lock', `This call already holds the lock ${name}.`);
      const gate = gates.get(name) ?? new Semaphore(1, LOCK_QUEUE_LIMIT);
      gates.set(name, gate);
      const locked = async (): Promise<T> => {
        const lock = await backend.lock(name);
        const locks = new Set([...held, name]);
        const lost = either(lock.lost, scopes.getStore()?.lost) as AbortSignal;
        // Every statement of the work adds a listener.
        setMaxListeners(0, lost);
        try {
          const result = await within({ transaction: null, locks, lost }, work);
          lost.throwIfAborted();
          return result;
        } catch (error) {
          // After the loss of a lock, the loss is the reason for whatever the work failed with.
          throw lost.aborted ? lost.reason : error;
        } finally {
          locks.clear();
          await lock.release();
        }
      };
      return counted(() => gate.run(locked)).finally(() => {
        if (gate.size === 0) gates.delete(name);
      });
    },
    close() {
      closing ??= (async () => {
        if (running > 0) {
          await new Promise<void>((resolve) => {
            drained = resolve;
          });
        }
        await backend.close();
      })();
      return closing;
    },
  };
}

/** A signal that aborts when either one does. */
function either(one: AbortSignal | undefined, other: AbortSignal | null | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other ?? undefined);
}

/** A session left inside a transaction would pass it on to the next caller. @throws DatabaseError `value` */
function refuseControl(sql: string): void {
  if (TRANSACTION_CONTROL.test(sql)) {
    throw new DatabaseError('value', 'Transactions are begun and ended by transaction(), not by statements.');
  }
}

function doomed(cause: unknown): DatabaseError {
  const why = cause instanceof Error ? `: ${cause.message}` : '';
  return new DatabaseError('transaction_doomed', `A statement failed, so the transaction was rolled back${why}`, {
    cause,
  });
}

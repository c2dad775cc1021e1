import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database, Queryable } from './connect.ts';
import type { Connection } from './connection.ts';
import { DatabaseError } from './database_error.ts';
import { createGate, type Gate } from './gate.ts';

/** What a kind of database must be able to do; everything else is built on it here, once for both. */
export interface Backend {
  readonly kind: 'embedded' | 'native';
  /** Runs `work` with a session of its own, waiting for a free one. */
  withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Takes the named lock over processes; resolves to its release, which throws when the lock was lost meanwhile. */
  lock(name: string): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** What the running asynchronous context holds of the database. */
interface Scope {
  readonly transaction: { open: boolean } | null;
  /** Names of locks; a name is removed when its lock is released, also for calls that outlive the work. */
  readonly locks: Set<string>;
}

const LOCK_QUEUE_LIMIT = 10_000;
const TRANSACTION_CONTROL = /^(?:\s|--[^\n]*\n)*(?:begin|start|commit|end|rollback|abort|savepoint|release|prepare)\b/i;

/** Builds the database that callers see upon a backend. */
export function createDatabase(backend: Backend): Database {
  const scopes = new AsyncLocalStorage<Scope>();
  const gates = new Map<string, Gate>();
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

  /** Runs `work` in a scope. While there is none, promises are not followed: that costs a request a twentieth of its time. */
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
    const tx: Queryable = {
      query: <R>(sql: string, values: readonly unknown[] = [], options: { timeoutMs?: number } = {}) =>
        guard(async () => {
          refuseControl(sql);
          return (await connection.query(sql, values, options.timeoutMs)) as R[];
        }),
      exec: (sql) => guard(() => connection.exec(sql)),
    };
    const locks = scopes.getStore()?.locks ?? new Set<string>();
    await connection.command('begin');
    try {
      const result = await within({ transaction: state, locks }, () => work(tx));
      state.open = false;
      // Statements that `work` did not wait for belong to the transaction too.
      await connection.idle();
      if (failure !== undefined) throw doomed(failure);
      if ((await connection.command('commit')) !== 'COMMIT') throw doomed(undefined);
      return result;
    } catch (error) {
      state.open = false;
      // When this fails too, the session is not reusable and the backend drops it.
      await connection.command('rollback').catch(() => undefined);
      throw error;
    }
  }

  return {
    kind: backend.kind,
    async query<R>(sql: string, values: readonly unknown[] = [], options: { timeoutMs?: number } = {}) {
      enter('A query on the database');
      refuseControl(sql);
      const rows = await counted(() => backend.withConnection((c) => c.query(sql, values, options.timeoutMs)));
      return rows as R[];
    },
    async exec(sql) {
      enter('A script on the database');
      // An explicit transaction, as the embedded database can lose a statement in the middle and commit the rest.
      await counted(() => backend.withConnection((c) => transact(c, (tx) => tx.exec(sql))));
    },
    async transaction(work) {
      enter('A second transaction');
      return counted(() => backend.withConnection((c) => transact(c, work)));
    },
    async withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
      enter('A lock taken');
      const held = scopes.getStore()?.locks ?? new Set<string>();
      if (held.has(name)) throw new DatabaseError('in_lock', `The lock ${name} is held by this call already.`);
      const gate = gates.get(name) ?? createGate(LOCK_QUEUE_LIMIT);
      gates.set(name, gate);
      const locked = async (): Promise<T> => {
        const release = await backend.lock(name);
        const locks = new Set([...held, name]);
        try {
          return await within({ transaction: null, locks }, work);
        } finally {
          locks.clear();
          await release();
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

/** A session that is left inside a transaction would carry it to the next caller. */
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

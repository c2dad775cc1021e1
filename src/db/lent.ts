/**
 * A database that one process lends to another: an embedded database has one owner, and work that may end its process
 * (an import) runs in a process of its own. The borrower sends each statement as a message; the owner runs it, and
 * holds the locks and transactions, which end with the borrower.
 */
import { AsyncResource } from 'node:async_hooks';
import { CHANNELS, type Channel } from './channels.ts';
import { DatabaseError } from './database_error.ts';
import type { Database, Queryable, Row, StatementOptions } from './queryable.ts';

/** What a borrower asks of the owner. `in`: the number of the request that began the transaction. */
export type Request =
  | {
      readonly ask: 'query';
      readonly in?: number;
      readonly sql: string;
      readonly values: readonly unknown[];
      readonly timeoutMs?: number;
    }
  | { readonly ask: 'exec'; readonly in?: number; readonly sql: string }
  | { readonly ask: 'begin' }
  | { readonly ask: 'end'; readonly in: number; readonly how: 'commit' | 'rollback' }
  | { readonly ask: 'lock'; readonly name: string }
  | { readonly ask: 'unlock' };

/** A request, and its number. */
export type Asked = Request & { readonly id: number };

export type Reply =
  | { readonly to: number; readonly rows: unknown }
  | { readonly to: number; readonly failure: Failure }
  | { readonly announced: Channel };

/** A DatabaseError as a message. */
interface Failure {
  readonly code: string;
  readonly message: string;
  readonly constraint: string | undefined;
  readonly table: string | undefined;
  readonly column: string | undefined;
}

/** The reason for the rollback of a transaction that its borrower ended, or did not live to end. */
class RolledBack extends Error {}

/** The owner's side. */
export interface Lender {
  /** Handles a request; the reply is sent when it is done. */
  receive(asked: Asked): void;
  /** Rolls back what is open and releases the lock; resolves when all of it is over. */
  close(): Promise<void>;
}

interface Open {
  readonly tx: Queryable;
  end(how: 'commit' | 'rollback'): Promise<void>;
}

/** Lends a database to one borrower, which holds at most one lock at a time. */
export function lend(db: Database, send: (reply: Reply) => void): Lender {
  const transactions = new Map<number, Open>();
  let lock: { readonly scope: AsyncResource; release(): Promise<void> } | null = null;
  const running = new Set<Promise<unknown>>();
  const silence = CHANNELS.map((channel) => db.listen(channel, () => send({ announced: channel })));

  function open(id: number): Promise<void> {
    return new Promise((opened, refused) => {
      let settle: (how: 'commit' | 'rollback') => void = () => undefined;
      const over = db.transaction(async (tx) => {
        const ended = new Promise<'commit' | 'rollback'>((resolve) => {
          settle = resolve;
        });
        const end = (how: 'commit' | 'rollback'): Promise<void> => {
          transactions.delete(id);
          settle(how);
          return over.catch((error: unknown) => {
            if (!(error instanceof RolledBack)) throw error;
          });
        };
        transactions.set(id, { tx, end });
        opened();
        if ((await ended) === 'rollback') throw new RolledBack();
      });
      over.catch(refused);
    });
  }

  function take(name: string): Promise<void> {
    return new Promise((taken, refused) => {
      const over = db.withLock(name, () => {
        const scope = new AsyncResource('BorrowedLock');
        return new Promise<void>((resolve) => {
          const release = async (): Promise<void> => {
            lock = null;
            resolve();
            await over;
          };
          lock = { scope, release };
          taken();
        });
      });
      over.catch(refused);
    });
  }

  async function run(asked: Asked): Promise<unknown> {
    const transaction = 'in' in asked && asked.in !== undefined ? transactions.get(asked.in) : undefined;
    if ('in' in asked && asked.in !== undefined && !transaction) {
      throw new DatabaseError('transaction_over', 'The transaction has ended already.');
    }
    const to = transaction?.tx ?? db;
    switch (asked.ask) {
      case 'query': {
        const { sql, values, timeoutMs } = asked;
        return to.query(sql, values, timeoutMs === undefined ? {} : { timeoutMs });
      }
      case 'exec':
        return to.exec(asked.sql);
      case 'begin':
        return open(asked.id);
      case 'end':
        return transaction?.end(asked.how);
      case 'lock':
        return take(asked.name);
      case 'unlock':
        return lock?.release();
    }
  }

  return {
    receive(asked) {
      // Whoever holds a lock waits for the database without limit, which its asynchronous scope says.
      const work = lock ? lock.scope.runInAsyncScope(() => run(asked)) : run(asked);
      const done = work.then(
        (rows) => send({ to: asked.id, rows }),
        (error: unknown) => send({ to: asked.id, failure: failureOf(error) }),
      );
      running.add(done);
      void done.finally(() => running.delete(done));
    },
    async close() {
      for (const stop of silence) stop();
      await Promise.all([...transactions.values()].map(({ end }) => end('rollback').catch(() => undefined)));
      await lock?.release().catch(() => undefined);
      // A lock or transaction that was still being waited for is given back as soon as it is taken.
      while (running.size > 0) {
        await Promise.all([...running]);
        await Promise.all([...transactions.values()].map(({ end }) => end('rollback').catch(() => undefined)));
        await lock?.release().catch(() => undefined);
      }
    },
  };
}

function failureOf(error: unknown): Failure {
  const { code = 'connection_lost', constraint, table, column } = error as Partial<DatabaseError>;
  return { code, message: (error as Error).message, constraint, table, column };
}

/** The borrower's side. */
export interface Borrowed {
  readonly db: Database;
  /** Handles a reply of the owner. */
  receive(reply: Reply): void;
}

/**
 * The database of the owner, as seen from another process. A call cannot be canceled: signals are not sent. Its close()
 * only refuses further calls.
 */
export function borrow(kind: Database['kind'], send: (asked: Asked) => void): Borrowed {
  const waiting = new Map<number, { resolve(rows: unknown): void; reject(error: Error): void }>();
  const listeners = new Set<{ readonly channel: Channel; readonly hear: () => void }>();
  let last = 0;

  function ask<T>(request: Request): { readonly id: number; readonly reply: Promise<T> } {
    const id = ++last;
    const reply = new Promise<T>((resolve, reject) => {
      waiting.set(id, { resolve: resolve as (rows: unknown) => void, reject });
    });
    send({ ...request, id });
    return { id, reply };
  }

  const within = (tx?: number): Queryable => {
    const where = tx === undefined ? {} : { in: tx };
    const query = (sql: string, values: readonly unknown[] = [], { timeoutMs }: StatementOptions = {}) =>
      ask<Row[]>({ ask: 'query', sql, values, ...where, ...(timeoutMs === undefined ? {} : { timeoutMs }) }).reply;
    return { query: query as Queryable['query'], exec: (sql) => ask<void>({ ask: 'exec', sql, ...where }).reply };
  };

  const db: Database = {
    kind,
    ...within(),
    listen(channel, hear) {
      const listener = { channel, hear };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async transaction(work) {
      const { id, reply } = ask({ ask: 'begin' });
      await reply;
      try {
        const result = await work(within(id));
        await ask({ ask: 'end', in: id, how: 'commit' }).reply;
        return result;
      } catch (error) {
        // After a commit that failed, the transaction is over, which this then says in vain.
        await ask({ ask: 'end', in: id, how: 'rollback' }).reply.catch(() => undefined);
        throw error;
      }
    },
    async withLock(name, work) {
      await ask({ ask: 'lock', name }).reply;
      try {
        return await work();
      } finally {
        await ask({ ask: 'unlock' }).reply;
      }
    },
    close: async () => undefined,
  };
  return {
    db,
    receive(reply) {
      if ('announced' in reply) {
        for (const { channel, hear } of listeners) if (channel === reply.announced) hear();
        return;
      }
      const one = waiting.get(reply.to);
      waiting.delete(reply.to);
      if ('rows' in reply) one?.resolve(reply.rows);
      else {
        const { code, message, ...server } = reply.failure;
        one?.reject(new DatabaseError(code, message, { server: server as never }));
      }
    },
  };
}

import type pg from 'pg';
import { computes } from '../common/computing.ts';
import { reasonOf, Semaphore } from '../common/semaphore.ts';
import { DatabaseError, toDatabaseError } from './database_error.ts';
import { preparedName } from './query.ts';
import type { StatementOptions } from './queryable.ts';
import { toParameter } from './values.ts';

/** One session of a database; it runs its statements one after the other, in order of arrival. */
export interface Connection {
  /** Runs one statement with parameters; returns all rows. */
  query(sql: string, values: readonly unknown[], options?: StatementOptions): Promise<pg.QueryResultRow[]>;
  /** Runs one statement and returns its command tag (`COMMIT`). */
  command(sql: string): Promise<string>;
  /** Runs several statements without values; they may take long (an index over a planet). */
  exec(sql: string): Promise<void>;
  /** Resolves when all statements submitted so far have ended. */
  idle(): Promise<void>;
  /** Whether the session can be used again: alive and outside a transaction. */
  readonly reusable: boolean;
  /** Removes the listeners from the client, which may then serve another connection. */
  detach(): void;
}

/** How each kind of database ends a statement. */
export interface Deadline {
  /** Milliseconds that a statement may run. */
  readonly ms: number;
  /** Sets the time limit of the session's next statement; null when the session cannot time statements. */
  readonly setTimeLimit: ((client: pg.ClientBase, ms: number) => Promise<void>) | null;
  /** Milliseconds after its deadline at which a statement that has not ended is ended by force. */
  readonly graceMs: number;
  /** Asks the server to cancel what the session runs; resolves when the request was sent. null when it cannot. */
  readonly cancel: (() => Promise<void>) | null;
  /** Ends the session, whatever it runs. */
  readonly force: () => void;
}

const SCRIPT_DEADLINE_MS = 3_600_000;
const QUEUE_LIMIT = 100_000;

/** Time for a server to end a canceled statement before the connection is cut. */
const CANCEL_MS = 5_000;

/** SQLSTATE feature_not_supported: "cached plan must not change result type" (PostgreSQL, plancache.c). */
const OUTDATED_PLAN = '0A000';

/** The extended protocol makes the text one statement, and its reply either complete or an error. */
interface ExtendedQuery extends pg.QueryConfig {
  readonly queryMode?: 'extended';
}

/** Wraps a connected pg client. Its errors are DatabaseError, and QueueError where too many calls wait for the session. */
export function createConnection(client: pg.ClientBase, deadline: Deadline): Connection {
  const gate = new Semaphore(1, QUEUE_LIMIT);
  let dead: DatabaseError | null = null;
  /** A cancel request may still hit the statement after the one it was for: such a session is not used again. */
  let tainted = false;
  const die = (error: unknown): void => {
    dead ??= toDatabaseError(error);
  };
  client.on('error', die);
  const ended = (): void => die(new Error('it was closed'));
  client.on('end', ended);

  async function send(
    query: ExtendedQuery,
    ms: number,
    signal?: AbortSignal,
  ): Promise<pg.QueryResult | pg.QueryResult[]> {
    if (dead) throw dead;
    if (signal?.aborted) throw reasonOf(signal);
    let telling: Promise<void> | undefined;
    let cut: NodeJS.Timeout | undefined;
    const giveUp = (): void => {
      if (!deadline.cancel) return;
      tainted = true;
      telling = deadline.cancel();
      cut = setTimeout(deadline.force, CANCEL_MS);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    const ended = computes(signal);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      deadline.force();
    }, ms + deadline.graceMs);
    try {
      return await client.query(query);
    } catch (error) {
      if (signal?.aborted) throw reasonOf(signal);
      if (!late) throw toDatabaseError(error);
      throw new DatabaseError('deadline', `The statement was ended after ${ms} ms.`, { cause: error });
    } finally {
      clearTimeout(timer);
      clearTimeout(cut);
      ended();
      signal?.removeEventListener('abort', giveUp);
      await telling;
    }
  }

  /**
   * Prepares a statement that loadQuery() marks for it. When a migration of another process has outdated its plan, the
   * statement is sent again without one.
   */
  async function sendPrepared(
    query: ExtendedQuery,
    ms: number,
    signal?: AbortSignal,
  ): Promise<pg.QueryResult | pg.QueryResult[]> {
    const name = preparedName(query.text);
    if (name === undefined) return send(query, ms, signal);
    try {
      return await send({ ...query, name }, ms, signal);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== OUTDATED_PLAN || inTransaction()) throw error;
      tainted = true;
      return send(query, ms, signal);
    }
  }

  const inTransaction = (): boolean => client.getTransactionStatus() !== 'I';

  /** The limit that the session has: statements of one transaction with the same limit need not repeat it. */
  let announced = deadline.ms;
  async function announce(ms: number): Promise<void> {
    if (!deadline.setTimeLimit || ms === announced) return;
    await deadline.setTimeLimit(client, ms);
    announced = ms;
  }

  /** Outside a transaction, the session always has the default limit that its next user expects. */
  async function restore(): Promise<void> {
    if (!dead && !inTransaction()) await announce(deadline.ms).catch(() => undefined);
  }

  async function timed<T>(ms: number, work: () => Promise<T>): Promise<T> {
    await announce(ms).catch((error) => {
      throw toDatabaseError(error);
    });
    try {
      return await work();
    } finally {
      await restore();
    }
  }

  async function one(
    text: string,
    values: readonly unknown[],
    ms: number,
    signal?: AbortSignal,
  ): Promise<pg.QueryResult> {
    const query: ExtendedQuery = { text, values: values.map(toParameter), queryMode: 'extended' };
    const result = (await sendPrepared(query, ms, signal)) as pg.QueryResult;
    if (result.command === null) {
      throw new DatabaseError('no_command_complete', 'The reply does not say that the statement was executed.');
    }
    return result;
  }

  return {
    query: (sql, values, { timeoutMs = deadline.ms, signal } = {}) =>
      gate.run(() => timed(timeoutMs, async () => (await one(sql, values, timeoutMs, signal)).rows), { signal }),
    command: (sql) =>
      gate.run(async () => {
        const { command } = await one(sql, [], deadline.ms);
        // A limit set in a transaction survives its commit, but not its rollback.
        await restore();
        return command;
      }),
    exec: (sql) =>
      gate.run(() =>
        timed(SCRIPT_DEADLINE_MS, async () => {
          await send({ text: sql }, SCRIPT_DEADLINE_MS);
        }),
      ),
    idle: () => gate.run(async () => undefined),
    get reusable() {
      return dead === null && !tainted && !inTransaction();
    },
    detach() {
      client.removeListener('error', die);
      client.removeListener('end', ended);
    },
  };
}

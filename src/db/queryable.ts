import type { Channel } from './channels.ts';

/** A row by column name. bigint is a number, bytea a Buffer, timestamptz a Date, jsonb parsed, numeric text. */
export interface Row {
  [column: string]: unknown;
}

declare const DESCRIBED: unique symbol;

/** Other types that a column may be read as: the bytes of a Buffer, and a time that a test wrote as text. */
type Read<C> = C extends Buffer
  ? Uint8Array
  : C extends readonly Buffer[]
    ? readonly Uint8Array[]
    : C extends Date
      ? Date | string
      : C;

/** The columns that a row type requires. */
type Needed<R> = { [K in keyof R]-?: object extends Pick<R, K> ? never : K }[keyof R];

/** The text of a statement with known columns and parameters (statements.ts): type checks compare them with its use. */
export type Statement<R, V extends readonly unknown[]> = string & {
  readonly [DESCRIBED]: {
    /** A row type may leave out columns, narrow their types, and exclude null where the statement guarantees it. */
    readonly row: (row: { readonly [K in keyof R]?: Read<R[K]> | null }, columns: Needed<R>) => void;
    readonly values: V;
    readonly given: R;
  };
};

/** Any other statement: only its text is known. */
type Plain = string & { readonly [DESCRIBED]?: undefined };

/** A statement that returns rows of a type, which may have fewer columns, of narrower types and without null. */
// biome-ignore lint/suspicious/noExplicitAny: its parameters and its other columns do not matter.
export type StatementReturning<T> = string & { readonly [DESCRIBED]: Pick<Statement<T, any>[typeof DESCRIBED], 'row'> };

/** No statement returns these rows: a statement used without a row type must get the values of its parameters. */
type NoRowType = { readonly [DESCRIBED]: never };

/** How to run a statement. */
export interface StatementOptions {
  /** Milliseconds, including the wait for a session; the deadline of the database when absent. */
  readonly timeoutMs?: number;
  /**
   * Cancels the call: it leaves the queue at once, and a native server is asked to cancel the statement. An embedded
   * database cannot, so its statement runs on until its deadline. The call throws the signal's reason.
   */
  readonly signal?: AbortSignal;
}

/** A database or a transaction of it, to which statements can be sent. */
export interface Queryable {
  /**
   * Runs one statement and returns all rows. Values are parameters ($1 …): text, finite numbers, bigint, booleans,
   * null, Uint8Array (bytea), Date, arrays of those, and typed arrays of numbers. Send jsonb as text from
   * JSON.stringify with a `::jsonb` cast. A reply without CommandComplete is an error, never "no rows".
   * @throws DatabaseError; QueueError `waited` when no session was free in time
   */
  query<R, V extends readonly unknown[]>(
    statement: Statement<R, V>,
    values: NoInfer<V>,
    options?: StatementOptions,
  ): Promise<R[]>;
  query<R>(statement: Statement<R, readonly []>): Promise<R[]>;
  query<T = NoRowType>(
    statement: StatementReturning<NoInfer<T>>,
    values?: readonly unknown[],
    options?: StatementOptions,
  ): Promise<T[]>;
  query<T = Row>(sql: Plain, values?: readonly unknown[], options?: StatementOptions): Promise<T[]>;
  /**
   * Runs several statements without values (migrations), all or none, for up to an hour. What cannot run inside a
   * transaction (VACUUM) goes through `query`.
   * @throws DatabaseError; QueueError `waited` when no session was free in time
   */
  exec(sql: string): Promise<void>;
}

/** An open database of either kind. Both kinds behave alike, also when a call is made in a wrong place. */
export interface Database extends Queryable {
  readonly kind: 'embedded' | 'native';
  /**
   * Calls `hear` for each announcement on a channel, and when some may have been lost. Returns a function that
   * unsubscribes. An announcement made through this database is heard before the call that commits it returns; one of
   * another process may be lost.
   */
  listen(channel: Channel, hear: () => void): () => void;
  /**
   * Runs `work` in one transaction and commits it. Rolls back when `work` throws, and also when one of its statements
   * failed and the error was swallowed. Meanwhile only `tx` may be used: calls on the database itself from the same
   * asynchronous context throw `in_transaction`. Waits for a session as long as a statement may take; within
   * withLock(), without limit.
   * @throws DatabaseError `transaction_doomed` for a swallowed error, QueueError `waited` when no session was free in time; the
   * reason of `signal` when that aborts first
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>, options?: { signal?: AbortSignal }): Promise<T>;
  /**
   * Holds the named lock over all processes that use the database while `work` runs; waits for it without limit. If the
   * lock is lost meanwhile, no further statement of `work` is sent, the running one is canceled, and this throws
   * `lock_lost`. Not reentrant, and not allowed inside a transaction: both throw DatabaseError at once.
   */
  withLock<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Waits for running calls, then closes. Later calls throw DatabaseError `closed`. */
  close(): Promise<void>;
}

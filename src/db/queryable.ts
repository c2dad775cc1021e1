import type { Channel } from './channels.ts';

/** A row by column name. bigint comes as number, bytea as Buffer, timestamptz as Date, jsonb parsed, numeric as text. */
export interface Row {
  [column: string]: unknown;
}

declare const DESCRIBED: unique symbol;

/** What a column may be read as beside its type: bytes of a Buffer, and a moment that a test wrote as text. */
type Read<C> = C extends Buffer
  ? Uint8Array
  : C extends readonly Buffer[]
    ? readonly Uint8Array[]
    : C extends Date
      ? Date | string
      : C;

/** The columns that a type of rows does not leave open. */
type Needed<R> = { [K in keyof R]-?: object extends Pick<R, K> ? never : K }[keyof R];

/** The text of a statement whose columns and parameters are known (statements.ts): type checks compare them with its use. */
export type Statement<R, V extends readonly unknown[]> = string & {
  readonly [DESCRIBED]: {
    /** A row may leave out columns, narrow their types and not be null where the statement is sure of it, no more. */
    readonly row: (row: { readonly [K in keyof R]?: Read<R[K]> | null }, columns: Needed<R>) => void;
    readonly values: V;
    readonly given: R;
  };
};

/** A statement of which nothing is known but its text. */
type Plain = string & { readonly [DESCRIBED]?: undefined };

/** A statement that gives rows of a type: these may have fewer columns, narrower and not null. */
// biome-ignore lint/suspicious/noExplicitAny: whatever it takes, and gives beside it.
export type Giving<T> = string & { readonly [DESCRIBED]: Pick<Statement<T, any>[typeof DESCRIBED], 'row'> };

/** No statement gives these rows: one without a type of rows has to have the values of its parameters. */
type Untold = { readonly [DESCRIBED]: never };

/** How a statement is followed. */
export interface StatementOptions {
  /** Milliseconds, waiting for a session included; the deadline of the database when absent. */
  readonly timeoutMs?: number;
  /**
   * Gives the call up: it leaves the queue at once, and a native server is told to end the statement. An embedded
   * database cannot end one, whose statement runs on until its time is over. Throws the signal's reason.
   */
  readonly signal?: AbortSignal;
}

/** What statements can be sent to: a database, or a transaction of it. */
export interface Queryable {
  /**
   * Runs one statement and gives all rows. Values are parametrized ($1 …): text, finite numbers, bigint, booleans,
   * null, Uint8Array (bytea), Date, arrays of those, and typed arrays of numbers; jsonb goes in as JSON.stringify'd
   * text with a `::jsonb` cast. Throws DatabaseError (`waited` when no session was free in time); a reply without CommandComplete is an error, never "no rows".
   */
  query<R, V extends readonly unknown[]>(
    statement: Statement<R, V>,
    values: NoInfer<V>,
    options?: StatementOptions,
  ): Promise<R[]>;
  query<R>(statement: Statement<R, readonly []>): Promise<R[]>;
  query<T = Untold>(
    statement: Giving<NoInfer<T>>,
    values?: readonly unknown[],
    options?: StatementOptions,
  ): Promise<T[]>;
  query<T = Row>(sql: Plain, values?: readonly unknown[], options?: StatementOptions): Promise<T[]>;
  /**
   * Runs several statements without values (migrations), all or none, for up to an hour. What cannot run inside a
   * transaction (VACUUM) goes through `query`. Throws DatabaseError.
   */
  exec(sql: string): Promise<void>;
}

/** An open database of either kind. The kinds behave alike; a call made at a wrong place fails alike on both. */
export interface Database extends Queryable {
  readonly kind: 'embedded' | 'native';
  /**
   * Calls `hear` for each announcement on a channel, and when some may have been lost; gives what ends that. One made
   * through this database is heard before the call that commits it returns. One of another process may be lost.
   */
  listen(channel: Channel, hear: () => void): () => void;
  /**
   * Runs `work` in one transaction and commits it. Rolls back when `work` throws, and also when one of its statements
   * failed though the error was swallowed (then throws DatabaseError `transaction_doomed`). While it runs, only `tx`
   * may be used: calls on the database itself from the same asynchronous context throw `in_transaction`. Waits for a
   * session as long as a statement may take, and within withLock() as long as it takes. Throws `waited` after that,
   * and the reason of `signal` when that aborts before.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>, options?: { signal?: AbortSignal }): Promise<T>;
  /**
   * Holds the named lock over all processes that use the database while `work` runs; waits for it as long as it takes.
   * When it is lost meanwhile, no statement of `work` is sent any more, the one that runs is ended, and this throws
   * `lock_lost`. Not reentrant and not to be taken inside a transaction: both throw DatabaseError at once.
   */
  withLock<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Waits for what runs, then closes. Calls after it throw DatabaseError `closed`. */
  close(): Promise<void>;
}

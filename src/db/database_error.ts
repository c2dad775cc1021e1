import type pg from 'pg';

/**
 * The error of a database call, on both kinds of database. A call whose turn does not come is a QueueError.
 *
 * `code` is the SQLSTATE of the server (`23505`, `40001`, …), or one of ours:
 * - `deadline`: the statement exceeded its time and was ended;
 * - `statement_lost`: the embedded database lost the statement to an internal exception; its changes were undone;
 * - `connection_lost`: the connection or the instance was lost, and whether a COMMIT in flight took effect is unknown; or
 *   the server started no session;
 * - `transaction_doomed`: a statement of the transaction had failed, so it was rolled back instead of committed;
 * - `transaction_over`, `in_transaction`, `in_lock`: the call was made in a wrong place (the message says which);
 * - `lock_lost`: the connection that held a lock between processes ended, so another process may hold it now;
 * - `too_many_connections`: the server has no connection left for us;
 * - `closed`: the database was closed;
 * - `no_command_complete`: the reply says nothing about the outcome of the statement;
 * - `value`: a value cannot be sent, or cannot be represented exactly in JavaScript;
 * - `data_dir_in_use`: another process owns the data directory.
 */
export class DatabaseError extends Error {
  readonly code: string;
  readonly constraint: string | undefined;
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly #detail: string | undefined;
  readonly #hint: string | undefined;

  constructor(code: string, message: string, options: { cause?: unknown; server?: pg.DatabaseError } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DatabaseError';
    this.code = code;
    this.constraint = options.server?.constraint;
    this.table = options.server?.table;
    this.column = options.server?.column;
    this.#detail = options.server?.detail;
    this.#hint = options.server?.hint;
  }

  /** The server's detail. It may contain values of the statement, so loggers that walk properties do not see it. */
  get detail(): string | undefined {
    return this.#detail;
  }

  /** The server's hint; hidden from loggers like `detail`. */
  get hint(): string | undefined {
    return this.#hint;
  }
}

/** SQLSTATE that the worker of the embedded database reports for a statement that it lost. */
export const LOST_STATEMENT_STATE = 'BL001';

const QUERY_CANCELED = '57014';
const TOO_MANY_CONNECTIONS = '53300';
const ADMIN_SHUTDOWN_CLASS = '57P';
const INTERNAL_ERROR = 'XX000';

type ServerError = pg.DatabaseError & { readonly code: string };

/** Turns whatever pg rejected with into a DatabaseError; returns a DatabaseError unchanged. */
export function toDatabaseError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  if (isServerError(error)) return new DatabaseError(codeOf(error), error.message, { server: error });
  const message = error instanceof Error ? error.message || error.name : String(error);
  return new DatabaseError('connection_lost', `The connection to the database failed: ${message}`, { cause: error });
}

/**
 * Whether the server sent an error: only its errors have a severity. pg's own class is not used, because its package
 * loads slowly and every command line loads this file.
 */
function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string';
}

function codeOf({ code: state, severity }: ServerError): string {
  if (state === QUERY_CANCELED) return 'deadline';
  if (state === LOST_STATEMENT_STATE) return 'statement_lost';
  if (state === TOO_MANY_CONNECTIONS) return 'too_many_connections';
  // A session that the server ends without a state of its own, as when a full disk keeps it from starting.
  if (state === INTERNAL_ERROR && severity !== 'ERROR') return 'connection_lost';
  return state.startsWith(ADMIN_SHUTDOWN_CLASS) ? 'connection_lost' : state;
}

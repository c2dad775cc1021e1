import type { EventEmitter } from 'node:events';
import pg from 'pg';

/** Members of pg's client that its types hide: the connection that it has not opened yet, and the cancel key. */
interface Inner {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
  readonly connection: EventEmitter & {
    readonly ssl: unknown;
    readonly stream: { destroy(): void };
    connect(port: number | string, host?: string): void;
    requestSsl(): void;
    cancel(processID: number, secretKey: number): void;
  };
}

/** Milliseconds that the cancel request may take. */
const TELL_MS = 5_000;

/**
 * Asks the server to cancel the statement that a client runs, over a connection of its own that needs no login
 * (PostgreSQL manual, "Canceling Requests in Progress"). Unlike pg_cancel_backend, it reaches the right session through
 * a pooler. Resolves when the request was sent, or could not be sent within five seconds.
 */
export function cancelStatement(config: pg.ClientConfig, client: pg.ClientBase): Promise<void> {
  const { processID, secretKey } = client as unknown as Inner;
  const { connection, host, port } = new pg.Client(config) as unknown as Inner;
  const tell = (): void => connection.cancel(processID, secretKey);
  return new Promise((resolve) => {
    const timer = setTimeout(() => connection.stream.destroy(), TELL_MS);
    connection.on('error', () => connection.stream.destroy());
    connection.on('connect', () => (connection.ssl ? connection.requestSsl() : tell()));
    connection.on('sslconnect', tell);
    connection.on('end', () => {
      clearTimeout(timer);
      resolve();
    });
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}

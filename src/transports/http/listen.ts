import { lstatSync, unlinkSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { invalidInput, type ProblemError, problem, toProblemDocument } from '../../core/errors.ts';
import { hasBody } from '../body.ts';
import { newRequestId } from '../request_id.ts';

export type Address = { readonly host: string; readonly port: number } | { readonly path: string };

/** A listening server. */
export interface Listening {
  readonly server: Server;
  /** `http://host:port` as bound, or `unix:path`. */
  readonly address: string;
  /**
   * Stops accepting connections, lets running requests finish for `graceMs`, then closes the rest. Safe to call twice.
   */
  close(graceMs?: number): Promise<void>;
}

/**
 * Listens on a port or a unix socket. A socket is created with mode 0600 and replaces a stale one. `baseUrl` is for the
 * problem documents of requests that are not HTTP. Rejects when the address is in use.
 */
export async function listen(handler: RequestListener, address: Address, baseUrl: string): Promise<Listening> {
  const timeouts = { requestTimeout: 0, headersTimeout: 30_000, keepAliveTimeout: 10_000 };
  const server = createServer(timeouts, (request, response) => {
    if (hasBody(request)) limitTime(request, server);
    handler(request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket, baseUrl));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if ('path' in address) {
      removeSocket(address.path);
      // listen() creates the file synchronously: with this umask there is no moment at which others may connect.
      const mask = process.umask(0o177);
      try {
        server.listen(address.path, resolve);
      } finally {
        process.umask(mask);
      }
    } else server.listen(address.port, address.host, resolve);
  });
  let closing: Promise<void> | null = null;
  return {
    server,
    address: describe(server.address()),
    close(graceMs = 0) {
      closing ??= closeServer(server, graceMs);
      return closing;
    },
  };
}

/** Deadline in milliseconds for receiving a whole request, except bodies of any length (`takeAnyTime`). */
const WHOLE_MS = 120_000;
const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

function limitTime(request: IncomingMessage, server: Server): void {
  const late = (): void => {
    if (request.complete) return;
    const error = Object.assign(new Error('the request takes too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', error, request.socket);
  };
  timers.set(request, setTimeout(late, WHOLE_MS).unref());
  request.once('close', () => takeAnyTime(request));
}

/** Lifts the time limit of a request whose body is streamed: its reader enforces a minimum rate instead. */
export function takeAnyTime(request: IncomingMessage): void {
  clearTimeout(timers.get(request));
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A keep-alive connection becomes idle only when its running request has been answered.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  server.closeIdleConnections();
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}

function removeSocket(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) unlinkSync(path);
}

function describe(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') return `unix:${address}`;
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

/** A request that is not valid HTTP never reaches the application; this answers it with a problem document too. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, baseUrl: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newRequestId();
  const failure = wireProblem(error.code);
  const body = JSON.stringify(toProblemDocument(failure, requestId, baseUrl));
  socket.end(
    `HTTP/1.1 ${failure.status} ${failure.status === 413 ? 'Content Too Large' : 'Bad Request'}\r\n` +
      `Content-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Error messages for requests that Node could not parse, by error code. */
const WIRE_MESSAGES: Readonly<Record<string, string>> = {
  HPE_INVALID_URL: 'the URL has characters that must be percent-encoded',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive completely in time',
};

function wireProblem(code = ''): ProblemError {
  if (code === 'HPE_HEADER_OVERFLOW') return problem('too_large', 'The request line and headers are too long.');
  const message = WIRE_MESSAGES[code] ?? 'this is not a well-formed HTTP request';
  return invalidInput([{ path: '', code: 'invalid_http', message }]);
}

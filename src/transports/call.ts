import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { PROBLEMS, type ProblemCode, ProblemError } from '../core/errors.ts';

/** A response as it was received, problem documents included. */
export interface CallAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Where operations are sent: a server by URL, a control socket, or this process. */
export interface CallTarget {
  call(op: string, input: Record<string, unknown>): Promise<CallAnswer>;
  /** Fetches the file at the `url` of an answer (an export or a library file). */
  download(url: string): Promise<CallAnswer>;
}

/** A target that also accepts raw request bodies, for operations that read them as a stream. */
export interface StreamTarget extends CallTarget {
  /** Sends a body to the operation's own route below /v1. `query` has the input. Resolves with the whole response. */
  stream(
    op: string,
    route: string,
    query: URLSearchParams,
    body: { readonly contentType: string; readonly body: Buffer },
  ): Promise<CallAnswer>;
}

/** No response was received: nothing listens there, or the connection broke. */
export class Unreachable extends Error {
  constructor(where: string, cause: unknown) {
    super(`no answer from ${where}: ${cause instanceof Error ? reasonOf(cause) : String(cause)}`, { cause });
    this.name = 'Unreachable';
  }
}

/** A response that does not come from this service, but from a proxy or another program. */
export class UnexpectedAnswer extends Error {
  /** Whether a gateway reports that its server is unavailable at the moment (502, 503, 504). */
  readonly isTemporary: boolean;

  constructor({ status, contentType }: Pick<CallAnswer, 'status' | 'contentType'>) {
    super(`the server answered ${status} ${contentType}`);
    this.name = 'UnexpectedAnswer';
    this.isTemporary = status >= 502 && status <= 504;
  }
}

/** A problem that a server reported. */
export class AnsweredProblem extends ProblemError {
  /** The problem document as received. */
  readonly document: Readonly<Record<string, unknown>>;

  constructor(code: ProblemCode, document: Readonly<Record<string, unknown>>) {
    super(code, String(document.detail), document);
    this.document = document;
  }
}

/** The call needs an account, and no key was sent. */
export class NotSignedIn extends AnsweredProblem {
  constructor(document: Readonly<Record<string, unknown>>, server: string | null) {
    const detail = `You are not signed in. Run: boundary login${server === null ? '' : ` ${server}`}`;
    super('unauthorized', { ...document, detail });
  }
}

/** Wraps a target that sends no key: a call that needs one rejects with NotSignedIn. `server` is where to sign in. */
export function withoutKey<T extends CallTarget>(target: T, server: string | null): T {
  return {
    ...target,
    async call(op, input) {
      const answer = await target.call(op, input);
      if (answer.status !== 401) return answer;
      try {
        requireSuccess(answer);
      } catch (error) {
        if (error instanceof AnsweredProblem && error.code === 'unauthorized') {
          throw new NotSignedIn(error.document, server);
        }
        throw error;
      }
      return answer;
    },
  };
}

/**
 * Checks that a response is a success.
 * @throws AnsweredProblem for a problem document, UnexpectedAnswer for any other failure
 */
export function requireSuccess(answer: CallAnswer): void {
  if (answer.status >= 200 && answer.status < 300) return;
  let document: unknown;
  try {
    if (isJson(answer.contentType)) document = JSON.parse(Buffer.from(answer.body).toString());
  } catch {
    // Reported below as UnexpectedAnswer.
  }
  const { code } = typeof document === 'object' && document !== null && 'code' in document ? document : { code: null };
  if (typeof code === 'string' && Object.hasOwn(PROBLEMS, code)) {
    throw new AnsweredProblem(code as ProblemCode, document as Record<string, unknown>);
  }
  throw new UnexpectedAnswer(answer);
}

/** Parses the JSON of a response. @throws as `requireSuccess` does, and UnexpectedAnswer for another content type */
export function jsonOf(answer: CallAnswer): unknown {
  requireSuccess(answer);
  if (!isJson(answer.contentType)) throw new UnexpectedAnswer(answer);
  return parseAnswer(answer);
}

/** Parses the body as a JSON object or array. @throws Error for any other body, without quoting it */
export function parseAnswer(answer: CallAnswer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(answer.body).toString());
  } catch {
    // Reported below.
  }
  if (typeof value === 'object' && value !== null) return value;
  throw new Error('The server sent an answer that is not JSON.');
}

/** Whether a content type is JSON of this service. GeoJSON is a file and does not count. */
export function isJson(contentType: string): boolean {
  const [type] = contentType.split(';');
  return type === 'application/json' || type === 'application/problem+json';
}

/** Node reports a host with several addresses as one AggregateError without a message of its own. */
function reasonOf(error: Error): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(String).join('; ');
  return error.message;
}

/** Client-side timeout in milliseconds, longer than the deadline of any call. */
const TIMEOUT_MS = 120_000;

/**
 * Targets a running server by its URL (with a key, if one is to be sent) or by its control socket. `signal` cancels
 * running calls.
 */
export function serverTarget(
  where: { baseUrl: string; apiKey?: string } | { socketPath: string },
  signal?: AbortSignal,
): StreamTarget {
  const headers: Record<string, string> = {};
  if ('baseUrl' in where && where.apiKey) headers.Authorization = `Bearer ${where.apiKey}`;
  return {
    call(op, input) {
      const body = Buffer.from(JSON.stringify(input));
      const path = `/v1/ops/${encodeURIComponent(op)}`;
      return send({
        where,
        method: 'POST',
        path,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body,
        signal,
      });
    },
    stream(_op, route, query, { contentType, body }) {
      const path = `/v1${route}?${query}`;
      return send({ where, method: 'POST', path, headers: { ...headers, 'Content-Type': contentType }, body, signal });
    },
    download(url) {
      // Files are fetched from the server that was called, whatever it believes its own URL to be. Exports are public,
      // so they are fetched without the key; library files need it.
      const path = filePath(url);
      return send({ where, method: 'GET', path, headers: isExport(url) ? {} : headers, body: null, signal });
    },
  };
}

const EXPORT = /\/v1\/exports\/[0-9a-f]{64}\.\w+$/;
const LIBRARY = /\/v1\/files\/file_\w+\/content$/;

/** Whether a URL is that of an exported file. */
export const isExport = (url: string): boolean => EXPORT.test(url);

/** Path of a file's URL below the server's base URL. @throws Error for a URL that is not a file's */
export function filePath(url: string): string {
  const [path] = EXPORT.exec(url) ?? LIBRARY.exec(url) ?? [];
  if (path === undefined) throw new Error('The server sent a URL that is not the URL of a file.');
  return path;
}

/** A server: by its URL with the key to send, or by its control socket. */
export type ServerAddress = Parameters<typeof serverTarget>[0];

interface ServerRequest {
  readonly where: ServerAddress;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer | null;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends `POST path` with a JSON body and without a key, for endpoints that are not operations (signing in). Rejects
 * with Unreachable when no complete response is received.
 */
export function postJson(baseUrl: string, path: string, content: object, signal?: AbortSignal): Promise<CallAnswer> {
  const headers = { 'Content-Type': 'application/json' };
  return send({
    where: { baseUrl },
    method: 'POST',
    path,
    headers,
    body: Buffer.from(JSON.stringify(content)),
    signal,
  });
}

function send({ where, method, path, headers, body, signal }: ServerRequest): Promise<CallAnswer> {
  return new Promise((resolve, reject) => {
    const failed = (error: unknown): void =>
      reject(signal?.aborted ? signal.reason : new Unreachable(serverLabel(where), error));
    const answered = (response: IncomingMessage): void => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', failed);
      response.on('end', () => resolve(toAnswer(response, Buffer.concat(parts))));
    };
    const all = { ...headers, ...(body ? { 'Content-Length': String(body.length) } : {}) };
    const request = open(where, { method, headers: all, timeout: TIMEOUT_MS, signal }, path, answered);
    request.on('error', failed);
    request.on('timeout', () => request.destroy(new Error(`no data for ${TIMEOUT_MS / 1000} s`)));
    request.end(body ?? undefined);
  });
}

/** Opens a request to a server. `path` is below its base URL. */
export function open(
  where: ServerAddress,
  options: { method: string; headers: Record<string, string>; timeout: number; signal: AbortSignal | undefined },
  path: string,
  answered: (response: IncomingMessage) => void,
): ClientRequest {
  if ('socketPath' in where) return httpRequest({ ...options, socketPath: where.socketPath, path }, answered);
  const url = new URL(where.baseUrl.replace(/(?<!\/)\/+$/, '') + path);
  return (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, answered);
}

/** The server's socket path or URL, for messages. */
export function serverLabel(where: ServerAddress): string {
  return 'socketPath' in where ? where.socketPath : where.baseUrl;
}

function toAnswer(response: IncomingMessage, body: Buffer): CallAnswer {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = String(value);
  }
  return { status: response.statusCode ?? 0, contentType: headers['content-type'] ?? '', headers, body };
}

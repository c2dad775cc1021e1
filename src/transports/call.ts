import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { PROBLEMS, type ProblemCode, ProblemError } from '../errors.ts';

/** An answer as it came over the wire; problems included. */
export interface CallAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Where operations are sent: a server by URL, a control socket, or this process. */
export interface CallTarget {
  call(op: string, input: Record<string, unknown>): Promise<CallAnswer>;
  /** Fetches the file that an answer names by url (exports). */
  download(url: string): Promise<CallAnswer>;
}

/** A target that also takes bodies which an operation reads as they come. */
export interface StreamTarget extends CallTarget {
  /** Sends a body to the own route of an operation, which is below /v1; `query` has the input. The answer comes whole. */
  stream(
    op: string,
    route: string,
    query: URLSearchParams,
    body: { readonly contentType: string; readonly body: Buffer },
  ): Promise<CallAnswer>;
}

/** No answer came: nothing listens there, or the connection broke. */
export class Unreachable extends Error {
  constructor(where: string, cause: unknown) {
    super(`no answer from ${where}: ${cause instanceof Error ? reasonOf(cause) : String(cause)}`, { cause });
    this.name = 'Unreachable';
  }
}

/** An answer that this service does not give: of a proxy, or of another program. */
export class UnexpectedAnswer extends Error {
  /** Of a gateway that has no server behind it at the moment (502, 503, 504). */
  readonly isTemporary: boolean;

  constructor({ status, contentType }: Pick<CallAnswer, 'status' | 'contentType'>) {
    super(`the server answered ${status} ${contentType}`);
    this.name = 'UnexpectedAnswer';
    this.isTemporary = status >= 502 && status <= 504;
  }
}

/** A problem as a server told it. */
export class AnsweredProblem extends ProblemError {
  /** The document as it came. */
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

/** A target that is asked without a key: a call that needs one rejects with NotSignedIn. `server` is where to sign in. */
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

/** Throws what a failed answer tells: AnsweredProblem, or an Error for an answer that is not of this service. */
export function requireSuccess(answer: CallAnswer): void {
  if (answer.status >= 200 && answer.status < 300) return;
  let document: unknown;
  try {
    if (isJson(answer.contentType)) document = JSON.parse(Buffer.from(answer.body).toString());
  } catch {
    // Told below as what it is.
  }
  const { code } = typeof document === 'object' && document !== null && 'code' in document ? document : { code: null };
  if (typeof code === 'string' && Object.hasOwn(PROBLEMS, code)) {
    throw new AnsweredProblem(code as ProblemCode, document as Record<string, unknown>);
  }
  throw new UnexpectedAnswer(answer);
}

/** The JSON of an answer. Throws as requireSuccess does, and for an answer that is not JSON. */
export function jsonOf(answer: CallAnswer): unknown {
  requireSuccess(answer);
  if (!isJson(answer.contentType)) throw new UnexpectedAnswer(answer);
  return parseAnswer(answer);
}

/** The object that the body of an answer holds. Throws for any other body, without quoting it. */
export function parseAnswer(answer: CallAnswer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(answer.body).toString());
  } catch {
    // Told below.
  }
  if (typeof value === 'object' && value !== null) return value;
  throw new Error('The server sent an answer that is not JSON.');
}

/** Whether a content type is that of JSON of this service (GeoJSON is a file). */
export function isJson(contentType: string): boolean {
  const [type] = contentType.split(';');
  return type === 'application/json' || type === 'application/problem+json';
}

/** A name with several addresses fails with one error for all, and no message of its own. */
function reasonOf(error: Error): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(String).join('; ');
  return error.message;
}

/** Longer than any call may compute. */
const PATIENCE_MS = 120_000;

/** A running server, by its address (with a key, if one is to be sent) or by its control socket. `signal` ends what runs. */
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
      // Files are asked of the server that was called, whatever it believes its own address to be. What was exported is
      // there for everybody, a file of the library for those who may see it.
      const path = filePath(url);
      return send({ where, method: 'GET', path, headers: isExport(url) ? {} : headers, body: null, signal });
    },
  };
}

const EXPORT = /\/v1\/exports\/[0-9a-f]{64}\.\w+$/;
const LIBRARY = /\/v1\/files\/file_\w+\/content$/;

/** Whether an address is that of an exported file. */
export const isExport = (url: string): boolean => EXPORT.test(url);

/** The path of a file below the address of its server; throws for any other address. */
export function filePath(url: string): string {
  const [path] = EXPORT.exec(url) ?? LIBRARY.exec(url) ?? [];
  if (path === undefined) throw new Error('The server sent an address that is not the address of a file.');
  return path;
}

/** A server by its address, with the key that is sent, or by its control socket. */
export type Where = Parameters<typeof serverTarget>[0];

interface Sent {
  readonly where: Where;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer | null;
  readonly signal: AbortSignal | undefined;
}

/**
 * `POST path` with a JSON body at a server, without a key: for what is not an operation (signing in).
 * Rejects with Unreachable when no whole answer comes.
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

function send({ where, method, path, headers, body, signal }: Sent): Promise<CallAnswer> {
  return new Promise((resolve, reject) => {
    const failed = (error: unknown): void =>
      reject(signal?.aborted ? signal.reason : new Unreachable(nameOf(where), error));
    const answered = (response: IncomingMessage): void => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', failed);
      response.on('end', () => resolve(toAnswer(response, Buffer.concat(parts))));
    };
    const all = { ...headers, ...(body ? { 'Content-Length': String(body.length) } : {}) };
    const request = open(where, { method, headers: all, timeout: PATIENCE_MS, signal }, path, answered);
    request.on('error', failed);
    request.on('timeout', () => request.destroy(new Error(`nothing for ${PATIENCE_MS / 1000} s`)));
    request.end(body ?? undefined);
  });
}

/** Opens a request to a server; the path is below its address. */
export function open(
  where: Where,
  options: { method: string; headers: Record<string, string>; timeout: number; signal: AbortSignal | undefined },
  path: string,
  answered: (response: IncomingMessage) => void,
): ClientRequest {
  if ('socketPath' in where) return httpRequest({ ...options, socketPath: where.socketPath, path }, answered);
  const url = new URL(where.baseUrl.replace(/(?<!\/)\/+$/, '') + path);
  return (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, answered);
}

/** A server as a person knows it. */
export function nameOf(where: Where): string {
  return 'socketPath' in where ? where.socketPath : where.baseUrl;
}

function toAnswer(response: IncomingMessage, body: Buffer): CallAnswer {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = String(value);
  }
  return { status: response.statusCode ?? 0, contentType: headers['content-type'] ?? '', headers, body };
}

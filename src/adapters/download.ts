import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { createGunzip } from 'node:zlib';
import { mediaTypeIn } from '../common/media_type.ts';
import { traceHeaders } from '../common/tracing.ts';

/** Why a request got no complete answer. */
export type DownloadTrouble =
  /** The connection was refused. */
  | 'refused'
  /** The name or network cannot be reached, or TLS failed. */
  | 'unreachable'
  /** No complete answer in time. */
  | 'timeout'
  /** The connection broke. */
  | 'reset'
  /** The body is shorter or longer than announced. */
  | 'truncated'
  /** More bytes than the limit. */
  | 'too_big'
  /** The caller aborted it. */
  | 'aborted';

/** A request that got no complete answer. */
export class DownloadError extends Error {
  readonly trouble: DownloadTrouble;
  /** Bytes of the body that were received over the wire anyway. */
  readonly bytes: number;

  constructor(trouble: DownloadTrouble, message: string, bytes: number, cause?: unknown) {
    super(message, { cause });
    this.name = 'DownloadError';
    this.trouble = trouble;
    this.bytes = bytes;
  }
}

/** A complete answer, whatever its status. */
export interface Download {
  readonly status: number;
  /** In lower case, without parameters; empty when the server does not say. */
  readonly contentType: string;
  readonly body: Buffer;
  /** Bytes of the body over the wire. */
  readonly bytes: number;
}

export interface DownloadOptions {
  /** A form to post; absent: GET. */
  readonly form?: Readonly<Record<string, string>>;
  readonly userAgent: string;
  /** Limit of the body in bytes, both on the wire and unpacked. */
  readonly maxBytes: number;
  /** Milliseconds from the start of the request to the end of the body. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

const UNREACHABLE = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL']);

/**
 * Requests exactly this URL, over a connection of its own. Redirects are returned like any other answer and not
 * followed, so that no answer can lead to another host.
 * @throws DownloadError
 */
export function download(url: URL, options: DownloadOptions): Promise<Download> {
  const { form, userAgent, maxBytes, deadlineMs, signal } = options;
  const content = form === undefined ? null : Buffer.from(new URLSearchParams(form).toString());
  const headers: Record<string, string> = {
    'User-Agent': userAgent,
    Accept: 'application/json, text/plain',
    'Accept-Encoding': 'gzip',
    ...traceHeaders(),
  };
  if (content) {
    headers['Content-Type'] = 'application/x-www-form-urlencoded';
    headers['Content-Length'] = String(content.length);
  }
  return new Promise((resolve, reject) => {
    let wire = 0;
    let settled = false;
    const finish = (end: () => void): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abandon);
      end();
    };
    const fail = (trouble: DownloadTrouble, message: string, cause?: unknown): void =>
      finish(() => {
        request.destroy();
        reject(new DownloadError(trouble, message, wire, cause));
      });
    const broken = (error: NodeJS.ErrnoException): void => {
      const [trouble, message] = troubleOf(error);
      fail(trouble, message, error);
    };
    const abandon = (): void => fail('aborted', 'the request was canceled');
    const timer = setTimeout(() => fail('timeout', `no complete answer within ${deadlineMs} ms`), deadlineMs);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(url, { method: content ? 'POST' : 'GET', headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      let size = 0;
      const tooBig = (): void => fail('too_big', `more than ${maxBytes} bytes`);
      response.on('data', (part: Buffer) => {
        wire += part.length;
        if (wire > maxBytes) tooBig();
      });
      const body = unpacked(response, broken);
      body.on('data', (part: Buffer) => {
        size += part.length;
        if (size > maxBytes) tooBig();
        else parts.push(part);
      });
      response.on('error', broken);
      body.on('end', () => {
        const contentType = mediaTypeIn(response.headers['content-type']);
        finish(() =>
          resolve({ status: response.statusCode ?? 0, contentType, body: Buffer.concat(parts, size), bytes: wire }),
        );
      });
    });
    request.on('error', broken);
    if (signal?.aborted) abandon();
    else signal?.addEventListener('abort', abandon, { once: true });
    request.end(content ?? undefined);
  });
}

function unpacked(response: IncomingMessage, broken: (error: Error) => void): NodeJS.ReadableStream {
  if (response.headers['content-encoding'] !== 'gzip') return response;
  const gunzip = createGunzip();
  // A gzip stream that ends early is truncated, like a body that ends before its announced length.
  gunzip.on('error', (error) => broken(Object.assign(error, { code: 'aborted' })));
  return response.pipe(gunzip);
}

function troubleOf(error: NodeJS.ErrnoException): [DownloadTrouble, string] {
  const code = error.code ?? '';
  if (code === 'ECONNREFUSED') return ['refused', 'the connection was refused'];
  if (code === 'ETIMEDOUT') return ['timeout', 'the connection timed out'];
  // Node reports a truncated body as a reset that no system call caused.
  const ended =
    code === 'aborted' || (code === 'ECONNRESET' && error.syscall === undefined && error.message === 'aborted');
  if (ended) return ['truncated', 'the answer ended before its announced length'];
  if (code.startsWith('HPE_')) return ['truncated', 'the answer does not end where it says'];
  if (UNREACHABLE.has(code) || /TLS|CERT|SSL/.test(code))
    return ['unreachable', `the server cannot be reached (${code})`];
  return ['reset', `the connection broke (${code || error.name})`];
}

import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { asProblem, toProblemDocument } from '../errors.ts';
import { type AnyOp, invoke, LOCAL_OPERATOR, startDeadline } from '../op.ts';
import type { Services } from '../services.ts';
import { type CallAnswer, type CallTarget, Unreachable } from './cli.ts';
import { newRequestId } from './request_id.ts';
import { findOp } from './rpc.ts';

/** Longer than any call may compute. */
const PATIENCE_MS = 120_000;

/** A running server, by its address (with a key, if one is to be sent) or by its control socket. */
export function serverTarget(where: { baseUrl: string; apiKey?: string } | { socketPath: string }): CallTarget {
  const headers: Record<string, string> = {};
  if ('baseUrl' in where && where.apiKey) headers.Authorization = `Bearer ${where.apiKey}`;
  return {
    call(op, input) {
      const body = Buffer.from(JSON.stringify(input));
      const path = `/v1/ops/${encodeURIComponent(op)}`;
      return send(where, 'POST', path, { ...headers, 'Content-Type': 'application/json' }, body);
    },
    download(url) {
      // Files are asked of the server that was called, whatever it believes its own address to be; they need no key.
      const { pathname, search } = new URL(url, 'http://localhost');
      return send(where, 'GET', pathname + search, {}, null);
    },
  };
}

type Where = Parameters<typeof serverTarget>[0];

function send(
  where: Where,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: Buffer | null,
): Promise<CallAnswer> {
  return new Promise((resolve, reject) => {
    const failed = (error: unknown): void => reject(new Unreachable(nameOf(where), error));
    const answered = (response: IncomingMessage): void => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', failed);
      response.on('end', () => resolve(toAnswer(response, Buffer.concat(parts))));
    };
    const all = { ...headers, ...(body ? { 'Content-Length': String(body.length) } : {}) };
    const request = open(where, { method, headers: all, timeout: PATIENCE_MS }, path, answered);
    request.on('error', failed);
    request.on('timeout', () => request.destroy(new Error(`nothing for ${PATIENCE_MS / 1000} s`)));
    request.end(body ?? undefined);
  });
}

function open(
  where: Where,
  options: { method: string; headers: Record<string, string>; timeout: number },
  path: string,
  answered: (response: IncomingMessage) => void,
): ClientRequest {
  if ('socketPath' in where) return httpRequest({ ...options, socketPath: where.socketPath, path }, answered);
  const url = new URL(where.baseUrl.replace(/\/+$/, '') + path);
  return (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, answered);
}

function nameOf(where: Where): string {
  return 'socketPath' in where ? where.socketPath : where.baseUrl;
}

function toAnswer(response: IncomingMessage, body: Buffer): CallAnswer {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = String(value);
  }
  return { status: response.statusCode ?? 0, contentType: headers['content-type'] ?? '', headers, body };
}

/** This process itself, with operator rights. `signal` ends what runs (SIGINT). */
export function localTarget(services: Services, ops: readonly AnyOp[], signal: AbortSignal): CallTarget {
  const byName = new Map(ops.map((op) => [op.name, op]));
  return {
    async call(name, input) {
      const requestId = newRequestId();
      const { config, log } = services;
      const deadline = startDeadline(config.REQUEST_DEADLINE_MS);
      try {
        const answer = await invoke(findOp(byName, name), input, {
          caller: LOCAL_OPERATOR,
          requestId,
          address: null,
          signal: AbortSignal.any([signal, deadline.signal]),
          deadline: deadline.at,
          transport: 'cli',
          services,
          baseUrl: config.BASE_URL,
          headers: {},
          log: log.child({ request_id: requestId }),
        });
        const body = answer.bytes ?? Buffer.from(JSON.stringify(answer.body));
        const contentType = answer.headers['Content-Type'] ?? 'application/json';
        return { status: answer.status, contentType, headers: answer.headers, body };
      } catch (error) {
        const document = toProblemDocument(error, requestId, config.BASE_URL);
        if (asProblem(error) === null) log.error({ err: error, request_id: requestId }, 'internal error');
        return {
          status: document.status,
          contentType: 'application/problem+json',
          headers: {},
          body: Buffer.from(JSON.stringify(document)),
        };
      } finally {
        deadline.clear();
      }
    },
  };
}

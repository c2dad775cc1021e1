import { randomUUID } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Context } from 'koa';
import { accept, Denied, mayCall } from '../../core/accept.ts';
import { SCOPES, type Scope } from '../../core/access.ts';
import { ClientDisconnected } from '../../core/deadline.ts';
import { asProblem, problem, toProblemDocument } from '../../core/errors.ts';
import { BODY_BYTES, countValues, MOST_VALUES } from '../../core/input.ts';
import { ANONYMOUS, type AnyOp, type Caller, LOCAL_OPERATOR } from '../../core/op.ts';
import type { Services } from '../../services.ts';
import { Admission } from '../admission.ts';
import { counterFor, readObject } from '../body.ts';
import { bearer, challenge } from '../credentials.ts';
import { weigher } from '../weigh.ts';
import { guard } from './guard.ts';
import { localHost, type ToolHost, type ToolInput } from './local.ts';
import type { ServerFactory } from './server.ts';
import { selectToolsets, splitPicture, type Toolsets } from './tools.ts';

/** Error codes of JSON-RPC 2.0; SERVER is from the range for implementations. */
const PARSE = -32700;
const INVALID_PARAMS = -32602;
const SERVER = -32000;

/** Allowance for the parts of a message besides the operation's input. */
const ENVELOPE_BYTES = 16 * 1024;
/** Maximum size of any message. Operations with larger inputs are called by HTTP. */
const MESSAGE_BYTES = 1024 * 1024;

export interface McpOptions {
  /** Whether this is the control socket: whoever can open it has operator rights, and browsers cannot. */
  readonly trusted?: boolean;
  /** Replaces the server that has the operations. */
  readonly server?: ServerFactory;
}

/** The members of a JSON-RPC message that are read here. */
interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly arguments?: unknown; readonly requestId?: unknown };
}

/**
 * POST /mcp: the operations of `?toolsets=` as tools of the Model Context Protocol (Streamable HTTP), and library files
 * as resources. With `?structured=1`, tools have output schemas and return structured content. A failed tool call is a
 * result; only protocol and credential failures are JSON-RPC errors. The SDK is loaded on the first request.
 */
export function mcp(
  services: Services,
  ops: readonly AnyOp[],
  options: McpOptions = {},
): (ctx: Context) => Promise<void> {
  const { config, log } = services;
  const trusted = options.trusted ?? false;
  const admission = new Admission(services, { trusted });
  const hosts = new WeakMap<Request, ToolHost>();
  const cancels = new Map<string, AbortController>();
  const handler = once(async () => {
    const { httpHandler, serverOf } = await import('./server.ts');
    const own: ServerFactory = ({ requestInfo }) => serverOf(hosts.get(requestInfo as Request) as ToolHost);
    return httpHandler(options.server ?? own, (error) => log.debug({ err: error }, 'mcp'));
  });

  /** Identifies the caller by the Authorization header only; browser sessions are ignored. */
  async function identified(ctx: Context): Promise<Caller> {
    return (await bearer(services, ctx.headers, trusted)) ?? (trusted ? LOCAL_OPERATOR : ANONYMOUS);
  }

  async function serve(ctx: Context, message: Message): Promise<void> {
    if (!trusted) onlyFromHere(ctx, config.BASE_URL);
    const address = admission.addressOf(ctx.req);
    const network = admission.networkOf(ctx.req);
    const setHeaders = (headers: Readonly<Record<string, string>>): void => ctx.set(headers);
    const { caller, refused } = await admission.enter(() => identified(ctx), network, setHeaders);
    const chosen = toolsets(ops, ctx.querystring);
    const bytes = await readMessage(ctx, message, refused ? [] : chosen.callable, caller).catch((error) => {
      throw refused ?? error;
    });
    const op =
      message.method === 'tools/call' ? chosen.callable.find(({ name }) => name === message.params?.name) : undefined;
    if (refused && !op) throw refused;
    const accepted = op && !refused ? await acceptFirst(op, message.params?.arguments ?? {}, caller, bytes) : undefined;
    // The input has been decoded already, so the SDK need not validate it again.
    if (message.params && op) Object.assign(message.params, { arguments: {} });
    limitValues(message);
    const requestId: string = ctx.state.requestId;
    const weigh = weigher(services, caller, network, setHeaders);
    const host = localHost(services, chosen, { caller, address, refused, accepted, requestId: () => requestId, weigh });

    const session = ctx.get('Mcp-Session-Id');
    const key = (id: unknown): string => `${session} ${JSON.stringify(id)}`;
    if (session && message.method === 'notifications/cancelled') cancels.get(key(message.params?.requestId))?.abort();
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    ctx.res.once('close', () => {
      cancels.delete(key(message.id));
      if (!ctx.res.writableFinished) abort();
    });
    if (session && message.id !== undefined) cancels.set(key(message.id), controller);
    const request = new Request(new URL(ctx.url, config.BASE_URL), {
      method: 'POST',
      headers: forwarded(ctx),
      signal: controller.signal,
    });
    hosts.set(request, host);
    const response = await (await handler()).fetch(request, { parsedBody: message });
    // Clients of the 2025 revision cancel a call with a separate message. The session id tells whose request id it
    // names.
    if (message.method === 'initialize' && response.ok) ctx.set('Mcp-Session-Id', session || randomUUID());
    await send(ctx, response);
  }

  /** Answers with a JSON-RPC error whose data is the problem document. */
  function refuse(ctx: Context, { id }: Message, thrown: unknown): void {
    const requestId: string = ctx.state.requestId;
    const { error, status, code, scope, insufficient } = thrown instanceof Refused ? thrown : new Refused(thrown);
    if (asProblem(error) === null) log.error({ err: error, request_id: requestId }, 'internal error');
    const data = toProblemDocument(error, requestId, config.BASE_URL);
    ctx.status = status ?? data.status;
    if (ctx.status === 401) {
      ctx.set('WWW-Authenticate', challenge(data.code, config.BASE_URL, 'mcp', { scope, insufficient }));
    }
    if (typeof data.retry_after === 'number') ctx.set('Retry-After', String(data.retry_after));
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'application/json';
    const known = typeof id === 'string' || typeof id === 'number' ? id : null;
    ctx.body = JSON.stringify({ jsonrpc: '2.0', id: known, error: { code, message: data.detail, data } });
  }

  return async (ctx) => {
    const message: Message = {};
    try {
      await serve(ctx, message);
    } catch (error) {
      if (error instanceof ClientDisconnected) ctx.status = 499;
      else refuse(ctx, message, error);
    }
  };
}

/** A refusal before the protocol handler: its status, error and challenge. */
class Refused extends Error {
  readonly error: unknown;
  /** Null: the status of the problem. */
  readonly status: number | null;
  readonly code: number;
  /** The scope that the client should request from its user. */
  readonly scope: Scope | undefined;
  /** Whether the client has a token, of a smaller scope. */
  readonly insufficient: boolean;

  constructor(error: unknown, how: { status?: number; code?: number; scope?: Scope; insufficient?: boolean } = {}) {
    super('refused', { cause: error });
    this.error = error;
    this.status = how.status ?? null;
    this.code = how.code ?? SERVER;
    this.scope = how.scope;
    this.insufficient = how.insufficient ?? false;
  }
}

/** Returns a function that runs `make` once and shares its result. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/** Maximum size in bytes of a message, given the operations that the caller may call. */
function largestFor(ops: readonly AnyOp[], caller: Caller): number {
  const sizes = ops.map((op) => (op.bodyBytes !== undefined && mayCall(op, caller) ? op.bodyBytes : BODY_BYTES));
  return Math.min(MESSAGE_BYTES, Math.max(BODY_BYTES, ...sizes) + ENVELOPE_BYTES);
}

/**
 * Reads the JSON-RPC message into `message` and returns its size in bytes. Batches are rejected: the protocol dropped
 * them.
 * @throws Refused for a body that is not a message, ClientDisconnected
 */
async function readMessage(ctx: Context, message: Message, ops: readonly AnyOp[], caller: Caller): Promise<number> {
  try {
    const limit = ops.length === 0 ? ENVELOPE_BYTES : largestFor(ops, caller);
    const mostValues = Math.max(MOST_VALUES, ...ops.map((op) => op.mostValues ?? 0));
    const body = await readObject(ctx.req, limit, counterFor({ bodyBytes: limit, mostValues, errors: [] }));
    if (!body) throw problem('invalid_json', 'The body must be a JSON-RPC message.');
    Object.assign(message, body.object);
    return body.bytes;
  } catch (error) {
    if (error instanceof ClientDisconnected) throw error;
    const code = asProblem(error)?.code === 'invalid_json' ? PARSE : SERVER;
    throw new Refused(error, { code });
  }
}

/** Limits the number of values in a message, besides the operation's input, which was removed. @throws Refused */
function limitValues(message: Message): void {
  try {
    countValues(message);
  } catch (error) {
    throw new Refused(error, { code: INVALID_PARAMS });
  }
}

/**
 * Decodes the input of a call, once. A refusal that a sign-in or a wider scope would resolve becomes an HTTP error, so
 * that the client prompts its user: 401 as by every route, with the scope to request, and for a token of too small a
 * scope with insufficient_scope. All other refusals become the tool's result.
 */
async function acceptFirst(op: AnyOp, given: unknown, caller: Caller, bytes: number): Promise<ToolInput> {
  const { input, picture } = splitPicture(op, given);
  try {
    const limit = op.bodyBytes ?? BODY_BYTES;
    const read = () => {
      if (bytes > limit + ENVELOPE_BYTES) throw problem('too_large', `The input is over ${limit} bytes.`);
      return input;
    };
    const accepted = await accept(op, read, caller);
    return { op, raw: input, picture, given: () => accepted };
  } catch (error) {
    if (error instanceof Denied) refuseEarly(error, op, caller);
    const fail = () => {
      throw error;
    };
    return { op, raw: {}, picture, given: fail };
  }
}

function refuseEarly(error: Denied, { effect }: AnyOp, caller: Caller): void {
  const { rule } = error;
  const scope: Scope = rule.scope ?? effect;
  const anonymous = caller.credential === null;
  if (rule.session || rule.client === false || rule.who === 'operator') return;
  if (anonymous) throw new Refused(error, { scope });
  if (caller.credential?.kind === 'oauth_client' && SCOPES.indexOf(caller.credential.scope) < SCOPES.indexOf(scope)) {
    throw new Refused(error, { scope, insufficient: true });
  }
}

function onlyFromHere(ctx: Context, baseUrl: string): void {
  try {
    guard(ctx, baseUrl);
  } catch (error) {
    throw new Refused(error, { status: 403 });
  }
}

function toolsets(ops: readonly AnyOp[], querystring: string): Toolsets {
  try {
    const query = new URLSearchParams(querystring);
    const structured = ['1', 'true'].includes(query.get('structured') ?? '');
    return selectToolsets(ops, query.get('toolsets'), structured);
  } catch (error) {
    throw new Refused(error, { code: INVALID_PARAMS });
  }
}

/** The headers that the SDK needs, which never include a credential. */
function forwarded(ctx: Context): [string, string][] {
  const wanted = /^(?:accept|content-type|mcp-.+)$/;
  return Object.entries(ctx.headers).flatMap(([name, value]): [string, string][] =>
    wanted.test(name) && typeof value === 'string' ? [[name, value]] : [],
  );
}

async function send(ctx: Context, response: Response): Promise<void> {
  ctx.status = response.status;
  response.headers.forEach((value, name) => {
    ctx.set(name, value);
  });
  if (!response.body) return;
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    ctx.body = await response.text();
    return;
  }
  // A proxy that buffers the stream would delay progress messages.
  ctx.set('X-Accel-Buffering', 'no');
  ctx.respond = false;
  // When a client disconnects, only its own response is cut off; the error needs no handling.
  pipeline(Readable.fromWeb(response.body as ReadableStream), ctx.res, () => {});
}

import { randomUUID } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Context } from 'koa';
import { SCOPES, type Scope } from '../../access.ts';
import { ClientGone } from '../../deadline.ts';
import { asProblem, problem, toProblemDocument } from '../../errors.ts';
import { BODY_BYTES, countValues } from '../../input.ts';
import { accept, Denied, mayCall } from '../../invoke.ts';
import { ANONYMOUS, type AnyOp, type Caller, LOCAL_OPERATOR } from '../../op.ts';
import type { Services } from '../../services.ts';
import { Admission } from '../admission.ts';
import { bearer, challenge } from '../credentials.ts';
import { readObject } from '../decode.ts';
import { weigher } from '../weigh.ts';
import { guard } from './guard.ts';
import { localHost, type ToolHost, type ToolInput } from './local.ts';
import type { ServerFactory } from './server.ts';
import { selectToolsets, splitPicture, type Toolsets } from './tools.ts';

/** Error codes of JSON-RPC 2.0; the last is for servers to use. */
const PARSE = -32700;
const INVALID_PARAMS = -32602;
const SERVER = -32000;

/** What stands around the input of an operation in a message. */
const ENVELOPE_BYTES = 16 * 1024;
/** Bytes of any message: operations that take more are called by HTTP. */
const MESSAGE_BYTES = 1024 * 1024;

export interface McpOptions {
  /** The control socket: whoever can open it has operator rights, and no browser can. */
  readonly trusted?: boolean;
  /** Makes the server of an exchange in place of the one with the operations. */
  readonly server?: ServerFactory;
}

/** A message of JSON-RPC, as far as this end of the protocol reads it. */
interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly arguments?: unknown; readonly requestId?: unknown };
}

/**
 * POST /mcp: the operations as tools of the Model Context Protocol (Streamable HTTP), those of `?toolsets=`, with output
 * schemas and structured content for `?structured=1`; files of the library as resources. What a tool
 * fails with is its answer; only faults of the protocol and of credentials are errors of JSON-RPC. The SDK is loaded
 * with the first request.
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

  /** Who calls, by the Authorization header alone: a browser's session counts for nothing here. */
  async function identified(ctx: Context): Promise<Caller> {
    return (await bearer(services, ctx.headers, trusted)) ?? (trusted ? LOCAL_OPERATOR : ANONYMOUS);
  }

  async function serve(ctx: Context, message: Message): Promise<void> {
    if (!trusted) onlyFromHere(ctx, config.BASE_URL);
    const address = admission.addressOf(ctx.req);
    const network = admission.networkOf(ctx.req);
    const tell = (headers: Readonly<Record<string, string>>): void => ctx.set(headers);
    const { caller, refused } = await admission.enter(() => identified(ctx), network, tell);
    const chosen = toolsets(ops, ctx.querystring);
    const bytes = await readMessage(ctx, message, refused ? ENVELOPE_BYTES : largestFor(chosen.callable, caller)).catch(
      (error) => {
        throw refused ?? error;
      },
    );
    const op =
      message.method === 'tools/call' ? chosen.callable.find(({ name }) => name === message.params?.name) : undefined;
    if (refused && !op) throw refused;
    const accepted = op && !refused ? await acceptFirst(op, message.params?.arguments ?? {}, caller, bytes) : undefined;
    // The operation has its input: the protocol need not look at it once more.
    if (message.params && op) Object.assign(message.params, { arguments: {} });
    tellTooMany(message);
    const requestId: string = ctx.state.requestId;
    const weigh = weigher(services, caller, network, tell);
    const host = localHost(services, chosen, { caller, address, refused, accepted, requestId: () => requestId, weigh });

    const session = ctx.get('Mcp-Session-Id');
    const key = (id: unknown): string => `${session} ${JSON.stringify(id)}`;
    if (session && message.method === 'notifications/cancelled') cancels.get(key(message.params?.requestId))?.abort();
    const controller = new AbortController();
    const gone = (): void => controller.abort();
    ctx.res.once('close', () => {
      cancels.delete(key(message.id));
      if (!ctx.res.writableFinished) gone();
    });
    if (session && message.id !== undefined) cancels.set(key(message.id), controller);
    const request = new Request(new URL(ctx.url, config.BASE_URL), {
      method: 'POST',
      headers: forwarded(ctx),
      signal: controller.signal,
    });
    hosts.set(request, host);
    const response = await (await handler()).fetch(request, { parsedBody: message });
    // Clients of 2025 tell by a message of its own that they wait no more; this says which of their calls is meant.
    if (message.method === 'initialize' && response.ok) ctx.set('Mcp-Session-Id', session || randomUUID());
    await send(ctx, response);
  }

  /** An error of JSON-RPC, with the problem document as its data. */
  function refuse(ctx: Context, { id }: Message, thrown: unknown): void {
    const requestId: string = ctx.state.requestId;
    const { error, status, code, scope } = thrown instanceof Refused ? thrown : new Refused(thrown);
    if (asProblem(error) === null) log.error({ err: error, request_id: requestId }, 'internal error');
    const data = toProblemDocument(error, requestId, config.BASE_URL);
    ctx.status = status ?? data.status;
    if (data.status === 401 && (ctx.status === 401 || scope)) {
      const needed = { scope, insufficient: ctx.status === 403 };
      ctx.set('WWW-Authenticate', challenge(data.code, config.BASE_URL, 'mcp', needed));
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
      if (error instanceof ClientGone) ctx.status = 499;
      else refuse(ctx, message, error);
    }
  };
}

/** What is answered before the protocol comes to it: in which status, error and challenge. */
class Refused extends Error {
  readonly error: unknown;
  /** Null: that of the problem. */
  readonly status: number | null;
  readonly code: number;
  /** What a client is to ask its person for. */
  readonly scope: Scope | undefined;

  constructor(error: unknown, how: { status?: number; code?: number; scope?: Scope } = {}) {
    super('refused', { cause: error });
    this.error = error;
    this.status = how.status ?? null;
    this.code = how.code ?? SERVER;
    this.scope = how.scope;
  }
}

/** Runs it once, for everybody. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/** The most bytes of a message that may call one of the operations, as far as the caller may call them at all. */
function largestFor(ops: readonly AnyOp[], caller: Caller): number {
  const sizes = ops.map((op) => (op.bodyBytes !== undefined && mayCall(op, caller) ? op.bodyBytes : BODY_BYTES));
  return Math.min(MESSAGE_BYTES, Math.max(BODY_BYTES, ...sizes) + ENVELOPE_BYTES);
}

/**
 * Reads the message in a request into `message`, and gives its bytes. Throws Refused for a body that is none (batches
 * were dropped from the protocol), ClientGone.
 */
async function readMessage(ctx: Context, message: Message, limit: number): Promise<number> {
  try {
    const body = await readObject(ctx.req, limit);
    if (!body) throw problem('invalid_json', 'A message of JSON-RPC is expected in the body.');
    Object.assign(message, body.object);
    return body.bytes;
  } catch (error) {
    if (error instanceof ClientGone) throw error;
    const code = asProblem(error)?.code === 'invalid_json' ? PARSE : SERVER;
    throw new Refused(error, { code });
  }
}

/** Beside the input of an operation, a message holds little. Throws Refused. */
function tellTooMany(message: Message): void {
  try {
    countValues(message);
  } catch (error) {
    throw new Refused(error, { code: INVALID_PARAMS });
  }
}

/**
 * Reads the input of a call, once. What would not be refused with a sign-in, or with one for more, is answered by HTTP,
 * so that a client asks its person: 401 without a credential, 403 where the scope of a token is too small (RFC 6750
 * section 3.1). Everything else is told by the tool.
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
    throw new Refused(error, { status: 403, scope });
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

/** What the SDK reads of the request: never a credential. */
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
  // A proxy that collects a stream would keep progress from the client.
  ctx.set('X-Accel-Buffering', 'no');
  ctx.respond = false;
  // A client that goes away has its answer cut off: to it, and to no one else, that is a failure.
  pipeline(Readable.fromWeb(response.body as ReadableStream), ctx.res, () => {});
}

import Router, { type RouterContext } from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { checkProblem } from '../answers.ts';
import { asProblem, problem, toProblemDocument } from '../errors.ts';
import {
  ANONYMOUS,
  type Answer,
  type AnyOp,
  type Bytes,
  type Caller,
  ClientGone,
  invoke,
  type Context as OpContext,
  startDeadline,
} from '../op.ts';
import type { Services } from '../services.ts';
import { signInRoutes } from './auth.ts';
import { addressGroup, challenge, clientAddress, identify, proxyList } from './credentials.ts';
import { checkTarget, fieldsOf, readBody, readQuery, routeInput } from './decode.ts';
import { deviceRoutes } from './device.ts';
import { listOps } from './docs/listing.ts';
import { docsRoutes } from './docs/routes.ts';
import { exportsRoute } from './exports.ts';
import { inviteRoutes } from './invites.ts';
import { sendLibraryFile } from './library.ts';
import { type McpOptions, mcp } from './mcp.ts';
import { oauth } from './oauth.ts';
import { health, metricsPage, readiness } from './probes.ts';
import { codingFor, isNegotiable, negotiated, Outgoing, represent, shrink } from './representation.ts';
import { requestId } from './request_id.ts';
import { findOp, methodNotAllowed, rpcInput, rpcMethods } from './rpc.ts';
import { paymentEvent } from './webhooks.ts';

export interface HttpOptions {
  /** The control socket: whoever can open it has operator rights. */
  readonly trusted?: boolean;
  /** A reader of a large body that takes nothing for so long is cut off; 30 s when absent. */
  readonly stalledMs?: number;
  /** What answers at /mcp in place of the operations (conformance tests). */
  readonly mcpServer?: McpOptions['server'];
}

const STALLED_MS = 30_000;
/** So many of the largest answers may be on their way at once. */
const LARGEST_AT_ONCE = 4;

type Handler = (ctx: RouterContext) => unknown;
type Methods = Readonly<Record<string, Handler>>;

/** The Koa application of the service: every operation by its route and by name, the listing, probes and pages. */
export function createHttpApp(services: Services, ops: readonly AnyOp[], options: HttpOptions = {}): Koa {
  const app = new Koa({ keys: [...services.secretKeys] });
  const byName = new Map(ops.map((op) => [op.name, op]));
  const listing = JSON.stringify(listOps(ops));
  const outgoing = new Outgoing(LARGEST_AT_ONCE * services.config.MAX_RESPONSE_BYTES, options.stalledMs ?? STALLED_MS);
  services.metrics.gauge('boundary_outgoing_bytes', 'Bytes of large bodies being sent.', () => outgoing.bytes);
  const call = caller(services, outgoing, options.trusted ?? false);
  const proxies = proxyList(services.config.TRUSTED_PROXIES);
  const libraryFile: Handler = async (ctx) => {
    const network = addressGroup(clientAddress(ctx.req, proxies));
    const who = await admitted(ctx, services, options.trusted ?? false, network);
    return sendLibraryFile(ctx, services, outgoing, who, ctx.params.id);
  };

  const paths = new Map<string, Methods>([
    ['/healthz', { GET: health }],
    ['/readyz', { GET: (ctx) => readiness(ctx, services) }],
    ['/metrics', { GET: (ctx) => metricsPage(ctx, services) }],
    ['/v1', { GET: (ctx) => json(ctx, listing) }],
    // Answered before the router; here for the other methods.
    ['/v1/exports/:name', { GET: () => undefined }],
    ['/webhooks/stripe', { POST: (ctx) => paymentEvent(ctx, services) }],
    ...docsRoutes(services),
    ...signInRoutes(services),
    ...deviceRoutes(services),
    ...inviteRoutes(services),
    ['/v1/files/:id/content', { GET: libraryFile }],
    ['/mcp', { POST: mcp(services, ops, { trusted: options.trusted, server: options.mcpServer }) }],
  ]);
  for (const op of ops) {
    const path = `/v1${op.route.path}`;
    const fields = fieldsOf(op);
    const bodyExpected = op.route.method !== 'GET';
    const handler: Handler = (ctx) =>
      call(ctx, op, 'http', async () => {
        const query = readQuery(ctx.querystring);
        const body = bodyExpected ? await readBody(ctx.req) : null;
        return routeInput(fields, ctx.params, query, body, bodyExpected);
      });
    paths.set(path, { ...paths.get(path), [op.route.method]: handler });
  }

  const router = new Router({ sensitive: true });
  for (const path of [...paths.keys()].sort(staticFirst)) addPath(router, path, paths.get(path) as Methods);
  router.all('/v1/ops/:op', (ctx) => {
    const op = findOp(byName, ctx.params.op);
    const methods = rpcMethods(op);
    if (ctx.method === 'OPTIONS') return preflight(ctx, methods);
    if (!methods.includes(ctx.method)) return refuseMethod(ctx, methods);
    return call(ctx, op, 'rpc', () => rpcInput(ctx.req, ctx.querystring));
  });

  app.on('error', (error) => services.log.error({ err: error }, 'response failed'));
  app.use(problems(services));
  app.use(exportsRoute(services, outgoing));
  app.use(oauth(services));
  app.use(normalise);
  app.use(router.routes());
  app.use(() => {
    throw problem('not_found', 'There is nothing at this address; GET /v1 lists the operations.');
  });
  return app;
}

/** Static segments before parameters, so that /boundaries/search is never read as an id, whatever the method. */
function staticFirst(a: string, b: string): number {
  const key = (path: string): string => path.replace(/:\w+/g, '\uffff');
  return key(a) < key(b) ? -1 : 1;
}

/** Registers a path's methods and refuses all others, before a path with parameters could take them. */
function addPath(router: Router, path: string, methods: Methods): void {
  const allow = Object.keys(methods).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  router.all(path, (ctx) => {
    const handler = methods[ctx.method === 'HEAD' ? 'GET' : ctx.method];
    if (handler) return handler(ctx);
    if (ctx.method === 'OPTIONS') return preflight(ctx, allow);
    return refuseMethod(ctx, allow);
  });
}

function refuseMethod(ctx: Context, allow: readonly string[]): never {
  ctx.set('Allow', allow.join(', '));
  throw methodNotAllowed(ctx.method, allow);
}

function preflight(ctx: Context, allow: readonly string[]): void {
  ctx.set('Allow', allow.join(', '));
  ctx.set('Access-Control-Allow-Methods', allow.join(', '));
  ctx.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, If-None-Match, If-Range, Range, X-Request-Id');
  ctx.set('Access-Control-Max-Age', '86400');
  ctx.status = 204;
}

const EXPOSED =
  'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, ETag, Location, Content-Location';

/** Request id, safety headers, and every failure as a problem document. */
function problems(services: Services): Middleware {
  const { BASE_URL, CHECK_OUTPUT } = services.config;
  return async (ctx, next) => {
    const id = requestId(ctx.headers['x-request-id']);
    ctx.state.requestId = id;
    ctx.set('X-Request-Id', id);
    ctx.set('X-Content-Type-Options', 'nosniff');
    if (ctx.path === '/v1' || ctx.path.startsWith('/v1/')) {
      ctx.set('Access-Control-Allow-Origin', '*');
      ctx.set('Access-Control-Expose-Headers', EXPOSED);
    }
    try {
      await next();
    } catch (error) {
      if (error instanceof ClientGone) {
        ctx.status = 499;
        return;
      }
      if (asProblem(error) === null)
        services.log.error({ err: error, request_id: id, method: ctx.method }, 'internal error');
      const document = toProblemDocument(error, id, BASE_URL);
      if (CHECK_OUTPUT) checkProblem(document);
      if (document.status === 401) ctx.set('WWW-Authenticate', challenge(document.code, BASE_URL, 'v1'));
      if (typeof document.retry_after === 'number') ctx.set('Retry-After', String(document.retry_after));
      ctx.set('Cache-Control', 'no-store');
      ctx.status = document.status;
      ctx.type = 'application/problem+json';
      ctx.body = JSON.stringify(document);
    }
  };
}

/** Puts the request target right before routing; `relation/N` may stand unencoded where a boundary id does. */
const normalise: Middleware = (ctx, next) => {
  checkTarget(ctx.url);
  ctx.url = ctx.url.replace(/^\/v1\/boundaries\/relation\/(\d+)(?=[/?]|$)/, '/v1/boundaries/relation%2F$1');
  return next();
};

/** Returns what runs an operation for a request: credential, rate limit, decode, invoke, send. */
function caller(services: Services, outgoing: Outgoing, trusted: boolean) {
  const proxies = proxyList(services.config.TRUSTED_PROXIES);
  return async (
    ctx: Context,
    op: AnyOp,
    transport: 'http' | 'rpc',
    decode: () => Promise<Record<string, unknown>>,
  ): Promise<void> => {
    const started = performance.now();
    const address = clientAddress(ctx.req, proxies);
    let who: Caller;
    let input: Record<string, unknown>;
    try {
      who = await admitted(ctx, services, trusted, addressGroup(address));
      input = await decode();
    } catch (error) {
      const code = error instanceof ClientGone ? 'abandoned' : (asProblem(error)?.code ?? 'internal_error');
      services.metrics.called(op.name, transport, code, (performance.now() - started) / 1000, 0);
      throw error;
    }
    const deadline = startDeadline(services.config.REQUEST_DEADLINE_MS);
    const gone = (): void => {
      if (!ctx.res.writableFinished) deadline.abort(new ClientGone());
    };
    ctx.res.once('close', gone);
    try {
      const id: string = ctx.state.requestId;
      const answer = await invoke(op, input, {
        caller: who,
        requestId: id,
        address,
        signal: deadline.signal,
        deadline: deadline.at,
        transport,
        services,
        baseUrl: services.config.BASE_URL,
        headers: publicHeaders(ctx),
        head: ctx.method === 'HEAD',
        represent: (content) => representation(ctx, services, outgoing, content, deadline.signal),
      } satisfies OpContext);
      await send(ctx, answer, who);
    } finally {
      deadline.clear();
      ctx.res.off('close', gone);
    }
  };
}

/** What is sent of bytes: in the coding that the client prefers, if there is room for them among the answers on their way. */
async function representation(
  ctx: Context,
  services: Services,
  outgoing: Outgoing,
  { bytes, headers }: Bytes,
  signal: AbortSignal,
): Promise<Pick<Bytes, 'bytes' | 'headers'>> {
  const etag = headers.ETag;
  if (!isNegotiable(bytes, etag)) {
    outgoing.hold(ctx.res, bytes);
    return { bytes, headers };
  }
  const ifNoneMatch = ctx.headers['if-none-match'];
  const sent = await represent(services, { bytes, etag }, codingFor(ctx), ifNoneMatch, signal);
  outgoing.hold(ctx.res, sent.bytes);
  return { bytes: sent.bytes, headers: negotiated(sent) };
}

/** Who calls, once counted: by a credential or, when that is none or bad, by network. Throws rate_limited first. */
async function admitted(ctx: Context, services: Services, trusted: boolean, network: string): Promise<Caller> {
  const count = async (who: Caller): Promise<void> => {
    const admission = trusted ? undefined : await services.admit?.(who, network);
    if (!admission) return;
    ctx.set(admission.headers);
    if (admission.refused) throw admission.refused;
  };
  let who: Caller;
  try {
    who = await identify(services, ctx, trusted);
  } catch (error) {
    // Whoever tries keys is counted like whoever sends none.
    await count(ANONYMOUS);
    throw error;
  }
  await count(who);
  return who;
}

/** The request's headers without credentials: operations see who calls, never what they sent to prove it. */
function publicHeaders(ctx: Context): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(ctx.headers)) {
    if (name !== 'authorization' && name !== 'cookie' && typeof value === 'string') headers[name] = value;
  }
  return headers;
}

async function send(ctx: Context, answer: Answer, who: Caller): Promise<void> {
  ctx.status = answer.status;
  ctx.set(answer.headers);
  // What a key was needed for is nothing for a shared cache.
  if (!answer.headers['Cache-Control'] && who.account) ctx.set('Cache-Control', 'private, no-cache');
  if (answer.status === 304) return;
  if (answer.bytes === null) {
    const text = JSON.stringify(answer.body);
    json(ctx, text);
    await shrink(ctx, text);
    return;
  }
  const { buffer, byteOffset, byteLength } = answer.bytes;
  ctx.body = Buffer.from(buffer, byteOffset, byteLength);
}

function json(ctx: Context, text: string): void {
  ctx.type = 'application/json';
  ctx.body = text;
}

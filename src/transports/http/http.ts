import Router, { type RouterContext } from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { checkProblem } from '../../answers.ts';
import { asProblem, problem, toProblemDocument } from '../../errors.ts';
import {
  ANONYMOUS,
  type Answer,
  type AnyOp,
  type Bytes,
  type Caller,
  ClientGone,
  type Deadline,
  invoke,
  type Context as OpContext,
  sameTag,
  startDeadline,
} from '../../op.ts';
import type { Services } from '../../services.ts';
import { challenge, clientAddress, countedBy, identify, proxyList } from '../credentials.ts';
import {
  checkTarget,
  discardRest,
  fieldsOf,
  mediaTypeOf,
  readBody,
  readQuery,
  readText,
  refuseRawAddress,
  routeInput,
} from '../decode.ts';
import { listOps } from '../docs/listing.ts';
import { docsRoutes, fixed, fixedRoute } from '../docs/routes.ts';
import { type McpOptions, mcp } from '../mcp/http.ts';
import { deviceRoutes } from '../pages/device.ts';
import { inviteRoutes } from '../pages/invites.ts';
import { oauth } from '../pages/oauth.ts';
import { signInRoutes } from '../pages/sign_in.ts';
import { requestId } from '../request_id.ts';
import { findOp, methodNotAllowed, rpcInput, rpcMethods } from '../rpc.ts';
import { weigher } from '../weigh.ts';
import { sendErrorPage, wantsPage } from './error_page.ts';
import { exportsRoute } from './exports.ts';
import { landingRoute } from './landing.ts';
import { sendLibraryFile } from './library.ts';
import { Outgoing } from './outgoing.ts';
import { health, metricsPage, readiness } from './probes.ts';
import { codingFor, isNegotiable, negotiated, represent, shrink, weakTag } from './representation.ts';
import { paymentEvent } from './webhooks.ts';

export interface HttpOptions {
  /** The control socket: whoever can open it has operator rights. */
  readonly trusted?: boolean;
  /** A reader of a large body that takes nothing for so long is cut off; 30 s when absent. */
  readonly stalledMs?: number;
  /** What answers at /mcp in place of the operations (conformance tests). */
  readonly mcpServer?: McpOptions['server'];
}

const JSON_TYPE = 'application/json';
const STALLED_MS = 30_000;
/** So many of the largest answers may be on their way at once. */
const LARGEST_AT_ONCE = 4;

type Handler = (ctx: RouterContext) => unknown;
type Methods = Readonly<Record<string, Handler>>;

/** The Koa application of the service: every operation by its route and by name, the listing, probes and pages. */
export function createHttpApp(services: Services, ops: readonly AnyOp[], options: HttpOptions = {}): Koa {
  const app = new Koa({ keys: [...services.secretKeys] });
  const byName = new Map(ops.map((op) => [op.name, op]));
  const outgoing = new Outgoing(LARGEST_AT_ONCE * services.config.MAX_RESPONSE_BYTES, options.stalledMs ?? STALLED_MS);
  services.metrics.gauge('boundary_outgoing_bytes', 'Bytes of answers being sent.', () => outgoing.bytes);
  services.metrics.gauge('boundary_outgoing_waiting', 'Answers that wait for their reader.', () => outgoing.waiting);
  const call = caller(services, outgoing, options.trusted ?? false);
  const proxies = proxyList(services.config.TRUSTED_PROXIES);
  const libraryFile: Handler = async (ctx) => {
    const who = await admitted(ctx, services, options.trusted ?? false, countedBy(ctx.req, proxies));
    return sendLibraryFile(ctx, services, outgoing, who, ctx.params.id);
  };

  const paths = new Map<string, Methods>([
    ['/healthz', { GET: health }],
    ['/readyz', { GET: (ctx) => readiness(ctx, services) }],
    ['/metrics', { GET: (ctx) => metricsPage(ctx, services) }],
    ['/v1', fixedRoute(services, () => fixed(JSON.stringify(listOps(ops)), { 'Content-Type': 'application/json' }))],
    // Answered before the router; here for the other methods.
    ['/v1/exports/:name', { GET: () => undefined }],
    ['/webhooks/stripe', { POST: (ctx) => paymentEvent(ctx, services) }],
    landingRoute(services),
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
        if (op.textBody && mediaTypeOf(ctx.req) === op.textBody.contentType) {
          const text = await readText(ctx.req, op.bodyBytes);
          return routeInput(fields, ctx.params, query, { [op.textBody.field]: text }, false);
        }
        const body = bodyExpected ? await readBody(ctx.req, op.bodyBytes) : null;
        return routeInput(fields, ctx.params, query, body, bodyExpected);
      });
    paths.set(path, { ...paths.get(path), [op.route.method]: handler });
  }

  const router = new Router({ sensitive: true });
  const ordered = [...paths.keys()].sort(staticFirst);
  for (const path of ordered) addPath(router, path, paths.get(path) as Methods);
  router.all('/v1/ops/:op', (ctx) => {
    const op = findOp(byName, ctx.params.op);
    const methods = rpcMethods(op);
    if (ctx.method === 'OPTIONS') return preflight(ctx, methods);
    if (!methods.includes(ctx.method)) return refuseMethod(ctx, methods);
    return call(ctx, op, 'rpc', () => rpcInput(ctx.req, ctx.querystring, op.bodyBytes));
  });

  app.on('error', (error, ctx?: Context) => {
    // What fails here is the connection itself.
    if (ctx && HANG_UPS.includes(error.code))
      services.log.debug({ request_id: ctx.state.requestId }, 'the client went away');
    else services.log.error({ err: error }, 'response failed');
  });
  app.use(problems(services, outgoing));
  app.use(exportsRoute(services, outgoing));
  app.use(oauth(services));
  app.use(normalize);
  app.use(straight(ordered.map((path) => [path, paths.get(path) as Methods])));
  app.use(router.routes());
  app.use(() => {
    throw problem('not_found', 'Page not found. See /docs; GET /v1 lists the operations.');
  });
  return app;
}

/** Static segments before parameters, so that /boundaries/search is never read as an id, whatever the method. */
function staticFirst(a: string, b: string): number {
  const key = (path: string): string => path.replace(/:\w+/g, '\uffff');
  return key(a) < key(b) ? -1 : 1;
}

/**
 * Hands a request whose path is written just as a route has it to its handler; all others are the router's, which looks
 * at one route after the other.
 */
function straight(routes: readonly (readonly [string, Methods])[]): Middleware {
  const exact = new Map<string, Methods>();
  const open = new Map<number, { readonly parts: readonly string[]; readonly methods: Methods }[]>();
  for (const [path, methods] of routes) {
    const parts = path.split('/');
    if (!path.includes(':')) exact.set(path, methods);
    else open.set(parts.length, [...(open.get(parts.length) ?? []), { parts, methods }]);
  }
  const find = (path: string): { methods: Methods; params: Record<string, string> } | null => {
    const methods = exact.get(path);
    if (methods !== undefined) return { methods, params: {} };
    const given = path.split('/', MOST_PARTS);
    for (const route of open.get(given.length) ?? []) {
      const fits = route.parts.every((part, i) => (part[0] === ':' ? given[i] !== '' : part === given[i]));
      if (!fits) continue;
      const params: Record<string, string> = {};
      route.parts.forEach((part, i) => {
        if (part[0] === ':') params[part.slice(1)] = decodeURIComponent(given[i]);
      });
      return { methods: route.methods, params };
    }
    return null;
  };
  return (ctx, next) => {
    const found = find(ctx.path);
    const handler = found?.methods[ctx.method];
    if (found === null || handler === undefined) return next();
    ctx.params = found.params;
    return handler(ctx as RouterContext);
  };
}

/** More parts than any route has. */
const MOST_PARTS = 20;

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
  'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, ETag, Location, ' +
  'Content-Location, Content-Disposition, Boundary-Collection, Link, WWW-Authenticate';

/** Request id, safety headers, and every failure as a problem document. */
function problems(services: Services, outgoing: Outgoing): Middleware {
  const { BASE_URL, CHECK_OUTPUT } = services.config;
  return async (ctx, next) => {
    const id = requestId(ctx.headers['x-request-id']);
    ctx.state.requestId = id;
    outgoing.follow(ctx.res);
    ctx.set('X-Request-Id', id);
    ctx.set('X-Content-Type-Options', 'nosniff');
    if (ctx.path === '/v1' || ctx.path.startsWith('/v1/')) {
      ctx.set('Access-Control-Allow-Origin', '*');
      ctx.set('Access-Control-Expose-Headers', EXPOSED);
    }
    try {
      await next();
    } catch (error) {
      if (error instanceof ClientGone || hasHungUp(ctx, error)) {
        ctx.status = 499;
        return;
      }
      if (asProblem(error) === null)
        services.log.error({ err: error, request_id: id, method: ctx.method }, 'internal error');
      const document = toProblemDocument(error, id, BASE_URL);
      if (CHECK_OUTPUT) checkProblem(document);
      if (document.status === 401) ctx.set('WWW-Authenticate', challenge(document.code, BASE_URL, 'v1'));
      const wait = document.retry_after ?? document.interval;
      if (typeof wait === 'number') ctx.set('Retry-After', String(wait));
      ctx.set('Cache-Control', 'no-store');
      if (wantsPage(ctx)) return sendErrorPage(ctx, document, BASE_URL);
      ctx.status = document.status;
      ctx.type = 'application/problem+json';
      ctx.body = JSON.stringify(document);
    } finally {
      discardRest(ctx.req);
    }
  };
}

/** What a connection fails with that its client has closed. */
const HANG_UPS = ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'];

/** Whether a failure is nothing but a client that is not there any more. */
function hasHungUp({ req, res }: Context, error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && HANG_UPS.includes(code) && (req.socket.destroyed || req.destroyed || res.closed);
}

/** Puts the request target right before routing; `relation/N` may stand unencoded where a boundary id does. */
const normalize: Middleware = (ctx, next) => {
  checkTarget(ctx.url);
  ctx.url = ctx.url.replace(/^\/v1\/boundaries\/relation\/(\d+)(?=[/?]|$)/, '/v1/boundaries/relation%2F$1');
  refuseRawAddress(ctx.url);
  return next();
};

/** Returns what runs an operation for a request: credential, rate limit, invoke, send. The input is read by invoke. */
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
    try {
      who = await admitted(ctx, services, trusted, countedBy(ctx.req, proxies));
    } catch (error) {
      const code = asProblem(error)?.code ?? 'internal_error';
      services.metrics.called(op.name, transport, code, (performance.now() - started) / 1000, 0);
      throw error;
    }
    const deadline = startDeadline(services.config.REQUEST_DEADLINE_MS);
    const gone = (): void => {
      if (!ctx.res.writableFinished) deadline.abort(new ClientGone());
    };
    ctx.res.once('close', gone);
    const read = async (): Promise<Record<string, unknown>> => {
      const input = await decode();
      deadline.restart();
      return input;
    };
    try {
      const id: string = ctx.state.requestId;
      const answer = await invoke(op, read, {
        caller: who,
        requestId: id,
        address,
        get signal() {
          return deadline.signal;
        },
        ending: deadline.ending,
        get deadline() {
          return deadline.at;
        },
        transport,
        services,
        baseUrl: services.config.BASE_URL,
        headers: publicHeaders(ctx),
        weigh: weigher(services, who, countedBy(ctx.req, proxies), (headers) => ctx.set(headers)),
        represent: (content) => representation(ctx, { services, outgoing, who }, content, deadline),
      } satisfies OpContext);
      if (answer.stream) await sendStream(ctx, op, { ...answer, stream: answer.stream }, { who, outgoing, deadline });
      else send(ctx, op, answer, who);
    } finally {
      deadline.clear();
      ctx.res.off('close', gone);
    }
  };
}

/** What is sent of an answer: in the coding that the client prefers, if there is room for it among those on their way. */
async function representation(
  ctx: Context,
  { services, outgoing, who }: { services: Services; outgoing: Outgoing; who: Caller },
  { bytes, contentType, headers }: Pick<Bytes, 'bytes' | 'contentType' | 'headers'>,
  deadline: { readonly signal: AbortSignal },
): Promise<Pick<Bytes, 'bytes' | 'headers'>> {
  const ifNoneMatch = ctx.headers['if-none-match'];
  const given = headers.ETag;
  if (isNegotiable(bytes, given)) {
    const coding = codingFor(ctx);
    const signal = coding === null ? undefined : deadline.signal;
    const sent = await represent(services, { bytes, etag: given }, coding, ifNoneMatch, signal);
    outgoing.hold(ctx.res, sent.bytes);
    return { bytes: sent.bytes, headers: negotiated(sent) };
  }
  const told: Record<string, string> = {};
  const asked = ctx.method === 'GET' || ctx.method === 'HEAD';
  // What anyone may see may be asked for again and again: by its tag it costs nothing to send.
  if (given === undefined && asked && who.account === null) told.ETag = weakTag(bytes);
  if (sameTag(ifNoneMatch, given ?? told.ETag)) return { bytes, headers: told };
  const shrunk = contentType === JSON_TYPE ? await shrink(ctx, bytes) : null;
  if (shrunk) told['Content-Encoding'] = 'gzip';
  outgoing.hold(ctx.res, shrunk ?? bytes);
  return { bytes: shrunk ?? bytes, headers: told };
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

/** What an answer under /v1 depends on, beside its address. */
const VARY = 'Authorization, Accept-Language, Accept-Encoding';

/** Sends an answer that is made meanwhile: the clock of the call begins again with each part, and stands while its reader is waited for. */
async function sendStream(
  ctx: Context,
  op: AnyOp,
  { stream, ...answer }: Answer & { readonly stream: NonNullable<Answer['stream']> },
  { who, outgoing, deadline }: { who: Caller; outgoing: Outgoing; deadline: Deadline },
): Promise<void> {
  try {
    outgoing.admitStream();
  } catch (error) {
    await stream.throw(error).catch(() => undefined);
    throw error;
  }
  setHead(ctx, op, answer, who);
  ctx.respond = false;
  ctx.res.flushHeaders();
  async function* parts(): AsyncGenerator<Uint8Array> {
    for await (const part of stream) {
      deadline.restart();
      yield part;
    }
  }
  await outgoing.sendParts(ctx.res, parts(), (waiting) => (waiting ? deadline.clear() : deadline.restart()));
}

function send(ctx: Context, op: AnyOp, answer: Answer, who: Caller): void {
  setHead(ctx, op, answer, who);
  if (answer.status === 304) return;
  const { buffer, byteOffset, byteLength } = answer.bytes;
  ctx.body = Buffer.from(buffer, byteOffset, byteLength);
}

/** Status and headers of an answer. */
function setHead(ctx: Context, op: AnyOp, { status, headers }: Pick<Answer, 'status' | 'headers'>, who: Caller): void {
  ctx.status = status;
  const { 'Content-Type': contentType, ...others } = headers;
  ctx.set(others);
  if (status !== 201) ctx.set('Vary', VARY);
  // What a key was needed for is nothing for a shared cache.
  if (!headers['Cache-Control']) {
    if (who.account || op.effect === 'write') ctx.set('Cache-Control', 'private, no-cache');
    else if (!who.operator) ctx.set('Cache-Control', 'public, no-cache');
  }
  if (status === 304) return;
  if (contentType === JSON_TYPE) ctx.type = contentType;
  else ctx.set('Content-Type', contentType);
}

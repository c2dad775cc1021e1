import type { IncomingMessage, RequestListener } from 'node:http';
import Router, { type RouterContext } from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { defined } from '../common/elements.ts';
import { problem } from '../core/errors.ts';
import type { AnyOp, Caller } from '../core/op.ts';
import type { Services } from '../services.ts';
import { Admission } from './admission.ts';
import type { Admit } from './admit.ts';
import { mediaTypeOf, readBody, readText, refuseCompressed } from './body.ts';
import { checkTarget, fieldsOf, readQuery, refuseRawAddress, routeInput } from './decode.ts';
import { listOps } from './docs/listing.ts';
import { docsRoutes, fixed, fixedRoute } from './docs/routes.ts';
import { admitCaller, type Call, createCalls, STALLED_MS } from './http/calls.ts';
import { countRequests } from './http/counted.ts';
import {
  type DirectAnswer,
  type DirectRoute,
  EVERY_ANSWER,
  type Failure,
  findOrNone,
  type RouteMatch,
  routeFinder,
  withDirectAnswers,
} from './http/direct.ts';
import { Exchange } from './http/exchange.ts';
import { exportsRoute } from './http/exports.ts';
import { landingRoute } from './http/landing.ts';
import { sendLibraryFile } from './http/library.ts';
import { addPath, type Handler, type Methods, preflight, refuseMethod } from './http/methods.ts';
import { Outgoing } from './http/outgoing.ts';
import { pinnedOnlyOps, refusePinned } from './http/pinned.ts';
import { health, metricsPage, readiness } from './http/probes.ts';
import { HANG_UPS, problems } from './http/problems.ts';
import { webRoutes } from './http/web.ts';
import { paymentEvent } from './http/webhooks.ts';
import { type McpOptions, mcp } from './mcp/http.ts';
import { ogcRoutes } from './ogc/ogc.ts';
import { claimRoutes } from './pages/claim.ts';
import { deviceRoutes } from './pages/device.ts';
import { inviteRoutes } from './pages/invites.ts';
import { oauth } from './pages/oauth.ts';
import { previewRoute } from './pages/preview.ts';
import { signInRoutes } from './pages/sign_in.ts';
import { findOp, rpcInput, rpcMethods } from './rpc.ts';
import { selectTiles } from './tiles/selections.ts';
import { boundaryTiles, tilesRoute } from './tiles/tiles.ts';
import { weigher } from './weigh.ts';

export interface HttpOptions {
  /** Whether this is the control socket: whoever can open it has operator rights. */
  readonly trusted?: boolean;
  /** A reader of a large body that accepts nothing for this long is disconnected; 30 s when absent. */
  readonly stalledMs?: number;
  /** The folder of the built dashboard; when absent, `/` is a page of links. */
  readonly web?: string;
  /** Replaces the operations at /mcp (conformance tests). */
  readonly mcpServer?: McpOptions['server'];
}

/** Number of maximum-size answers that may be in flight at once. */
const LARGEST_AT_ONCE = 4;

/** The handlers of a path by method; those of operations also work without Koa (`direct`). */
interface Route {
  /** The pattern as declared: `/v1/boundaries/:id`. */
  readonly path: string;
  readonly methods: Methods;
  readonly direct: Readonly<Record<string, DirectRoute>>;
}

/**
 * Creates the HTTP application: every operation by its route and by name, the listing, probes and pages. Koa serves all
 * of it except operations by their own routes and tiles of boundaries, which are answered before Koa.
 */
export function createHttpApp(
  services: Services,
  ops: readonly AnyOp[],
  options: HttpOptions = {},
): { callback(): RequestListener } {
  const app = new Koa({ keys: [...services.secretKeys] });
  const byName = new Map(ops.map((op) => [op.name, op]));
  const outgoing = new Outgoing(LARGEST_AT_ONCE * services.config.MAX_RESPONSE_BYTES, options.stalledMs ?? STALLED_MS);
  services.metrics.gauge('boundary_outgoing_bytes', 'Bytes of answers being sent.', () => outgoing.bytes);
  services.metrics.gauge('boundary_outgoing_waiting', 'Answers waiting for their reader.', () => outgoing.waiting);
  const call = createCalls(services, outgoing, options);
  const admission = new Admission(services, { trusted: options.trusted });
  /** Lets an exchange answer in place of Koa. Koa answers what it throws. */
  const withExchange = async (ctx: Context, work: (exchange: Exchange) => Promise<void>): Promise<void> => {
    const exchange = Exchange.of(ctx);
    try {
      await work(exchange);
    } catch (error) {
      exchange.handOver(ctx);
      throw error;
    }
  };
  /** Admits the caller of what Koa answers. */
  const admitted = (ctx: Context): Promise<Caller> => {
    const exchange = Exchange.of(ctx);
    const who = admitCaller(exchange, services, options.trusted ?? false, admission);
    return who.finally(() => exchange.handOver(ctx));
  };
  const libraryFile: Handler = async (ctx) => {
    refusePinned(ctx.req);
    return sendLibraryFile(ctx, services, outgoing, await admitted(ctx), defined(ctx.params.id));
  };
  const countedRequest: Admit = async (ctx) => {
    const who = await admitted(ctx);
    const weigh = weigher(services, who, admission.networkOf(ctx.req), (limits) => ctx.set(limits));
    return { caller: who, count: async (requests) => weigh?.(requests) };
  };

  const landing = landingRoute(services);
  const direct = new Map<string, Readonly<Record<string, DirectRoute>>>();
  const paths = new Map<string, Methods>([
    ['/healthz', { GET: health }],
    ['/readyz', { GET: (ctx) => readiness(ctx, services) }],
    ['/metrics', { GET: (ctx) => metricsPage(ctx, services) }],
    ['/v1', fixedRoute(services, () => fixed(JSON.stringify(listOps(ops)), { 'Content-Type': 'application/json' }))],
    // GET is answered before the router; this entry is for the other methods.
    ['/v1/exports/:name', { GET: () => undefined }],
    ['/webhooks/stripe', { POST: (ctx) => paymentEvent(ctx, services) }],
    landing,
    ...(options.web === undefined ? [] : webRoutes(services, options.web, landing[1].GET, countedRequest)),
    ...docsRoutes(services, ops),
    ...signInRoutes(services),
    ...claimRoutes(services),
    ...deviceRoutes(services),
    ...inviteRoutes(services),
    ...ogcRoutes(services, countedRequest),
    previewRoute(services, countedRequest),
    ['/v1/files/:id/content', { GET: libraryFile }],
    ['/mcp', { POST: mcp(services, ops, { trusted: options.trusted, server: options.mcpServer }) }],
  ]);
  const routed = [
    ...ops.map((op) => [`/v1${op.route.path}`, op] as const),
    [selectTiles.route.path, selectTiles] as const,
  ];
  for (const [path, op] of routed) {
    const route = operationRoute(call, op);
    const handler: Handler = (ctx) => withExchange(ctx, (exchange) => route(exchange, ctx.params));
    paths.set(path, { ...paths.get(path), [op.route.method]: handler });
    direct.set(path, { ...direct.get(path), [op.route.method]: route });
  }

  const router = new Router({ sensitive: true });
  const ordered = [...paths.keys()].sort(staticFirst);
  for (const path of ordered) addPath(router, path, paths.get(path) as Methods);
  router.all('/v1/ops/:op', (ctx) => {
    const op = findOp(byName, defined(ctx.params.op));
    const methods = rpcMethods(op);
    if (ctx.method === 'OPTIONS') return preflight(ctx, methods);
    if (!methods.includes(ctx.method)) return refuseMethod(ctx, methods);
    return withExchange(ctx, (exchange) => call(exchange, op, 'rpc', () => rpcInput(ctx.req, ctx.querystring, op)));
  });

  app.on('error', (error, ctx?: Context) => {
    // Koa emits this event only when the connection itself fails.
    if (ctx && HANG_UPS.includes(error.code))
      services.log.debug({ request_id: ctx.state.requestId }, 'the client disconnected');
    else services.log.error({ err: error }, 'response failed');
  });
  const tiles = boundaryTiles(services, outgoing, options.trusted);
  const find = routeFinder(
    ordered.map((path): [string, Route] => [
      path,
      { path, methods: paths.get(path) as Methods, direct: direct.get(path) ?? {} },
    ]),
  );
  const failures = new WeakMap<IncomingMessage, Failure>();
  app.use(problems(services, outgoing, failures));
  app.use(pinnedOnlyOps);
  app.use(exportsRoute(services, outgoing));
  app.use(tilesRoute(services, outgoing, options.trusted));
  app.use(oauth(services));
  app.use(normalize);
  app.use(dispatchExact(find));
  app.use(router.routes());
  app.use(() => {
    throw problem('not_found', 'Page not found. See /docs; GET /v1 lists the operations.');
  });
  const patternOf = (path: string): string | null => findOrNone(find, path)?.target.path ?? null;
  const findDirect = (method: string, path: string): DirectAnswer | null =>
    tiles(method, path) ?? operationAt(find, method, path);
  return {
    callback: () => countRequests(services, patternOf, withDirectAnswers(app, findDirect, { outgoing, failures })),
  };
}

/** Answers calls of an operation by its own route: its input is in the path, and in the query, the body or both. */
function operationRoute(call: Call, op: AnyOp): DirectRoute {
  const fields = fieldsOf(op);
  const bodyExpected = op.route.method !== 'GET';
  return async (exchange, params) => {
    const { request } = exchange;
    const contentType = mediaTypeOf(request);
    if (op.intake?.includes(contentType)) {
      const read = async () => {
        refuseCompressed(request);
        return routeInput(fields, params, readQuery(exchange.querystring), null, false);
      };
      return call(exchange, op, 'http', read, contentType);
    }
    return call(exchange, op, 'http', async () => {
      const query = readQuery(exchange.querystring);
      if (op.textBody && contentType === op.textBody.contentType) {
        const text = await readText(request, op.bodyBytes);
        return routeInput(fields, params, query, { [op.textBody.field]: text }, false);
      }
      const body = bodyExpected ? await readBody(request, op) : null;
      return routeInput(fields, params, query, body, bodyExpected);
    });
  };
}

/** Finds the handler of an operation by its own route; null if the path has none for this method. */
function operationAt(
  find: (path: string) => RouteMatch<Route> | null,
  method: string,
  path: string,
): DirectAnswer | null {
  const found = findOrNone(find, path);
  const route = found?.target.direct[method];
  if (found === null || route === undefined) return null;
  return async (exchange) => {
    exchange.setAll(EVERY_ANSWER);
    const { url = '' } = exchange.request;
    checkTarget(url);
    refuseRawAddress(url);
    await route(exchange, found.params);
  };
}

/** Sorts static segments before parameters, so that /boundaries/search is never read as an id, whatever the method. */
function staticFirst(a: string, b: string): number {
  const key = (path: string): string => path.replace(/:\w+/g, '\uffff');
  return key(a) < key(b) ? -1 : 1;
}

/**
 * Calls the handler of a request whose path is written exactly as its route. All others go to the router, which tries
 * one route after the other.
 */
function dispatchExact(find: (path: string) => RouteMatch<Route> | null): Middleware {
  return (ctx, next) => {
    const found = find(ctx.path);
    const handler = found?.target.methods[ctx.method];
    if (found === null || handler === undefined) return next();
    ctx.params = found.params;
    return handler(ctx as RouterContext);
  };
}

/** An area of a set with its slash unencoded: `set:zones/children` is the list of the set itself. */
const OF_SET =
  /^\/v1\/boundaries\/(set(?::|%3a)[a-z0-9-]{1,40})\/(?!(?:children|neighbors|export|versions)(?:\?|$))([^/?]+)(?=[/?]|$)/i;

/** Checks the request target before routing. `relation/N` and `set:NAME/CODE` may be unencoded where a boundary id is expected. */
const normalize: Middleware = (ctx, next) => {
  checkTarget(ctx.url);
  ctx.url = ctx.url
    .replace(/^\/v1\/boundaries\/relation\/(\d+)(?=[/?]|$)/, '/v1/boundaries/relation%2F$1')
    .replace(OF_SET, '/v1/boundaries/$1%2F$2');
  refuseRawAddress(ctx.url);
  return next();
};

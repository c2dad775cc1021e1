/** The methods of a path: which there are, and what any other is answered. */
import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import { methodNotAllowed } from '../rpc.ts';

export type Handler = (ctx: RouterContext) => unknown;
/** The handlers of a path by method. */
export type Methods = Readonly<Record<string, Handler>>;

/** Registers a path's methods and refuses all others, before a path with parameters could match. */
export function addPath(router: Router, path: string, methods: Methods): void {
  const allow = Object.keys(methods).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  router.all(path, (ctx) => {
    const handler = methods[ctx.method === 'HEAD' ? 'GET' : ctx.method];
    if (handler) return handler(ctx);
    if (ctx.method === 'OPTIONS') return preflight(ctx, allow);
    return refuseMethod(ctx, allow);
  });
}

/** Refuses the method of a request. @throws method_not_allowed */
export function refuseMethod(ctx: Context, allow: readonly string[]): never {
  ctx.set('Allow', allow.join(', '));
  throw methodNotAllowed(ctx.method, allow);
}

/** Answers a browser that asks which methods and headers it may use from another site (CORS). */
export function preflight(ctx: Context, allow: readonly string[]): void {
  ctx.set('Allow', allow.join(', '));
  ctx.set('Access-Control-Allow-Methods', allow.join(', '));
  ctx.set(
    'Access-Control-Allow-Headers',
    'Authorization, Boundary-Data, Content-Type, If-None-Match, If-Range, Range, X-Request-Id',
  );
  ctx.set('Access-Control-Max-Age', '86400');
  ctx.status = 204;
}

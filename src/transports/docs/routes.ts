import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { AnyOp } from '../../core/op.ts';
import type { Services } from '../../services.ts';
import { codingFor, isFresh, isNegotiable, negotiated, represent } from '../http/representation.ts';
import { type Page, pageHeaders } from '../pages/page.ts';
import { errorsPage } from './errors.ts';
import { groupsOf } from './groups.ts';
import { guidePage, startPage } from './guide.ts';
import type { Site } from './layout.ts';
import { openApi, type Route } from './openapi.ts';
import { groupPage } from './reference.ts';

type Handler = (ctx: Context) => Promise<void>;

/** A response that does not change while the process runs. */
interface Fixed {
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Builds a fixed response from a text. */
export function fixed(text: string, headers: Readonly<Record<string, string>>): Fixed {
  const bytes = Buffer.from(text);
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex')}"`, headers };
}

/** Serves a fixed response, which is built on the first request. */
export function fixedRoute(services: Services, make: () => Fixed): Record<string, Handler> {
  let made: Fixed | undefined;
  return {
    GET: (ctx) => {
      made ??= make();
      return sendFixed(ctx, services, made);
    },
  };
}

/**
 * Routes of /openapi.json, /openapi-rpc.json and the pages under /docs. They are generated from the registry, are the
 * same for all clients, and have an ETag.
 */
export function docsRoutes(services: Services, ops: readonly AnyOp[]): [string, Record<string, Handler>][] {
  const { BASE_URL: baseUrl } = services.config;
  const site: Site = { baseUrl, base: new URL(baseUrl).pathname.replace(/\/$/, ''), groups: groupsOf(ops) };
  const get = (make: () => Fixed): Record<string, Handler> => fixedRoute(services, make);
  const page = (make: () => Page) =>
    get(() => {
      const { html, policy } = make();
      return fixed(html, pageHeaders(policy));
    });
  const description = (route: Route) =>
    get(() =>
      fixed(JSON.stringify(openApi(ops, baseUrl, route)), {
        'Content-Type': 'application/json',
        'Access-Control-Allow-Origin': '*',
      }),
    );
  return [
    ['/openapi.json', description('http')],
    ['/openapi-rpc.json', description('rpc')],
    ['/docs', page(() => startPage(site))],
    ['/docs/guide', page(() => guidePage(site))],
    ['/docs/errors', page(() => errorsPage(site))],
    ...site.groups.map((group): [string, Record<string, Handler>] => [
      `/docs/${group.slug}`,
      page(() => groupPage(site, group)),
    ]),
  ];
}

async function sendFixed(ctx: Context, services: Services, { bytes, etag, headers }: Fixed): Promise<void> {
  const ifNoneMatch = ctx.headers['if-none-match'];
  const coding = isNegotiable(bytes, etag) ? codingFor({ request: ctx.req, context: ctx }, bytes.byteLength) : null;
  const sent = await represent(services, { bytes, etag }, coding, ifNoneMatch);
  ctx.set({ ...headers, 'Cache-Control': 'public, no-cache', ...negotiated(sent) });
  ctx.status = isFresh(ifNoneMatch, sent.etag) ? 304 : 200;
  ctx.body = ctx.status === 304 ? null : Buffer.from(sent.bytes.buffer, sent.bytes.byteOffset, sent.bytes.byteLength);
}

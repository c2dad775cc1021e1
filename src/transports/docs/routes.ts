import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Context } from 'koa';
import { defined } from '../../common/elements.ts';
import type { AnyOp } from '../../core/op.ts';
import type { Services } from '../../services.ts';
import { codingFor, isFresh, isNegotiable, negotiated, represent } from '../http/representation.ts';
import { OPENAPI_TYPE } from '../ogc/collections.ts';
import { type Page, pageHeaders } from '../pages/page.ts';
import { errorsPage } from './errors.ts';
import { groupsOf } from './groups.ts';
import { guidePage, startPage } from './guide.ts';
import type { Site } from './layout.ts';
import { openApi, type Route } from './openapi.ts';
import { groupPage } from './reference.ts';
import { type Section, searchPage, sectionsOf } from './search.ts';
import { FOLDERS, TEXTS } from './text_files.ts';
import { folderPage, textPage } from './texts.ts';

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
  const description = (route: Route): Record<string, Handler> => {
    const { GET } = get(() =>
      fixed(JSON.stringify(openApi(ops, baseUrl, route)), { 'Access-Control-Allow-Origin': '*' }),
    );
    return {
      async GET(ctx) {
        await defined(GET)(ctx);
        ctx.vary('Accept');
        // Its own type to those who ask for it; browsers show the other.
        ctx.set('Content-Type', ctx.accepts('application/json', OPENAPI_TYPE) || 'application/json');
      },
    };
  };
  const pages: readonly (readonly [string, () => Page])[] = [
    ['/docs', () => startPage(site)],
    ...FOLDERS.map((folder) => [folder.path, () => folderPage(site, folder)] as const),
    ...TEXTS.map((text) => [text.path, () => textPage(site, text)] as const),
    ['/docs/guide', () => guidePage(site)],
    ...site.groups.map((group) => [`/docs/${group.slug}`, () => groupPage(site, group)] as const),
    ['/docs/errors', () => errorsPage(site)],
  ];
  let sections: Promise<readonly Section[]> | undefined;
  const search: Handler = async (ctx) => {
    sections ??= sectionsOfAll(pages);
    const { html, policy } = searchPage(site, await sections, new URLSearchParams(ctx.querystring).get('q') ?? '');
    ctx.set({ ...pageHeaders(policy), 'Cache-Control': 'no-store' });
    ctx.body = html;
  };
  return [
    ['/openapi.json', description('http')],
    ['/openapi-rpc.json', description('rpc')],
    ['/docs/search', { GET: search }],
    ...pages.map(([path, make]): [string, Record<string, Handler>] => [path, page(make)]),
  ];
}

/** The sections of all pages. Other requests have a turn after each page. */
async function sectionsOfAll(pages: readonly (readonly [path: string, make: () => Page])[]): Promise<Section[]> {
  const sections: Section[] = [];
  for (const [path, make] of pages) {
    sections.push(...sectionsOf(path, make()));
    await setImmediate();
  }
  return sections;
}

async function sendFixed(ctx: Context, services: Services, { bytes, etag, headers }: Fixed): Promise<void> {
  const ifNoneMatch = ctx.headers['if-none-match'];
  const coding = isNegotiable(bytes, etag) ? codingFor({ request: ctx.req, context: ctx }, bytes.byteLength) : null;
  const sent = await represent(services, { bytes, etag }, coding, ifNoneMatch);
  ctx.set({ ...headers, 'Cache-Control': 'public, no-cache', ...negotiated(sent) });
  ctx.status = isFresh(ifNoneMatch, sent.etag) ? 304 : 200;
  ctx.body = ctx.status === 304 ? null : Buffer.from(sent.bytes.buffer, sent.bytes.byteOffset, sent.bytes.byteLength);
}

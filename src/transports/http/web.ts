import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Context } from 'koa';
import type { Language } from '../../common/languages.ts';
import { packageRoot } from '../../common/package_root.ts';
import { ProblemError, problem } from '../../core/errors.ts';
import type { Caller } from '../../core/op.ts';
import type { Services } from '../../services.ts';
import type { Admit } from '../admit.ts';
import { readCookie } from '../credentials.ts';
import { html } from '../pages/page.ts';
import { previewTags } from '../pages/preview.ts';
import { languageFor } from '../pages/words.ts';
import { type Coding, codingFor, isFresh } from './representation.ts';

type Handler = (ctx: Context) => Promise<void> | void;
type Params = Readonly<Record<string, string | undefined>>;

/** Paths that show the dashboard, besides `/`; its script routes them. */
const PAGES = [
  '/map',
  '/select',
  '/file',
  '/union',
  '/area',
  '/figures',
  '/sets',
  '/pricing',
  '/coverage',
  '/feedback',
  '/reviews',
  '/library',
  '/jobs',
  '/account',
  ...['members', 'teams', 'keys', 'apps', 'audit'].map((page) => `/account/${page}`),
];

const isNotFound = (error: unknown): boolean => error instanceof ProblemError && error.code === 'not_found';

/** The number of a feedback item. */
const ITEM = /^[1-9]\d{0,8}$/;

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.tsv': 'text/tab-separated-values; charset=utf-8',
};

/** Content-Security-Policy: no other host, nothing inline. The map needs workers and data: images. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "worker-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  // The page depends on whether there is a session.
  'Cache-Control': 'private, no-cache',
  Vary: 'Accept, Accept-Encoding, Accept-Language, Cookie',
};

/** The HTML page in its encodings, for browsers with or without a session, in each language. */
interface Shell {
  readonly plain: Buffer;
  readonly encoded: Readonly<Record<Coding, Buffer>>;
  readonly etag: string;
}

/** The folder that `npm run build` writes the dashboard to. */
export function webFolder(): string {
  return join(packageRoot(), 'dist/web');
}

/**
 * Routes of the dashboard that was built into `folder`: its pages and files. Empty if it was not built. `otherwise`
 * answers `/` for clients that do not prefer HTML.
 */
export function webRoutes(
  services: Services,
  folder: string,
  otherwise: Handler,
  admit: Admit,
): [string, Readonly<Record<string, Handler>>][] {
  if (!existsSync(join(folder, 'index.html'))) return [];
  const { BASE_URL } = services.config;
  const base = new URL(BASE_URL).pathname.replace(/\/$/, '');
  const assets = new Set(readdirSync(join(folder, 'assets')));
  /** The files of the texts of the pages, by language. */
  const texts = new Map(
    [...assets].flatMap((name) => [...name.matchAll(/^texts-(\w\w)-.*\.js$/g)].map(([, tag = '']) => [tag, name])),
  );
  const shells = new Map<string, Promise<Shell>>();

  const shellFor = (session: boolean, language: Language): Promise<Shell> => {
    const key = `${session} ${language}`;
    const known = shells.get(key);
    if (known) return known;
    const made = makeShell(join(folder, 'index.html'), { base, session, texts: texts.get(language) });
    shells.set(key, made);
    made.catch(() => shells.delete(key));
    return made;
  };

  /** Sends the page. It says itself what is wrong with the address: `isThere` only decides between 200 and 404. */
  const show = async (ctx: Context, isThere = true): Promise<void> => {
    const session = readCookie(ctx, 'boundary_session', BASE_URL) !== null;
    const shell = await shellFor(session, languageFor(ctx, BASE_URL));
    const preview = isThere ? await previewTags(services, ctx, admit) : 'missing';
    if (preview === 'missing') {
      ctx.set(PAGE_HEADERS);
      ctx.status = 404;
      ctx.body = shell.plain;
      return;
    }
    // What other sites show of a link; those who are signed in read the page itself.
    if (preview !== null && !session) {
      const text = shell.plain
        .toString()
        .replace(/<title>[^<]*<\/title>/, () => html`<title>${preview.title}</title>\n${preview.tags}`.text);
      ctx.set({ ...PAGE_HEADERS, ETag: `"${createHash('sha256').update(text).digest('hex')}"` });
      ctx.status = 200;
      ctx.body = text;
      return;
    }
    const coding = codingFor({ request: ctx.req, context: ctx }, shell.plain.byteLength);
    const etag = coding ? shell.etag.replace(/"$/, `-${coding}"`) : shell.etag;
    ctx.set({ ...PAGE_HEADERS, ETag: etag });
    if (isFresh(ctx.headers['if-none-match'], etag)) {
      ctx.status = 304;
      return;
    }
    if (coding) ctx.set('Content-Encoding', coding);
    ctx.status = 200;
    ctx.body = coding ? shell.encoded[coding] : shell.plain;
  };

  /** Asks for what a page shows. @throws not_found if there is none; a lookup that fails otherwise is left to the page */
  const lookUp = async (ctx: Context, find: (caller: Caller) => Promise<unknown>): Promise<void> => {
    try {
      await find((await admit(ctx)).caller);
    } catch (error) {
      if (isNotFound(error)) throw error;
    }
  };

  /** The page of a feedback item. @throws not_found */
  const showItem: Handler = async (ctx) => {
    const { item = '' } = ctx.params as Params;
    if (!ITEM.test(item)) throw problem('not_found', 'Page not found. See /docs.');
    await lookUp(ctx, () => services.feedback.item(Number(item), null));
    return show(ctx);
  };

  /** The page of an area set. Without a session it asks to sign in, whether the set exists or not. */
  const showSet: Handler = async (ctx) => {
    const { name = '' } = ctx.params as Params;
    const find = async ({ account, org, role }: Caller): Promise<unknown> =>
      account && org && role && services.areaSets.get({ account: account.id, org: org.id, role }, name);
    try {
      await lookUp(ctx, find);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return show(ctx, false);
    }
    return show(ctx);
  };

  /** Sends a file of the build. `forever`: its name changes with its content. */
  const send = async (ctx: Context, path: string, forever: boolean): Promise<void> => {
    // Files were compressed at build time, whatever their size.
    const coding = codingFor({ request: ctx.req, context: ctx }, 0);
    const suffix = coding === 'br' ? '.br' : coding === 'gzip' ? '.gz' : '';
    const encoded = suffix !== '' && existsSync(join(folder, path + suffix));
    ctx.set('Content-Type', TYPES[extname(path)] ?? 'application/octet-stream');
    ctx.set('Cache-Control', forever ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    ctx.set('Vary', 'Accept-Encoding');
    if (encoded) ctx.set('Content-Encoding', coding ?? '');
    ctx.status = 200;
    ctx.body = await readFile(join(folder, encoded ? path + suffix : path));
  };

  return [
    [
      '/',
      {
        GET: (ctx) => {
          // Programs that make previews of links accept anything.
          const isPage = ctx.accepts('json', 'html') === 'html' || (ctx.querystring !== '' && ctx.accepts('html'));
          return isPage ? show(ctx) : otherwise(ctx);
        },
      },
    ],
    ...PAGES.map((path): [string, Record<string, Handler>] => [path, { GET: (ctx) => show(ctx) }]),
    ['/feedback/:item', { GET: showItem }],
    ['/sets/:name', { GET: showSet }],
    ['/icon.svg', { GET: (ctx) => send(ctx, 'icon.svg', false) }],
    // The script of the pages under /docs.
    ['/docs.js', { GET: (ctx) => send(ctx, 'docs.js', false) }],
    // The script of the maps on the pages of /ogc and /tiles.
    ['/view.js', { GET: (ctx) => send(ctx, 'view.js', false) }],
    [
      '/assets/:name',
      {
        GET: (ctx) => {
          const { name } = ctx.params as { name: string };
          // Only names that were read from the folder, so that no path can be constructed.
          if (!assets.has(name)) throw problem('not_found', 'Page not found. See /docs.');
          return send(ctx, `assets/${name}`, true);
        },
      },
    ],
  ];
}

/** Builds the page for a base path, with or without a session, for which a browser loads texts together with the script. */
async function makeShell(
  file: string,
  { base, session, texts }: { readonly base: string; readonly session: boolean; readonly texts: string | undefined },
): Promise<Shell> {
  const built = await readFile(file, 'utf8');
  const mark = session ? '\n<meta name="session" content="yes">' : '';
  const early = texts === undefined ? '' : `<link rel="modulepreload" crossorigin href="./assets/${texts}">\n`;
  const text = built.replace('<base href="/">', `<base href="${base}/">${mark}`).replace('</head>', `${early}</head>`);
  const plain = Buffer.from(text);
  const etag = `"${createHash('sha256').update(plain).digest('hex')}"`;
  const encoded = { gzip: await promisify(gzip)(plain), br: await promisify(brotliCompress)(plain) };
  return { plain, encoded, etag };
}

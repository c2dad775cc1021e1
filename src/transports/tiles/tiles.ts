import type { Context, Middleware } from 'koa';
import { defined } from '../../common/elements.ts';
import { servicesAsOf } from '../../core/dated.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import { tileAttributions } from '../../domain/boundaries/tiles.ts';
import { languagesOf } from '../../domain/names/languages.ts';
import type { Services } from '../../services.ts';
import { boundaryTile, cachedTile } from '../../tiles/boundary_tiles.ts';
import { Admission } from '../admission.ts';
import type { DirectAnswer } from '../http/direct.ts';
import { Exchange } from '../http/exchange.ts';
import type { Outgoing } from '../http/outgoing.ts';
import { refusePinned } from '../http/pinned.ts';
import { sendFile } from '../http/send_file.ts';
import { sendPage } from '../pages/page.ts';
import { wordsFor } from '../pages/words.ts';
import { within } from '../within.ts';
import { fileTilesRoute } from './files.ts';
import { createGlyphs } from './glyphs.ts';
import { boundariesPreview, tilesIndex } from './preview.ts';
import {
  answerTile,
  areaOf,
  asOfDate,
  countTile,
  givenOnce,
  HEADERS,
  langOf,
  placeOf,
  preflight,
  sendJson,
  type TileServices,
} from './requests.ts';
import { selectionTilesRoute } from './selections.ts';
import { styleOf } from './style.ts';
import { tileJson } from './tile_json.ts';

const PREFIX = '/tiles/';
const GLYPHS = /^glyphs\/([^/]{1,300})\/([\d-]{1,11})\.pbf$/;
const BOUNDARIES = '/tiles/boundaries/';
const TILE = /^(\d{1,3})\/(\d{1,9})\/(\d{1,9})\.mvt$/;

/** The address of tiles as such, for people; programs get the problem not_found. */
const INDEX = /^\/tiles\/?(?:\?|$)/;

/** Glyphs change only with a release. */
const GLYPH_HEADERS = { ...HEADERS, 'Cache-Control': 'public, max-age=86400' };

const PROTOBUF = 'application/x-protobuf';

/** Answers a request for a path. */
type Handler = (ctx: Context, served: TileServices, parameters: URLSearchParams) => Promise<void>;

/**
 * Serves vector tiles, their TileJSON, a style and its glyphs: everything under /tiles/ that `boundaryTiles` does not
 * answer. Runs before the router. `trusted`: whoever can reach it has operator rights.
 */
export function tilesRoute(services: Services, outgoing: Outgoing, trusted = false): Middleware {
  const admission = new Admission(services, { trusted });
  const { BASE_URL } = services.config;
  const handlerOf = handlers(trusted);
  return async (ctx, next) => {
    const { url = '', method } = ctx.req;
    if (INDEX.test(url) && (method === 'GET' || method === 'HEAD') && ctx.accepts('json', 'html') === 'html') {
      await countTile(admission, admission.networkOf(ctx.req));
      return sendPage(ctx, 200, tilesIndex(BASE_URL, wordsFor(ctx, BASE_URL)));
    }
    if (!url.startsWith(PREFIX)) return next();
    const [path = '', query = ''] = url.slice(PREFIX.length).split('?', 2);
    const handler = handlerOf(path);
    if (handler === null) return next();
    if (method === 'OPTIONS') return preflight(ctx);
    if (method !== 'GET' && method !== 'HEAD') return next();
    ctx.set(HEADERS);
    const network = admission.networkOf(ctx.req);
    await countTile(admission, network);
    await handler(ctx, { services, outgoing, admission, network }, new URLSearchParams(query));
  };
}

/** Returns a function that finds the handler of a path under /tiles/; null if there is none. */
function handlers(trusted: boolean): (path: string) => Handler | null {
  const fileTiles = fileTilesRoute(trusted);
  const selectionTiles = selectionTilesRoute(trusted);
  const glyphs = createGlyphs();
  return (path) => {
    if (path === 'boundaries.json') return describeBoundaries;
    if (path === 'boundaries') return previewBoundaries;
    if (path === 'style.json') return sendStyle;
    const letters = GLYPHS.exec(path);
    if (!letters) return selectionTiles(path) ?? fileTiles(path);
    return async (ctx, { services, outgoing }) => {
      const file = await glyphs(decoded(defined(letters[1])), defined(letters[2]));
      await sendFile(Exchange.of(ctx), services, outgoing, { ...file, contentType: PROTOBUF, headers: GLYPH_HEADERS });
    };
  };
}

const describeBoundaries: Handler = async (ctx, { services }, parameters) => {
  const shown = { lang: langOf(parameters), asOf: asOfDate(parameters), part: areaOf(parameters) };
  const { db } = shown.asOf === null ? services : await servicesAsOf(services, shown.asOf);
  sendJson(ctx, tileJson(services.config.BASE_URL, shown, await tileAttributions(db)));
};

const previewBoundaries: Handler = async (ctx, { services }, parameters) => {
  const { BASE_URL } = services.config;
  const shown = { lang: langOf(parameters), asOf: asOfDate(parameters), part: areaOf(parameters) };
  sendPage(ctx, 200, boundariesPreview(BASE_URL, shown, wordsFor(ctx, BASE_URL)));
};

const sendStyle: Handler = async (ctx, { services }, parameters) => {
  const shown = { lang: langOf(parameters), asOf: asOfDate(parameters), part: areaOf(parameters) };
  sendJson(ctx, styleOf(services.config.BASE_URL, shown, themeOf(parameters)));
};

/**
 * Returns the handler of GET and HEAD for a tile of boundaries, which runs before Koa; null for anything else. A tile
 * in memory is sent without a deadline and a signal of its own.
 */
export function boundaryTiles(
  services: Services,
  outgoing: Outgoing,
  trusted = false,
): (method: string, path: string) => DirectAnswer | null {
  const admission = new Admission(services, { trusted });
  return (method, path) => {
    if (!path.startsWith(BOUNDARIES) || (method !== 'GET' && method !== 'HEAD')) return null;
    const digits = TILE.exec(path.slice(BOUNDARIES.length))?.slice(1);
    if (digits === undefined) return null;
    return async (exchange) => {
      const { request, response } = exchange;
      exchange.set('X-Content-Type-Options', 'nosniff');
      exchange.setAll(HEADERS);
      const network = admission.networkOf(request);
      await countTile(admission, network);
      refusePinned(request);
      const parameters = new URLSearchParams(exchange.querystring);
      const [lang, asOf] = [langOf(parameters), asOfDate(parameters)];
      const place = placeOf(digits);
      const options = { prefer: lang === null ? [] : languagesOf(lang), part: areaOf(parameters) };
      const read = asOf === null ? services : await servicesAsOf(services, asOf);
      const tile =
        cachedTile(read, place, options) ??
        (await within({ res: response }, services, (signal) => boundaryTile(read, place, options, signal)));
      await answerTile(exchange, { services, outgoing, admission, network }, tile, HEADERS);
    };
  };
}

/** Decodes a path segment. @throws not_found for malformed percent-encoding */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw problem('not_found', 'The name of the font is not valid percent-encoded UTF-8.');
  }
}

function themeOf(parameters: URLSearchParams): 'light' | 'dark' {
  const theme = givenOnce(parameters, 'theme') ?? 'light';
  if (theme === 'light' || theme === 'dark') return theme;
  throw invalidInput([{ path: 'theme', code: 'invalid_value', message: 'must be light or dark' }]);
}

import type { Context, Middleware } from 'koa';
import { languagesOf } from '../../domain/languages.ts';
import { tileAttributions } from '../../domain/tiles.ts';
import { defined } from '../../elements.ts';
import { invalidInput, problem } from '../../errors.ts';
import type { Tile } from '../../geometry/cached.ts';
import { ANONYMOUS } from '../../op.ts';
import type { Services } from '../../services.ts';
import { boundaryTile, MAX_ZOOM, type TilePlace } from '../../tiles/boundary_tiles.ts';
import { Admission } from '../admission.ts';
import type { Outgoing } from '../http/outgoing.ts';
import { sendFile } from '../http/send_file.ts';
import { within } from '../within.ts';
import { createGlyphs } from './glyphs.ts';
import { styleOf } from './style.ts';
import { tileJson } from './tile_json.ts';

const PREFIX = '/tiles/';
const GLYPHS = /^glyphs\/([^/]{1,300})\/([\d-]{1,11})\.pbf$/;
const TILE = /^boundaries\/(\d{1,3})\/(\d{1,9})\/(\d{1,9})\.mvt$/;
const TAGS = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}(,[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}){0,4}$/;

/** What any page may read, kept by whoever asked for a minute and then asked for again by its tag. */
const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After, ETag',
  'Cache-Control': 'public, max-age=60',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Letters stay the same as long as the program does. */
const GLYPH_HEADERS = { ...HEADERS, 'Cache-Control': 'public, max-age=86400' };

const PROTOBUF = 'application/x-protobuf';

/** A tile counts as so many, one that is empty or that the client has as one. */
const FULL = 10;
const LIGHT = 1;

/**
 * Vector tiles, their TileJSON, a style and its letters: everything under /tiles/. It stands before the router.
 */
export function tilesRoute(services: Services, outgoing: Outgoing): Middleware {
  const admission = new Admission(services);
  const glyphs = createGlyphs();
  return async (ctx, next) => {
    const { url = '', method } = ctx.req;
    if (!url.startsWith(PREFIX)) return next();
    const [path = '', query = ''] = url.slice(PREFIX.length).split('?', 2);
    if (method !== 'GET' && method !== 'HEAD') return next();
    const place = TILE.exec(path);
    const letters = GLYPHS.exec(path);
    if (!place && !letters && path !== 'boundaries.json' && path !== 'style.json') return next();
    ctx.set(HEADERS);
    const network = admission.networkOf(ctx.req);
    await count(admission, network, FULL);
    const parameters = new URLSearchParams(query);
    const lang = langOf(parameters);
    if (path === 'boundaries.json') {
      return sendJson(ctx, tileJson(services.config.BASE_URL, lang, await tileAttributions(services.db)));
    }
    if (path === 'style.json') return sendJson(ctx, styleOf(services.config.BASE_URL, lang, themeOf(parameters)));
    if (letters) {
      const file = await glyphs(decoded(defined(letters[1])), defined(letters[2]));
      return sendFile(ctx, services, outgoing, { ...file, contentType: PROTOBUF, headers: GLYPH_HEADERS });
    }
    if (!place) return next();
    const [z, x, y] = place.slice(1).map(Number);
    const at = placeOf({ z: defined(z), x: defined(x), y: defined(y) });
    const tile = await within(ctx, services, (signal) =>
      boundaryTile(services, at, lang === null ? [] : languagesOf(lang), signal),
    );
    const status = await sendTile(ctx, services, outgoing, tile);
    if (status !== 200) await count(admission, network, LIGHT - FULL);
  };
}

/** A part of a path. Throws not_found for one that is not encoded right. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw problem('not_found', 'The name of the font is not encoded right.');
  }
}

/** Counts a request, in tenths of a tile; a negative number gives tenths back. Throws rate_limited. */
async function count(admission: Admission, network: string, tenths: number): Promise<void> {
  const refused = await admission.count(ANONYMOUS, network, () => undefined, 'tile', tenths);
  if (refused) throw problem('rate_limited', 'Too many tiles in this minute.', refused.extra);
}

/** Sends a tile, 204 for an empty one, and returns the status. */
async function sendTile(ctx: Context, services: Services, outgoing: Outgoing, tile: Tile): Promise<number> {
  if (tile.bytes.byteLength === 0) {
    ctx.status = 204;
    return 204;
  }
  const { bytes, sha256 } = tile;
  const contentType = 'application/vnd.mapbox-vector-tile';
  await sendFile(ctx, services, outgoing, { bytes, sha256, contentType, headers: HEADERS });
  return ctx.res.statusCode;
}

function sendJson(ctx: Context, value: object): void {
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(value);
}

/** Throws not_found beyond the last zoom, and invalid_input for a place outside of the world. */
function placeOf({ z, x, y }: TilePlace): TilePlace {
  if (z > MAX_ZOOM) throw problem('not_found', `Tiles end at zoom ${MAX_ZOOM}: draw those of ${MAX_ZOOM} larger.`);
  const most = 2 ** z - 1;
  for (const [path, value] of Object.entries({ x, y })) {
    if (value > most) throw invalidInput([{ path, code: 'too_big', message: `must be 0 to ${most} at zoom ${z}` }]);
  }
  return { z, x, y };
}

/** Languages of names as they were sent; null: none. Throws invalid_input. */
function langOf(parameters: URLSearchParams): string | null {
  const lang = parameters.get('lang');
  if (lang === null || lang === '') return null;
  if (lang.length <= 100 && TAGS.test(lang)) return lang.toLowerCase();
  const message = 'must be up to 5 language tags (BCP 47), separated by commas';
  throw invalidInput([{ path: 'lang', code: 'invalid_value', message }]);
}

function themeOf(parameters: URLSearchParams): 'light' | 'dark' {
  const theme = parameters.get('theme') ?? 'light';
  if (theme === 'light' || theme === 'dark') return theme;
  throw invalidInput([{ path: 'theme', code: 'invalid_value', message: 'must be light or dark' }]);
}

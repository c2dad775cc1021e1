import type { Context } from 'koa';
import { pastDate } from '../../common/dates.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import { ANONYMOUS, type Caller } from '../../core/op.ts';
import { askedAs, type Part, partAsked } from '../../domain/boundaries/land.ts';
import type { Tile } from '../../geometry/cached.ts';
import type { Services } from '../../services.ts';
import { MAX_ZOOM, type TilePlace } from '../../tiles/boundary_tiles.ts';
import type { Admission } from '../admission.ts';
import { identify } from '../credentials.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Outgoing } from '../http/outgoing.ts';
import { sendFile } from '../http/send_file.ts';

const TAGS = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}(,[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}){0,4}$/;

/** Headers of public tiles: readable by any page, cached for a minute and then revalidated by ETag. */
export const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After, ETag',
  'Cache-Control': 'public, max-age=60',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Headers of tiles for one caller: only a private cache may store them, and it must revalidate them. */
export const PRIVATE_HEADERS = {
  ...HEADERS,
  'Cache-Control': 'private, no-cache',
  'Cross-Origin-Resource-Policy': 'same-origin',
  Vary: 'Authorization, Cookie',
};

/** Cost of a tile in tenths: in full, or as an empty or unchanged one. */
const FULL = 10;
const LIGHT = 1;

/** Counts a tile under the limit of the network. @throws rate_limited */
export const countTile = (admission: Admission, network: string): Promise<void> => count(admission, network, FULL);

/** Members of a selection that count as one tile more when its tile must be drawn. */
const MEMBERS_A_TILE = 1_000;

/** Counts the drawing of a selection's tile by its members, under the limit of the network. @throws rate_limited */
export function countMembers({ admission, network }: TileServices, members: number): Promise<void> {
  return count(admission, network, FULL * Math.floor(members / MEMBERS_A_TILE));
}

/**
 * Identifies the sender of a request for tiles, which the network's tile limit has counted already. A bad credential
 * also counts as a call, so guessing keys here gains nothing.
 * @throws what a bad credential throws, rate_limited
 */
export async function callerOf(
  ctx: Context,
  { services, admission, network }: TileServices,
  trusted: boolean,
): Promise<Caller> {
  try {
    return await identify(services, { request: ctx.req, context: ctx }, trusted);
  } catch (error) {
    throw (await admission.count(ANONYMOUS, network, () => undefined)) ?? error;
  }
}

/** Counts tenths of a tile; a negative number refunds them. @throws rate_limited */
async function count(admission: Admission, network: string, tenths: number): Promise<void> {
  if (tenths === 0) return;
  const refused = await admission.count(ANONYMOUS, network, () => undefined, 'tile', tenths);
  if (refused) throw problem('rate_limited', 'Too many tiles in this minute. Wait until it ends.', refused.extra);
}

/** Says how many areas of a large set a tile leaves out. */
const LEFT_OUT = 'Areas-Left-Out';

/** Sends a tile, or 204 for an empty one, and says how many areas are left out of it. Refunds all but a tenth of its cost if it is empty or the client has it. */
export async function answerTile(
  exchange: Exchange,
  { services, outgoing, admission, network }: TileServices,
  { bytes, sha256, leftOut = 0 }: Tile,
  common: Readonly<Record<string, string>>,
): Promise<void> {
  const exposed = `${HEADERS['Access-Control-Expose-Headers']}, ${LEFT_OUT}`;
  const headers =
    leftOut === 0 ? common : { ...common, [LEFT_OUT]: String(leftOut), 'Access-Control-Expose-Headers': exposed };
  if (bytes.byteLength === 0) {
    exchange.setAll(headers);
    exchange.end(204, null);
  } else await sendFile(exchange, services, outgoing, { bytes, sha256, contentType: TILE_TYPE, headers });
  if (exchange.response.statusCode !== 200) await count(admission, network, LIGHT - FULL);
}

const TILE_TYPE = 'application/vnd.mapbox-vector-tile';

/** What the handlers of tiles need besides the request. */
export interface TileServices {
  readonly services: Services;
  readonly outgoing: Outgoing;
  readonly admission: Admission;
  /** The key by which the request is counted. */
  readonly network: string;
}

/** Answers a CORS preflight request. */
export function preflight(ctx: Context): void {
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set('Access-Control-Allow-Methods', 'GET, HEAD, POST');
  ctx.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, If-None-Match');
  ctx.set('Access-Control-Max-Age', '86400');
  ctx.status = 204;
}

/** Sends an object as JSON. */
export function sendJson(ctx: Context, value: object): void {
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(value);
}

/**
 * Parses the tile coordinates of a path.
 * @throws not_found beyond the maximum zoom, invalid_input for a tile outside of the world
 */
export function placeOf(digits: readonly string[]): TilePlace {
  const [z = 0, x = 0, y = 0] = digits.map(Number);
  if (z > MAX_ZOOM) throw problem('not_found', `Tiles end at zoom ${MAX_ZOOM}. Overzoom those of ${MAX_ZOOM}.`);
  const most = 2 ** z - 1;
  for (const [path, value] of Object.entries({ x, y })) {
    if (value > most) throw invalidInput([{ path, code: 'too_big', message: `must be 0 to ${most} at zoom ${z}` }]);
  }
  return { z, x, y };
}

/** The value of a parameter; null without one. @throws invalid_input when it is given twice: which one is meant? */
export function givenOnce(parameters: URLSearchParams, path: string): string | null {
  const [value = null, ...others] = parameters.getAll(path);
  if (others.length === 0) return value;
  throw invalidInput([{ path, code: 'duplicate', message: 'given more than once' }]);
}

/** The date of `as_of`; null for today. @throws invalid_input */
export function asOfDate(parameters: URLSearchParams): string | null {
  const text = givenOnce(parameters, 'as_of');
  if (text === null || text === '') return null;
  return pastDate(text.slice(0, 20), (message) => invalidInput([{ path: 'as_of', code: 'invalid_value', message }]));
}

/** Which part of boundaries the client asks for. @throws invalid_input */
export function areaOf(parameters: URLSearchParams): Part {
  const area = givenOnce(parameters, 'area') ?? 'all';
  const water = givenOnce(parameters, 'water') ?? undefined;
  if (area !== 'all' && area !== 'land' && area !== 'water')
    throw invalidInput([{ path: 'area', code: 'invalid_value', message: 'must be all, land or water' }]);
  if (water !== undefined && water !== 'inland')
    throw invalidInput([{ path: 'water', code: 'invalid_value', message: 'must be inland' }]);
  return partAsked({ area, water });
}

/** Refuses a part that is not the one that stored tiles have. @throws invalid_input */
export function requirePart(parameters: URLSearchParams, part: Part): void {
  const isAsked = parameters.has('area') || parameters.has('water');
  if (!isAsked || areaOf(parameters) === part) return;
  const { area = 'all', water } = askedAs(part);
  const own = water === undefined ? area : `${area} and water ${water}`;
  const message = `the selection has area ${own}: store one with the area that you want`;
  throw invalidInput([{ path: 'area', code: 'conflict', message }]);
}

/** Refuses a part of the tiles of a file, which show what the file has. @throws invalid_input */
export function refuseArea(parameters: URLSearchParams): void {
  if (areaOf(parameters) === 'all') return;
  const message = 'tiles of a file show what is in it: save the file with the area that you want';
  throw invalidInput([{ path: 'area', code: 'conflict', message }]);
}

/** The languages of names as the client sent them; null for none. @throws invalid_input */
export function langOf(parameters: URLSearchParams): string | null {
  const lang = givenOnce(parameters, 'lang');
  if (lang === null || lang === '') return null;
  if (lang.length <= 100 && TAGS.test(lang)) return lang.toLowerCase();
  const message = 'must be up to 5 language tags (BCP 47), separated by commas';
  throw invalidInput([{ path: 'lang', code: 'invalid_value', message }]);
}

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { problem } from '../core/errors.ts';
import { ANONYMOUS, type Caller, LOCAL_OPERATOR } from '../core/op.ts';
import type { Services } from '../services.ts';

/**
 * Identifies the caller by the Authorization header or, without one, by the browser session. With neither, returns
 * ANONYMOUS, or LOCAL_OPERATOR on a trusted socket. Browsers send cookies unasked, so an invalid one is not an error:
 * it is cleared.
 * @throws what `bearer` throws; unauthorized for a request with a session that does not come from one of our pages
 */
export async function identify(
  services: Services,
  sent: { readonly request: IncomingMessage; readonly context: Context },
  trusted: boolean,
): Promise<Caller> {
  const { headers } = sent.request;
  const caller = await bearer(services, headers, trusted);
  if (caller !== null) return caller;
  if (trusted) return LOCAL_OPERATOR;
  return headers.cookie === undefined ? ANONYMOUS : ((await signedIn(services, sent.context)) ?? ANONYMOUS);
}

/**
 * Identifies the caller by the Authorization header; null without one. A bad credential is an error on public
 * operations too: a client that sends one wants it to count.
 * @throws unauthorized (another scheme), invalid_key (what is meant as a key), invalid_token (any other bearer)
 */
export async function bearer(
  services: Services,
  { authorization }: Pick<IncomingHttpHeaders, 'authorization'>,
  trusted: boolean,
): Promise<Caller | null> {
  if (authorization === undefined) return null;
  const [, key] = KEY.exec(authorization) ?? [];
  if (key !== undefined) return callerOf(services, key, trusted);
  const [scheme = '', token = '', ...rest] = authorization.trim().split(/\s+/);
  if (scheme.toLowerCase() !== 'bearer') {
    throw problem('unauthorized', 'Send the key as Authorization: Bearer <API_KEY>. Other schemes are not supported.');
  }
  if (!token.startsWith('bnd_') || rest.length > 0) {
    if ([token, ...rest].some((part) => MEANT_AS_KEY.test(part))) {
      const form = 'Send it whole and once, as it was created: Authorization: Bearer bnd_live_….';
      throw problem('invalid_key', `This is not a key. ${form}`);
    }
    if (rest.length > 0) throw problem('invalid_token', 'The access token is invalid or expired.');
  }
  return callerOf(services, token, trusted);
}

/** An API key as almost every client sends it. */
const KEY = /^Bearer (bnd_\w+)$/;

/**
 * What is meant as a key, though it may not be one: it has the prefix in any case, or the length of the rest alone,
 * which no access token has.
 */
const MEANT_AS_KEY = /bnd_|^(?:live_)?[0-9a-z]{36}$/i;

async function callerOf({ keys, oauth }: Services, token: string, trusted: boolean): Promise<Caller> {
  const caller = await (token.startsWith('bnd_') ? keys : oauth).authenticate(token);
  return trusted ? { ...caller, operator: true } : caller;
}

/**
 * The WWW-Authenticate header of a refusal. RFC 6750 section 3: `error` is set only when a token was sent and is
 * invalid or allows too little. RFC 9728: `resource_metadata` names the authorization server; it is left out where a
 * new token of the same person would not help either, so that a client does not ask for one again and again.
 */
export function challenge(
  code: string,
  baseUrl: string,
  resource: 'v1' | 'mcp',
  needed: { scope?: string; insufficient?: boolean } = {},
): string {
  const parts = ['Bearer realm="boundary-lookup"'];
  if (!needed.insufficient || needed.scope) {
    parts.push(`resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/${resource}"`);
  }
  if (needed.scope) parts.push(`scope="${needed.scope}"`);
  if (needed.insufficient) parts.push('error="insufficient_scope"');
  else if (code !== 'unauthorized') parts.push('error="invalid_token"');
  return parts.join(', ');
}

/**
 * Whether a refusal with this code is about what the caller may do: a bearer that is itself refused has another code.
 */
export function isTooLittle(code: string, { authorization = '' }: Pick<IncomingHttpHeaders, 'authorization'>): boolean {
  return code === 'unauthorized' && /^\s*bearer\s/i.test(authorization);
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * The account that is signed in with this browser, or null.
 * @throws unauthorized when the request may change something and does not come from one of our pages
 */
export async function signedIn(services: Services, ctx: Context): Promise<Caller | null> {
  const { BASE_URL } = services.config;
  const cookie = readCookie(ctx, 'boundary_session', BASE_URL);
  if (cookie === null) return null;
  const caller = await services.sessions.authenticate(cookie);
  if (!caller) setCookie(ctx, 'boundary_session', null, 0, BASE_URL);
  else if (!SAFE_METHODS.includes(ctx.method)) requireOwnOrigin(ctx, BASE_URL);
  return caller;
}

/**
 * Checks that one of our pages sent the request: by Origin, which browsers send with every POST, or by Sec-Fetch-Site.
 * @throws unauthorized for any other request
 */
export function requireOwnOrigin(ctx: Context, baseUrl: string): void {
  const { origin } = ctx.headers;
  const own = new URL(baseUrl).origin;
  if (origin === undefined ? ctx.headers['sec-fetch-site'] === 'same-origin' : origin === own) return;
  throw problem('unauthorized', `This was not sent by a page of ${own}: open it there and try again.`);
}

/** Cookies of the service: the session, the browser that requested a sign-in link, and the language that was chosen. */
type CookieName = 'boundary_session' | 'boundary_sign_in' | 'boundary_language';

/** Browsers accept a `__Host-` cookie only over https, and send it only to this host, for all paths (RFC 6265bis). */
function cookieName(name: CookieName, baseUrl: string): string {
  return baseUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/** The value of a cookie, or null. */
export function readCookie(ctx: Context, name: CookieName, baseUrl: string): string | null {
  return ctx.cookies.get(cookieName(name, baseUrl), { signed: false }) || null;
}

/** Sets a cookie for `maxAgeS` seconds that scripts cannot read; null deletes the cookie. */
export function setCookie(
  ctx: Context,
  name: CookieName,
  value: string | null,
  maxAgeS: number,
  baseUrl: string,
): void {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  const kept = `Path=/; Max-Age=${value === null ? 0 : maxAgeS}; HttpOnly; SameSite=Lax${secure}`;
  ctx.append('Set-Cookie', `${cookieName(name, baseUrl)}=${value ?? ''}; ${kept}`);
}

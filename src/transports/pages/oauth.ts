import Router, { type RouterContext } from '@koa/router';
import type { Context, Middleware } from 'koa';
import mount from 'koa-mount';
import { SCOPES } from '../../core/access.ts';
import { asProblem, problem } from '../../core/errors.ts';
import type { Services } from '../../services.ts';
import { Admission } from '../admission.ts';
import { consentPage } from './oauth_consent.ts';
import { createProvider, PREFIX, RENEWAL } from './oauth_provider.ts';
import { oauthResources } from './oauth_resources.ts';
import { html, page, sendPage } from './page.ts';
import { inEnglish, wordsFor } from './words.ts';

/** Metadata paths, in any case, as the router matches them. */
const WELL_KNOWN = /^\/\.well-known\//i;
/**
 * Paths below /oauth with their methods. Only these spellings are answered; the provider's router would accept others.
 */
const PATHS: readonly (readonly [RegExp, string])[] = [
  [
    /^\/(?:auth|auth\/[\w-]{1,100}|jwks|\.well-known\/(?:oauth-authorization-server|openid-configuration))$/,
    'GET, HEAD',
  ],
  [/^\/interaction\/[\w-]{1,100}$/, 'GET, HEAD, POST'],
  [/^\/(?:reg|token|token\/revocation)$/, 'POST'],
];
/** Paths that a browser opens. */
const PAGES = /^\/(?:auth|interaction)(?:\/|$)/i;

/**
 * OAuth 2.1 for clients that act for a person: oidc-provider under /oauth (registration, PKCE, rotating refresh tokens,
 * revocation), the consent page, on which the person also chooses the organization, and the metadata of RFC 8414 and
 * RFC 9728 at the root. Tokens are opaque; domain/people/oauth.ts checks them.
 */
export function oauth(services: Services): Middleware {
  const baseUrl = services.config.BASE_URL;
  const provider = createProvider(services);
  const metadata = new Router();
  for (const name of ['oauth-authorization-server', 'openid-configuration']) {
    metadata.get([`/.well-known/${name}`, `/.well-known/${name}${PREFIX}`], (ctx, next) => {
      ctx.path = `${PREFIX}/.well-known/${name}`;
      return next();
    });
  }
  for (const resource of oauthResources(baseUrl)) {
    const suffix = resource.slice(baseUrl.length);
    const document = JSON.stringify({
      resource,
      authorization_servers: [baseUrl + PREFIX],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'Boundary Lookup',
    });
    const answer = (ctx: RouterContext) => {
      ctx.set('Access-Control-Allow-Origin', '*');
      ctx.type = 'application/json';
      ctx.body = document;
    };
    metadata.get(`/.well-known/oauth-protected-resource${suffix}`, answer);
    // The path without a suffix describes the resource that MCP connectors look for.
    if (suffix === '/mcp') metadata.get('/.well-known/oauth-protected-resource', answer);
  }
  const consent = consentPage(services, provider);
  const admission = new Admission(services);
  const mounted = mount(PREFIX, provider);
  return async (ctx, next) => {
    // Fast path: nearly every request is for something else.
    if (!ctx.path.startsWith(PREFIX) && !WELL_KNOWN.test(ctx.path)) return next();
    await metadata.routes()(ctx as RouterContext, async () => {
      if (ctx.path !== PREFIX && !ctx.path.startsWith(`${PREFIX}/`)) return next();
      ownOrigin(ctx, baseUrl);
      const network = admission.groupOf(ctx.req);
      ctx.state.network = network;
      try {
        await admission.enterAnonymous(ctx.req, (headers) => ctx.set(headers));
        const path = ctx.path.slice(PREFIX.length);
        const [, methods] = PATHS.find(([pattern]) => pattern.test(path)) ?? [];
        if (methods === undefined) throw problem('not_found', 'There is no such OAuth endpoint.');
        if (ctx.method !== 'OPTIONS' && !methods.split(', ').includes(ctx.method)) {
          ctx.set('Allow', methods);
          throw problem('method_not_allowed', `This endpoint answers ${methods}.`);
        }
        requirePlainQuery(ctx);
        // RFC 6749 section 3.3: a client that requests no scope gets the narrowest one.
        if (path === '/auth' && ctx.query.scope === undefined) ctx.query = { ...ctx.query, scope: SCOPES[0] };
        if (path === '/reg' && ctx.method === 'POST') await services.oauth.countRegistration(network);
      } catch (error) {
        return refuse(ctx, error, baseUrl);
      }
      await consent(ctx, () => mounted(ctx, next));
      // The provider lists its own scopes; clients need those of the resources.
      if (ctx.path.startsWith(`${PREFIX}/.well-known/`) && isMetadata(ctx.body)) {
        ctx.body.scopes_supported = [...SCOPES, RENEWAL];
      }
    });
  };
}

/**
 * Checks the query parameters.
 * @throws invalid_input for control characters, which RFC 6749 does not allow in any parameter
 */
function requirePlainQuery(ctx: Context): void {
  for (const [name, value] of Object.entries(ctx.query)) {
    if (/\p{Cc}/u.test(`${name}${value}`)) {
      throw problem('invalid_input', 'A parameter of this address contains a control character.');
    }
  }
}

/** Answers a refusal in the format of RFC 6749 section 5.2, or as a page for a person. Rethrows internal errors. */
function refuse(ctx: Context, error: unknown, baseUrl: string): void {
  const failure = asProblem(error);
  if (!failure) throw error;
  const { retry_after: retryAfter } = failure.extra;
  if (typeof retryAfter === 'number') ctx.set('Retry-After', String(retryAfter));
  if (PAGES.test(ctx.path.slice(PREFIX.length)) && ctx.accepts('json', 'html') === 'html') {
    const words = wordsFor(ctx, baseUrl);
    const title = words(failure.code === 'rate_limited' ? 'error.requests' : 'consent.unusable');
    const body = html`<p>${inEnglish(failure.message, words)}</p><p>${words('consent.restart')}</p>`;
    sendPage(ctx, failure.status, page(title, body, { words }));
    return;
  }
  ctx.status = failure.status;
  ctx.set('Cache-Control', 'no-store');
  ctx.body = {
    error: failure.code === 'rate_limited' ? 'temporarily_unavailable' : 'invalid_request',
    error_description: failure.message,
  };
}

function isMetadata(body: unknown): body is { scopes_supported: string[] } {
  return typeof body === 'object' && body !== null && 'scopes_supported' in body;
}

/** Makes the provider build its URLs from BASE_URL, whatever the Host header says. */
function ownOrigin(ctx: Context, baseUrl: string): void {
  const { origin, protocol, host, pathname } = new URL(baseUrl);
  const fixed = { origin, protocol: protocol.slice(0, -1), host };
  for (const [name, value] of Object.entries(fixed)) Object.defineProperty(ctx.request, name, { value });
  // A proxy may have stripped the path of BASE_URL, which the provider's URLs need.
  const prefix = pathname.replace(/\/$/, '');
  Object.assign(ctx.req, { originalUrl: prefix + ctx.url });
}

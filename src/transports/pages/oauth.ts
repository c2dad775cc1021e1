import { generateKeyPairSync } from 'node:crypto';
import Router, { type RouterContext } from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import mount from 'koa-mount';
import Provider, { type Adapter, type Configuration, errors, interactionPolicy, type JWK } from 'oidc-provider';
import { actorOf, SCOPES, type Scope } from '../../access.ts';
import { asProblem, problem } from '../../errors.ts';
import { HIDDEN_MESSAGE, hasHidden } from '../../plain_text.ts';
import type { Services } from '../../services.ts';
import { Admission } from '../admission.ts';
import { requireOwnOrigin, signedIn } from '../credentials.ts';
import { forPeople, readForm } from './forms.ts';
import { oauthResources } from './oauth_resources.ts';
import { html, page, sendPage } from './page.ts';

const PREFIX = '/oauth';
/** Where metadata is, in either case as the router takes it. */
const WELL_KNOWN = /^\/\.well-known\//i;
const INTERACTION = `${PREFIX}/interaction/`;
/**
 * What there is below /oauth and its methods, in the one spelling that is answered: the provider's router would take
 * others as well.
 */
const PATHS: readonly (readonly [RegExp, string])[] = [
  [
    /^\/(?:auth|auth\/[\w-]{1,100}|jwks|\.well-known\/(?:oauth-authorization-server|openid-configuration))$/,
    'GET, HEAD',
  ],
  [/^\/interaction\/[\w-]{1,100}$/, 'GET, HEAD, POST'],
  [/^\/(?:reg|token|token\/revocation)$/, 'POST'],
];
/** Those that a browser opens. */
const PAGES = /^\/(?:auth|interaction)(?:\/|$)/i;
const CHECKED = html` checked`;
const MINUTE_S = 60;
const DAY_S = 86_400;
/** What a client asks for to get a token that renews itself. */
const RENEWAL = 'offline_access';
/** Bytes of what is stored of a client. */
const CLIENT_BYTES = 16_384;
const CLIENT_NAME = 200;
const REDIRECT_URIS = 10;
const START_AGAIN = 'Go back to the app and start again.';
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const SCOPE_TEXT: Readonly<Record<Scope, string>> = {
  read: 'Look up, merge and export boundaries, and see what your organization has.',
  write: 'Also save, change and share files, and write on the feedback board in your name.',
  admin: 'Also manage API keys, members, teams and invites, as far as your role allows.',
};

/**
 * OAuth 2.1 for clients that act for a person: oidc-provider under /oauth (registration, PKCE, rotating refresh
 * tokens, revocation), the page on which a person consents and chooses the organization, and the metadata of
 * RFC 8414 and RFC 9728 at the root. Tokens are opaque; domain/oauth.ts checks them.
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
    // Without a suffix: the resource that MCP connectors look for.
    if (suffix === '/mcp') metadata.get('/.well-known/oauth-protected-resource', answer);
  }
  const consent = consentPage(services, provider);
  const admission = new Admission(services);
  const mounted = mount(PREFIX, provider);
  return async (ctx, next) => {
    // Nearly every request is for something else.
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
        // RFC 6749 section 3.3: a client that asks for no scope gets the least there is.
        if (path === '/auth' && ctx.query.scope === undefined) ctx.query = { ...ctx.query, scope: SCOPES[0] };
        if (path === '/reg' && ctx.method === 'POST') await services.oauth.countRegistration(network);
      } catch (error) {
        return refuse(ctx, error);
      }
      await consent(ctx, () => mounted(ctx, next));
      // The provider names the scopes of its own; those of the resources are what a client has to know.
      if (ctx.path.startsWith(`${PREFIX}/.well-known/`) && isMetadata(ctx.body)) {
        ctx.body.scopes_supported = [...SCOPES, RENEWAL];
      }
    });
  };
}

/** Throws invalid_input for a parameter with control characters, which RFC 6749 allows in none. */
function requirePlainQuery(ctx: Context): void {
  for (const [name, value] of Object.entries(ctx.query)) {
    if (/\p{Cc}/u.test(`${name}${value}`)) {
      throw problem('invalid_input', 'A parameter of this address contains a control character.');
    }
  }
}

/** Answers a refusal as RFC 6749 says (section 5.2), or as a page where a person is expected. Rethrows faults of ours. */
function refuse(ctx: Context, error: unknown): void {
  const failure = asProblem(error);
  if (!failure) throw error;
  const { retry_after: retryAfter } = failure.extra;
  if (typeof retryAfter === 'number') ctx.set('Retry-After', String(retryAfter));
  if (PAGES.test(ctx.path.slice(PREFIX.length)) && ctx.accepts('json', 'html') === 'html') {
    const title = failure.code === 'rate_limited' ? 'Too many requests' : 'This request cannot be used';
    sendPage(ctx, failure.status, page(title, html`<p>${failure.message}</p><p>${START_AGAIN}</p>`));
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

/** Addresses in answers are those of BASE_URL, whatever the Host header says. */
function ownOrigin(ctx: Context, baseUrl: string): void {
  const { origin, protocol, host, pathname } = new URL(baseUrl);
  const fixed = { origin, protocol: protocol.slice(0, -1), host };
  for (const [name, value] of Object.entries(fixed)) Object.defineProperty(ctx.request, name, { value });
  // A proxy may have taken the path of BASE_URL away; addresses are made with it.
  const prefix = pathname.replace(/\/$/, '');
  Object.assign(ctx.req, { originalUrl: prefix + ctx.url });
}

function createProvider(services: Services): Provider {
  const baseUrl = services.config.BASE_URL;
  const resources = oauthResources(baseUrl);
  const configuration: Configuration = {
    adapter: (model: string) => adapter(services, model),
    cookies: {
      keys: [...services.secretKeys],
      names: { interaction: 'boundary_oauth', resume: 'boundary_oauth_resume', session: 'boundary_oauth_session' },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
      long: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true, initialAccessToken: false, issueRegistrationAccessToken: false },
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
      resourceIndicators: {
        enabled: true,
        defaultResource: async (_ctx, _client, oneOf) => oneOf ?? resources[0],
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_ctx, resource) => {
          if (!resources.includes(resource)) throw new errors.InvalidTarget();
          return { scope: SCOPES.join(' '), audience: resource, accessTokenFormat: 'opaque' };
        },
      },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
    },
    clientAuthMethods: ['none'],
    clientDefaults: {
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    },
    extraClientMetadata: { properties: ['bounds'], validator: (_ctx, _key, _value, client) => boundClient(client) },
    // Required, and never used: no ID token is issued, and access tokens are opaque.
    jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }) as JWK] },
    responseTypes: ['code'],
    scopes: [RENEWAL],
    pkce: { required: () => true },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    ttl: {
      AuthorizationCode: MINUTE_S,
      AccessToken: 60 * MINUTE_S,
      RefreshToken: 30 * DAY_S,
      Interaction: 15 * MINUTE_S,
      Session: 15 * MINUTE_S,
      Grant: 365 * DAY_S,
    },
    interactions: {
      url: (_ctx, interaction) => `${baseUrl}${PREFIX}/interaction/${interaction.uid}`,
      policy: policy(),
    },
    findAccount: async (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    clientBasedCORS: () => true,
    renderError: (ctx, out) => {
      const text = out.error_description ?? out.error;
      sendPage(ctx, ctx.status, page('This request cannot be used', html`<p>${text}</p><p>${START_AGAIN}</p>`));
    },
  };
  const provider = new Provider(baseUrl + PREFIX, configuration);
  provider.on('grant.revoked', (_ctx, id) => {
    services.oauth.ended(id).catch((error: unknown) => services.log.error({ err: error }, 'a grant was not ended'));
  });
  provider.on('server_error', (_ctx, error) => services.log.error({ err: error }, 'authorization failed'));
  return provider;
}

/** A code or token that two requests use at once: the second is told what a later one would be. */
function adapter(services: Services, model: string): Adapter {
  const records = services.oauth.records(model, () => Provider.ctx?.state.network ?? null);
  return {
    ...records,
    async upsert(id, payload, expiresIn) {
      if (!isStorable(payload, model === 'Client' ? CLIENT_BYTES : Number.POSITIVE_INFINITY)) {
        const text = 'the request is too large, nested too deep, or contains characters that are not text';
        throw model === 'Client' ? new errors.InvalidClientMetadata(text) : new errors.InvalidRequest(text);
      }
      await records.upsert(id, payload, expiresIn);
    },
    async consume(id) {
      if (!(await records.consume(id))) throw new errors.InvalidGrant('already used');
    },
  };
}

/** Whether the database can hold it: at most `bytes` of JSON, and no text with a null or half of a surrogate pair. */
function isStorable(payload: object, bytes: number): boolean {
  let storable = true;
  const check = (key: string, value: unknown): unknown => {
    if (/[\0\p{Cs}]/u.test(typeof value === 'string' ? key + value : key)) storable = false;
    return value;
  };
  try {
    return Buffer.byteLength(JSON.stringify(payload, check)) <= bytes && storable;
  } catch {
    // Nested deeper than the stack reaches.
    return false;
  }
}

/** Who is signed in is asked of our own sessions, and consent of the person, every time. */
function policy() {
  const { Check, base } = interactionPolicy;
  const prompts = base();
  prompts
    .get('login')
    ?.checks.add(
      new Check('own_session', 'our own session decides who is signed in', ({ oidc }) =>
        oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    );
  prompts
    .get('consent')
    ?.checks.add(
      new Check('organization', 'the person chooses the organization', ({ oidc }) =>
        oidc.result?.consent ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    );
  return prompts;
}

/** Registration is open to everyone: what it stores is bounded, and codes go to https or to the same machine only. */
function boundClient(client: Record<string, unknown>): void {
  // oidc-provider makes one for every client that does not say that it needs none.
  if (client.token_endpoint_auth_method === 'none') delete client.client_secret;
  const refuse = (text: string): never => {
    throw new errors.InvalidClientMetadata(text);
  };
  const name = client.client_name;
  if (name !== undefined && (typeof name !== 'string' || name.length > CLIENT_NAME)) {
    refuse(`client_name must be one line of at most ${CLIENT_NAME} characters`);
  }
  if (typeof name === 'string' && hasHidden(name)) refuse(`client_name ${HIDDEN_MESSAGE}`);
  const uris = Array.isArray(client.redirect_uris) ? client.redirect_uris : [];
  if (uris.length > REDIRECT_URIS) refuse(`at most ${REDIRECT_URIS} redirect_uris`);
  for (const uri of uris) {
    // RFC 3986 has visible ASCII alone.
    if (typeof uri !== 'string' || !/^[\x21-\x7e]{1,2000}$/.test(uri) || !URL.canParse(uri)) {
      refuse('a redirect_uri is not a URI');
    }
    const { protocol, hostname, username, password } = new URL(uri);
    if (username || password) refuse('redirect_uris must not contain credentials');
    if (protocol === 'http:' && !LOOPBACK.has(hostname)) refuse('redirect_uris with http must be on the loopback');
  }
}

/** The page on which a person lets a client act in one of their organizations, or does not. */
function consentPage(services: Services, provider: Provider) {
  const baseUrl = services.config.BASE_URL;
  const admission = new Admission(services);

  async function open(ctx: Context) {
    const interaction = await provider.interactionDetails(ctx.req, ctx.res);
    if (ctx.path !== INTERACTION + interaction.uid)
      throw new errors.SessionNotFound('another browser began this request');
    const clientId = String(interaction.params.client_id);
    const client = await provider.Client.find(clientId);
    if (!client) throw problem('not_found', 'The app is no longer registered.');
    const asked = new Set(String(interaction.params.scope ?? '').split(' '));
    const scope: Scope = SCOPES.findLast((one) => asked.has(one)) ?? 'read';
    const resource = String(interaction.params.resource ?? oauthResources(baseUrl)[0]);
    return { clientId, name: client.clientName ?? 'An unnamed app', scope, resource, interaction };
  }

  async function show(ctx: Context) {
    const { name, scope, interaction } = await open(ctx);
    const person = await signedIn(services, ctx);
    if (!person?.account) {
      ctx.redirect(`${baseUrl}/sign-in?next=${encodeURIComponent(ctx.path)}`);
      return;
    }
    const orgs = await services.orgs.list(person.account.id);
    const redirect = new URL(String(interaction.params.redirect_uri));
    const scopes = SCOPES.slice(0, SCOPES.indexOf(scope) + 1);
    const body = html`
<p><strong>${name}</strong> wants to act for you (${person.account.email}). It will send you back to <strong>${redirect.host || redirect.protocol}</strong>.</p>
<p class="hint">The app chose its name itself; we did not check it. Continue only if you just started this yourself.</p>
<form method="post">
<fieldset><legend>It may</legend>
${scopes.map(
  (one) => html`<label class="choice"><input type="radio" name="scope" value="${one}"${one === scope && CHECKED}>
<span><strong>${one}</strong>: ${SCOPE_TEXT[one]}</span></label>`,
)}
</fieldset>
<fieldset><legend>In the organization</legend>
${orgs.map(
  (
    org,
  ) => html`<label class="choice"><input type="radio" name="org" value="${org.id}"${org.id === person.org?.id && CHECKED} required>
<span>${org.name} <span class="hint">${org.slug}, you are ${org.role}</span></span></label>`,
)}
</fieldset>
<button name="answer" value="allow">Allow</button>
<button name="answer" value="decline" class="second" formnovalidate>Decline</button>
</form>`;
    const target = redirect.origin === 'null' ? redirect.protocol : redirect.origin;
    sendPage(ctx, 200, page('Allow this app?', body, { formAction: [target] }));
  }

  async function answer(ctx: Context) {
    requireOwnOrigin(ctx, baseUrl);
    const { clientId, name, scope, resource } = await open(ctx);
    const person = await signedIn(services, ctx);
    if (!person?.account) throw problem('unauthorized', 'You are no longer signed in.');
    const field = await readForm(ctx);
    const finish = async (result: Record<string, unknown>) => {
      ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission: false }));
      ctx.status = 303;
    };
    if (field('answer') !== 'allow') {
      await finish({ error: 'access_denied', error_description: 'The person declined.' });
      return;
    }
    const chosen = SCOPES.find((one) => one === field('scope'));
    if (!chosen || SCOPES.indexOf(chosen) > SCOPES.indexOf(scope)) {
      throw problem('invalid_input', 'Choose one of the scopes the app asked for.');
    }
    const { id: account } = person.account;
    const grant = new provider.Grant({ accountId: account, clientId });
    grant.addOIDCScope(RENEWAL);
    grant.rejectOIDCScope('openid');
    grant.addResourceScope(resource, SCOPES.slice(0, SCOPES.indexOf(chosen) + 1).join(' '));
    // What was asked for and not given, so that it is not asked for again.
    grant.rejectResourceScope(resource, SCOPES.slice(SCOPES.indexOf(chosen) + 1).join(' '));
    const id = await grant.save();
    const actor = actorOf({ caller: person, requestId: ctx.state.requestId, address: admission.addressOf(ctx.req) });
    await services.oauth.grant({ id, account, org: field('org'), clientId, clientName: name, scope: chosen }, actor);
    await finish({ login: { accountId: account, remember: false }, consent: { grantId: id } });
  }

  /** An interaction that is over, or was begun in another browser, is nothing unusual: the page says what to do. */
  const unlessExpired = (handler: (ctx: Context) => Promise<void>) => async (ctx: Context) => {
    try {
      await handler(ctx);
    } catch (error) {
      if (!(error instanceof errors.SessionNotFound)) throw error;
      const body = html`
<p>An app's request for access can be answered for 15 minutes, once, and only in the browser that opened it.</p>
<p>${START_AGAIN}</p>`;
      sendPage(ctx, 400, page('This request has expired', body));
    }
  };
  const pages = { GET: forPeople(unlessExpired(show)), POST: forPeople(unlessExpired(answer)) };
  return (ctx: Context, next: Next): Promise<unknown> => {
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    const asked = ctx.path.startsWith(INTERACTION) && (method === 'GET' || method === 'POST');
    return asked ? pages[method](ctx) : next();
  };
}

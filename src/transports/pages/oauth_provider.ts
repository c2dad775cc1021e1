import { generateKeyPairSync } from 'node:crypto';
import type Provider from 'oidc-provider';
import type { Adapter, Configuration, JWK } from 'oidc-provider';
import { HIDDEN_MESSAGE, hasHidden } from '../../common/plain_text.ts';
import { SCOPES } from '../../core/access.ts';
import type { Services } from '../../services.ts';
import { oauthResources } from './oauth_resources.ts';
import { errors, interactionPolicy, Provider as OidcProvider } from './oidc.ts';
import { html, page, sendPage } from './page.ts';
import { inEnglish, wordsFor } from './words.ts';

/** Path prefix of the provider. */
export const PREFIX = '/oauth';
/** The scope that a client requests to get a refresh token. */
export const RENEWAL = 'offline_access';
const MINUTE_S = 60;
const DAY_S = 86_400;
/** Maximum size in bytes of a stored client. */
const CLIENT_BYTES = 16_384;
const CLIENT_NAME = 200;
const REDIRECT_URIS = 10;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Creates the oidc-provider with our storage, policy, limits and lifetimes. */
export function createProvider(services: Services): Provider {
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
    // Required by the library but never used: no ID token is issued, and access tokens are opaque.
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
      const words = wordsFor(ctx, baseUrl);
      const text = inEnglish(out.error_description ?? out.error, words);
      const body = html`<p>${text}</p><p>${words('consent.restart')}</p>`;
      sendPage(ctx, ctx.status, page(words('consent.unusable'), body, { words }));
    },
  };
  const provider = new OidcProvider(baseUrl + PREFIX, configuration);
  provider.on('grant.revoked', (_ctx, id) => {
    services.oauth
      .grantEnded(id)
      .catch((error: unknown) => services.log.error({ err: error }, 'a grant was not ended'));
  });
  provider.on('server_error', (_ctx, error) => services.log.error({ err: error }, 'authorization failed'));
  return provider;
}

/**
 * Stores the provider's records. When two requests use a code or token at once, the second gets invalid_grant, as a
 * later one would.
 */
function adapter(services: Services, model: string): Adapter {
  const records = services.oauth.records(model, () => OidcProvider.ctx?.state.network ?? null);
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

/** Whether the database can store the payload: at most `bytes` of JSON, and no text with a null or a lone surrogate. */
function isStorable(payload: object, bytes: number): boolean {
  let storable = true;
  const check = (key: string, value: unknown): unknown => {
    if (/[\0\p{Cs}]/u.test(typeof value === 'string' ? key + value : key)) storable = false;
    return value;
  };
  try {
    return Buffer.byteLength(JSON.stringify(payload, check)) <= bytes && storable;
  } catch {
    // Nested deeper than the stack allows.
    return false;
  }
}

/** The interaction policy: our own session decides who is signed in, and every authorization asks for consent. */
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

/**
 * Limits a client's metadata, because registration is open to everyone: what it stores is bounded, and codes go only to
 * https or to the same machine.
 */
function boundClient(client: Record<string, unknown>): void {
  // oidc-provider generates a secret for every client that does not state that it needs none.
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
    // RFC 3986 allows only visible ASCII.
    if (typeof uri !== 'string' || !/^[\x21-\x7e]{1,2000}$/.test(uri) || !URL.canParse(uri)) {
      refuse('a redirect_uri is not a URI');
    }
    const { protocol, hostname, username, password } = new URL(uri);
    if (username || password) refuse('redirect_uris must not contain credentials');
    if (protocol === 'http:' && !LOOPBACK.has(hostname)) refuse('redirect_uris with http must be on the loopback');
  }
}

import type { Context, Next } from 'koa';
import type Provider from 'oidc-provider';
import { actorOf, SCOPES, type Scope } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import type { Services } from '../../services.ts';
import { Admission } from '../admission.ts';
import { requireOwnOrigin, signedIn } from '../credentials.ts';
import { readForm, withErrorPages } from './forms.ts';
import { PREFIX, RENEWAL, START_AGAIN } from './oauth_provider.ts';
import { oauthResources } from './oauth_resources.ts';
import { errors } from './oidc.ts';
import { html, page, sendPage } from './page.ts';

const INTERACTION = `${PREFIX}/interaction/`;
const CHECKED = html` checked`;

const SCOPE_TEXT: Readonly<Record<Scope, string>> = {
  read: 'Look up, merge and export boundaries, and see what your organization has.',
  write: 'Also save, change and share files, and write on the feedback board in your name.',
  admin: 'Also manage API keys, members, teams and invites, as far as your role allows.',
};

/**
 * The middleware of the consent page, on which a person allows or declines that a client acts in one of their
 * organizations.
 */
export function consentPage(services: Services, provider: Provider) {
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
  // The least is chosen: whoever only clicks grants no more than that.
  (one, i) => html`<label class="choice"><input type="radio" name="scope" value="${one}"${i === 0 && CHECKED}>
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
    // Scopes that were requested but not granted are rejected, so that the provider does not prompt for them again.
    grant.rejectResourceScope(resource, SCOPES.slice(SCOPES.indexOf(chosen) + 1).join(' '));
    const id = await grant.save();
    const actor = actorOf({ caller: person, requestId: ctx.state.requestId, address: admission.addressOf(ctx.req) });
    await services.oauth.grant({ id, account, org: field('org'), clientId, clientName: name, scope: chosen }, actor);
    await finish({ login: { accountId: account, remember: false }, consent: { grantId: id } });
  }

  /** Expired interactions, and those of another browser, are common: the page says what to do. */
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
  const pages = { GET: withErrorPages(unlessExpired(show)), POST: withErrorPages(unlessExpired(answer)) };
  return (ctx: Context, next: Next): Promise<unknown> => {
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    const asked = ctx.path.startsWith(INTERACTION) && (method === 'GET' || method === 'POST');
    return asked ? pages[method](ctx) : next();
  };
}

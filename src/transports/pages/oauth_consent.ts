import type { Context, Next } from 'koa';
import type Provider from 'oidc-provider';
import { actorOf, SCOPES, type Scope } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import type { Services } from '../../services.ts';
import { Admission } from '../admission.ts';
import { requireOwnOrigin, signedIn } from '../credentials.ts';
import { readForm, withErrorPages } from './forms.ts';
import { PREFIX, RENEWAL } from './oauth_provider.ts';
import { oauthResources } from './oauth_resources.ts';
import { errors } from './oidc.ts';
import { html, page, sendPage } from './page.ts';
import { strong, wordsFor } from './words.ts';

const INTERACTION = `${PREFIX}/interaction/`;
const CHECKED = html` checked`;

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
    return { clientId, name: client.clientName, scope, resource, interaction };
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
    const words = wordsFor(ctx, baseUrl);
    const who = {
      name: strong(name ?? words('consent.unnamed')),
      email: person.account.email,
      target: strong(redirect.host || redirect.protocol),
    };
    const body = html`
<p>${words('consent.wants', who)}</p>
<p class="hint">${words('consent.unchecked')}</p>
<form method="post">
<fieldset><legend>${words('consent.may')}</legend>
${scopes.map(
  // The least is chosen: whoever only clicks grants no more than that.
  (one, i) => html`<label class="choice"><input type="radio" name="scope" value="${one}"${i === 0 && CHECKED}>
<span><strong>${one}</strong>: ${words(`scope.${one}`)}</span></label>`,
)}
</fieldset>
<fieldset><legend>${words('consent.in')}</legend>
${orgs.map(
  (
    org,
  ) => html`<label class="choice"><input type="radio" name="org" value="${org.id}"${org.id === person.org?.id && CHECKED} required>
<span>${org.name} <span class="hint">${org.slug}, ${words('consent.youAre', { role: words(`role.${org.role}`) })}</span></span></label>`,
)}
</fieldset>
<button name="answer" value="allow">${words('consent.allow')}</button>
<button name="answer" value="decline" class="second" formnovalidate>${words('app.decline')}</button>
</form>`;
    const target = redirect.origin === 'null' ? redirect.protocol : redirect.origin;
    sendPage(ctx, 200, page(words('app.allow'), body, { formAction: [target], words }));
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
    const clientName = name ?? 'An unnamed app';
    await services.oauth.grant({ id, account, org: field('org'), clientId, clientName, scope: chosen }, actor);
    await finish({ login: { accountId: account, remember: false }, consent: { grantId: id } });
  }

  /** Expired interactions, and those of another browser, are common: the page says what to do. */
  const unlessExpired = (handler: (ctx: Context) => Promise<void>) => async (ctx: Context) => {
    try {
      await handler(ctx);
    } catch (error) {
      if (!(error instanceof errors.SessionNotFound)) throw error;
      const words = wordsFor(ctx, baseUrl);
      const body = html`
<p>${words('consent.once')}</p>
<p>${words('consent.restart')}</p>`;
      sendPage(ctx, 400, page(words('consent.expired'), body, { words }));
    }
  };
  const pages = {
    GET: withErrorPages(unlessExpired(show), baseUrl),
    POST: withErrorPages(unlessExpired(answer), baseUrl),
  };
  return (ctx: Context, next: Next): Promise<unknown> => {
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    const asked = ctx.path.startsWith(INTERACTION) && (method === 'GET' || method === 'POST');
    return asked ? pages[method](ctx) : next();
  };
}

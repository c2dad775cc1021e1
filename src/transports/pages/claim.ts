import type { Context } from 'koa';
import type { Key } from '../../common/texts/tables.ts';
import { asProblem } from '../../core/errors.ts';
import type { Services } from '../../services.ts';
import { addressGroup } from '../addresses.ts';
import { Admission } from '../admission.ts';
import { requireOwnOrigin, setCookie } from '../credentials.ts';
import { readForm, redirectTo, withErrorPages } from './forms.ts';
import { type Html, html, page, sendPage } from './page.ts';
import { type Words, wordsFor } from './words.ts';

type Handler = (ctx: Context) => Promise<void>;

/** Format of a key; anything else is rejected without a database query. */
const KEY = /^bnd_\w{1,200}$/;

/**
 * Routes of the page on which the holder of the first key claims its account: the account gets their email address and
 * becomes an operator's, and this browser is signed in. The key is the proof, so no one else can claim the account over the network. It can be
 * claimed once.
 */
export function claimRoutes(services: Services): [string, Record<string, Handler>][] {
  const { BASE_URL } = services.config;
  const admission = new Admission(services);
  const base = new URL(BASE_URL).pathname.replace(/\/$/, '');

  const form = (words: Words, email = '', fault: Key | null = null): Html => html`
<p>${words('claim.intro', { file: html`<code>first-key</code>` })}</p>
<form method="post" action="${base}/claim">
${fault && html`<p class="bad" id="fault" role="alert">${words(fault)}</p>`}
<label for="key">${words('claim.key')}</label>
<input id="key" name="key" type="password" autocomplete="off" required autofocus maxlength="200" aria-describedby="${fault ? 'fault how' : 'how'}">
<label for="email">${words('signIn.email')}</label>
<input id="email" name="email" type="email" autocomplete="email" required maxlength="254" value="${email}">
<p class="hint" id="how">${words('claim.how')}</p>
<button>${words('claim.button')}</button>
</form>`;

  const send = (ctx: Context, status: number, email?: string, fault?: Key): void => {
    const words = wordsFor(ctx, BASE_URL);
    sendPage(ctx, status, page(words('claim.title'), form(words, email, fault), { home: base, words }));
  };

  /**
   * The account of a key if the key is the first one and the account is unclaimed; else null. Keys that were created
   * with the first key prove nothing.
   */
  async function unclaimed(key: string): Promise<{ id: string; org: string | null } | null> {
    if (!KEY.test(key)) return null;
    try {
      const { account, org, credential } = await services.keys.authenticate(key);
      if (!account || !services.accounts.isUnclaimed(account.email) || credential?.kind !== 'api_key') return null;
      return (await services.keys.isMadeByKey(credential.id)) ? null : { id: account.id, org: org?.id ?? null };
    } catch (error) {
      if (asProblem(error)?.code === 'invalid_key') return null;
      throw error;
    }
  }

  async function claim(ctx: Context): Promise<void> {
    requireOwnOrigin(ctx, BASE_URL);
    const field = await readForm(ctx);
    await services.accounts.countClaim(addressGroup(admission.addressOf(ctx.req)));
    const first = await unclaimed(field('key').trim());
    if (!first) return send(ctx, 400, field('email'), 'claim.wrongKey');
    try {
      await services.accounts.claim(field('email'));
    } catch (error) {
      if (asProblem(error)?.code !== 'invalid_input') throw error;
      return send(ctx, 400, field('email'), 'claim.wrongEmail');
    }
    const session = await services.sessions.start(services.db, first.id, first.org);
    setCookie(ctx, 'boundary_session', session.cookie, session.maxAgeS, BASE_URL);
    redirectTo(ctx, BASE_URL, '/account');
  }

  const show: Handler = async (ctx) => send(ctx, 200);
  return [['/claim', { GET: withErrorPages(show, BASE_URL), POST: withErrorPages(claim, BASE_URL) }]];
}

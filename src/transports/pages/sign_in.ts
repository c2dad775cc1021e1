import { join } from 'node:path';
import type { Context } from 'koa';
import type { Key } from '../../common/texts/tables.ts';
import { mailFolder } from '../../config.ts';
import type { Caller } from '../../core/access.ts';
import { asProblem } from '../../core/errors.ts';
import type { Services } from '../../services.ts';
import { addressGroup, isLocal } from '../addresses.ts';
import { Admission } from '../admission.ts';
import { readCookie, requireOwnOrigin, setCookie, signedIn } from '../credentials.ts';
import { readQuery } from '../decode.ts';
import { readForm, redirectTo, safeNext, withErrorPages } from './forms.ts';
import { type Html, html, page, sendPage } from './page.ts';
import { languageFor, linkTo, strong, type Words, wordsFor } from './words.ts';

type Handler = (ctx: Context) => Promise<void>;
type MailedLink = Awaited<ReturnType<Services['signIn']['request']>>;

/** Target of a sign-in that was not started from another page. */
const HOME = '/sign-in';

const day = (time: string): string => time.slice(0, 10);

/** Routes of the sign-in and sign-out pages, by path and method. */
export function signInRoutes(services: Services): [string, Record<string, Handler>][] {
  const { BASE_URL } = services.config;
  const admission = new Admission(services);
  const base = new URL(BASE_URL).pathname.replace(/\/$/, '');

  const send = (ctx: Context, status: number, title: Key, body: Html): void => {
    const words = wordsFor(ctx, BASE_URL);
    sendPage(ctx, status, page(words(title), body, { home: base, words }));
  };

  const form = (words: Words, next: string, email = '', isFaulty = false): Html => html`
<form method="post" action="${base}/sign-in">
<input type="hidden" name="next" value="${next}">
<label for="email">${words('signIn.email')}</label>
${isFaulty && html`<p class="bad" id="fault" role="alert">${words('signIn.fault')}</p>`}
<input id="email" name="email" type="email" autocomplete="email" required autofocus maxlength="254" value="${email}"
 aria-describedby="${isFaulty ? 'fault how' : 'how'}">
<p class="hint" id="how">${words('signIn.how')}</p>
<button>${words('signIn.send')}</button>
</form>`;

  /** For someone who has just started a server on their own machine. */
  const claimHint = (words: Words): Html =>
    html`<p class="hint">${words('signIn.claim', { claim: linkTo(`${base}/claim`) })}</p>`;

  async function showSignIn(ctx: Context): Promise<void> {
    const asked = readQuery(ctx.querystring).get('next') ?? '';
    const next = safeNext(asked, HOME);
    const caller = await signedIn(services, ctx);
    const words = wordsFor(ctx, BASE_URL);
    if (!caller) {
      const invitation = await invitationIn(words, next);
      send(ctx, 200, 'signIn.title', html`${invitation}${form(words, next)}${mailStaysHere(ctx) && claimHint(words)}`);
    } else if (next !== HOME) redirectTo(ctx, BASE_URL, next);
    else send(ctx, 200, 'signIn.you', await whoYouAre(words, caller));
  }

  /** Names the invitation to which sign-in leads. */
  async function invitationIn(words: Words, next: string): Promise<Html | false> {
    const [, token] = /^\/invite\?token=([\w-]{1,200})$/.exec(next) ?? [];
    const invite = token === undefined ? null : await services.invites.named(token);
    if (!invite) return false;
    const organization = words(invite.personal ? 'signIn.personal' : 'signIn.organization', { slug: invite.slug });
    const role = words(`role.${invite.role}`);
    return html`\n<p>${words('signIn.invitation', { inviter: strong(invite.inviter), organization, role })}</p>`;
  }

  async function whoYouAre(words: Words, { account, org, credential }: Caller): Promise<Html> {
    const sessions = account ? await services.sessions.list(account.id) : [];
    const browsers = sessions.map(
      (one) => html`
<li>${words('signIn.session', { created: day(one.created_at), used: day(one.last_seen_at) })}${one.id === credential?.id && html` ${strong(words('signIn.this'))}`}</li>`,
    );
    return html`
<dl>
<dt>${words('signIn.account')}</dt><dd>${account?.name && html`${account.name}, `}${account?.email}</dd>
<dt>${words('signIn.inOrganization')}</dt><dd>${org?.slug ?? words('signIn.none')}</dd>
</dl>
<p>${words('signIn.on', { map: linkTo(`${base}/`), library: linkTo(`${base}/library`), account: linkTo(`${base}/account`) })}</p>
<h2>${words('signIn.sessions')}</h2>
<ul>${browsers}</ul>
<form method="post" action="${base}/sign-out"><button>${words('signIn.out')}</button></form>
<form method="post" action="${base}/sign-out">
<input type="hidden" name="everywhere" value="yes">
<button class="second">${words('signIn.everywhere')}</button>
</form>`;
  }

  /** The browser that asks for a link, its network and the language of its pages. */
  const asking = (ctx: Context) => ({
    browser: readCookie(ctx, 'boundary_sign_in', BASE_URL),
    sender: admission.groupOf(ctx.req),
    language: languageFor(ctx, BASE_URL),
  });

  async function askForLink(ctx: Context): Promise<void> {
    requireOwnOrigin(ctx, BASE_URL);
    const field = await readForm(ctx);
    const next = safeNext(field('next'), HOME);
    let asked: MailedLink;
    try {
      asked = await services.signIn.request({ email: field('email'), next, ...asking(ctx) });
    } catch (error) {
      if (asProblem(error)?.code !== 'invalid_input') throw error;
      return send(ctx, 400, 'signIn.title', form(wordsFor(ctx, BASE_URL), next, field('email'), true));
    }
    showMailed(ctx, asked, next);
  }

  async function askAgain(ctx: Context): Promise<void> {
    requireOwnOrigin(ctx, BASE_URL);
    const field = await readForm(ctx);
    const asked = await services.signIn.requestAgain({ token: field('token'), ...asking(ctx) });
    if (asked) showMailed(ctx, asked, HOME);
    else unusable(ctx, '');
  }

  function showMailed(ctx: Context, asked: MailedLink, next: string): void {
    setCookie(ctx, 'boundary_sign_in', asked.browser, 900, BASE_URL);
    const words = wordsFor(ctx, BASE_URL);
    const email = strong(asked.email);
    const again = linkTo(`${base}/sign-in?next=${encodeURIComponent(next)}`);
    const here = html`
<p>${words('mailed.here', { email })}</p>
<p><code>${join(mailFolder(services.config), `${asked.mail}.eml`)}</code></p>
<p>${words('mailed.open')}</p>
<p class="hint">${words('mailed.smtp', { setting: 'SMTP_URL' })}</p>`;
    const sent = html`
<p>${words('mailed.sent', { email })}</p>
<p>${words('mailed.openIt')}</p>
<p class="hint">${words('mailed.none', { again })}${services.config.SMTP_URL === undefined && html` ${words('mailed.unsent')}`}</p>`;
    send(ctx, 200, 'mailed.title', mailStaysHere(ctx) ? here : sent);
  }

  /**
   * Whether mail is written to files whose names a visitor may see: no mail server is configured, BASE_URL is of this
   * machine, and so is the visitor, without a proxy.
   */
  function mailStaysHere({ req }: Context): boolean {
    const { hostname } = new URL(BASE_URL);
    const own = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
    return services.config.SMTP_URL === undefined && own && isLocal(req);
  }

  /** `token` is that of an earlier mail, which is enough to ask for a link for this browser. */
  const unusable = (ctx: Context, token: string): void => {
    const words = wordsFor(ctx, BASE_URL);
    const again = html`
<form method="post" action="${base}/sign-in/again">
<input type="hidden" name="token" value="${token}">
<button>${words('used.here')}</button>
</form>
<p class="hint">${words('used.where')}</p>`;
    const body = html`
<p>${words('used.why')}</p>
${token !== '' && again}
<p>${words('used.again', { again: linkTo(`${base}/sign-in`) })}</p>`;
    send(ctx, 400, 'used.title', body);
  };

  async function showConfirm(ctx: Context): Promise<void> {
    const token = readQuery(ctx.querystring).get('token') ?? '';
    const link = await services.signIn.findLink(token, readCookie(ctx, 'boundary_sign_in', BASE_URL));
    if (!link) return unusable(ctx, token);
    const words = wordsFor(ctx, BASE_URL);
    const name = html`
<label for="name">${words('confirm.name')}</label>
<input id="name" name="name" autocomplete="name" autofocus maxlength="200" aria-describedby="why">
<p class="hint" id="why">${words('confirm.why')}</p>`;
    const body = html`
<p>${words('confirm.as', { email: strong(link.email) })}</p>
<form method="post" action="${base}/sign-in/confirm">
<input type="hidden" name="token" value="${token}">
${link.first && name}
<button${!link.first && html` autofocus`}>${words('signIn.title')}</button>
</form>`;
    send(ctx, 200, link.first ? 'confirm.welcome' : 'signIn.title', body);
  }

  async function confirm(ctx: Context): Promise<void> {
    requireOwnOrigin(ctx, BASE_URL);
    const field = await readForm(ctx);
    const browser = readCookie(ctx, 'boundary_sign_in', BASE_URL);
    const before = await signedIn(services, ctx);
    const address = admission.addressOf(ctx.req);
    const by = { requestId: String(ctx.state.requestId), address, sender: addressGroup(address) };
    const done = await services.signIn.complete(field('token'), browser, field('name'), by);
    if (!done) return unusable(ctx, field('token'));
    if (before?.credential) await services.sessions.end(before.credential.id);
    setCookie(ctx, 'boundary_sign_in', null, 0, BASE_URL);
    setCookie(ctx, 'boundary_session', done.session.cookie, done.session.maxAgeS, BASE_URL);
    redirectTo(ctx, BASE_URL, safeNext(done.next, HOME));
  }

  async function signOut(ctx: Context): Promise<void> {
    requireOwnOrigin(ctx, BASE_URL);
    const field = await readForm(ctx);
    const caller = await signedIn(services, ctx);
    if (caller?.credential && caller.account) {
      if (field('everywhere') === 'yes') await services.sessions.endAll(services.db, caller.account.id);
      else await services.sessions.end(caller.credential.id);
      setCookie(ctx, 'boundary_session', null, 0, BASE_URL);
    }
    redirectTo(ctx, BASE_URL, HOME);
  }

  return [
    ['/sign-in', { GET: withErrorPages(showSignIn, BASE_URL), POST: withErrorPages(askForLink, BASE_URL) }],
    ['/sign-in/again', { POST: withErrorPages(askAgain, BASE_URL) }],
    ['/sign-in/confirm', { GET: withErrorPages(showConfirm, BASE_URL), POST: withErrorPages(confirm, BASE_URL) }],
    ['/sign-out', { POST: withErrorPages(signOut, BASE_URL) }],
  ];
}

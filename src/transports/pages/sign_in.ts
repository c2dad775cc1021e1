import { join } from 'node:path';
import type { Context } from 'koa';
import { mailFolder } from '../../config.ts';
import type { Caller } from '../../core/access.ts';
import { asProblem } from '../../core/errors.ts';
import { organizationOf } from '../../domain/people/invites.ts';
import type { Services } from '../../services.ts';
import { addressGroup, isLocal } from '../addresses.ts';
import { Admission } from '../admission.ts';
import { readCookie, requireOwnOrigin, setCookie, signedIn } from '../credentials.ts';
import { readQuery } from '../decode.ts';
import { readForm, redirectTo, safeNext, withErrorPages } from './forms.ts';
import { type Html, html, page, sendPage } from './page.ts';

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

  const form = (next: string, email = '', fault = ''): Html => html`
<form method="post" action="${base}/sign-in">
<input type="hidden" name="next" value="${next}">
<label for="email">Your email address</label>
${fault && html`<p class="bad" id="fault" role="alert">${fault}</p>`}
<input id="email" name="email" type="email" autocomplete="email" required autofocus maxlength="254" value="${email}"
 aria-describedby="${fault ? 'fault how' : 'how'}">
<p class="hint" id="how">We will email you a link. There is no password. New here? We'll create an account.</p>
<button>Send the link</button>
</form>`;

  const UNSENT = html` If this server has no mail server, whoever runs it finds the link in its terminal or its folder of
mails.`;

  /** For someone who has just started a server on their own machine. */
  const CLAIM = html`<p class="hint">Just started this server? <a href="${base}/claim">Claim the account of the first key</a>.</p>`;

  async function showSignIn(ctx: Context): Promise<void> {
    const asked = readQuery(ctx.querystring).get('next') ?? '';
    const next = safeNext(asked, HOME);
    const caller = await signedIn(services, ctx);
    if (!caller) {
      const body = html`${await invitationIn(next)}${form(next)}${mailStaysHere(ctx) && CLAIM}`;
      sendPage(ctx, 200, page('Sign in', body, { home: base }));
    } else if (next !== HOME) redirectTo(ctx, BASE_URL, next);
    else sendPage(ctx, 200, page('You are signed in', await whoYouAre(caller), { home: base }));
  }

  /** Names the invitation to which sign-in leads. */
  async function invitationIn(next: string): Promise<Html | false> {
    const [, token] = /^\/invite\?token=([\w-]{1,200})$/.exec(next) ?? [];
    const invite = token === undefined ? null : await services.invites.named(token);
    if (!invite) return false;
    return html`
<p><strong>${invite.inviter}</strong> invites you to ${organizationOf(invite)} as ${invite.role}. Sign in with the address
that was invited to join it.</p>`;
  }

  async function whoYouAre({ account, org, credential }: Caller): Promise<Html> {
    const sessions = account ? await services.sessions.list(account.id) : [];
    const browsers = sessions.map(
      (one) => html`
<li>Signed in ${day(one.created_at)}, last used ${day(one.last_seen_at)}${one.id === credential?.id && html` <strong>(this session)</strong>`}</li>`,
    );
    return html`
<dl>
<dt>Account</dt><dd>${account?.name && html`${account.name}, `}${account?.email}</dd>
<dt>Organization</dt><dd>${org?.slug ?? 'none'}</dd>
</dl>
<p><a href="${base}/">Open the map</a>, <a href="${base}/library">the library</a> or
<a href="${base}/account">your account</a>.</p>
<h2>Active sessions</h2>
<ul>${browsers}</ul>
<form method="post" action="${base}/sign-out"><button>Sign out</button></form>
<form method="post" action="${base}/sign-out">
<input type="hidden" name="everywhere" value="yes">
<button class="second">Sign out everywhere</button>
</form>`;
  }

  /** The browser that asks for a link, and its network. */
  const asking = (ctx: Context) => ({
    browser: readCookie(ctx, 'boundary_sign_in', BASE_URL),
    sender: admission.groupOf(ctx.req),
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
      const fault = 'Enter a valid email address.';
      sendPage(ctx, 400, page('Sign in', form(next, field('email'), fault), { home: base }));
      return;
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
    const again = html`<a href="${base}/sign-in?next=${encodeURIComponent(next)}">ask for another link</a>`;
    const here = html`
<p>This server sends no email. The link for <strong>${asked.email}</strong> is in this file on the server:</p>
<p><code>${join(mailFolder(services.config), `${asked.mail}.eml`)}</code></p>
<p>Open the link in this browser within 15 minutes. It works once.</p>
<p class="hint">A server that runs in a terminal prints the link there too. To send email, set SMTP_URL.</p>`;
    const sent = html`
<p>We sent a link to <strong>${asked.email}</strong>.</p>
<p>Open it in this browser within 15 minutes. It works once.</p>
<p class="hint">No email? Check your spam folder, or ${again}.${services.config.SMTP_URL === undefined && UNSENT}</p>`;
    sendPage(ctx, 200, page('Check your email', mailStaysHere(ctx) ? here : sent, { home: base }));
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
    const again = html`
<form method="post" action="${base}/sign-in/again">
<input type="hidden" name="token" value="${token}">
<button>Email me a link for this browser</button>
</form>
<p class="hint">It goes to the address that this link was sent to.</p>`;
    const body = html`
<p>A sign-in link works once, for 15 minutes, and only in the browser that asked for it.</p>
${token !== '' && again}
<p><a href="${base}/sign-in">Ask for another link</a> in the browser where you want to sign in.</p>`;
    sendPage(ctx, 400, page('This link has expired or was already used', body, { home: base }));
  };

  async function showConfirm(ctx: Context): Promise<void> {
    const token = readQuery(ctx.querystring).get('token') ?? '';
    const link = await services.signIn.findLink(token, readCookie(ctx, 'boundary_sign_in', BASE_URL));
    if (!link) return unusable(ctx, token);
    const name = html`
<label for="name">Your name</label>
<input id="name" name="name" autocomplete="name" autofocus maxlength="200" aria-describedby="why">
<p class="hint" id="why">People you work with see it. Optional.</p>`;
    const body = html`
<p>You are signing in as <strong>${link.email}</strong>.</p>
<form method="post" action="${base}/sign-in/confirm">
<input type="hidden" name="token" value="${token}">
${link.first && name}
<button${!link.first && html` autofocus`}>Sign in</button>
</form>`;
    sendPage(ctx, 200, page(link.first ? 'Welcome' : 'Sign in', body, { home: base }));
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
    ['/sign-in', { GET: withErrorPages(showSignIn, base), POST: withErrorPages(askForLink, base) }],
    ['/sign-in/again', { POST: withErrorPages(askAgain, base) }],
    ['/sign-in/confirm', { GET: withErrorPages(showConfirm, base), POST: withErrorPages(confirm, base) }],
    ['/sign-out', { POST: withErrorPages(signOut, base) }],
  ];
}

import { join } from 'node:path';
import type { Context } from 'koa';
import { mailFolder } from '../../config.ts';
import type { Caller } from '../../core/access.ts';
import { asProblem } from '../../core/errors.ts';
import type { Services } from '../../services.ts';
import { addressGroup } from '../addresses.ts';
import { Admission } from '../admission.ts';
import { readCookie, requireOwnOrigin, setCookie, signedIn } from '../credentials.ts';
import { readQuery } from '../decode.ts';
import { readForm, redirectTo, safeNext, withErrorPages } from './forms.ts';
import { type Html, html, page, sendPage } from './page.ts';

type Handler = (ctx: Context) => Promise<void>;

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

  /** For someone who has just started a server on their own machine. */
  const CLAIM = html`<p class="hint">Just started this server? <a href="${base}/claim">Claim the account of the first key</a>.</p>`;

  async function showSignIn(ctx: Context): Promise<void> {
    const asked = readQuery(ctx.querystring).get('next') ?? '';
    const next = safeNext(asked, HOME);
    const caller = await signedIn(services, ctx);
    if (!caller) sendPage(ctx, 200, page('Sign in', html`${form(next)}${mailStaysHere(ctx) && CLAIM}`));
    else if (next !== HOME) redirectTo(ctx, BASE_URL, next);
    else sendPage(ctx, 200, page('You are signed in', await whoYouAre(caller)));
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
<h2>Active sessions</h2>
<ul>${browsers}</ul>
<form method="post" action="${base}/sign-out"><button>Sign out</button></form>
<form method="post" action="${base}/sign-out">
<input type="hidden" name="everywhere" value="yes">
<button class="second">Sign out everywhere</button>
</form>`;
  }

  async function askForLink(ctx: Context): Promise<void> {
    requireOwnOrigin(ctx, BASE_URL);
    const field = await readForm(ctx);
    const next = safeNext(field('next'), HOME);
    const sender = admission.groupOf(ctx.req);
    const known = readCookie(ctx, 'boundary_sign_in', BASE_URL);
    let asked: Awaited<ReturnType<Services['signIn']['request']>>;
    try {
      asked = await services.signIn.request({ email: field('email'), next, browser: known, sender });
    } catch (error) {
      if (asProblem(error)?.code !== 'invalid_input') throw error;
      const fault = 'Enter a valid email address.';
      sendPage(ctx, 400, page('Sign in', form(next, field('email'), fault)));
      return;
    }
    setCookie(ctx, 'boundary_sign_in', asked.browser, 900, BASE_URL);
    const again = html`<a href="${base}/sign-in?next=${encodeURIComponent(next)}">ask for another link</a>`;
    const body = mailStaysHere(ctx)
      ? html`
<p>This server sends no email. The link for <strong>${asked.email}</strong> is in this file on the server:</p>
<p><code>${join(mailFolder(services.config), `${asked.mail}.eml`)}</code></p>
<p>Open the link in this browser within 15 minutes. It works once.</p>
<p class="hint">A server that runs in a terminal prints the link there too. To send email, set SMTP_URL.</p>`
      : html`
<p>We sent a link to <strong>${asked.email}</strong>.</p>
<p>Open it in this browser within 15 minutes. It works once.</p>
<p class="hint">No email? Check your spam folder, or ${again}.</p>`;
    sendPage(ctx, 200, page('Check your email', body));
  }

  /**
   * Whether mail is written to files whose names a visitor may see: no mail server is configured, BASE_URL is of this
   * machine, and the request did not come through a proxy.
   */
  function mailStaysHere({ headers }: Context): boolean {
    const { hostname } = new URL(BASE_URL);
    const own = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
    const proxied = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
    return services.config.SMTP_URL === undefined && own && !proxied;
  }

  const unusable = (ctx: Context): void => {
    const body = html`
<p>A sign-in link works once, for 15 minutes, and only in the browser that asked for it.</p>
<p><a href="${base}/sign-in">Ask for another link</a> in the browser where you want to sign in.</p>`;
    sendPage(ctx, 400, page('This link has expired or was already used', body));
  };

  async function showConfirm(ctx: Context): Promise<void> {
    const token = readQuery(ctx.querystring).get('token') ?? '';
    const link = await services.signIn.findLink(token, readCookie(ctx, 'boundary_sign_in', BASE_URL));
    if (!link) return unusable(ctx);
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
    sendPage(ctx, 200, page(link.first ? 'Welcome' : 'Sign in', body));
  }

  async function confirm(ctx: Context): Promise<void> {
    requireOwnOrigin(ctx, BASE_URL);
    const field = await readForm(ctx);
    const browser = readCookie(ctx, 'boundary_sign_in', BASE_URL);
    const before = await signedIn(services, ctx);
    const address = admission.addressOf(ctx.req);
    const by = { requestId: String(ctx.state.requestId), address, sender: addressGroup(address) };
    const done = await services.signIn.complete(field('token'), browser, field('name'), by);
    if (!done) return unusable(ctx);
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
    ['/sign-in', { GET: withErrorPages(showSignIn), POST: withErrorPages(askForLink) }],
    ['/sign-in/confirm', { GET: withErrorPages(showConfirm), POST: withErrorPages(confirm) }],
    ['/sign-out', { POST: withErrorPages(signOut) }],
  ];
}

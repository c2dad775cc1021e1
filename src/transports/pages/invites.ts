import type { Context } from 'koa';
import { actorIn } from '../../core/access.ts';
import { asProblem } from '../../core/errors.ts';
import type { Services } from '../../services.ts';
import { Admission } from '../admission.ts';
import { requireOwnOrigin } from '../credentials.ts';
import { readQuery } from '../decode.ts';
import { type Person, readForm, signedInPerson, withErrorPages } from './forms.ts';
import { type Html, html, page, sendPage } from './page.ts';
import { linkTo, strong, type Words, wordsFor } from './words.ts';

type Handler = (ctx: Context) => Promise<void>;

/**
 * Routes of the page that the mail of an invitation links to. It shows the invitation to its addressee and accepts it.
 */
export function inviteRoutes(services: Services): [string, Record<string, Handler>][] {
  const { BASE_URL } = services.config;
  const admission = new Admission(services);
  const base = new URL(BASE_URL).pathname.replace(/\/$/, '');

  const person = (ctx: Context, token: string): Promise<Person | null> =>
    signedInPerson(services, ctx, `/invite?token=${encodeURIComponent(token.slice(0, 200))}`);

  const waysOn = (words: Words): Html =>
    words('invite.on', {
      map: linkTo(`${base}/`),
      library: linkTo(`${base}/library`),
      members: linkTo(`${base}/account/members`),
    });

  /** For someone whose address the link does not invite, or no longer. */
  function notFor(ctx: Context, email: string): void {
    const words = wordsFor(ctx, BASE_URL);
    const body = html`
<p>${words('invite.other', { email: strong(email) })}</p>
<p>${waysOn(words)}</p>
<form method="post" action="${base}/sign-out"><button>${words('invite.out')}</button></form>`;
    sendPage(ctx, 404, page(words('invite.notYours'), body, { words }));
  }

  async function show(ctx: Context): Promise<void> {
    const token = readQuery(ctx.querystring).get('token') ?? '';
    const who = await person(ctx, token);
    if (!who) return;
    const { account } = who;
    const invite = await services.invites.preview(account.id, token);
    if (!invite) return notFor(ctx, account.email);
    const words = wordsFor(ctx, BASE_URL);
    const body = html`
<p>${words('invite.by', { inviter: strong(invite.invited_by), email: strong(account.email) })}</p>
<dl>
<dt>${words('invite.organization')}</dt><dd>${invite.name} (${invite.slug})</dd>
<dt>${words('invite.role')}</dt><dd>${words(`role.${invite.role}`)}</dd>
</dl>
<form method="post" action="${base}/invite">
<input type="hidden" name="token" value="${token}">
<button>${words('invite.join')}</button>
</form>
<p class="hint">${words('invite.hint')}</p>`;
    sendPage(ctx, 200, page(words('invite.title'), body, { words }));
  }

  async function join(ctx: Context): Promise<void> {
    requireOwnOrigin(ctx, BASE_URL);
    const token = (await readForm(ctx))('token');
    const who = await person(ctx, token);
    if (!who) return;
    const { caller, account } = who;
    const call = { caller, requestId: String(ctx.state.requestId), address: admission.addressOf(ctx.req) };
    let org: Awaited<ReturnType<Services['invites']['accept']>>;
    try {
      org = await services.invites.accept(account.id, token, (id) => actorIn(id, call));
    } catch (error) {
      if (asProblem(error)?.code !== 'not_found') throw error;
      return notFor(ctx, account.email);
    }
    if (caller.credential) await services.sessions.switchOrg(caller.credential.id, org.id);
    const words = wordsFor(ctx, BASE_URL);
    const body = html`
<p>${words('invite.now', { organization: strong(org.name), role: words(`role.${org.role}`) })}</p>
<p>${waysOn(words)}</p>`;
    sendPage(ctx, 200, page(words('invite.joined'), body, { words }));
  }

  return [['/invite', { GET: withErrorPages(show, BASE_URL), POST: withErrorPages(join, BASE_URL) }]];
}

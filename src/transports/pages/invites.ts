import type { Context } from 'koa';
import { actorIn } from '../../core/access.ts';
import { asProblem } from '../../core/errors.ts';
import type { Services } from '../../services.ts';
import { Admission } from '../admission.ts';
import { requireOwnOrigin } from '../credentials.ts';
import { readQuery } from '../decode.ts';
import { type Person, readForm, signedInPerson, withErrorPages } from './forms.ts';
import { html, page, sendPage } from './page.ts';

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

  const waysOn = html`<a href="${base}/">Open the map</a>, <a href="${base}/library">the library</a> or
<a href="${base}/account/members">the members</a>.`;

  /** For someone whose address the link does not invite, or no longer. */
  function notFor(ctx: Context, email: string): void {
    const body = html`
<p>This link is not an open invitation for <strong>${email}</strong>, with which you are signed in. It may be for another
address, or have been accepted, revoked or expired: then ask for another invitation.</p>
<p>${waysOn}</p>
<form method="post" action="${base}/sign-out"><button>Sign out, to use another address</button></form>`;
    sendPage(ctx, 404, page('No invitation for you', body));
  }

  async function show(ctx: Context): Promise<void> {
    const token = readQuery(ctx.querystring).get('token') ?? '';
    const who = await person(ctx, token);
    if (!who) return;
    const { account } = who;
    const invite = await services.invites.preview(account.id, token);
    if (!invite) return notFor(ctx, account.email);
    const body = html`
<p><strong>${invite.invited_by}</strong> invites <strong>${account.email}</strong> to an organization.</p>
<dl>
<dt>Organization</dt><dd>${invite.name} (${invite.slug})</dd>
<dt>Role</dt><dd>${invite.role}</dd>
</dl>
<form method="post" action="${base}/invite">
<input type="hidden" name="token" value="${token}">
<button>Join</button>
</form>
<p class="hint">Its members will see your name and email address. To decline, close this page.</p>`;
    sendPage(ctx, 200, page('Join this organization?', body));
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
    const body = html`
<p>You are now in <strong>${org.name}</strong> as ${org.role}, and act in it from here on.</p>
<p>${waysOn}</p>`;
    sendPage(ctx, 200, page('You joined', body));
  }

  return [['/invite', { GET: withErrorPages(show, base), POST: withErrorPages(join, base) }]];
}

import type { Context } from 'koa';
import { actorIn } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
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

  async function show(ctx: Context): Promise<void> {
    const token = readQuery(ctx.querystring).get('token') ?? '';
    const who = await person(ctx, token);
    if (!who) return;
    const { account } = who;
    const invite = await services.invites.preview(account.id, token);
    if (!invite) {
      throw problem('not_found', `This link is not an open invitation for ${account.email}.`);
    }
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
    const org = await services.invites.accept(account.id, token, (id) => actorIn(id, call));
    if (caller.credential) await services.sessions.switchOrg(caller.credential.id, org.id);
    sendPage(ctx, 200, page('You joined', html`<p>You are now in <strong>${org.name}</strong> as ${org.role}.</p>`));
  }

  return [['/invite', { GET: withErrorPages(show), POST: withErrorPages(join) }]];
}

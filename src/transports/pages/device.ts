import type { Context } from 'koa';
import { z } from 'zod';
import type { Key } from '../../common/texts/tables.ts';
import { ClientDisconnected } from '../../core/deadline.ts';
import { asProblem, problem } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { oneLine } from '../../core/schemas.ts';
import type { Services } from '../../services.ts';
import { Admission } from '../admission.ts';
import { readObject } from '../body.ts';
import { requireOwnOrigin } from '../credentials.ts';
import { readQuery, routeInput } from '../decode.ts';
import { type Person, readForm, signedInPerson, withErrorPages } from './forms.ts';
import { type Html, html, page, sendPage } from './page.ts';
import { linkTo, strong, wordsFor } from './words.ts';

type Handler = (ctx: Context) => Promise<void>;

/** Maximum body size of the two calls, which hold only a name or a code. */
const BODY_BYTES = 4 * 1024;

const codeInput = z.strictObject({ client_name: oneLine.default('command line') });
const tokenInput = z.strictObject({ device_code: z.string().min(1).max(200) });

/**
 * Routes of signing in from the command line, by path and method: the program's two calls, and the page for the person.
 */
export function deviceRoutes(services: Services): [string, Record<string, Handler>][] {
  const { BASE_URL } = services.config;
  const admission = new Admission(services);
  const base = new URL(BASE_URL).pathname.replace(/\/$/, '');
  const senderOf = (ctx: Context): string => admission.groupOf(ctx.req);

  /** Handles a call without a credential. It is rate limited, counted and logged like an operation. */
  function call<I extends z.ZodObject>(
    name: string,
    input: I,
    run: (ctx: Context, input: z.output<I>) => Promise<Record<string, unknown>>,
  ): Handler {
    return async (ctx) => {
      const started = performance.now();
      let code = 'ok';
      ctx.set('Cache-Control', 'no-store');
      try {
        await admission.enterAnonymous(ctx.req, (headers) => ctx.set(headers));
        const body = (await readObject(ctx.req, BODY_BYTES))?.object ?? null;
        const members = routeInput([], {}, readQuery(ctx.querystring), body, true);
        const answer = await run(ctx, parseInput(input, members) as z.output<I>);
        ctx.type = 'application/json';
        ctx.body = JSON.stringify(answer);
      } catch (error) {
        code = error instanceof ClientDisconnected ? 'abandoned' : (asProblem(error)?.code ?? 'internal_error');
        throw error;
      } finally {
        const ms = performance.now() - started;
        services.metrics.called(name, 'http', code, ms / 1000, 0);
        services.log.info({ op: name, code, ms: Math.round(ms * 10) / 10, request_id: ctx.state.requestId }, 'call');
      }
    };
  }

  const issue = call('device_code', codeInput, async (ctx, { client_name }) => {
    const address = admission.addressOf(ctx.req);
    const made = await services.deviceCodes.issue({ name: client_name, address, sender: senderOf(ctx) });
    return {
      device_code: made.deviceCode,
      user_code: made.userCode,
      verification_uri: `${BASE_URL}/device`,
      verification_uri_complete: `${BASE_URL}/device?code=${made.userCode}`,
      expires_in: made.expiresIn,
      interval: made.interval,
    };
  });

  const redeem = call('device_token', tokenInput, async (ctx, { device_code }) => {
    const by = { requestId: String(ctx.state.requestId), address: admission.addressOf(ctx.req) };
    const { id, key, org } = await services.deviceCodes.redeem(device_code, by);
    return { api_key: key, key_id: id, org: { id: org.id, slug: org.slug } };
  });

  const person = (ctx: Context, code: string): Promise<Person | null> =>
    signedInPerson(services, ctx, code ? `/device?code=${encodeURIComponent(code)}` : '/device');

  const send = (ctx: Context, status: number, title: Key, body: Html): void => {
    const words = wordsFor(ctx, BASE_URL);
    sendPage(ctx, status, page(words(title), body, { home: base, words }));
  };

  /** The form for a code; `isUnknown`: for another one than was sent. */
  function askForCode(ctx: Context, isUnknown: boolean): void {
    const words = wordsFor(ctx, BASE_URL);
    const body = html`
<form method="get" action="${base}/device">
<label for="code">${words('app.code')}</label>
${isUnknown && html`<p class="bad" id="fault" role="alert">${words('app.noCode')}</p>`}
<input class="code" id="code" name="code" required autofocus autocomplete="off" autocapitalize="characters" spellcheck="false"
 maxlength="20" placeholder="BCDF-GHJK" aria-describedby="${isUnknown ? 'fault how' : 'how'}">
<p class="hint" id="how">${words('app.eight', { code: 'BCDF-GHJK' })}</p>
<button>${words('app.continue')}</button>
</form>`;
    send(ctx, isUnknown ? 404 : 200, 'app.enter', body);
  }

  async function show(ctx: Context): Promise<void> {
    const code = readQuery(ctx.querystring).get('code') ?? '';
    const who = await person(ctx, code);
    if (!who) return;
    const { account, caller } = who;
    if (code.trim() === '') return askForCode(ctx, false);
    const asking = await services.deviceCodes.look(code, account.id, senderOf(ctx));
    if (!asking) return askForCode(ctx, true);
    const orgs = await services.orgs.list(account.id);
    const chosen = orgs.find(({ id }) => id === caller.org?.id) ?? orgs[0];
    if (!chosen) throw problem('unauthorized', 'You are not in an organization, so an app cannot act for you.');
    const choices = orgs.map(
      ({ id, name, slug }) => html`
<label class="choice"><input type="radio" name="org" value="${id}"${id === chosen.id && html` checked`}> <span>${name} (${slug})</span></label>`,
    );
    const words = wordsFor(ctx, BASE_URL);
    const body = html`
<p>${words('app.asks', { email: strong(account.email) })}</p>
<dl>
<dt>${words('app.name')}</dt><dd>${asking.client_name}</dd>
<dt>${words('app.shownCode')}</dt><dd><code>${code.trim().toUpperCase()}</code></dd>
<dt>${words('app.itsAddress')}</dt><dd>${asking.address ?? words('app.unknown')}</dd>
<dt>${words('app.yourAddress')}</dt><dd>${admission.addressOf(ctx.req)}</dd>
</dl>
<p>${words('app.warning')}</p>
<form method="post" action="${base}/device">
<input type="hidden" name="code" value="${code.trim()}">
<fieldset><legend>${words('app.organization')}</legend>${choices}</fieldset>
<button name="decision" value="approve">${words('app.approve')}</button>
<button class="second" name="decision" value="decline" formnovalidate>${words('app.decline')}</button>
</form>`;
    sendPage(ctx, 200, page(words('app.allow'), body, { words }));
  }

  async function decide(ctx: Context): Promise<void> {
    requireOwnOrigin(ctx, BASE_URL);
    const field = await readForm(ctx);
    const code = field('code');
    const who = await person(ctx, code);
    if (!who) return;
    const { account } = who;
    const decision = field('decision');
    const org = field('org');
    if ((decision !== 'approve' && decision !== 'decline') || (decision === 'approve' && org === '')) {
      throw problem('invalid_input', 'The form is incomplete.');
    }
    const chosen = decision === 'approve' ? org : null;
    const asked = await services.deviceCodes.decide(code, account.id, chosen, senderOf(ctx));
    if (!asked) return askForCode(ctx, true);
    const words = wordsFor(ctx, BASE_URL);
    const name = strong(asked.client_name);
    if (chosen === null) return send(ctx, 200, 'app.declined', html`<p>${words('app.noKey', { name })}</p>`);
    const body = html`
<p>${words('app.getsKey', { name })}</p>
<p class="hint">${words('app.revoke', { keys: linkTo(`${base}/account/keys`) })}</p>`;
    send(ctx, 200, 'app.approved', body);
  }

  return [
    ['/v1/auth/device/code', { POST: issue }],
    ['/v1/auth/device/token', { POST: redeem }],
    ['/device', { GET: withErrorPages(show, BASE_URL), POST: withErrorPages(decide, BASE_URL) }],
  ];
}

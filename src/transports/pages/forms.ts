import { isUtf8 } from 'node:buffer';
import type { Context } from 'koa';
import { asProblem, PROBLEMS, type ProblemCode, problem } from '../../core/errors.ts';
import type { Caller } from '../../core/op.ts';
import type { Services } from '../../services.ts';
import { readBytes } from '../body.ts';
import { signedIn } from '../credentials.ts';
import { readQuery } from '../decode.ts';
import { html, page, sendPage } from './page.ts';

const FORM_BYTES = 16 * 1024;

/**
 * Reads a submitted form. Returns a function from field name to value; a missing field is empty.
 * @throws invalid_input, too_large
 */
export async function readForm(ctx: Context): Promise<(name: string) => string> {
  if (!ctx.is('application/x-www-form-urlencoded')) {
    throw problem('invalid_input', 'This address takes forms: application/x-www-form-urlencoded.');
  }
  const bytes = await readBytes(ctx.req, FORM_BYTES, 'The form');
  if (!isUtf8(bytes)) throw problem('invalid_input', 'The form must be UTF-8.');
  const text = bytes.toString();
  const fields = readQuery(text);
  return (name) => fields.get(name) ?? '';
}

const TITLES: Partial<Record<ProblemCode, string>> = {
  rate_limited: 'Too many attempts',
  unauthorized: 'This is not allowed',
  too_many_keys: 'You have too many keys',
};

/** Wraps a handler so that its problems become pages with the same status; `home` is as a page has it. */
export function withErrorPages(
  handler: (ctx: Context) => Promise<void>,
  home?: string,
): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    try {
      await handler(ctx);
    } catch (error) {
      const failure = asProblem(error);
      if (!failure) throw error;
      if (failure.status === 401) ctx.set('WWW-Authenticate', 'Bearer realm="boundary-lookup"');
      if (typeof failure.extra.retry_after === 'number') ctx.set('Retry-After', String(failure.extra.retry_after));
      const body = html`<p>${failure.message}</p>
<p class="hint">Request ${ctx.state.requestId}: ${failure.code}. ${PROBLEMS[failure.code].status === 400 && 'Go back and try again.'}</p>`;
      sendPage(ctx, failure.status, page(TITLES[failure.code] ?? 'That did not work', body, { home }));
    }
  };
}

/** Returns `text` if it is a safe path below the base URL; otherwise `otherwise`. */
export function safeNext(text: string, otherwise: string): string {
  const path = /^\/(?![/\\])[\x21-\x7e]*$/.test(text) && !text.includes('\\') && text.length <= 2000;
  return path ? text : otherwise;
}

/** Redirects to a path of this service. The base URL is prepended, so the target cannot be another host. */
export function redirectTo(ctx: Context, baseUrl: string, path: string): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Location', baseUrl + path);
  ctx.status = 303;
}

/** A person who is signed in with a browser. */
export interface Person {
  readonly caller: Caller;
  readonly account: NonNullable<Caller['account']>;
}

/**
 * The person who is signed in with this browser. Otherwise redirects to sign-in, which returns to `here`, and returns
 * null.
 */
export async function signedInPerson(services: Services, ctx: Context, here: string): Promise<Person | null> {
  const caller = await signedIn(services, ctx);
  if (caller?.account) return { caller, account: caller.account };
  redirectTo(ctx, services.config.BASE_URL, `/sign-in?next=${encodeURIComponent(here)}`);
  return null;
}

import { isUtf8 } from 'node:buffer';
import type { Context } from 'koa';
import type { Key } from '../../common/texts/tables.ts';
import { asProblem, PROBLEMS, type ProblemCode, problem } from '../../core/errors.ts';
import type { Caller } from '../../core/op.ts';
import type { Services } from '../../services.ts';
import { readBytes } from '../body.ts';
import { signedIn } from '../credentials.ts';
import { readQuery } from '../decode.ts';
import { html, page, sendPage } from './page.ts';
import { inEnglish, wordsFor } from './words.ts';

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

const TITLES: Partial<Record<ProblemCode, Key>> = {
  rate_limited: 'error.many',
  unauthorized: 'error.forbidden',
  too_many_keys: 'error.keys',
};

/** Wraps a handler so that its problems become pages with the same status, in the language of the reader. */
export function withErrorPages(
  handler: (ctx: Context) => Promise<void>,
  baseUrl: string,
): (ctx: Context) => Promise<void> {
  const home = new URL(baseUrl).pathname.replace(/\/$/, '');
  return async (ctx) => {
    try {
      await handler(ctx);
    } catch (error) {
      const failure = asProblem(error);
      if (!failure) throw error;
      if (failure.status === 401) ctx.set('WWW-Authenticate', 'Bearer realm="boundary-lookup"');
      if (typeof failure.extra.retry_after === 'number') ctx.set('Retry-After', String(failure.extra.retry_after));
      const words = wordsFor(ctx, baseUrl);
      const reference = words('error.request', { id: ctx.state.requestId, code: failure.code });
      const body = html`<p>${inEnglish(failure.message, words)}</p>
<p class="hint">${reference} ${PROBLEMS[failure.code].status === 400 && words('error.back')}</p>`;
      sendPage(ctx, failure.status, page(words(TITLES[failure.code] ?? 'error.failed'), body, { home, words }));
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

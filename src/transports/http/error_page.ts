import type { Context } from 'koa';
import { type Html, html, page, sendPage } from '../pages/page.ts';
import { inEnglish, linkTo, type Words, wordsFor } from '../pages/words.ts';

/** Paths of the interfaces for programs, whatever the Accept header says. */
const FOR_PROGRAMS = /^\/(?:v1|mcp|oauth|tiles|webhooks|\.well-known|healthz|readyz|metrics|openapi\.json)(?:\/|$)/i;

/** A file of the library, which people open by a link to it. */
const LINKED = /^\/v1\/files\/\w+\/content$/;
/** The pages that show tiles. */
const PREVIEW = /^\/tiles\/(?:selections|sets)\/[\w-]+$/;

/** Whether people open an address that is below those for programs. */
const isForPeople = ({ path, query }: Context): boolean =>
  PREVIEW.test(path) || (LINKED.test(path) && query.link !== undefined);

/** Whether to show a failure as a page: outside the program interfaces, when Accept prefers HTML. */
export function wantsPage(ctx: Context): boolean {
  return (!FOR_PROGRAMS.test(ctx.path) || isForPeople(ctx)) && ctx.accepts('json', 'html') === 'html';
}

/** The members of a problem document that the page shows. */
interface ProblemDocument {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly request_id: string;
}

/** The title of the page of a failure, and what it says. */
function textsOf(path: string, problem: ProblemDocument, words: Words): readonly [title: Html, text: Html] {
  const detail = inEnglish(problem.detail, words);
  if (problem.code !== 'not_found') return [words(problem.status >= 500 ? 'error.server' : 'error.failed'), detail];
  if (LINKED.test(path)) return [words('error.noLink'), html`${detail} ${words('error.newLink')}`];
  const isKnown = PREVIEW.test(path) || path.startsWith('/ogc/');
  return [words('error.noPage'), isKnown ? detail : words('error.nothing')];
}

/** Sends a failure as a page with its status. `baseUrl` has no trailing slash. */
export function sendErrorPage(ctx: Context, problem: ProblemDocument, baseUrl: string): void {
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  const words = wordsFor(ctx, baseUrl);
  const [title, text] = textsOf(ctx.path, problem, words);
  const signIn = linkTo(`${base}/sign-in?next=${encodeURIComponent(ctx.url)}`);
  const body = html`<p>${text}</p>
${problem.status === 401 && html`<p>${words('error.signIn', { signIn })}</p>\n`}<p>${words('error.on', { map: linkTo(`${base}/`), docs: linkTo(`${base}/docs`) })}</p>
<p class="hint">${words('error.request', { id: problem.request_id, code: problem.code })}</p>`;
  sendPage(ctx, problem.status, page(title, body, { home: base, words }));
}

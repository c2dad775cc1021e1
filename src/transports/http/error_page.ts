import type { Context } from 'koa';
import { html, page, sendPage } from '../pages/page.ts';

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
function wordsOf(path: string, { code, status, detail }: ProblemDocument): readonly [title: string, text: string] {
  if (code !== 'not_found') return [status >= 500 ? 'Something went wrong' : 'That did not work', detail];
  if (LINKED.test(path)) return ['No such link', `${detail} Ask whoever sent it for a new one.`];
  const isKnown = PREVIEW.test(path) || path.startsWith('/ogc/');
  return ['Page not found', isKnown ? detail : 'There is no page at this address.'];
}

/** Sends a failure as a page with its status. `baseUrl` has no trailing slash. */
export function sendErrorPage(ctx: Context, problem: ProblemDocument, baseUrl: string): void {
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  const [title, text] = wordsOf(ctx.path, problem);
  const signIn = html`<p><a href="${base}/sign-in?next=${encodeURIComponent(ctx.url)}">Sign in</a> to see it.</p>\n`;
  const body = html`<p>${text}</p>
${problem.status === 401 && signIn}<p>Go to <a href="${base}/">the map</a>, or see <a href="${base}/docs">the documentation</a>.</p>
<p class="hint">Request ${problem.request_id}: ${problem.code}.</p>`;
  sendPage(ctx, problem.status, page(title, body, { home: base }));
}

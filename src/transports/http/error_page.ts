import type { Context } from 'koa';
import { html, page, sendPage } from '../pages/page.ts';

/** Paths of the interfaces for programs, whatever the Accept header says. */
const FOR_PROGRAMS = /^\/(?:v1|mcp|oauth|tiles|webhooks|\.well-known|healthz|readyz|metrics|openapi\.json)(?:\/|$)/i;

/** Whether to show a failure as a page: outside the program interfaces, when Accept prefers HTML. */
export function wantsPage(ctx: Context): boolean {
  return !FOR_PROGRAMS.test(ctx.path) && ctx.accepts('json', 'html') === 'html';
}

/** The members of a problem document that the page shows. */
interface ProblemDocument {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly request_id: string;
}

/** Sends a failure as a page with its status. `baseUrl` has no trailing slash. */
export function sendErrorPage(ctx: Context, problem: ProblemDocument, baseUrl: string): void {
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  const docs = html`<a href="${base}/docs">/docs</a>`;
  if (problem.code === 'not_found') {
    sendPage(
      ctx,
      404,
      page(
        'Page not found',
        html`<p>There is no page at this address. Go to <a href="${base}/">the map</a>, or see ${docs}.</p>`,
      ),
    );
    return;
  }
  const title = problem.status >= 500 ? 'Something went wrong' : 'That did not work';
  const body = html`<p>${problem.detail}</p>
<p class="hint">Request ${problem.request_id}: ${problem.code}. See ${docs}.</p>`;
  sendPage(ctx, problem.status, page(title, body));
}

import type { Context } from 'koa';
import { html, page, sendPage } from '../pages/page.ts';

/** What programs read, whatever their Accept header says. */
const FOR_PROGRAMS = /^\/(?:v1|mcp|oauth|tiles|webhooks|\.well-known|healthz|readyz|metrics|openapi\.json)(?:\/|$)/i;

/** Whether a failure at this address is read by a person: outside the interfaces, where Accept prefers HTML. */
export function wantsPage(ctx: Context): boolean {
  return !FOR_PROGRAMS.test(ctx.path) && ctx.accepts('json', 'html') === 'html';
}

/** What a page says of a problem document. */
interface ProblemDocument {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly request_id: string;
}

/** Answers a failure as a page with its status. `baseUrl` has no slash at the end. */
export function sendErrorPage(ctx: Context, problem: ProblemDocument, baseUrl: string): void {
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  const docs = html`<a href="${base}/docs">/docs</a>`;
  if (problem.code === 'not_found') {
    sendPage(
      ctx,
      404,
      page(
        'Page not found',
        html`<p>There is nothing at this address. Go to <a href="${base}/">the map</a>, or see ${docs}.</p>`,
      ),
    );
    return;
  }
  const title = problem.status >= 500 ? 'Something went wrong' : 'That did not work';
  const body = html`<p>${problem.detail}</p>
<p class="hint">Request ${problem.request_id}: ${problem.code}. See ${docs}.</p>`;
  sendPage(ctx, problem.status, page(title, body));
}

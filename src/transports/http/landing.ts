import type { Context } from 'koa';
import type { Services } from '../../services.ts';
import { html, type Page, page, sendPage } from '../pages/page.ts';

/** The page at `/` where no dashboard was built: what the service is, and links. */
export function landingRoute(services: Services): [string, { GET: (ctx: Context) => void }] {
  const base = new URL(services.config.BASE_URL).pathname.replace(/\/$/, '');
  let made: Page | undefined;
  const make = (): Page =>
    page(
      'Administrative boundaries',
      html`
<p>Search, reverse lookup, exact unions and exports of administrative boundaries.</p>
<ul>
<li><a href="${base}/docs">Documentation</a></li>
<li><a href="${base}/v1">List of operations</a> (JSON)</li>
<li><a href="${base}/sign-in">Sign in</a></li>
</ul>`,
    );
  return [
    '/',
    {
      GET: (ctx) => {
        made ??= make();
        sendPage(ctx, 200, made);
      },
    },
  ];
}

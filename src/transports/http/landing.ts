import type { Context } from 'koa';
import type { Services } from '../../services.ts';
import { html, page, sendPage } from '../pages/page.ts';
import { linkTo, wordsFor } from '../pages/words.ts';

/** The page at `/` where no dashboard was built: what the service is, and links. */
export function landingRoute(services: Services): [string, { GET: (ctx: Context) => void }] {
  const base = new URL(services.config.BASE_URL).pathname.replace(/\/$/, '');
  const show = (ctx: Context): void => {
    const words = wordsFor(ctx, services.config.BASE_URL);
    const body = html`
<p>${words('landing.what')}</p>
<ul>
<li>${words('landing.docs', { docs: linkTo(`${base}/docs`) })}</li>
<li>${words('landing.list', { list: linkTo(`${base}/v1`) })}</li>
<li>${linkTo(`${base}/sign-in`)(words('signIn.title'))}</li>
</ul>`;
    sendPage(ctx, 200, page(words('landing.title'), body, { words }));
  };
  return ['/', { GET: show }];
}

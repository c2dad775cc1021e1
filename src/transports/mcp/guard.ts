import type { Context } from 'koa';
import { problem } from '../../core/errors.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Checks that a request is meant for this server and does not come from a foreign page: Host must be that of BASE_URL
 * or a loopback name with the listening port, and Origin absent or one of the same. Prevents DNS rebinding: a page
 * whose domain was rebound to a loopback address sends its own name in both headers.
 * @throws unauthorized
 */
export function guard(ctx: Context, baseUrl: string): void {
  const { host, origin } = ctx.headers;
  const own = new URL(baseUrl);
  const port = ctx.req.socket.localPort;
  const names = LOOPBACK.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
  if (![own.host, ...names].includes(String(host).toLowerCase())) {
    throw problem('unauthorized', `Host must be ${own.host}, or a loopback name with the port of this server.`);
  }
  if (origin !== undefined && ![own.origin, ...names.map((name) => `http://${name}`)].includes(origin)) {
    throw problem('unauthorized', `Origin must be absent or ${own.origin}.`);
  }
}

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { problem } from '../../core/errors.ts';
import type { Services } from '../../services.ts';
import { isLocal } from '../addresses.ts';

/** GET /healthz: the process is alive. */
export function health(ctx: Context): void {
  ctx.body = { status: 'ok' };
}

/**
 * GET /readyz: checks database, pool and data. 503 while one of them cannot serve, and while data is loaded. The body
 * is for probes and is not a problem document.
 */
export async function readiness(ctx: Context, services: Services): Promise<void> {
  const loading = services.loading();
  if (loading) {
    ctx.status = 503;
    ctx.body = { status: 'loading', ...loading };
    return;
  }
  const { ready, checks } = await services.ready();
  ctx.status = ready ? 200 : 503;
  ctx.body = { status: ready ? 'ready' : 'not_ready', checks };
}

/**
 * GET /metrics: requires METRICS_TOKEN if it is set; otherwise only callers on this machine, under a loopback name.
 * @throws unauthorized
 */
export async function metricsPage(ctx: Context, services: Services): Promise<void> {
  const token = services.config.METRICS_TOKEN;
  const sent = /^bearer\s+(\S+)$/i.exec(ctx.get('Authorization'))?.[1];
  const allowed = token === undefined ? isLocal(ctx.req) && isLoopbackHost(ctx) : sameSecret(token, sent ?? '');
  if (!allowed) throw problem('unauthorized', 'Metrics need METRICS_TOKEN as a bearer token.');
  ctx.type = services.metrics.registry.contentType;
  ctx.body = await services.metrics.page();
}

/** Whether the Host header is a loopback name. A web page whose domain was rebound to this machine has its own. */
function isLoopbackHost(ctx: Context): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i.test(ctx.get('Host'));
}

/** Compares two secrets in a time that does not depend on how much matches. */
function sameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { problem } from '../../errors.ts';
import type { Services } from '../../services.ts';
import { isLocal } from '../addresses.ts';

/** GET /healthz: the process is alive. */
export function health(ctx: Context): void {
  ctx.body = { status: 'ok' };
}

/**
 * GET /readyz: database, pool and data; 503 while one of them cannot serve, and while data is loaded. Its body is for
 * probes, not a problem.
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

/** GET /metrics: with METRICS_TOKEN where that is set; else for callers on this machine, under its own name. Throws unauthorized. */
export async function metricsPage(ctx: Context, services: Services): Promise<void> {
  const token = services.config.METRICS_TOKEN;
  const sent = /^bearer\s+(\S+)$/i.exec(ctx.get('Authorization'))?.[1];
  const allowed = token === undefined ? isLocal(ctx.req) && isLoopbackHost(ctx) : sameSecret(token, sent ?? '');
  if (!allowed) throw problem('unauthorized', 'Metrics need METRICS_TOKEN as a bearer token.');
  ctx.type = services.metrics.registry.contentType;
  ctx.body = await services.metrics.page();
}

/** Whether the request names this machine by a loopback name: a page whose own name leads here does not. */
function isLoopbackHost(ctx: Context): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i.test(ctx.get('Host'));
}

/** Compares in a time that says nothing about how much was right. */
function sameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** Answers every failure of a request with a problem document. */
import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { ClientDisconnected } from '../../core/deadline.ts';
import { checkProblem } from '../../core/declared.ts';
import { asProblem, toProblemDocument } from '../../core/errors.ts';
import type { Services } from '../../services.ts';
import { discardRest } from '../body.ts';
import { challenge, isTooLittle } from '../credentials.ts';
import { requestId } from '../request_id.ts';
import { EVERY_ANSWER, type Failure } from './direct.ts';
import { sendErrorPage, wantsPage } from './error_page.ts';
import type { Outgoing } from './outgoing.ts';

/** Sets request id and security headers, and answers every failure, also before Koa, with a problem document. */
export function problems(
  services: Services,
  outgoing: Outgoing,
  failures: WeakMap<IncomingMessage, Failure>,
): Middleware {
  const { BASE_URL, CHECK_OUTPUT } = services.config;
  return async (ctx, next) => {
    const failure = failures.get(ctx.req);
    const id = failure?.exchange.requestId ?? requestId(ctx.headers['x-request-id']);
    ctx.state.requestId = id;
    if (failure) failure.exchange.handOver(ctx);
    else {
      outgoing.track(ctx.res);
      ctx.set('X-Request-Id', id);
      if (ctx.path === '/v1' || ctx.path.startsWith('/v1/')) ctx.set(EVERY_ANSWER);
      else ctx.set('X-Content-Type-Options', 'nosniff');
    }
    try {
      if (failure) throw failure.error;
      await next();
    } catch (error) {
      if (error instanceof ClientDisconnected || hasHungUp(ctx, error)) {
        ctx.status = 499;
        return;
      }
      if (asProblem(error) === null)
        services.log.error({ err: error, request_id: id, method: ctx.method }, 'internal error');
      if (ctx.headerSent) {
        // Part of the answer was sent already, and the connection was closed.
        ctx.respond = false;
        return;
      }
      const document = toProblemDocument(error, id, BASE_URL);
      if (CHECK_OUTPUT) checkProblem(document);
      if (document.status === 401) {
        const insufficient = isTooLittle(document.code, ctx.headers);
        ctx.set('WWW-Authenticate', challenge(document.code, BASE_URL, 'v1', { insufficient }));
      }
      const wait = document.retry_after ?? document.interval;
      if (typeof wait === 'number') ctx.set('Retry-After', String(wait));
      ctx.set('Cache-Control', 'no-store');
      if (wantsPage(ctx)) return sendErrorPage(ctx, document, BASE_URL);
      ctx.status = document.status;
      ctx.type = 'application/problem+json';
      ctx.body = JSON.stringify(document);
    } finally {
      discardRest(ctx.req);
    }
  };
}

/** Error codes of a connection that its client has closed. */
export const HANG_UPS = ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'];

/**
 * Whether a failure only means that the client has disconnected. The error code is not enough, because connections to
 * storage or the database fail with the same codes; nor is `destroyed`, because Node destroys every request that was
 * read to its end.
 */
function hasHungUp({ req, res }: Context, error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  const isGone = req.socket.destroyed || res.closed || (req.destroyed && !req.complete);
  return isGone && typeof code === 'string' && HANG_UPS.includes(code);
}

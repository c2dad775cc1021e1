import type { Context } from 'koa';
import type { Services } from '../services.ts';
import { startCall } from './admission.ts';

/** Runs `work` with a signal that ends it when the client leaves or the time of one call has passed. */
export async function within<T>(
  ctx: Context,
  { config }: Services,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { deadline, end } = startCall(ctx.res, config.REQUEST_DEADLINE_MS);
  try {
    return await work(deadline.signal);
  } finally {
    end();
  }
}

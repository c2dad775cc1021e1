import type { Context } from 'koa';
import { ClientGone, startDeadline } from '../deadline.ts';
import type { Services } from '../services.ts';

/** Runs `work` with a signal that ends it when the client leaves or the time of one call has passed. */
export async function within<T>(
  ctx: Context,
  { config }: Services,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = startDeadline(config.REQUEST_DEADLINE_MS);
  const gone = (): void => {
    if (!ctx.res.writableFinished) deadline.abort(new ClientGone());
  };
  ctx.res.once('close', gone);
  try {
    return await work(deadline.signal);
  } finally {
    deadline.clear();
    ctx.res.off('close', gone);
  }
}

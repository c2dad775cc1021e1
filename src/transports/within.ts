import type { ServerResponse } from 'node:http';
import type { Services } from '../services.ts';
import { startCall } from './admission.ts';

/** Runs `work` with a signal that aborts when the client disconnects or the deadline of a call passes. */
export async function within<T>(
  { res }: { readonly res: ServerResponse },
  { config }: Services,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { deadline, end } = startCall(res, config.REQUEST_DEADLINE_MS);
  try {
    return await work(deadline.signal);
  } finally {
    end();
  }
}

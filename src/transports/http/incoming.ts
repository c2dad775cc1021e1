import type { IncomingMessage } from 'node:http';
import { ClientGone } from '../../deadline.ts';

/** A sender of a body of any length sends at least so many bytes a second, over all that it is waited for. */
const LEAST_RATE = 1024;

/**
 * A request's body as it comes, none of it read before it is asked for. A sender that sends nothing for `idleMs`, or
 * over all less than 1 KiB for each second that it is waited for, is given up. `waits` is told before and after each
 * wait. Throws ClientGone. Who stops early leaves the rest of the body unread.
 */
export async function* incoming(
  request: IncomingMessage,
  idleMs: number,
  waits: (waiting: boolean) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const body = request.iterator({ destroyOnReturn: false });
  let received = 0;
  let waited = 0;
  for (;;) {
    const began = performance.now();
    waits(true);
    let timer: NodeJS.Timeout | undefined;
    const stalled = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ClientGone()), idleMs);
    });
    const next = body.next().catch(() => {
      throw new ClientGone();
    });
    let got: IteratorResult<Uint8Array, undefined>;
    try {
      got = await Promise.race([next, stalled]);
    } finally {
      clearTimeout(timer);
      waits(false);
    }
    if (got.done) return;
    waited += performance.now() - began;
    received += got.value.byteLength;
    if (waited > idleMs + (received / LEAST_RATE) * 1000) throw new ClientGone();
    yield got.value;
  }
}

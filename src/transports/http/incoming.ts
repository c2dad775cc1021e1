import type { IncomingMessage } from 'node:http';
import { ClientDisconnected } from '../../core/deadline.ts';

/** Minimum rate of the sender of a streamed body in bytes per second, averaged over the time it is waited for. */
const LEAST_RATE = 1024;

/**
 * Streams a request's body; nothing is read before it is requested. A sender is given up when it sends nothing for
 * `idleMs`, or on average less than 1 KiB per second of waiting. `waits` is called before and after each wait. A
 * consumer that stops early leaves the rest of the body unread.
 * @throws ClientDisconnected
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
      timer = setTimeout(() => reject(new ClientDisconnected()), idleMs);
    });
    const next = body.next().catch(() => {
      throw new ClientDisconnected();
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
    if (waited > idleMs + (received / LEAST_RATE) * 1000) throw new ClientDisconnected();
    yield got.value;
  }
}

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { ClientGone } from '../../deadline.ts';
import { atCapacity } from '../../errors.ts';

/** Bodies from this size on take room before they are sent; what is smaller lies in the buffers of a connection. */
const COUNTED_BYTES = 64 * 1024;
/** A reader takes at least so many bytes a second, over all of a body. */
const LEAST_RATE = 32 * 1024;
/** Bodies that are made, or read from a file, while they are sent: each holds a part or two of its own. */
const MOST_STREAMS = 64;

/**
 * The answers that are being sent: bounded, so that slow readers hold no more. Large bodies take room first, each
 * counted once however many read it; of smaller ones, what their reader has not taken at once is counted.
 */
export class Outgoing {
  private readonly limit: number;
  private readonly stalledMs: number;
  private readonly held = new Map<ArrayBufferLike, number>();
  private readonly holding = new WeakSet<ServerResponse>();
  private sum = 0;
  private slow = 0;
  private streams = 0;

  /**
   * At most `limit` bytes at once. A reader that takes nothing for `stalledMs` is cut off, and so is one that has not
   * taken all after that time and a second for every 32 KiB.
   */
  constructor(limit: number, stalledMs: number) {
    this.limit = limit;
    this.stalledMs = stalledMs;
  }

  /** Bytes of the bodies being sent. */
  get bytes(): number {
    return this.sum;
  }

  /** Responses that wait for their reader. */
  get waiting(): number {
    return this.slow;
  }

  /** Takes room for a body until the response is closed. Throws rate_limited, "server at capacity"; one always fits. */
  hold(response: ServerResponse, { buffer, byteLength }: Uint8Array): void {
    if (byteLength < COUNTED_BYTES || response.closed) return;
    const size = buffer.byteLength;
    const readers = this.held.get(buffer) ?? 0;
    if (readers === 0) {
      if (this.sum > 0 && this.sum + size > this.limit) throw atCapacity();
      this.sum += size;
    }
    this.held.set(buffer, readers + 1);
    this.holding.add(response);
    response.setTimeout(this.stalledMs);
    response.once('close', () => {
      const left = (this.held.get(buffer) ?? 1) - 1;
      if (left > 0) this.held.set(buffer, left);
      else {
        this.held.delete(buffer);
        this.sum -= size;
      }
    });
  }

  /** Throws rate_limited, "server at capacity", when no more bodies may be sent part by part. */
  admitStream(): void {
    if (this.streams >= MOST_STREAMS) throw atCapacity();
  }

  /**
   * Sends a body part by part, none before the reader has room for it, and ends the response. A reader that takes
   * nothing for `stalledMs`, or over all less than 32 KiB for each second that it is waited for, is cut off. `waits` is
   * told before and after each wait. Rejects with ClientGone when the reader goes away, else with what the parts fail
   * with: then the response is cut off, so that no one takes it for whole.
   */
  async sendParts(
    response: ServerResponse,
    parts: AsyncIterable<Uint8Array>,
    waits: (waiting: boolean) => void = () => undefined,
  ): Promise<void> {
    this.streams++;
    let sent = 0;
    let waited = 0;
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    response.once('close', leave);
    response.setTimeout(this.stalledMs, () => response.destroy());
    try {
      for await (const part of parts) {
        if (gone.signal.aborted) throw new ClientGone();
        sent += part.byteLength;
        if (response.write(part)) continue;
        const began = performance.now();
        waits(true);
        await once(response, 'drain', { signal: gone.signal }).catch(() => {
          throw new ClientGone();
        });
        waits(false);
        waited += performance.now() - began;
        if (waited > this.stalledMs + (sent / LEAST_RATE) * 1000) throw new ClientGone();
      }
      response.end();
    } catch (error) {
      response.destroy();
      throw gone.signal.aborted ? new ClientGone() : error;
    } finally {
      response.off('close', leave);
      this.streams--;
    }
  }

  /** Follows a response from the moment it is made until its reader has all of it; every response is to be followed. */
  follow(response: ServerResponse): void {
    response.once('prefinish', () => {
      const waiting = response.socket?.writableLength ?? 0;
      if (waiting === 0) return;
      const counted = this.holding.has(response) ? 0 : waiting;
      if (counted > 0 && this.sum > 0 && this.sum + counted > this.limit) {
        response.destroy();
        return;
      }
      this.sum += counted;
      this.slow++;
      response.setTimeout(this.stalledMs);
      const late = setTimeout(() => response.destroy(), this.stalledMs + (waiting / LEAST_RATE) * 1000).unref();
      response.once('close', () => {
        clearTimeout(late);
        this.sum -= counted;
        this.slow--;
      });
    });
  }
}

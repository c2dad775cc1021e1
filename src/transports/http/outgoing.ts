import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { ClientDisconnected } from '../../core/deadline.ts';
import { atCapacity } from '../../core/errors.ts';

/** Bodies from this size on reserve room before they are sent; smaller ones fit into the buffers of a connection. */
const COUNTED_BYTES = 64 * 1024;
/** Minimum rate of a reader in bytes per second, averaged over a body. */
const LEAST_RATE = 32 * 1024;
/** Maximum number of bodies that are streamed at once; each holds a part or two in memory. */
const MOST_STREAMS = 64;

/**
 * Limits the memory of answers that are being sent, so that slow readers cannot exhaust it. Large bodies reserve room
 * first, counted once no matter how many clients read the same bytes. Of smaller ones, only what the reader has not
 * accepted at once is counted.
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
   * Allows `limit` bytes at once. A reader is disconnected when it accepts nothing for `stalledMs`, or has not accepted
   * all after that time plus one second for every 32 KiB.
   */
  constructor(limit: number, stalledMs: number) {
    this.limit = limit;
    this.stalledMs = stalledMs;
  }

  /** Bytes of bodies being sent. */
  get bytes(): number {
    return this.sum;
  }

  /** Number of responses that wait for their reader. */
  get waiting(): number {
    return this.slow;
  }

  /**
   * Reserves room for a body until the response is closed. A single body always fits.
   * @throws rate_limited, "server at capacity"
   */
  reserve(response: ServerResponse, { buffer, byteLength }: Uint8Array): void {
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

  /** Checks that another body may be streamed. Throws rate_limited, "server at capacity". */
  admitStream(): void {
    if (this.streams >= MOST_STREAMS) throw atCapacity();
  }

  /**
   * Streams a body with backpressure and ends the response. A reader is disconnected when it accepts nothing for
   * `stalledMs`, or on average less than 32 KiB per second of waiting. `waits` is called before and after each wait.
   * Rejects with ClientDisconnected when the reader disconnects, otherwise with the error of `parts`; the connection is then
   * closed, so that the client cannot take the body for complete.
   */
  async sendParts(
    response: ServerResponse,
    parts: AsyncIterable<Uint8Array>,
    waits: (waiting: boolean) => void = () => undefined,
  ): Promise<void> {
    this.streams++;
    let sent = 0;
    let waited = 0;
    const disconnected = new AbortController();
    const leave = (): void => disconnected.abort();
    response.once('close', leave);
    response.setTimeout(this.stalledMs, () => response.destroy());
    try {
      for await (const part of parts) {
        if (disconnected.signal.aborted) throw new ClientDisconnected();
        sent += part.byteLength;
        if (response.write(part)) continue;
        const began = performance.now();
        waits(true);
        await once(response, 'drain', { signal: disconnected.signal }).catch(() => {
          throw new ClientDisconnected();
        });
        waits(false);
        waited += performance.now() - began;
        if (waited > this.stalledMs + (sent / LEAST_RATE) * 1000) throw new ClientDisconnected();
      }
      response.end();
    } catch (error) {
      response.destroy();
      throw disconnected.signal.aborted ? new ClientDisconnected() : error;
    } finally {
      response.off('close', leave);
      this.streams--;
    }
  }

  /** Tracks a response until its reader has all of it. Every response must be tracked. */
  track(response: ServerResponse): void {
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

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { ClientDisconnected } from '../../core/deadline.ts';
import { atCapacity } from '../../core/errors.ts';

/** Bodies from this size on reserve room before they are sent; smaller ones fit into the buffers of a connection. */
const COUNTED_BYTES = 64 * 1024;
/** Minimum rate of a reader in bytes per second, averaged over a body. */
const LEAST_RATE = 32 * 1024;
/** Maximum number of bodies that are streamed at once; each holds a part or two in memory. */
export const MOST_STREAMS = 64;
/** Bytes of a streamed body that are written at once, so that the progress of its reader is seen. */
const SLICE_BYTES = 64 * 1024;

/** A body that is being streamed. */
interface Stream {
  readonly response: ServerResponse;
  /** When the wait for its reader began (performance.now()); Infinity when it does not wait. */
  since: number;
}

/**
 * Limits the memory of answers that are being sent, so that slow readers cannot exhaust it. Large bodies reserve room
 * first, counted once no matter how many clients read the same bytes. Of smaller ones, only what the reader has not
 * accepted at once is counted.
 */
export class Outgoing {
  private readonly limit: number;
  private readonly stalledMs: number;
  private readonly leastRate: number;
  private readonly held = new Map<ArrayBufferLike, number>();
  private readonly holding = new WeakSet<ServerResponse>();
  private sum = 0;
  private readonly streams = new Set<Stream>();
  private slow = 0;

  /**
   * Allows `limit` bytes at once. A reader is disconnected when it accepts nothing for `stalledMs`, or has not accepted
   * all after that time plus one second for every `leastRate` bytes (32 KiB).
   */
  constructor(limit: number, stalledMs: number, leastRate = LEAST_RATE) {
    this.limit = limit;
    this.stalledMs = stalledMs;
    this.leastRate = leastRate;
  }

  /** Bytes of bodies being sent. */
  get bytes(): number {
    return this.sum;
  }

  /** Number of responses that wait for their reader. */
  get waiting(): number {
    return this.slow;
  }

  /** Milliseconds that a body takes at the minimum rate. */
  private timeFor(size: number): number {
    return (size / this.leastRate) * 1000;
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

  /**
   * Checks that another body may be streamed. When all places are taken, the reader that has waited longest for less
   * than 32 KiB per second is disconnected, so that slow readers cannot keep the others out.
   * @throws rate_limited, "server at capacity", when no reader is that slow
   */
  admitStream(): void {
    if (this.streams.size < MOST_STREAMS) return;
    const [slowest] = [...this.streams].sort((a, b) => a.since - b.since);
    if (slowest === undefined || performance.now() - slowest.since < this.timeFor(SLICE_BYTES)) throw atCapacity();
    this.streams.delete(slowest);
    slowest.response.destroy();
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
    const stream: Stream = { response, since: Number.POSITIVE_INFINITY };
    this.streams.add(stream);
    let sent = 0;
    let waited = 0;
    const disconnected = new AbortController();
    const leave = (): void => disconnected.abort();
    response.once('close', leave);
    response.setTimeout(this.stalledMs, () => response.destroy());
    try {
      for await (const slice of slicesOf(parts)) {
        if (disconnected.signal.aborted) throw new ClientDisconnected();
        sent += slice.byteLength;
        if (response.write(slice)) continue;
        stream.since = performance.now();
        // A reader that takes a byte now and then never stalls, and may not let this slice pass for hours.
        const left = this.stalledMs + this.timeFor(sent) - waited;
        const late = setTimeout(() => response.destroy(), left).unref();
        waits(true);
        try {
          await once(response, 'drain', { signal: disconnected.signal });
        } catch {
          throw new ClientDisconnected();
        } finally {
          clearTimeout(late);
        }
        waits(false);
        waited += performance.now() - stream.since;
        stream.since = Number.POSITIVE_INFINITY;
      }
      response.end();
    } catch (error) {
      response.destroy();
      throw disconnected.signal.aborted ? new ClientDisconnected() : error;
    } finally {
      response.off('close', leave);
      this.streams.delete(stream);
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
      const late = setTimeout(() => response.destroy(), this.stalledMs + this.timeFor(waiting)).unref();
      response.once('close', () => {
        clearTimeout(late);
        this.sum -= counted;
        this.slow--;
      });
    });
  }
}

async function* slicesOf(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    for (let from = 0; from < part.byteLength; from += SLICE_BYTES) yield part.subarray(from, from + SLICE_BYTES);
  }
}

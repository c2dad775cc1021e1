import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { defined } from '../../common/elements.ts';
import { atCapacity, toProblemDocument } from '../../core/errors.ts';
import { discardRest } from '../body.ts';
import { requestId } from '../request_id.ts';

/** Milliseconds in which the calls of a turn of the event loop are started; the rest wait, so that new ones are noticed. */
const SLICE_MS = 5;
/** Queue delay in milliseconds from which the oldest waiting call is late. */
const LATE_MS = 50;
/** New calls are refused once the oldest has been late for this many milliseconds. */
const INTERVAL_MS = 50;
/** Maximum number of waiting calls. */
const MAX_WAITING = 5_000;

/** Paths by which monitoring observes the process: they bypass the queue. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/** The process clock as the queue uses it; replaced in tests. */
export interface LoopClock {
  /** Current time in milliseconds. */
  now(): number;
  /** Runs `next` when the current turn of the event loop ends. */
  afterTurn(next: () => void): void;
}

const PROCESS_CLOCK: LoopClock = { now: () => performance.now(), afterTurn: (next) => void setImmediate(next) };

interface QueuedCall {
  readonly since: number;
  readonly begin: () => void;
}

/**
 * Queues calls for the main thread. Without it, excess calls would wait in sockets, where the process neither sees nor
 * counts them: under overload each turn of the event loop would find more calls than the one before, until every answer
 * came after its client had given up. So all sockets that are ready are read first, then calls start for 5 ms, in order
 * of arrival, and the rest wait here. The 5 ms cover only what a call does before its first await, which is little: at
 * the end of a turn hundreds of calls start, run concurrently and share what they read and make. Two limits on the total
 * time of calls were tried and dropped: batches of 60 ms refused calls near saturation that are served this way, and
 * starting calls one by one served fewer than half as many.
 * Calls that start together also take less processor time, as each step of a call finds its code in the caches: at 64
 * connections a reverse of a new point took 0.75 of the time, and a hot get 0.65 to 0.75, that they took when calls
 * started as they arrived. One connection waits for nothing but the end of the turn.
 * Once the head of the queue has been late for 50 ms, no matter which call it was, new calls are refused. The limit is
 * a time and not a count, because calls take from 0.1 to 100 ms (the idea of CoDel: K. Nichols and V. Jacobson,
 * "Controlling Queue Delay", ACM Queue, 2012). A short pause, after which the queue drains quickly, refuses nothing.
 */
export class CallQueue {
  /** Number of refused calls. */
  refused = 0;
  private readonly clock: LoopClock;
  private readonly queue: QueuedCall[] = [];
  private head = 0;
  private isScheduled = false;
  /** Time since which the head of the queue is late; null when it is not. */
  private lateSince: number | null = null;

  constructor(clock = PROCESS_CLOCK) {
    this.clock = clock;
  }

  /** Number of waiting calls. */
  get waiting(): number {
    return this.queue.length - this.head;
  }

  /** Starts a call at the end of this turn, or when its own comes. False: the call is refused and never starts. */
  take(begin: () => void): boolean {
    const now = this.clock.now();
    const isLate = this.waiting > 0 && now - defined(this.queue[this.head]).since > LATE_MS;
    this.lateSince = isLate ? (this.lateSince ?? now) : null;
    const isFull = this.waiting >= MAX_WAITING || (this.lateSince !== null && now - this.lateSince > INTERVAL_MS);
    if (isFull) {
      this.refused++;
      return false;
    }
    this.queue.push({ since: now, begin });
    this.schedule();
    return true;
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.clock.afterTurn(this.startWaiting);
  }

  /** Starts waiting calls, for one slice of the turn. */
  private readonly startWaiting = (): void => {
    this.isScheduled = false;
    const start = this.clock.now();
    try {
      do {
        const { begin } = defined(this.queue[this.head]);
        this.head++;
        begin();
      } while (this.waiting > 0 && this.clock.now() - start < SLICE_MS);
    } finally {
      if (this.head > 1_000 || this.waiting === 0) {
        this.queue.splice(0, this.head);
        this.head = 0;
      }
      // Also after a call that threw.
      if (this.waiting > 0) this.schedule();
    }
  };
}

/**
 * Returns a listener whose calls go through a queue. A refused call gets 429 rate_limited, "server at capacity", with
 * Retry-After, like every full queue of the service. The queue comes first because a refusal must be cheap under
 * overload: it neither looks up the credential nor reads the body.
 */
export function withQueue(queue: CallQueue, listener: RequestListener, baseUrl: string): RequestListener {
  const failure = atCapacity();
  const [before, after] = JSON.stringify(toProblemDocument(failure, '\n', baseUrl)).split(JSON.stringify('\n'));
  const wait = String(failure.extra?.retry_after ?? 1);
  return (request: IncomingMessage, response: ServerResponse) => {
    const begin = (): void => {
      // The client may have disconnected while the call waited.
      if (!request.destroyed && !response.destroyed) listener(request, response);
    };
    if (PROBES.has(request.url ?? '')) return begin();
    if (queue.take(begin)) return;
    const id = requestId(request.headers['x-request-id']);
    const body = `${before}"${id}"${after}`;
    const head = [
      'Content-Type',
      'application/problem+json',
      'Content-Length',
      String(Buffer.byteLength(body)),
      'Retry-After',
      wait,
      'X-Request-Id',
      id,
      'Cache-Control',
      'no-store',
      'X-Content-Type-Options',
      'nosniff',
      'Access-Control-Allow-Origin',
      '*',
    ];
    response.writeHead(failure.status, head);
    response.end(body);
    discardRest(request);
  };
}

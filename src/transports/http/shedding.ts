import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { defined } from '../../elements.ts';
import { atCapacity, toProblemDocument } from '../../errors.ts';
import { discardRest } from '../decode.ts';
import { requestId } from '../request_id.ts';

/** Milliseconds for which a turn of the event loop begins calls; the others wait, so that new ones are seen soon. */
const SLICE_MS = 5;
/** The call that has waited for longest is late after so many milliseconds. */
const LATE_MS = 50;
/** New calls are refused when there has been a late one for so many milliseconds. */
const INTERVAL_MS = 50;
/** No more calls wait. */
const MOST_WAITING = 5_000;

/** Paths by which others find out how the process is: they are always answered. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/** What the queue reads of the process; replaced in tests. */
export interface LoopClock {
  /** Milliseconds. */
  now(): number;
  /** Calls back when the present turn of the event loop ends. */
  afterTurn(next: () => void): void;
}

const PROCESS_CLOCK: LoopClock = { now: () => performance.now(), afterTurn: (next) => void setImmediate(next) };

interface Waiting {
  readonly since: number;
  readonly begin: () => void;
}

/**
 * Where calls wait for the main thread. What it cannot do at once would wait in its sockets, where it neither sees nor
 * counts it: under more load than it can take, each turn of the event loop would find more calls than the one before,
 * until every answer comes after its client has given up. So a turn begins calls for 5 ms, in order of arrival. What it
 * finds beyond waits here. The 5 ms count what a call does before it first awaits something, which is little: the end of a
 * turn begins hundreds of calls, which then run beside each other and share what they read and make. Two bounds by what
 * calls take in all were tried and taken back: batches of 60 ms refused calls near saturation that are served this way,
 * and of calls begun one by one fewer than half as many were served.
 *
 * Once the first in the queue has been late for 50 ms, whichever it was, new calls are refused: by time and not by number,
 * since calls take from 0.1 to 100 ms (the idea of CoDel: K. Nichols and V. Jacobson, "Controlling Queue Delay", ACM
 * Queue, 2012). For a pause, after which the queue is soon done, nothing is refused. A process with time for all of its
 * calls begins each as it comes.
 */
export class CallQueue {
  /** Calls that were refused. */
  refused = 0;
  private readonly clock: LoopClock;
  private readonly queue: Waiting[] = [];
  private head = 0;
  private turnStart: number | null = null;
  /** Since when the first in the queue is late; null when it is not. */
  private lateSince: number | null = null;

  constructor(clock = PROCESS_CLOCK) {
    this.clock = clock;
  }

  /** How many calls wait. */
  get waiting(): number {
    return this.queue.length - this.head;
  }

  /** Begins a call, now or when those before it have begun. False: it is refused, and never begun. */
  take(begin: () => void): boolean {
    const now = this.clock.now();
    if (this.turnStart === null) {
      this.turnStart = now;
      this.clock.afterTurn(this.endTurn);
    }
    const isLate = this.waiting > 0 && now - defined(this.queue[this.head]).since > LATE_MS;
    this.lateSince = isLate ? (this.lateSince ?? now) : null;
    if (this.waiting === 0) {
      if (now - this.turnStart < SLICE_MS) {
        begin();
        return true;
      }
    } else if (this.waiting >= MOST_WAITING || (this.lateSince !== null && now - this.lateSince > INTERVAL_MS)) {
      this.refused++;
      return false;
    }
    this.queue.push({ since: now, begin });
    return true;
  }

  /** Begins calls that wait, for a slice of the next turn. */
  private readonly endTurn = (): void => {
    this.turnStart = null;
    if (this.waiting === 0) return;
    const start = this.clock.now();
    this.turnStart = start;
    // Taken before the calls begin: one that throws holds no one up.
    this.clock.afterTurn(this.endTurn);
    do {
      const { begin } = defined(this.queue[this.head]);
      this.head++;
      begin();
    } while (this.waiting > 0 && this.clock.now() - start < SLICE_MS);
    if (this.head > 1_000 || this.waiting === 0) {
      this.queue.splice(0, this.head);
      this.head = 0;
    }
  };
}

/**
 * Returns a listener whose calls wait in a queue. What the queue refuses is answered 429 rate_limited, "server at
 * capacity", with Retry-After, as every full queue of the service does. It stands before everything else, since under
 * overload a refusal has to be cheap: neither the credential is looked up nor the body read.
 */
export function queued(queue: CallQueue, listener: RequestListener, baseUrl: string): RequestListener {
  const failure = atCapacity();
  const [before, after] = JSON.stringify(toProblemDocument(failure, '\n', baseUrl)).split(JSON.stringify('\n'));
  const wait = String(failure.extra?.retry_after ?? 1);
  return (request: IncomingMessage, response: ServerResponse) => {
    const begin = (): void => {
      // Whoever went away meanwhile is not worked for.
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

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { defined } from '../../elements.ts';
import { atCapacity, toProblemDocument } from '../../errors.ts';
import { discardRest } from '../decode.ts';
import { requestId } from '../request_id.ts';

/** Milliseconds for which calls begin as they come in a turn of the event loop; the others of the turn wait. */
const SLICE_MS = 5;
/** Milliseconds that the calls take which begin together at the end of a turn, so that new ones are seen soon. */
const BATCH_MS = 60;
/** How much the last batch counts in what a call is expected to take. */
const LAST_BATCH = 0.2;
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
 * until every answer comes after its client has given up. So a turn begins calls for 5 ms as they come, and at its end so
 * many of those that wait, in order of arrival, as take 60 ms. They begin together, since calls that run beside each other
 * share what they read and make; begun one by one, a server did fewer than half as many. What a call takes is
 * learned from the batches before: most of its work is in promises, after the function that began it has returned.
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
  /** Calls of the batch that began last, and when it began. */
  private batch = 0;
  private batchStart = 0;
  /** What a call takes in a batch, in milliseconds. */
  private callMs = 1;

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
    const hasTime = this.hasTime(now);
    if (this.waiting === 0) {
      this.lateSince = null;
      if (hasTime) {
        begin();
        return true;
      }
    } else if (this.waiting >= MOST_WAITING || this.isLate(now)) {
      this.refused++;
      return false;
    }
    this.queue.push({ since: now, begin });
    return true;
  }

  /** Whether the present turn may begin a call as it comes; the first question begins the turn. */
  private hasTime(now: number): boolean {
    if (this.turnStart === null) {
      this.turnStart = now;
      this.clock.afterTurn(this.beginBatch);
      this.clock.afterTurn(this.measureBatch);
    }
    return now - this.turnStart < SLICE_MS;
  }

  /** Whether calls have waited for too long, for too long. */
  private isLate(now: number): boolean {
    const isFirstLate = now - defined(this.queue[this.head]).since > LATE_MS;
    this.lateSince = isFirstLate ? (this.lateSince ?? now) : null;
    return this.lateSince !== null && now - this.lateSince > INTERVAL_MS;
  }

  /** Begins so many of the calls that wait as take 60 ms, as far as those before tell. */
  private readonly beginBatch = (): void => {
    this.batch = 0;
    if (this.waiting === 0) return;
    this.batchStart = this.clock.now();
    const last = Math.min(this.queue.length, this.head + Math.max(1, Math.floor(BATCH_MS / this.callMs)));
    while (this.head < last) {
      const { begin } = defined(this.queue[this.head]);
      this.head++;
      this.batch++;
      begin();
    }
  };

  /** Comes after the batch and what its calls did in promises. Begins the next turn when calls still wait. */
  private readonly measureBatch = (): void => {
    if (this.batch > 0) {
      const callMs = (this.clock.now() - this.batchStart) / this.batch;
      this.callMs = Math.max(0.01, this.callMs + LAST_BATCH * (callMs - this.callMs));
    }
    if (this.head > 1_000 || this.waiting === 0) {
      this.queue.splice(0, this.head);
      this.head = 0;
    }
    this.turnStart = null;
    if (this.waiting > 0) this.hasTime(this.clock.now());
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

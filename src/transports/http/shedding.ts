import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { defined } from '../../elements.ts';
import { atCapacity, toProblemDocument } from '../../errors.ts';
import { discardRest } from '../decode.ts';
import { requestId } from '../request_id.ts';

/** Milliseconds for which a turn of the event loop begins calls; the others wait, so that new ones are seen soon. */
const SLICE_MS = 5;
/** A call is refused when the one that has waited for longest has waited for more milliseconds, */
const LONGEST_WAIT_MS = 100;
/** and through so many turns: after a pause of the whole process those that wait are begun first. */
const FEWEST_TURNS = 3;
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
  /** In which turn it came. */
  readonly turn: number;
  readonly begin: () => void;
}

/**
 * Where calls wait for the main thread. What it cannot do at once would wait in its sockets, where it neither sees nor
 * counts it: under more load than it can take, each turn of the event loop would find more calls than the one before,
 * until every answer comes after its client has given up. So a turn begins calls for 5 ms, in order of arrival. What it
 * finds beyond waits here, and is refused when the first in the queue has waited for 100 ms already: by time and not by
 * number, since calls take from 0.1 to 100 ms (the idea of CoDel: K. Nichols and V. Jacobson, "Controlling Queue Delay",
 * ACM Queue, 2012). A process with time for all of its calls begins each as it comes.
 */
export class CallQueue {
  /** Calls that were refused. */
  refused = 0;
  private readonly clock: LoopClock;
  private readonly queue: Waiting[] = [];
  private head = 0;
  private turnStart: number | null = null;
  private turn = 0;

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
    if (this.waiting === 0) {
      if (now - this.turnStart < SLICE_MS) {
        begin();
        return true;
      }
    } else if (this.waiting >= MOST_WAITING || this.isLate(now)) {
      this.refused++;
      return false;
    }
    this.queue.push({ since: now, turn: this.turn, begin });
    return true;
  }

  /** Whether the first in the queue has waited for too long. */
  private isLate(now: number): boolean {
    const { since, turn } = defined(this.queue[this.head]);
    return now - since > LONGEST_WAIT_MS && this.turn - turn >= FEWEST_TURNS;
  }

  /** Begins calls that wait, for a slice of the next turn. */
  private readonly endTurn = (): void => {
    this.turnStart = null;
    this.turn++;
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
 * A listener whose calls wait in a queue; what it refuses is answered 429 rate_limited, "server at capacity", with Retry-After, as
 * every full queue of the service does. It stands before everything else, since under overload a refusal has to be
 * cheap: neither the credential is looked up nor the body read.
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

import { performance } from 'node:perf_hooks';
import { defined } from '../elements.ts';

/** What became of a call. */
export interface Ended {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Null for success, else the code of the problem, the status or the error of the connection. */
  readonly code: string | null;
  /** Body bytes received. */
  readonly bytes: number;
  /** Whether a refusal said when to come back (Retry-After). */
  readonly retryAfter: boolean;
}

/** A call that ended, with its times in milliseconds. */
export interface Sample<T> extends Ended {
  readonly call: T;
  /** When it was to be sent, from the start of the schedule. */
  readonly at: number;
  /** From that moment to the end of its answer: what a caller waits who does not know of the others. */
  readonly latency: number;
  /** From the moment it was sent. The difference is time in the queue of the generator. */
  readonly service: number;
}

/** How a schedule ran. */
export interface ScheduleReport {
  /** Share of the time in which the generator was at work; near 1 it is the bottleneck. */
  readonly busy: number;
  /** Most calls that were on their way at once, and that waited for a connection at once. */
  readonly mostInFlight: number;
  readonly mostWaiting: number;
  /** Milliseconds by which the generator was late at most to look at its schedule. */
  readonly latest: number;
}

/**
 * A client of a server: sends a call and calls `done` once when it has ended. The function that it returns gives the
 * call up: `done` is called as soon as its connection is free.
 */
export type Send<T> = (call: T, done: (ended: Ended) => void) => () => void;

export interface ScheduleOptions<T> {
  /** Calls a second, at equal distances. */
  readonly rate: number;
  readonly seconds: number;
  readonly next: () => T;
  readonly send: Send<T>;
  /** Calls on their way at once; others wait, and their waiting counts as latency. */
  readonly connections: number;
  /**
   * A call that has no answer so long after it was to be sent is given up, as `timeout`. One that has waited for a
   * connection for half as long is never sent, and ends as `no_connection`: sent with less time left, calls would be
   * given up while the server works on them, and under more load than it can take it would seem to answer none.
   */
  readonly timeoutMs: number;
  readonly onSample: (sample: Sample<T>) => void;
  /** Ends the schedule early; calls on their way are given up. */
  readonly signal?: AbortSignal;
}

/** Calls that may wait for a connection; more end as `dropped`. */
const MOST_WAITING = 100_000;
const TICK_MS = 1;

const GIVEN_UP: Ended = { status: 0, code: 'timeout', bytes: 0, retryAfter: false };
const NO_CONNECTION: Ended = { status: 0, code: 'no_connection', bytes: 0, retryAfter: false };
const DROPPED: Ended = { status: 0, code: 'dropped', bytes: 0, retryAfter: false };

/** A call, from when it was to be sent until its connection is free again. */
interface Scheduled<T> {
  readonly call: T;
  readonly at: number;
  sentAt: number;
  hasEnded: boolean;
  giveUp: () => void;
}

const nothing = (): void => undefined;

/**
 * Sends calls at a constant rate, however slowly they are answered (an open loop), and resolves when the last one has
 * ended. Latency counts from the moment at which a call was to be sent: a generator that waits for an answer before it
 * sends the next one leaves out the calls that would have waited in a stall ("coordinated omission"; Gil Tene,
 * "How NOT to Measure Latency", 2013; Schroeder, Wierman and Harchol-Balter, "Open Versus Closed", NSDI 2006).
 */
export async function runSchedule<T>(options: ScheduleOptions<T>): Promise<ScheduleReport> {
  const { rate, seconds, next, send, connections, timeoutMs, onSample, signal } = options;
  const total = Math.floor(rate * seconds);
  const gap = 1000 / rate;
  const queue: Scheduled<T>[] = [];
  let head = 0;
  /** What is on its way, the oldest first. */
  const inFlight = new Set<Scheduled<T>>();
  let begun = 0;
  let ended = 0;
  let mostInFlight = 0;
  let mostWaiting = 0;
  let latest = 0;
  let isOver = false;
  const utilization = performance.eventLoopUtilization();
  const start = performance.now();

  await new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const finish = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      for (const one of inFlight) one.giveUp();
      resolve();
    };
    const end = (one: Scheduled<T>, outcome: Ended): void => {
      if (isOver || one.hasEnded) return;
      one.hasEnded = true;
      const now = performance.now() - start;
      const { call, at, sentAt } = one;
      onSample({ ...outcome, call, at, latency: now - at, service: now - sentAt });
      if (++ended === total) finish();
    };
    const begin = (one: Scheduled<T>): void => {
      one.sentAt = performance.now() - start;
      inFlight.add(one);
      mostInFlight = Math.max(mostInFlight, inFlight.size);
      one.giveUp = send(one.call, (outcome) => {
        // Given up, it has ended for its caller before its connection is free.
        inFlight.delete(one);
        end(one, outcome);
        serveQueue();
      });
    };
    const serveQueue = (): void => {
      while (!isOver && head < queue.length && inFlight.size < connections) begin(defined(queue[head++]));
      if (head > 1024 && head * 2 > queue.length) {
        queue.splice(0, head);
        head = 0;
      }
    };
    const giveUpLate = (now: number): void => {
      for (const one of inFlight) {
        if (now - one.at < timeoutMs) break;
        if (one.hasEnded) continue;
        end(one, GIVEN_UP);
        one.giveUp();
      }
      while (head < queue.length && now - defined(queue[head]).at >= timeoutMs / 2) {
        end(defined(queue[head++]), NO_CONNECTION);
      }
    };
    const tick = (): void => {
      const now = performance.now() - start;
      if (begun > 0 && begun < total) latest = Math.max(latest, now - begun * gap);
      for (; begun < total && begun * gap <= now; begun++) {
        const one = { call: next(), at: begun * gap, sentAt: now, hasEnded: false, giveUp: nothing };
        if (inFlight.size < connections && head === queue.length) begin(one);
        else if (queue.length - head < MOST_WAITING) queue.push(one);
        else end(one, DROPPED);
      }
      mostWaiting = Math.max(mostWaiting, queue.length - head);
      giveUpLate(now);
      if (isOver) return;
      const wait = begun < total ? Math.min(50, begun * gap - (performance.now() - start)) : 50;
      timer = setTimeout(tick, Math.max(TICK_MS, wait));
    };
    signal?.addEventListener('abort', finish, { once: true });
    if (total === 0 || signal?.aborted) finish();
    else tick();
  });
  const { utilization: busy } = performance.eventLoopUtilization(utilization);
  return { busy, mostInFlight, mostWaiting, latest };
}

import { performance } from 'node:perf_hooks';
import { defined } from '../common/elements.ts';

/** The outcome of a call. */
export interface Outcome {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Null for success, else the code of the problem document, the status, or the error of the connection. */
  readonly code: string | null;
  /** Body bytes received. */
  readonly bytes: number;
  /** Whether the response had a Retry-After header. */
  readonly retryAfter: boolean;
}

/** A call that ended, with its times in milliseconds. */
export interface Sample<T> extends Outcome {
  readonly call: T;
  /** Its scheduled time, from the start of the schedule. */
  readonly at: number;
  /** From the scheduled time to the end of the response: what an independent caller would wait. */
  readonly latency: number;
  /** From the time it was sent to the end of the response. `latency - service` is time in the generator's queue. */
  readonly service: number;
}

/** Statistics of the load generator. */
export interface ScheduleReport {
  /** Share of the time in which the generator was busy; near 1 it is the bottleneck. */
  readonly busy: number;
  /** The most calls in flight at once. */
  readonly mostInFlight: number;
  /** The most calls that waited for a connection at once. */
  readonly mostWaiting: number;
  /** The most milliseconds that the generator was behind its schedule. */
  readonly latest: number;
}

/**
 * Sends a call, and calls `done` once when it has ended. Returns a function that aborts the call; `done` is then called
 * as soon as its connection is free.
 */
export type Send<T> = (call: T, done: (ended: Outcome) => void) => () => void;

export interface ScheduleOptions<T> {
  /** Calls per second, at equal intervals. */
  readonly rate: number;
  readonly seconds: number;
  readonly next: () => T;
  readonly send: Send<T>;
  /** The most calls in flight; others wait, and their wait counts as latency. */
  readonly connections: number;
  /**
   * A call without a response this long after its scheduled time is aborted as `timeout`. A call that waited half as
   * long for a connection is never sent and ends as `no_connection`. If it were sent so late, it would be aborted while
   * the server works on it, and an overloaded server would seem to answer no call at all.
   */
  readonly timeoutMs: number;
  readonly onSample: (sample: Sample<T>) => void;
  /** Ends the schedule early; calls in flight are aborted. */
  readonly signal?: AbortSignal;
}

/** The most calls that may wait for a connection; further calls end as `dropped`. */
const MOST_WAITING = 100_000;
const TICK_MS = 1;

const GIVEN_UP: Outcome = { status: 0, code: 'timeout', bytes: 0, retryAfter: false };
const NO_CONNECTION: Outcome = { status: 0, code: 'no_connection', bytes: 0, retryAfter: false };
const DROPPED: Outcome = { status: 0, code: 'dropped', bytes: 0, retryAfter: false };

/** A call, from its scheduled time until its connection is free again. */
interface Scheduled<T> {
  readonly call: T;
  readonly at: number;
  sentAt: number;
  hasEnded: boolean;
  giveUp: () => void;
}

const nothing = (): void => undefined;

/**
 * Sends calls at a constant rate, however slow the responses are (an open loop), and resolves when the last one has
 * ended. Latency counts from a call's scheduled time: a generator that waits for each response before it sends the next
 * call leaves out the calls that would have waited during a stall ("coordinated omission"; Gil Tene,
 * "How NOT to Measure Latency", 2013; Schroeder, Wierman and Harchol-Balter, "Open Versus Closed", NSDI 2006).
 */
export async function runSchedule<T>(options: ScheduleOptions<T>): Promise<ScheduleReport> {
  const { rate, seconds, next, send, connections, timeoutMs, onSample, signal } = options;
  const total = Math.floor(rate * seconds);
  const gap = 1000 / rate;
  const queue: Scheduled<T>[] = [];
  let head = 0;
  /** Calls in flight, the oldest first. */
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
    const end = (one: Scheduled<T>, outcome: Outcome): void => {
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
        // An aborted call has ended for its caller before its connection is free.
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

import { isComputing } from './computing.ts';
import { atCapacity, problem } from './errors.ts';

/** The client went away: no one is left to answer, nothing is charged. */
export class ClientGone extends Error {
  constructor() {
    super('the client closed the connection');
    this.name = 'ClientGone';
  }
}

/** Whether a call has been ended before its time. */
export interface Ending {
  /** Why; null while it goes on. */
  readonly reason: unknown;
  /** Calls `told` once when it ends; the function that is given takes that back. */
  onEnd(told: () => void): () => void;
}

/** What a signal tells, as an Ending. */
export function endingOf(signal: AbortSignal): Ending {
  return {
    get reason() {
      return signal.aborted ? signal.reason : null;
    },
    onEnd(told) {
      signal.addEventListener('abort', told, { once: true });
      return () => signal.removeEventListener('abort', told);
    },
  };
}

/**
 * The time one call may take. Once that has passed, its signal's reason is too_large if something was being computed
 * for it, and rate_limited, "server at capacity", if it still waited: for a thread, for a session of the database.
 */
export interface Deadline {
  /** Made when it is first asked for. */
  readonly signal: AbortSignal;
  readonly ending: Ending;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The clock begins again: what took time so far, such as a slow client, is not counted. */
  restart(): void;
  /** Ends the call before its time, for a reason of the caller's. */
  abort(reason: Error): void;
  /** The call has ended. */
  clear(): void;
}

/** Starts the clock of a call. */
export function startDeadline(milliseconds: number): Deadline {
  return new Clock(milliseconds);
}

/** A class, as an object with getters is slow to make for each call. */
class Clock implements Deadline, Ending {
  at: number;
  reason: unknown = null;
  private readonly milliseconds: number;
  private readonly timer: NodeJS.Timeout;
  private readonly listeners = new Set<() => void>();
  private controller: AbortController | null = null;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
    this.at = Date.now() + milliseconds;
    this.timer = setTimeout(timeIsUp, milliseconds, this);
  }

  get signal(): AbortSignal {
    if (this.controller === null) {
      this.controller = new AbortController();
      if (this.reason !== null) this.controller.abort(this.reason);
    }
    return this.controller.signal;
  }

  get ending(): Ending {
    return this;
  }

  onEnd(told: () => void): () => void {
    this.listeners.add(told);
    return () => this.listeners.delete(told);
  }

  restart(): void {
    this.timer.refresh();
    this.at = Date.now() + this.milliseconds;
  }

  abort(reason: unknown): void {
    if (this.reason !== null) return;
    this.reason = reason;
    this.controller?.abort(reason);
    for (const told of this.listeners) told();
  }

  clear(): void {
    clearTimeout(this.timer);
  }

  /** Why a call ends whose time is up. */
  late(): Error {
    // Without a signal nothing was begun that computes.
    const computing = this.controller !== null && isComputing(this.controller.signal);
    return computing
      ? problem('too_large', `The call took longer than ${this.milliseconds} ms to compute.`)
      : atCapacity();
  }
}

function timeIsUp(clock: Clock): void {
  clock.abort(clock.late());
}

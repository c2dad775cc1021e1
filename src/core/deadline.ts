import { isComputing } from '../common/computing.ts';
import { atCapacity, problem } from './errors.ts';

/** The client disconnected: no one reads the answer. Nothing is charged, unless a streamed answer had begun. */
export class ClientDisconnected extends Error {
  constructor() {
    super('the client closed the connection');
    this.name = 'ClientDisconnected';
  }
}

/** Whether and why a call has ended before it finished. */
export interface Cancellation {
  /** Why it ended; null while the call runs. */
  readonly reason: unknown;
  /** Calls `listener` once when the call ends early. Returns a function that unsubscribes it. */
  onEnd(listener: () => void): () => void;
}

/** An AbortSignal as a Cancellation. */
export function cancellationOf(signal: AbortSignal): Cancellation {
  return {
    get reason() {
      return signal.aborted ? signal.reason : null;
    },
    onEnd(listener) {
      signal.addEventListener('abort', listener, { once: true });
      return () => signal.removeEventListener('abort', listener);
    },
  };
}

/**
 * The time limit of one call. When it passes, the reason of the signal is too_large if the call was computing. It is
 * rate_limited, "server at capacity", if the call was waiting for a thread or for a session of the database.
 */
export interface Deadline {
  /** Created on first use. */
  readonly signal: AbortSignal;
  readonly ending: Cancellation;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Restarts the clock: time spent so far, such as on a slow client, is not counted. */
  restart(): void;
  /** Ends the call before its deadline. */
  abort(reason: Error): void;
  /** Stops the clock, because the call has ended. */
  clear(): void;
}

/** Starts the clock of a call that may take `milliseconds`. */
export function startDeadline(milliseconds: number): Deadline {
  return new Clock(milliseconds);
}

/** A class, because an object with getters is slow to make for each call. */
class Clock implements Deadline, Cancellation {
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

  get ending(): Cancellation {
    return this;
  }

  onEnd(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  restart(): void {
    this.timer.refresh();
    this.at = Date.now() + this.milliseconds;
  }

  abort(reason: unknown): void {
    if (this.reason !== null) return;
    this.reason = reason;
    this.controller?.abort(reason);
    for (const listener of this.listeners) listener();
  }

  clear(): void {
    clearTimeout(this.timer);
  }

  /** The error of a call whose deadline has passed. */
  late(): Error {
    // Work that computes takes the signal: without a signal there was none.
    const computing = this.controller !== null && isComputing(this.controller.signal);
    return computing
      ? problem('too_large', `The call took longer than ${this.milliseconds} ms to compute.`)
      : atCapacity();
  }
}

function timeIsUp(clock: Clock): void {
  clock.abort(clock.late());
}

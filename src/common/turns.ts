import { setImmediate } from 'node:timers/promises';

/** Elements of work between two turns of the event loop: some milliseconds of it. */
export const TURN_ELEMENTS = 2_000;

/**
 * Shares the main thread: counts the elements that a long computation processes, and tells when it must let others have
 * a turn. Use it as `if (turns.spend()) await turns.next()`, which costs an addition as long as no turn is due.
 */
export class Turns {
  /** Most elements that were processed without a turn for others. */
  longest = 0;
  private since = 0;
  private readonly signal: AbortSignal | undefined;

  /** `signal` ends the computation at its next turn. */
  constructor(signal?: AbortSignal) {
    this.signal = signal;
  }

  /** Counts elements. Returns whether it is time for next(). */
  spend(elements = 1): boolean {
    this.since += elements;
    if (this.since > this.longest) this.longest = this.since;
    return this.since >= TURN_ELEMENTS;
  }

  /** Lets timers, sockets and other calls have a turn. @throws the reason of the signal when it has aborted */
  async next(): Promise<void> {
    this.since = 0;
    await setImmediate();
    this.signal?.throwIfAborted();
  }
}

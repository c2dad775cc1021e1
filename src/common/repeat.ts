import { SingleFlight } from './single_flight.ts';

/** Work that is repeated until it is stopped. */
export interface Repeated {
  /** Begins no further round; resolves when the running one has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `work` every `ms` milliseconds, one round at a time: rounds that would overlap a longer one are skipped.
 * `failed` gets the error of a round; the next round runs anyway. Does not keep the process alive.
 */
export function repeat(ms: number, work: () => Promise<unknown>, failed: (error: unknown) => void): Repeated {
  const rounds = new SingleFlight<void>();
  const timer = setInterval(() => {
    void rounds.run('', () =>
      Promise.resolve()
        .then(work)
        .then(() => undefined, failed),
    );
  }, ms);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await rounds.running('');
    },
  };
}

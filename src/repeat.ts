/** Work that is done again and again until it is stopped. */
export interface Repeated {
  /** Begins no further round; resolves when the one that runs has ended. */
  stop(): Promise<void>;
}

/**
 * Does `work` every `ms` milliseconds, one round at a time: while a round takes longer, those that would have begun are
 * left out, so that they do not pile up. `failed` is told what a round failed with; the next comes nevertheless. Does
 * not keep the process alive.
 */
export function repeat(ms: number, work: () => Promise<unknown>, failed: (error: unknown) => void): Repeated {
  let round: Promise<void> | null = null;
  const timer = setInterval(() => {
    round ??= Promise.resolve()
      .then(work)
      .then(() => undefined, failed)
      .finally(() => {
        round = null;
      });
  }, ms);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}

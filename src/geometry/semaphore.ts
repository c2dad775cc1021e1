/** A semaphore: runs at most `most` pieces of work at once; the others wait in order of arrival. */
export class Semaphore {
  private readonly most: number;
  private running = 0;
  private readonly queue: (() => void)[] = [];

  constructor(most: number) {
    this.most = most;
  }

  /** Number of waiters. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Runs `work` as soon as there is room. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.most) this.running++;
    // Work that ends hands its place to the next waiter, so the count stays the same.
    else await new Promise<void>((resolve) => this.queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.queue.shift();
      if (next) next();
      else this.running--;
    }
  }
}

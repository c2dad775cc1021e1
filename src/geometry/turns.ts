/** Lets at most so many run at once; the others wait in order of arrival. */
export class Turns {
  private readonly most: number;
  private running = 0;
  private readonly queue: (() => void)[] = [];

  constructor(most: number) {
    this.most = most;
  }

  /** How many wait. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Runs `work` when there is room. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.most) this.running++;
    // Whoever ends gives its place to the next, so that the count stays.
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

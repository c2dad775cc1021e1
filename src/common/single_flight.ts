/** Work in flight, by key: calls for a key share the run of the first one until it ends, and its failure, too. */
export class SingleFlight<T> {
  private readonly flights = new Map<string, Promise<T>>();

  /** The result of the run that is in flight for `key`; if there is none, of `work`, which starts at once. */
  run(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.flights.get(key);
    if (running !== undefined) return running;
    const flight = work().finally(() => this.flights.delete(key));
    this.flights.set(key, flight);
    return flight;
  }

  /** The run that is in flight for `key`. */
  running(key: string): Promise<T> | undefined {
    return this.flights.get(key);
  }
}

/** `work` run single-flight: a call while it runs gets the result of that run. */
export function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  const flights = new SingleFlight<T>();
  return () => flights.run('', work);
}

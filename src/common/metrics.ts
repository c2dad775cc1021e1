import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** One value, or one for each value of a label. */
export type Reading = number | Readonly<Record<string, number>>;

export interface GaugeOptions {
  readonly label?: string;
  readonly common?: boolean;
}

/** The figures of a process, and the page that shows them. */
export interface Metrics {
  readonly registry: Registry;
  /** The page of these figures, or of all processes of the server. Rejects when another process does not answer. */
  page(): Promise<string>;
  /** Replaces the function that makes the page, by one that has the figures of all processes of the server. */
  pageFrom(make: () => Promise<string>): void;
  /** Counts an HTTP request, answered or disconnected. `route` is the pattern of the path, `none` for all others. */
  requested(route: string, status: number): void;
  /** A gauge of value 1 whose labels carry the information. */
  info(name: string, help: string, labels: Readonly<Record<string, string>>): void;
  /** Counts a call that ended. `op` is its name ('none' if the request had none); `code` is ok or a problem's code. */
  called(op: string, transport: string, code: string, seconds: number, units: number): void;
  /**
   * A value that is read when the page is requested, such as a queue's length or a count of rows; with `label`, one for
   * each value of the label. A value that cannot be read is left out. Registered twice under one name, as by two
   * applications over the same services, the gauge shows the sum. Across processes it also shows the sum or, if
   * `common`, the largest: all processes then read the same value from the database.
   */
  gauge(name: string, help: string, read: () => Reading | Promise<Reading>, options?: GaugeOptions): void;
  /** The same for a value that only grows. Names end in _total. */
  counter(name: string, help: string, read: () => Reading, label?: string): void;
  /** A histogram of durations; returns the function that records one, in seconds. Names end in _seconds. */
  durations(name: string, help: string, label: string): (of: string, seconds: number) => void;
}

const BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Creates metrics on a registry of their own, with process and event-loop figures (nodejs_eventloop_lag_*). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const calls = new Counter({
    name: 'boundary_calls_total',
    help: 'Calls by operation, transport and result code.',
    labelNames: ['op', 'transport', 'code'],
    registers: [registry],
  });
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'HTTP requests by route and status. Status 499: the client disconnected.',
    labelNames: ['route', 'status'],
    registers: [registry],
  });
  const units = new Counter({
    name: 'boundary_units_total',
    help: 'Units charged by operation.',
    labelNames: ['op'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'boundary_call_seconds',
    help: 'Time from the decoded request to the answer, by operation and result code.',
    labelNames: ['op', 'code'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const readers = new Map<string, (() => Reading | Promise<Reading>)[]>();
  let makePage = (): Promise<string> => registry.metrics();
  return {
    registry,
    page: () => makePage(),
    pageFrom(make) {
      makePage = make;
    },
    requested: (route, status) => requests.inc({ route, status }),
    info(name, help, labels) {
      // One of several processes reports it for all.
      const one = new Gauge({
        name,
        help,
        labelNames: Object.keys(labels),
        aggregator: 'first',
        registers: [registry],
      });
      one.set(labels, 1);
    },
    called(op, transport, code, duration, charged) {
      calls.inc({ op, transport, code });
      seconds.observe({ op, code }, duration);
      if (charged > 0) units.inc({ op }, charged);
    },
    gauge(name, help, read, { label, common = false } = {}) {
      const known = readers.get(name);
      if (known) {
        known.push(read);
        return;
      }
      const all = [read];
      readers.set(name, all);
      new Gauge({
        name,
        help,
        labelNames: label === undefined ? [] : [label],
        aggregator: common ? 'max' : 'sum',
        registers: [registry],
        async collect() {
          const readings = await Promise.all(all.map((one) => Promise.resolve().then(one))).catch(() => null);
          this.reset();
          if (readings === null) this.remove();
          for (const reading of readings ?? []) {
            for (const [labels, value] of entries(reading, label)) this.inc(labels, value);
          }
        },
      });
    },
    counter(name, help, read, label) {
      new Counter({
        name,
        help,
        labelNames: label === undefined ? [] : [label],
        registers: [registry],
        collect() {
          this.reset();
          for (const [labels, value] of entries(read(), label)) this.inc(labels, value);
        },
      });
    },
    durations(name, help, label) {
      const histogram = new Histogram({ name, help, labelNames: [label], buckets: BUCKETS, registers: [registry] });
      return (of, duration) => histogram.observe({ [label]: of }, duration);
    },
  };
}

function entries(read: Reading, label: string | undefined): [Record<string, string>, number][] {
  if (typeof read === 'number' || label === undefined) return [[{}, Number(read)]];
  return Object.entries(read).map(([value, amount]) => [{ [label]: value }, amount]);
}

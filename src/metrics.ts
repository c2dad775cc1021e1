import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What is counted, and the page that shows it. */
export interface Metrics {
  readonly registry: Registry;
  /** One call ended: `op` is its name ('none' when the request named none), `code` is ok or the problem's code. */
  called(op: string, transport: string, code: string, seconds: number, units: number): void;
  /** A value read when the page is asked for, such as a pool's queue length. */
  gauge(name: string, help: string, read: () => number): void;
}

/** Own registry per server; process and event-loop figures included (nodejs_eventloop_lag_*). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const calls = new Counter({
    name: 'boundary_calls_total',
    help: 'Calls by operation, transport and result code.',
    labelNames: ['op', 'transport', 'code'],
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
  return {
    registry,
    called(op, transport, code, duration, charged) {
      calls.inc({ op, transport, code });
      seconds.observe({ op, code }, duration);
      if (charged > 0) units.inc({ op }, charged);
    },
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
  };
}

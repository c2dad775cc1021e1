/** Failures in a row after which a server is left alone. */
const FAILURES = 5;
/** How long it is left alone before one request tries it again. */
const OPEN_MS = 30_000;

/** Whether a server is asked at all: not while it does not answer. It recovers by itself. */
export interface Breaker {
  readonly state: 'closed' | 'open' | 'half_open';
  /** Whether a request may be sent now. True obliges to tell how it went. */
  admit(): boolean;
  /** Seconds until the next attempt; at least 1. */
  retryAfter(): number;
  succeeded(): void;
  failed(): void;
  /** The request said nothing about the server: it was not sent, or only had to wait. */
  undecided(): void;
}

/** A closed breaker: after five failures in a row it is open for 30 s, then one request probes. `now` in milliseconds. */
export function createBreaker(now: () => number): Breaker {
  let failures = 0;
  let openUntil = 0;
  let probing = false;
  const open = () => failures >= FAILURES;
  return {
    get state() {
      if (!open()) return 'closed';
      return probing || openUntil <= now() ? 'half_open' : 'open';
    },
    admit() {
      if (!open()) return true;
      if (probing || openUntil > now()) return false;
      probing = true;
      return true;
    },
    retryAfter: () => Math.max(1, Math.ceil((openUntil - now()) / 1000)),
    succeeded() {
      failures = 0;
      probing = false;
    },
    failed() {
      failures++;
      probing = false;
      if (open()) openUntil = now() + OPEN_MS;
    },
    undecided() {
      probing = false;
    },
  };
}

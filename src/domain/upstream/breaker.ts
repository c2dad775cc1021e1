/** Consecutive failures after which the breaker opens. */
const FAILURES = 5;
/** How long it stays open before one request probes the server, in milliseconds. */
const OPEN_MS = 30_000;

/** A circuit breaker: stops requests to a server that does not answer, and recovers without intervention. */
export interface Breaker {
  readonly state: 'closed' | 'open' | 'half_open';
  /** Whether a request may be sent now. After true, the caller must report succeeded(), failed() or undecided(). */
  admit(): boolean;
  /** Seconds until the next attempt, at least 1. */
  retryAfter(): number;
  succeeded(): void;
  failed(): void;
  /** The request proved nothing about the server: it was not sent, or only had to wait. */
  undecided(): void;
}

/** Creates a closed breaker. Five failures in a row open it for 30 s; then one request probes. `now` in ms. */
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

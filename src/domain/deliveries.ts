import { backoffSeconds } from './job_states.ts';

/** Entries that are claimed, and delivered beside each other, at once. */
export const BATCH = 5;
const POLL_MS = 2000;
/** Most entries are due when their transaction is kept, which is soon after they were written. */
const SOON_MS = 50;

/** An entry of a queue whose claim is held; `attempts` counts this one. */
export interface Entry {
  readonly id: string;
  readonly attempts: number;
}

/** What a queue delivers, and where it keeps it. */
export interface Delivering<E extends Entry> {
  /** Claims up to BATCH entries that are due, which no other process is given before the claim has ended. */
  claim(): Promise<readonly E[]>;
  /** Delivers an entry; false when it needed no delivery. What it throws decides whether it is tried again. */
  deliver(entry: E): Promise<boolean>;
  /** Whether another attempt would fail too. */
  isFinal(error: unknown): boolean;
  /** Removes an entry that is done with: delivered or given up. */
  drop(id: string): Promise<unknown>;
  /** Puts the next attempt off by so many seconds. */
  retry(id: string, seconds: number): Promise<unknown>;
  /** Reports an attempt that failed, and whether it was the last; a null entry: the queue could not be read. */
  failed(entry: E | null, error: unknown, isFinal: boolean): void;
}

/** A queue in the database that is worked off at least once per entry, by every process that started it. */
export interface Deliveries {
  /** Looks for due entries in a moment rather than at the next poll; does nothing before start(). */
  soon(): void;
  /** Delivers what is due, one claim after another; returns how many entries were delivered. */
  sendDue(): Promise<number>;
  /** Begins to deliver, and goes on until close(). */
  start(): void;
  /** Waits for what is being delivered. */
  close(): Promise<void>;
}

/**
 * The queue of outgoing mail and of webhooks. An entry whose delivery failed is tried again after backoffSeconds(), until
 * it expires, which the claim sees to. An entry is delivered twice only when the process ends, or loses the database,
 * between the delivery and its removal.
 */
export function createDeliveries<E extends Entry>(kind: Delivering<E>): Deliveries {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let started = false;

  async function deliverOne(entry: E): Promise<boolean> {
    let delivered: boolean;
    try {
      delivered = await kind.deliver(entry);
    } catch (error) {
      const isFinal = kind.isFinal(error);
      kind.failed(entry, error, isFinal);
      await (isFinal ? kind.drop(entry.id) : kind.retry(entry.id, backoffSeconds(entry.attempts)));
      return false;
    }
    await kind.drop(entry.id);
    return delivered;
  }

  async function sendDue(): Promise<number> {
    for (let sent = 0; ; ) {
      const entries = await kind.claim();
      const outcomes = await Promise.all(entries.map(deliverOne));
      sent += outcomes.filter(Boolean).length;
      if (entries.length < BATCH) return sent;
    }
  }

  function schedule(ms: number): void {
    if (!started) return;
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      running ??= sendDue()
        .then(
          () => undefined,
          (error: unknown) => kind.failed(null, error, false),
        )
        .then(() => {
          running = null;
          schedule(POLL_MS);
        });
    }, ms);
    timer.unref();
  }

  return {
    soon() {
      if (timer) schedule(SOON_MS);
    },
    sendDue,
    start() {
      started = true;
      schedule(SOON_MS);
    },
    async close() {
      started = false;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}

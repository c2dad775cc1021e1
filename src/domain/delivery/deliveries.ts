import { backoffSeconds } from '../jobs/states.ts';

/** Maximum entries that are claimed at once and delivered concurrently. */
export const BATCH = 5;
/** Milliseconds between two polls of the queue. */
const POLL_MS = 2000;
/** Milliseconds that pollSoon() waits for the transaction that wrote an entry to commit. */
const SOON_MS = 50;

/** A claimed entry of a queue; `attempts` includes the current one. */
export interface Entry {
  readonly id: string;
  readonly attempts: number;
}

/** How the entries of a queue are stored and delivered. */
export interface DeliveryQueue<E extends Entry> {
  /** Claims up to BATCH due entries; no other process gets them until the claim ends. */
  claim(): Promise<readonly E[]>;
  /** Delivers an entry; false if it needed no delivery. isFinal() decides whether an error is retried. */
  deliver(entry: E): Promise<boolean>;
  /** Whether another attempt would fail too. */
  isFinal(error: unknown): boolean;
  /** Removes an entry that was delivered or given up. */
  drop(id: string): Promise<unknown>;
  /** Delays the next attempt by `seconds`. */
  retry(id: string, seconds: number): Promise<unknown>;
  /** Reports a failed attempt, and whether it was the last; a null entry: the queue itself could not be worked. */
  failed(entry: E | null, error: unknown, isFinal: boolean): void;
}

/** A queue in the database with at-least-once delivery, worked by every process that started it. */
export interface Deliveries {
  /** Looks for due entries in 50 ms instead of at the next poll; no effect before start() or while it delivers. */
  pollSoon(): void;
  /** Delivers everything due, one claim after another; returns how many entries were delivered. */
  sendDue(): Promise<number>;
  /** Starts delivering, until close(). */
  start(): void;
  /** Stops, and waits for the deliveries under way. */
  close(): Promise<void>;
}

/**
 * The queue of outgoing mail and of webhooks. A failed delivery is retried after backoffSeconds() until the entry
 * expires: claim() skips expired ones. An entry is delivered twice only if the process ends, or loses the database,
 * between the delivery and its removal.
 */
export function createDeliveries<E extends Entry>(kind: DeliveryQueue<E>): Deliveries {
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
    pollSoon() {
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

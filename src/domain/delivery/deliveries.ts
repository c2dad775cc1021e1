import { backoffSeconds } from '../backoff.ts';

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
  /** Maximum entries that are delivered concurrently. */
  readonly slots: number;
  /** Claims up to `most` due entries; no other process gets them until the claim ends. */
  claim(most: number): Promise<readonly E[]>;
  /** Delivers an entry; false if it needed no delivery. isFinal() decides whether an error is retried. */
  deliver(entry: E): Promise<boolean>;
  /** Whether another attempt would fail too. */
  isFinal(error: unknown): boolean;
  /** Removes an entry that was delivered or given up, or records that it was. */
  drop(id: string): Promise<unknown>;
  /** Delays the next attempt by `seconds` after this one failed with `error`. */
  retry(id: string, seconds: number, error: unknown): Promise<unknown>;
  /** Reports a failed attempt, and whether it was the last; a null entry: the queue itself could not be worked. */
  failed(entry: E | null, error: unknown, isFinal: boolean): void;
}

/** A queue in the database with at-least-once delivery, worked by every process that started it. */
export interface Deliveries {
  /** Looks for due entries in 50 ms instead of at the next poll; no effect before start(). */
  pollSoon(): void;
  /** Delivers everything due, and what becomes due meanwhile; returns how many entries were delivered. */
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
  let closed = false;
  /** Ends the pause of sendDue() while all slots, or all due entries, are being delivered. */
  let wake = (): void => undefined;

  async function deliverOne(entry: E): Promise<boolean> {
    let delivered: boolean;
    try {
      delivered = await kind.deliver(entry);
    } catch (error) {
      const isFinal = kind.isFinal(error);
      kind.failed(entry, error, isFinal);
      await (isFinal ? kind.drop(entry.id) : kind.retry(entry.id, backoffSeconds(entry.attempts), error));
      return false;
    }
    await kind.drop(entry.id);
    return delivered;
  }

  /** A slow delivery holds its slot and nothing else: the other slots take what is due meanwhile. */
  async function sendDue(): Promise<number> {
    const under = new Set<Promise<void>>();
    const faults: unknown[] = [];
    let sent = 0;
    while (faults.length === 0 && !closed) {
      const free = kind.slots - under.size;
      const entries = free === 0 ? [] : await kind.claim(free).catch((error: unknown) => void faults.push(error));
      for (const entry of entries ?? []) {
        const one: Promise<void> = deliverOne(entry)
          .then(
            (isSent) => {
              if (isSent) sent++;
            },
            (error: unknown) => void faults.push(error),
          )
          .finally(() => under.delete(one));
        under.add(one);
      }
      if (under.size === 0) break;
      await Promise.race([...under, pause()]);
    }
    await Promise.all(under);
    if (faults.length > 0) throw faults[0];
    return sent;
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const waiting = setTimeout(resolve, POLL_MS);
      wake = () => {
        clearTimeout(waiting);
        setTimeout(resolve, SOON_MS);
      };
    });
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
      else wake();
    },
    sendDue,
    start() {
      started = true;
      closed = false;
      schedule(SOON_MS);
    },
    async close() {
      started = false;
      closed = true;
      wake();
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}

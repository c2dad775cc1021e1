import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OverpassServer } from '../../adapters/overpass.ts';
import { defined } from '../../common/elements.ts';
import { singleFlight } from '../../common/single_flight.ts';
import { problem } from '../../core/errors.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Budget, CallerKind } from './budget.ts';

/** A granted request: it holds a slot of the server and counts in the day's budget. */
export interface Slot {
  /** Bytes left in the day's budget. */
  readonly bytesLeft: number;
  /** Releases the slot. */
  leave(): Promise<void>;
}

/** The request that a slot is taken for. */
export interface SlotClaim {
  readonly key: string;
  readonly lease: string;
  readonly who: CallerKind;
  /** Called with the milliseconds that the request waits, as announced by the server. */
  onWaiting?(ms: number): void;
}

/** A semaphore for one server over all processes, with as many slots as its /api/status grants. */
export interface Slots {
  /**
   * Waits for a slot as long as the server announces, at most 30 s.
   * @throws upstream_busy if that is too short or the budget is used up, OverpassError if the server is unreachable
   */
  take(claim: SlotClaim): Promise<Slot>;
  /** Handles a refusal for lack of a slot. Returns the milliseconds for which no request is sent. */
  refused(): Promise<number>;
}

/** Slots of a server that does not publish its limits. */
const USUAL_SLOTS = 2;
/** Slots used of a server that publishes no limit. */
const SLOTS_OF_AN_UNLIMITED_SERVER = 4;
/** Longest wait for a slot, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;
/** Wait after a refusal if the server does not say how long, in milliseconds. */
const UNKNOWN_WAIT_MS = 30_000;
/** Interval of retries while all slots are taken for an unknown time, in milliseconds. */
const POLL_MS = 500;
/** How long a server's status is trusted, in milliseconds; others may send requests from our address. */
const FRESH_MS = 1_000;

interface Known {
  readonly at: number;
  readonly atOnce: number;
  free: number;
}

/** Creates the slots of `server`. */
export function createSlots(db: Database, server: OverpassServer, budget: Budget, now: () => number): Slots {
  let known: Known | null = null;
  /** Time before which no request is sent. */
  let notBefore = 0;
  /** Wakes waiting requests when this process releases a slot. */
  let wake = wakeSignal();

  async function look(): Promise<Known> {
    const status = await server.status();
    const atOnce = status === null ? USUAL_SLOTS : status.rateLimit || SLOTS_OF_AN_UNLIMITED_SERVER;
    const free = status === null || status.rateLimit === 0 ? atOnce : status.free;
    if (free === 0 && status && status.waits.length > 0)
      notBefore = now() + Math.max(POLL_MS, defined(status.waits[0]) * 1000);
    known = { at: now(), atOnce, free };
    return known;
  }

  const ask = singleFlight(look);

  function current(): Promise<Known> {
    if (known && known.free > 0 && known.at + FRESH_MS > now()) return Promise.resolve(known);
    return ask();
  }

  async function tryTake(atOnce: number, claim: SlotClaim): Promise<number | null> {
    const nothing = new Error('no slot');
    try {
      return await db.transaction(async (tx) => {
        const bytesLeft = await budget.take(tx, claim.who);
        const taken = await tx.query(loadQuery('upstream_slot'), [claim.key, claim.lease, server.name, atOnce]);
        // Throwing also rolls back the budget's count.
        if (taken.length === 0) throw nothing;
        return bytesLeft;
      });
    } catch (error) {
      if (error === nothing) return null;
      throw error;
    }
  }

  return {
    async take(claim) {
      const giveUp = now() + LONGEST_WAIT_MS;
      for (;;) {
        if (notBefore <= now()) {
          const status = await current();
          if (status.free > 0) {
            const bytesLeft = await tryTake(status.atOnce, claim);
            if (bytesLeft !== null) {
              status.free--;
              return {
                bytesLeft,
                async leave() {
                  await db.query(loadQuery('upstream_leave'), [claim.key, claim.lease]);
                  wake.abort();
                  wake = wakeSignal();
                },
              };
            }
          }
        }
        const wait = Math.max(POLL_MS, notBefore - now());
        if (now() + wait > giveUp) throw tooBusy(wait);
        claim.onWaiting?.(wait);
        await sleep(Math.min(wait, POLL_MS), undefined, { signal: wake.signal }).catch(() => undefined);
      }
    },
    async refused() {
      known = null;
      notBefore = 0;
      const status = await server.status().catch(() => null);
      const wait = status?.free ? POLL_MS : status?.waits.length ? defined(status.waits[0]) * 1000 : UNKNOWN_WAIT_MS;
      notBefore = now() + Math.max(POLL_MS, wait);
      return notBefore - now();
    },
  };
}

function wakeSignal(): AbortController {
  const controller = new AbortController();
  // Every waiting request listens to it.
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Returns upstream_busy: all slots are taken for this many milliseconds. */
export function tooBusy(waitMs: number) {
  const detail = 'The upstream source is limiting our rate: no slot is free for this boundary now.';
  return problem('upstream_busy', detail, { retry_after: Math.max(1, Math.ceil(waitMs / 1000)) });
}

import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OverpassServer } from '../../adapters/overpass.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { defined } from '../../elements.ts';
import { problem } from '../../errors.ts';
import type { Budget, Who } from './budget.ts';

/** A request that has a slot of the server and a place in the day's budget. */
export interface Slot {
  /** Bytes that are left of the day. */
  readonly bytesLeft: number;
  /** Gives the slot back. */
  leave(): Promise<void>;
}

/** Who takes a slot, and what for. */
export interface SlotClaim {
  readonly key: string;
  readonly lease: string;
  readonly who: Who;
  /** Told how many milliseconds it waits, as far as the server says. */
  onWaiting?(ms: number): void;
}

/** The slots of one server: as many requests at once, over all processes, as its /api/status grants. */
export interface Slots {
  /**
   * Waits for a slot as long as the server says, at most 30 s. Throws upstream_busy when that is not enough or the
   * budget is used up, and OverpassError when the server is not there.
   */
  take(claim: SlotClaim): Promise<Slot>;
  /** The server refused a request for want of a slot: how long no one asks, in milliseconds. */
  refused(): Promise<number>;
}

/** Where a server says nothing of its limits. */
const USUAL_SLOTS = 2;
/** Where a server says that there is none. */
const SLOTS_OF_AN_UNLIMITED_SERVER = 4;
const LONGEST_WAIT_MS = 30_000;
const UNKNOWN_WAIT_MS = 30_000;
/** All slots are taken, and no one can say for how long. */
const POLL_MS = 500;
/** What a server said of its slots is true for so long, as others may ask from our address. */
const FRESH_MS = 1_000;

interface Known {
  readonly at: number;
  readonly atOnce: number;
  free: number;
}

/** The slots of `server`. */
export function createSlots(db: Database, server: OverpassServer, budget: Budget, now: () => number): Slots {
  let known: Known | null = null;
  let asking: Promise<Known> | null = null;
  /** No one asks before. */
  let notBefore = 0;
  /** Wakes those who wait, when a slot of this process is free again. */
  let wake = bell();

  async function look(): Promise<Known> {
    const status = await server.status();
    const atOnce = status === null ? USUAL_SLOTS : status.rateLimit || SLOTS_OF_AN_UNLIMITED_SERVER;
    const free = status === null || status.rateLimit === 0 ? atOnce : status.free;
    if (free === 0 && status && status.waits.length > 0)
      notBefore = now() + Math.max(POLL_MS, defined(status.waits[0]) * 1000);
    known = { at: now(), atOnce, free };
    return known;
  }

  function current(): Promise<Known> {
    if (known && known.free > 0 && known.at + FRESH_MS > now()) return Promise.resolve(known);
    asking ??= look().finally(() => {
      asking = null;
    });
    return asking;
  }

  async function tryTake(atOnce: number, claim: SlotClaim): Promise<number | null> {
    const nothing = new Error('no slot');
    try {
      return await db.transaction(async (tx) => {
        const bytesLeft = await budget.take(tx, claim.who);
        const taken = await tx.query(loadQuery('upstream_slot'), [claim.key, claim.lease, server.name, atOnce]);
        // Undoes the budget's count as well.
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
                  wake = bell();
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

function bell(): AbortController {
  const controller = new AbortController();
  // All who wait for a slot listen to it.
  setMaxListeners(0, controller.signal);
  return controller;
}

/** upstream_busy: every slot is taken for so many milliseconds. */
export function tooBusy(waitMs: number) {
  const detail = 'The upstream source is limiting our rate: no slot is free for this boundary now.';
  return problem('upstream_busy', detail, { retry_after: Math.max(1, Math.ceil(waitMs / 1000)) });
}

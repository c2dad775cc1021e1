import type { Caller } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import type { Billing } from '../billing/billing.ts';

/** Rows that one unit pays for. */
export const ROWS_PER_UNIT = 1_000;
/** How long a reservation lasts, in milliseconds: the slowest reader that is allowed takes the largest table in it. */
const HELD_MS = 60 * 60_000;

/** Units reserved for the rows of a table. */
export interface RowCharge {
  /** Charges for so many rows, and releases the rest. */
  settle(rows: number): Promise<void>;
}

/**
 * Reserves the units of all rows of a table. An operator without an organization pays nothing.
 * @throws quota_exceeded; unauthorized for other callers without an organization
 */
export async function reserveRows(billing: Billing, caller: Caller, op: string, rows: number): Promise<RowCharge> {
  const { org } = caller;
  if (!org) {
    if (caller.operator) return { settle: async () => {} };
    throw problem('unauthorized', 'This call costs units and needs an API key.');
  }
  const units = Math.max(1, Math.ceil(rows / ROWS_PER_UNIT));
  const held = await billing.reserve({ org: org.id, plan: org.plan, op, units, deadline: Date.now() + HELD_MS });
  return {
    async settle(done) {
      const used = Math.ceil(done / ROWS_PER_UNIT);
      if (used === 0) return billing.refund(held);
      await billing.settle(used < held.units ? await billing.shrink(held, used) : held);
    },
  };
}

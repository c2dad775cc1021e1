import type { Caller } from '../../core/access.ts';
import { ProblemError, problem } from '../../core/errors.ts';
import type { Billing, Reservation } from '../billing/billing.ts';

/** Points that one unit pays for. */
export const POINTS_PER_UNIT = 1_000;
/** Units reserved at a time, enough for 100,000 points. */
const UNITS_AT_ONCE = 100;
/** How long a reservation lasts, in milliseconds. */
const HELD_MS = 10 * 60_000;
/** Least time between two extensions of a reservation while the stream continues, in milliseconds. */
const EXTEND_MS = 60_000;

/** Meters a stream of points: reserves units a block at a time and settles them by the points answered. */
export class PointMeter {
  private readonly billing: Billing;
  private readonly caller: Caller;
  private readonly op: string;
  private readonly isWhole: boolean;
  private held: Reservation | null = null;
  /** Used up reservations of a call that is charged as a whole. */
  private full: Reservation[] = [];
  /** Points that the reservation still covers (`left`), and points charged to it (`taken`). */
  private left = 0;
  private taken = 0;
  private extended = 0;
  /** Why take() granted less than was asked for. */
  refusal: ProblemError | null = null;
  /** Units settled so far. */
  units = 0;

  /** @param isWhole whether nothing is settled before the end, so that all of it can be refunded */
  constructor(billing: Billing, caller: Caller, op: string, isWhole = false) {
    this.isWhole = isWhole;
    this.billing = billing;
    this.caller = caller;
    this.op = op;
  }

  /**
   * Charges for points, reserving units as needed. Returns how many points the quota covers. An operator without an
   * organization pays nothing.
   * @throws unauthorized for other callers without an organization
   */
  async take(points: number): Promise<number> {
    if (!this.caller.org) {
      if (this.caller.operator) return points;
      throw problem('unauthorized', 'This call costs units and needs an API key.');
    }
    let granted = 0;
    while (granted < points) {
      if (this.left === 0 && !(await this.reserve(this.caller.org))) break;
      const some = Math.min(points - granted, this.left);
      this.left -= some;
      this.taken += some;
      granted += some;
    }
    if (this.held && performance.now() - this.extended > EXTEND_MS) {
      for (const one of [...this.full, this.held]) await this.billing.extend(one, Date.now() + HELD_MS);
      this.extended = performance.now();
    }
    return granted;
  }

  /** Takes back the charge for the last points, which were not answered. */
  uncharge(points: number): void {
    this.taken = Math.max(0, this.taken - points);
  }

  /** Charges nothing: all that is not settled is refunded. */
  async refund(): Promise<void> {
    const all = [...this.full, ...(this.held ? [this.held] : [])];
    this.full = [];
    this.held = null;
    for (const one of all) await this.billing.refund(one);
  }

  /** Settles the units used and refunds the rest of the reservation. */
  async end(): Promise<void> {
    const { held, full } = this;
    this.full = [];
    for (const one of full) if (await this.billing.settle(one)) this.units += one.units;
    if (!held) return;
    this.held = null;
    const used = Math.ceil(this.taken / POINTS_PER_UNIT);
    this.taken = 0;
    this.left = 0;
    if (used === 0) return this.billing.refund(held);
    const kept = used < held.units ? await this.billing.shrink(held, used) : held;
    if (await this.billing.settle(kept)) this.units += used;
  }

  /** Reserves the next block, or the rest of the month's quota. Returns false if nothing is left. */
  private async reserve(org: NonNullable<Caller['org']>): Promise<boolean> {
    if (!this.isWhole) await this.end();
    else if (this.held) {
      // It is used up: a further block is reserved only when nothing is left of the one before.
      this.full.push(this.held);
      this.held = null;
      this.taken = 0;
    }
    const ask = (units: number) =>
      this.billing.reserve({ org: org.id, plan: org.plan, op: this.op, units, deadline: Date.now() + HELD_MS });
    try {
      this.held = await ask(UNITS_AT_ONCE);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'quota_exceeded') throw error;
      this.refusal = error;
      const { used, limit } = error.extra as { used: number; limit: number };
      const rest = Math.min(UNITS_AT_ONCE, limit - used);
      if (rest <= 0) return false;
      try {
        this.held = await ask(rest);
      } catch (again) {
        // A concurrent call used up the rest.
        if (again instanceof ProblemError && again.code === 'quota_exceeded') return false;
        throw again;
      }
    }
    this.extended = performance.now();
    this.left = this.held.units * POINTS_PER_UNIT;
    return true;
  }
}

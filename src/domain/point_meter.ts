import type { Caller } from '../access.ts';
import { ProblemError, problem } from '../errors.ts';
import type { Billing, Reservation } from './billing.ts';

/** Points of one unit. */
export const POINTS_A_UNIT = 1_000;
/** Units held at a time: those of 100,000 points. */
const UNITS_AT_ONCE = 100;
/** How long they stay held; put off while the stream goes on. */
const HELD_MS = 10 * 60_000;
const EXTEND_MS = 60_000;

/** Units of a stream of points, held a block at a time and settled by what was sent. */
export class PointMeter {
  private readonly billing: Billing;
  private readonly caller: Caller;
  private readonly op: string;
  private held: Reservation | null = null;
  /** Points that the held units are still good for, and that were taken of them. */
  private left = 0;
  private taken = 0;
  private extended = 0;
  /** Units settled so far. */
  units = 0;

  constructor(billing: Billing, caller: Caller, op: string) {
    this.billing = billing;
    this.caller = caller;
    this.op = op;
  }

  /**
   * Takes units for so many points; returns for how many there were enough. Whoever has no organization and runs the
   * service pays nothing. Throws unauthorized.
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
      await this.billing.extend(this.held, Date.now() + HELD_MS);
      this.extended = performance.now();
    }
    return granted;
  }

  /** So many points that were taken last were not answered. */
  leave(points: number): void {
    this.taken = Math.max(0, this.taken - points);
  }

  /** Settles what was taken and gives back the rest. */
  async end(): Promise<void> {
    const { held } = this;
    if (!held) return;
    this.held = null;
    const used = Math.ceil(this.taken / POINTS_A_UNIT);
    this.taken = 0;
    this.left = 0;
    if (used === 0) return this.billing.refund(held);
    const kept = used < held.units ? await this.billing.shrink(held, used) : held;
    if (await this.billing.settle(kept)) this.units += used;
  }

  /** Holds the next block, or what is left of the month. False: nothing is. */
  private async reserve(org: NonNullable<Caller['org']>): Promise<boolean> {
    await this.end();
    const ask = (units: number) =>
      this.billing.reserve({ org: org.id, plan: org.plan, op: this.op, units, deadline: Date.now() + HELD_MS });
    try {
      this.held = await ask(UNITS_AT_ONCE);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'quota_exceeded') throw error;
      const { used, limit } = error.extra as { used: number; limit: number };
      const rest = Math.min(UNITS_AT_ONCE, limit - used);
      if (rest <= 0) return false;
      try {
        this.held = await ask(rest);
      } catch (again) {
        // Another call took it meanwhile.
        if (again instanceof ProblemError && again.code === 'quota_exceeded') return false;
        throw again;
      }
    }
    this.extended = performance.now();
    this.left = this.held.units * POINTS_A_UNIT;
    return true;
  }
}

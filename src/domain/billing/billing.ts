import { only } from '../../common/elements.ts';
import type { Actor } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { coalesce } from '../coalesce.ts';
import { newId } from '../new_id.ts';
import { requirePlan, setPlan } from '../people/org_rows.ts';
import { createPaidPlans, type PaidPlans } from './paid_plans.ts';
import type { AnonymousLimits, Plan, Usage } from './plan.ts';

/** A call that needs units; `deadline` in milliseconds since the epoch. */
export interface ChargeRequest {
  readonly op: string;
  readonly units: number;
  readonly deadline: number;
}

/** Units that a running call holds. `id` is null on an unlimited plan, where nothing is reserved. */
export interface Reservation {
  readonly id: string | null;
  readonly org: string;
  readonly op: string;
  readonly units: number;
}

/**
 * Plans, prices and the month's units; owns those tables. Units come out of a pool: the organization's own or, on a plan
 * that costs nothing, that of its founder. No reservation raises `used + reserved` of a pool above its limit.
 */
export interface Billing extends PaidPlans {
  /**
   * Reserves units for a call until shortly after its deadline (milliseconds since the epoch). Concurrent calls of an
   * organization are granted together, in order of arrival, as far as they fit. If `plan` is given and unlimited,
   * nothing is reserved: such calls are counted afterwards, twice a second.
   * @throws quota_exceeded with `used` (what running calls hold included) and `limit`
   */
  reserve(call: ChargeRequest & { readonly org: string; readonly plan?: string }): Promise<Reservation>;
  /** Charges the units of a call that succeeded. False if the reservation had expired and its units were given back. */
  settle(reservation: Reservation): Promise<boolean>;
  /** Like settle(), in the caller's transaction: what is paid for and its price are stored together or not at all. */
  settleIn(tx: Queryable, reservation: Reservation): Promise<boolean>;
  /** Like settleIn(), for `units` of the reservation at most; 0 gives all of them back. */
  settlePartIn(tx: Queryable, reservation: Reservation, units: number): Promise<boolean>;
  /** Like extend(), in the caller's transaction. */
  extendIn(tx: Queryable, reservation: Reservation, until: number): Promise<boolean>;
  /** Extends a reservation at least until `until` (milliseconds since the epoch). False if it had expired. */
  extend(reservation: Reservation, until: number): Promise<boolean>;
  /** Reduces a reservation to `units`. An expired one stays expired. */
  shrink(reservation: Reservation, units: number): Promise<Reservation>;
  /** Gives back the units of a call that failed or was abandoned. */
  refund(reservation: Reservation): Promise<void>;
  /** Writes the counts that are not written yet. */
  flush(): Promise<void>;
  /** Gives the units of expired reservations back; returns how many reservations. */
  sweep(): Promise<number>;
  /** The usage of an organization; null if it does not exist. */
  usage(org: string): Promise<Usage | null>;
  /**
   * Plans an organization can be on, in order, and the limits of callers without a key: `anonymous` for remote callers,
   * `anonymousOwn` on this machine or a service of their own.
   */
  plans(): Promise<{ plans: Plan[]; anonymous: AnonymousLimits; anonymousOwn: AnonymousLimits }>;
  /** Puts an organization (id or slug) on a plan. @throws not_found, and invalid_input when there is no such plan */
  setPlan(org: string, plan: string, actor: Actor): Promise<{ id: string; slug: string; plan: string }>;
}

/** Milliseconds between the deadline of a call and the expiry of its reservation: time to settle. */
const GRACE_MS = 10_000;
/** Maximum age of the cached plans, in milliseconds. */
const PLANS_MS = 5000;
/** Maximum delay before the calls of unlimited plans are written together, in milliseconds. */
const FLUSH_MS = 500;

/** The billing of a database. */
export function createBilling(db: Database): Billing {
  /** Reservation ids of the calls, null for those that do not fit: one statement, under a lock on the pool's month. */
  async function grant(org: string, calls: readonly ChargeRequest[]): Promise<(string | null)[]> {
    const ids = calls.map(() => newId('res'));
    const values = [
      org,
      ids,
      calls.map(({ op }) => op),
      calls.map(({ units }) => units),
      calls.map(({ deadline }) => Math.max(0, deadline - Date.now()) + GRACE_MS),
    ];
    let [row] = await db.query(loadQuery('billing_reserve'), values);
    if (!row && (await db.query(loadQuery('billing_open_month'), [org])).length > 0) {
      [row] = await db.query(loadQuery('billing_reserve'), values);
    }
    const granted = new Set(row?.ids);
    return ids.map((id) => (granted.has(id) ? id : null));
  }

  async function end(query: 'billing_settle' | 'billing_refund', ids: readonly string[]): Promise<boolean[]> {
    const ended = new Set((await db.query(loadQuery(query), [ids])).map(({ id }) => id));
    // If an id appears twice, only the first counts.
    return ids.map((id) => ended.delete(id));
  }

  const sweepPool = coalesce(async (org, asked: readonly null[]) => {
    await db.query(loadQuery('billing_release_expired'), [org]);
    return asked;
  });
  const reserve = coalesce(grant);
  const settle = coalesce((_org, ids: readonly string[]) => end('billing_settle', ids));
  const refund = coalesce((_org, ids: readonly string[]) => end('billing_refund', ids));

  let unlimited: { until: number; plans: Promise<ReadonlySet<string>> } | null = null;

  /** Whether a plan is unlimited, as of at most five seconds ago. */
  async function isUnlimited(plan: string): Promise<boolean> {
    if (!unlimited || unlimited.until < performance.now()) {
      const rows = db.query(loadQuery('billing_plans'));
      const plans = rows.then((all) => new Set(all.filter((one) => one.included_units === null).map(({ id }) => id)));
      unlimited = { until: performance.now() + PLANS_MS, plans };
      const entry = unlimited;
      plans.catch(() => {
        if (unlimited === entry) unlimited = null;
      });
    }
    return (await unlimited.plans).has(plan);
  }

  const counted = new Map<string, { org: string; op: string; calls: number; units: number }>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  function count({ org, op, units }: Reservation, calls = 1): void {
    const key = `${org} ${op}`;
    const sum = counted.get(key) ?? { org, op, calls: 0, units: 0 };
    counted.set(key, { org, op, calls: sum.calls + calls, units: sum.units + units });
    timer ??= setTimeout(() => void flush().catch(() => undefined), FLUSH_MS).unref();
  }

  /** One write at a time; counts that could not be written go with the next. */
  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    writing = writing
      .catch(() => undefined)
      .then(async () => {
        const sums = [...counted.values()];
        if (sums.length === 0) return;
        counted.clear();
        try {
          await db.query(loadQuery('billing_count'), [
            sums.map((one) => one.org),
            sums.map((one) => one.op),
            sums.map((one) => one.calls),
            sums.map((one) => one.units),
          ]);
        } catch (error) {
          for (const { org, op, calls, units } of sums) count({ id: null, org, op, units }, calls);
          throw error;
        }
      });
    return writing;
  }

  async function extendOn(on: Queryable, id: string | null, until: number): Promise<boolean> {
    if (id === null) return true;
    const lifetime = Math.max(0, until - Date.now());
    return (await on.query(loadQuery('billing_extend'), [id, lifetime])).length > 0;
  }

  async function usage(org: string): Promise<Usage | null> {
    await flush();
    const [row] = await db.query(loadQuery('billing_usage'), [org]);
    if (!row) return null;
    const [year = Number.NaN, month = Number.NaN] = row.month.split('-').map(Number);
    return {
      period_start: new Date(Date.UTC(year, month - 1)).toISOString(),
      period_end: new Date(Date.UTC(year, month)).toISOString(),
      used: row.used,
      reserved: row.reserved,
      limit: row.limit,
      pooled: row.pooled,
      by_op: row.by_op,
    };
  }

  async function sweep(): Promise<number> {
    await db.query(loadQuery('billing_sweep_events'));
    await db.query(loadQuery('billing_sweep_pools'));
    const { reservations } = only(await db.query(loadQuery('billing_sweep')));
    return reservations;
  }

  return {
    ...createPaidPlans(db),
    usage,
    sweep,
    async reserve(call) {
      const { org, op, units } = call;
      if (call.plan !== undefined && (await isUnlimited(call.plan))) return { id: null, org, op, units };
      const granted = await reserve(org, call);
      if (granted) return { id: granted, org, op, units };
      // Expired reservations of a dead process may hold the missing units.
      await sweepPool(org, null);
      const second = await reserve(org, call);
      if (second) return { id: second, org, op, units };
      const now = await usage(call.org);
      const limit = now?.limit ?? 0;
      const used = now ? now.used + now.reserved : 0;
      throw problem(
        'quota_exceeded',
        `This call costs ${call.units} units; ${used} of the month's ${limit} are used${now?.pooled ? ' by the free organizations of one founder' : ''}. The quota resets on the 1st.`,
        { used, limit },
      );
    },
    async setPlan(idOrSlug, plan, actor) {
      return db.transaction(async (tx) => {
        const [org] = await tx.query(loadQuery('org_hold'), [idOrSlug]);
        if (!org) throw problem('not_found', 'There is no organization with this id or slug.');
        await requirePlan(tx, plan);
        const { id, slug } = org.plan === plan ? org : await setPlan(tx, org, plan, actor);
        return { id, slug, plan };
      });
    },

    async settle(reservation) {
      if (reservation.id !== null) return settle(reservation.org, reservation.id);
      count(reservation);
      return true;
    },
    async settleIn(tx, { id, org, op, units }) {
      if (id !== null) return (await tx.query(loadQuery('billing_settle'), [[id]])).length > 0;
      await tx.query(loadQuery('billing_count'), [[org], [op], [1], [units]]);
      return true;
    },
    async settlePartIn(tx, reservation, units) {
      const { id, org, op } = reservation;
      if (id === null) {
        if (units > 0) await tx.query(loadQuery('billing_count'), [[org], [op], [1], [units]]);
        return true;
      }
      if (units === 0) return (await tx.query(loadQuery('billing_refund'), [[id]])).length > 0;
      if (units < reservation.units) await tx.query(loadQuery('billing_shrink'), [id, units]);
      return (await tx.query(loadQuery('billing_settle'), [[id]])).length > 0;
    },
    extendIn: (tx, { id }, until) => extendOn(tx, id, until),
    extend: ({ id }, until) => extendOn(db, id, until),
    async shrink(reservation, units) {
      if (reservation.id !== null) await db.query(loadQuery('billing_shrink'), [reservation.id, units]);
      return { ...reservation, units };
    },
    async refund({ id, org }) {
      if (id !== null) await refund(org, id);
    },
    flush,
    async plans() {
      const rows = await db.query(loadQuery('billing_plans'));
      const limitOf = (id: string): AnonymousLimits => ({
        requests_per_minute: rows.find((row) => row.id === id)?.requests_per_minute ?? null,
      });
      return {
        plans: rows.filter((row) => row.listed).map(({ listed: _, ...plan }) => plan),
        anonymous: limitOf('anonymous'),
        anonymousOwn: limitOf('anonymous_own'),
      };
    },
  };
}

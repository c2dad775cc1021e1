import type { SubscriptionChange } from '../../adapters/payments.ts';
import { systemActor } from '../../core/access.ts';
import { invalidInput } from '../../core/errors.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { setPlan } from '../people/org_rows.ts';

/** What organizations pay for at the payment provider, and the prices of plans there. */
export interface PaidPlans {
  /** Sets the id of a plan's price at the payment provider (null: it is not sold there). @throws invalid_input */
  setPrice(plan: string, price: string | null): Promise<void>;
  /** Id of a plan's price at the payment provider; null if it is not sold there. */
  priceOf(plan: string): Promise<string | null>;
  /** The subscription of an organization: a live one first, then the newest. Null if it never had one. */
  subscription(org: string): Promise<{ id: string; customer: string; live: boolean } | null>;
  /**
   * Puts an organization on the plan it pays for, or on `otherwise` if it stopped paying. Repeated and older events
   * change nothing. `unwanted`: subscriptions to cancel, as a newer one is paid for or the organization was deleted.
   */
  subscriptionChanged(change: SubscriptionChange, otherwise: string): Promise<{ changed: boolean; unwanted: string[] }>;
}

interface SubscriptionRow {
  id: string;
  customer: string;
  state: SubscriptionChange['state'];
  status: string;
  price: string | null;
}

/** Paid for, or a payment is being retried; not a subscription whose first payment never succeeded. */
const isPaid = ({ state, status }: SubscriptionRow): boolean =>
  state === 'live' || (state === 'late' && status !== 'incomplete');

/** The paid plans of a database. */
export function createPaidPlans(db: Database): PaidPlans {
  return {
    async setPrice(plan, price) {
      if ((await db.query(loadQuery('billing_set_price'), [plan, price])).length > 0) return;
      throw invalidInput([{ path: 'plan', code: 'invalid_value', message: 'there is no such plan' }]);
    },

    async priceOf(plan) {
      const [row] = await db.query(loadQuery('billing_plan_price'), [plan]);
      return row?.payment_price ?? null;
    },

    async subscription(org) {
      const [row] = await db.query(loadQuery('billing_subscription'), [org]);
      return row ? { id: row.id, customer: row.customer, live: isPaid(row) } : null;
    },

    async subscriptionChanged(change, otherwise) {
      return db.transaction(async (tx) => {
        const nothing = { changed: false, unwanted: [] };
        if ((await tx.query(loadQuery('billing_put_event'), [change.event])).length === 0) return nothing;
        const [org] = await tx.query(loadQuery('org_hold'), [change.org]);
        if (org?.id !== change.org) {
          return { changed: false, unwanted: change.state === 'ended' ? [] : [change.subscription] };
        }
        const { subscription, customer, state, status, price, at } = change;
        const values = [org.id, subscription, customer, state, status, price, at];
        if ((await tx.query(loadQuery('billing_put_subscription'), values)).length === 0) return nothing;
        const [first, ...others] = await tx.query(loadQuery('billing_subscription'), [org.id]);
        if (!first) return nothing;
        // Two checkouts may both have been paid: the newer one counts, and no one pays twice.
        const unwanted = first.state === 'live' ? others.filter(isPaid).map(({ id }) => id) : [];
        if (first.state === 'late') return { changed: false, unwanted };
        const [sold] = await tx.query(loadQuery('billing_plan_by_price'), [first.price]);
        if (first.state === 'live' && !sold) throw new Error(`no plan has the price ${first.price}`);
        const plan = first.state === 'live' && sold ? sold.id : otherwise;
        if (plan === org.plan) return { changed: false, unwanted };
        await setPlan(tx, org, plan, systemActor('payments'));
        return { changed: true, unwanted };
      });
    },
  };
}

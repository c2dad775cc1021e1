import Stripe from 'stripe';
import { defined } from '../common/elements.ts';
import { problem } from '../core/errors.ts';

/** A change of a subscription, according to a signed event of the provider. */
export interface SubscriptionChange {
  /** The provider's id of the event: the same event may arrive again. */
  readonly event: string;
  /** Seconds since the epoch: events may arrive out of order. */
  readonly at: number;
  readonly org: string;
  readonly subscription: string;
  readonly customer: string;
  /** `live`: paid for, or about to be; `late`: a payment failed and is retried; `ended`. */
  readonly state: 'live' | 'late' | 'ended';
  /** The provider's own status. */
  readonly status: string;
  /** The price being paid; null when the event has none. */
  readonly price: string | null;
}

/** A payment provider. */
export interface Payments {
  /** The provider's page on which someone pays for a plan, as a URL. */
  checkout(order: {
    org: string;
    price: string;
    email: string;
    customer: string | null;
    returnTo: string;
  }): Promise<string>;
  /** Changes the price of a subscription; it takes effect with the provider's event. */
  change(subscription: string, price: string): Promise<void>;
  /** Ends a subscription at once; it takes effect with the provider's event. */
  cancel(subscription: string): Promise<void>;
  /**
   * The change in an event; null when it is not about a subscription of ours.
   * @throws invalid_input when the provider did not sign the body, or signed it more than five minutes ago
   */
  read(body: Buffer, signature: string): SubscriptionChange | null;
}

/** Stripe's statuses of a subscription (docs.stripe.com/api/subscriptions/object#subscription_object-status). */
const STATES: Readonly<Record<string, SubscriptionChange['state']>> = {
  active: 'live',
  trialing: 'live',
  past_due: 'late',
  incomplete: 'late',
  paused: 'late',
  canceled: 'ended',
  unpaid: 'ended',
  incomplete_expired: 'ended',
};

/** Payments through Stripe. `api`: the address of its API, when not Stripe's own. */
export function stripePayments(options: { secretKey: string; webhookSecret: string; api?: URL }): Payments {
  const { api } = options;
  const stripe = new Stripe(options.secretKey, {
    maxNetworkRetries: 1,
    timeout: 10_000,
    telemetry: false,
    ...(api
      ? { host: api.hostname, port: Number(api.port), protocol: api.protocol === 'http:' ? 'http' : 'https' }
      : {}),
  });

  return {
    async checkout({ org, price, email, customer, returnTo }) {
      const session = await stripe.checkout.sessions.create({
        mode: 'subscription',
        line_items: [{ price, quantity: 1 }],
        client_reference_id: org,
        // The events of the subscription then name its organization.
        subscription_data: { metadata: { org } },
        success_url: returnTo,
        cancel_url: returnTo,
        ...(customer ? { customer } : { customer_email: email }),
      });
      if (!session.url) throw new Error('Stripe gave no address to pay at');
      return session.url;
    },

    async change(subscription, price) {
      const { items } = await stripe.subscriptions.retrieve(subscription);
      await stripe.subscriptions.update(subscription, { items: [{ id: defined(items.data[0]).id, price }] });
    },

    async cancel(subscription) {
      await stripe.subscriptions.cancel(subscription);
    },

    read(body, signature) {
      let event: Stripe.Event;
      try {
        event = stripe.webhooks.constructEvent(body, signature, options.webhookSecret);
      } catch {
        throw problem('invalid_input', 'The event is not signed by the payment provider.');
      }
      if (!event.type.startsWith('customer.subscription.')) return null;
      const subscription = event.data.object as Stripe.Subscription;
      const { org } = subscription.metadata;
      if (!org) return null;
      const { customer, status } = subscription;
      return {
        event: event.id,
        at: event.created,
        org,
        subscription: subscription.id,
        customer: typeof customer === 'string' ? customer : customer.id,
        state: event.type === 'customer.subscription.deleted' ? 'ended' : (STATES[status] ?? 'late'),
        status: event.type === 'customer.subscription.deleted' ? 'canceled' : status,
        price: subscription.items.data[0]?.price.id ?? null,
      };
    },
  };
}

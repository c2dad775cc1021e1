import Stripe from 'stripe';
import { defined } from '../elements.ts';
import { problem } from '../errors.ts';

/** What has come to be of a subscription, as a signed event of the provider says. */
export interface SubscriptionChange {
  /** The provider's id of the event: the same event may come again. */
  readonly event: string;
  /** Seconds since the epoch: events may come in another order than they came to be. */
  readonly at: number;
  readonly org: string;
  readonly subscription: string;
  readonly customer: string;
  /** `live`: paid for, or about to be; `late`: a payment failed and is tried again; `ended`. */
  readonly state: 'live' | 'late' | 'ended';
  /** The provider's word for it. */
  readonly status: string;
  /** The price that is paid; null when the event names none. */
  readonly price: string | null;
}

/** A payment provider. */
export interface Payments {
  /** Where someone pays for a plan: a page of the provider. */
  checkout(order: {
    org: string;
    price: string;
    email: string;
    customer: string | null;
    returnTo: string;
  }): Promise<string>;
  /** Another price for what is paid already; it takes effect with the provider's event. */
  change(subscription: string, price: string): Promise<void>;
  /** Ends a subscription at once; it takes effect with the provider's event. */
  cancel(subscription: string): Promise<void>;
  /**
   * What an event says; null for one that says nothing about a subscription of ours.
   * @throws invalid_input when the body is not what the provider signed, or was signed more than five minutes ago
   */
  read(body: Buffer, signature: string): SubscriptionChange | null;
}

/** Stripe's words for a subscription (docs.stripe.com/api/subscriptions/object#subscription_object-status). */
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

/** Stripe. `api`: where its API is, when not at Stripe's own address. */
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
        // The events of the subscription itself then say whose it is.
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

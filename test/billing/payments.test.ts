import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stripePayments } from '../../src/adapters/payments.ts';
import { defined, only } from '../../src/common/elements.ts';
import type { Caller } from '../../src/core/access.ts';
import { invoke } from '../../src/core/invoke.ts';
import { changePlan } from '../../src/ops/account/change_plan.ts';
import { openTestServer, type TestServer } from '../transports/test_server.ts';

const webhookSecret = 'whsec_of_the_tests';
const stripe = new Stripe('sk_test_x');

let server: TestServer;
let api: Server;
const asked: { method: string; path: string; body: URLSearchParams }[] = [];
beforeAll(async () => {
  // Stands where Stripe's API is: the paths and shapes of docs.stripe.com/api.
  api = createServer(async (request, response) => {
    const body = new URLSearchParams(await textOf(request));
    asked.push({ method: request.method ?? '', path: request.url ?? '', body });
    response.setHeader('Content-Type', 'application/json');
    const subscription = { id: 'sub_1', object: 'subscription', items: { data: [{ id: 'si_1' }] } };
    const session = { id: 'cs_1', object: 'checkout.session', url: 'https://checkout.stripe.example/pay/cs_1' };
    response.end(JSON.stringify(request.url?.startsWith('/v1/checkout') ? session : subscription));
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const { port } = api.address() as AddressInfo;
  const url = new URL(`http://127.0.0.1:${port}`);
  server = await openTestServer(
    { DEFAULT_PLAN: 'free' },
    { payments: stripePayments({ secretKey: 'sk_test_x', webhookSecret, api: url }) },
  );
  await server.services.billing.setPrice('pro', 'price_pro');
  await server.services.billing.setPrice('business', 'price_business');
});
afterAll(async () => {
  await server.close();
  await new Promise((resolve) => api.close(resolve));
});

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

let events = 0;
interface Told {
  org: string;
  at: number;
  type?: 'created' | 'updated' | 'deleted';
  status?: string;
  price?: string;
  subscription?: string;
  id?: string;
}

function eventOf({
  org,
  at,
  type = 'updated',
  status = 'active',
  price = 'price_pro',
  subscription,
  id,
}: Told): string {
  return JSON.stringify({
    id: id ?? `evt_${++events}`,
    object: 'event',
    created: at,
    type: `customer.subscription.${type}`,
    data: {
      object: {
        id: subscription ?? `sub_${org}`,
        object: 'subscription',
        customer: `cus_${org}`,
        status,
        metadata: { org },
        items: { object: 'list', data: [{ id: 'si_1', price: { id: price, object: 'price' } }] },
      },
    },
  });
}

const sign = (payload: string, secret = webhookSecret, timestamp?: number): string =>
  stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
const send = (body: string, signature = sign(body)) =>
  server.ask('POST', '/webhooks/stripe', {
    body,
    headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signature },
  });
const tell = async (reported: Told): Promise<number> => (await send(eventOf(reported))).status;

async function newOrg() {
  const made = await server.key({ plan: 'free' });
  const plan = async (): Promise<string> => {
    const row = only(
      await server.database.db.query<{ plan: string }>('select plan from org where id = $1', [made.org.id]),
    );
    return row.plan;
  };
  const owner: Caller = {
    account: { ...made.account, name: null },
    org: made.org,
    role: 'owner',
    credential: { kind: 'session', id: 'ses_1' },
    operator: false,
  };
  const change = async (to: string, caller = owner) => {
    const answer = await invoke(
      changePlan,
      { plan: to },
      {
        caller: { ...caller, org: { ...made.org, plan: await plan() } },
        requestId: 'test',
        address: null,
        signal: new AbortController().signal,
        deadline: Date.now() + 10_000,
        transport: 'rpc',
        services: server.services,
        baseUrl: server.services.config.BASE_URL,
        headers: {},
      },
    );
    return (answer as { body: { checkout_url: string | null } }).body;
  };
  return { id: made.org.id, email: made.account.email, key: made.key, plan, owner, change };
}

describe('change_plan', () => {
  test('leads to where a plan is paid for; the plan stays until the provider says that it was', async () => {
    const org = await newOrg();
    expect(await org.change('pro')).toEqual({ checkout_url: 'https://checkout.stripe.example/pay/cs_1' });
    const { path, body } = defined(asked[asked.length - 1]);
    expect(path).toBe('/v1/checkout/sessions');
    expect(Object.fromEntries(body)).toMatchObject({
      mode: 'subscription',
      'line_items[0][price]': 'price_pro',
      client_reference_id: org.id,
      'subscription_data[metadata][org]': org.id,
      customer_email: org.email,
    });
    expect(await org.plan()).toBe('free');
    expect(await tell({ org: org.id, at: 1000, type: 'created' })).toBe(204);
    expect(await org.plan()).toBe('pro');
    const [entry] = await server.database.db.query(
      "select actor_type, actor_name, details from audit_log where org = $1 and action = 'plan.change' order by id desc limit 1",
      [org.id],
    );
    expect(entry).toEqual({ actor_type: 'system', actor_name: 'payments', details: { from: 'free', to: 'pro' } });
  });

  test('what is paid already is changed or ended without paying again', async () => {
    const org = await newOrg();
    await tell({ org: org.id, at: 1000 });
    expect(await org.change('business')).toEqual({ checkout_url: null });
    expect(asked[asked.length - 1]).toMatchObject({ method: 'POST', path: `/v1/subscriptions/sub_${org.id}` });
    expect(defined(asked[asked.length - 1]).body.get('items[0][price]')).toBe('price_business');
    expect(await org.change('free')).toEqual({ checkout_url: null });
    expect(asked[asked.length - 1]).toMatchObject({ method: 'DELETE', path: `/v1/subscriptions/sub_${org.id}` });
    expect(await org.plan()).toBe('pro');
  });

  test('no one gets a plan that is not sold, and only owners ask', async () => {
    const org = await newOrg();
    for (const plan of ['self_hosted', 'anonymous', 'nonsense', 'free']) {
      await expect(org.change(plan), plan).rejects.toMatchObject({ code: 'invalid_input' });
    }
    const byKey = await server.ask('PUT', '/v1/orgs/plan', { key: org.key, json: { plan: 'pro' } });
    expect([byKey.status, byKey.json.code]).toEqual([401, 'unauthorized']);
    await expect(org.change('pro', { ...org.owner, role: 'admin' })).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe('events of the provider', () => {
  test('are believed only when it signed them, lately', async () => {
    const org = await newOrg();
    const body = eventOf({ org: org.id, at: 1000 });
    const now = Math.floor(Date.now() / 1000);
    for (const signature of [
      '',
      'nonsense',
      sign(body, 'whsec_other'),
      sign(`${body} `),
      sign(body, webhookSecret, now - 600),
    ]) {
      const answer = await send(body, signature);
      expect([answer.status, answer.json.code]).toEqual([400, 'invalid_input']);
    }
    expect(await org.plan()).toBe('free');
    expect((await send(body)).status).toBe(204);
    expect(await org.plan()).toBe('pro');
  });

  test('count once, and an older one that comes later changes nothing', async () => {
    const org = await newOrg();
    await tell({ org: org.id, at: 1000, id: 'evt_once' });
    await tell({ org: org.id, at: 2000, type: 'deleted', status: 'canceled' });
    expect(await org.plan()).toBe('free');
    await tell({ org: org.id, at: 1000, id: 'evt_once' });
    await tell({ org: org.id, at: 1500 });
    await tell({ org: org.id, at: 2000 });
    expect(await org.plan()).toBe('free');
    await tell({ org: org.id, at: 3000, subscription: `sub_again_${org.id}` });
    expect(await org.plan()).toBe('pro');
    // The end of the former subscription says nothing about the present one.
    await tell({ org: org.id, at: 4000, type: 'deleted', status: 'canceled' });
    expect(await org.plan()).toBe('pro');
    // Of one that is paid for, the price of the newest event counts.
    await tell({ org: org.id, at: 6000, subscription: `sub_again_${org.id}`, price: 'price_business' });
    await tell({ org: org.id, at: 5000, subscription: `sub_again_${org.id}` });
    expect(await org.plan()).toBe('business');
  });

  test('two that are both paid: the newer counts, the older is ended, and a late word of it changes nothing', async () => {
    const org = await newOrg();
    const [older, newer] = [`sub_a_${org.id}`, `sub_b_${org.id}`];
    await tell({ org: org.id, at: 1000, subscription: older });
    await tell({ org: org.id, at: 2000, subscription: newer, price: 'price_business' });
    expect(await org.plan()).toBe('business');
    expect(asked[asked.length - 1]).toMatchObject({ method: 'DELETE', path: `/v1/subscriptions/${older}` });
    await tell({ org: org.id, at: 2100, subscription: older, type: 'deleted' });
    expect(await org.plan()).toBe('business');
    await tell({ org: org.id, at: 3000, subscription: newer, type: 'deleted' });
    expect(await org.plan()).toBe('free');
    await tell({ org: org.id, at: 1500, subscription: older });
    await tell({ org: org.id, at: 4000, subscription: older });
    expect(await org.plan()).toBe('free');
  });

  test('what is paid for an organization that is gone is ended', async () => {
    expect(await tell({ org: 'org_gone', at: 1000 })).toBe(204);
    expect(asked[asked.length - 1]).toMatchObject({ method: 'DELETE', path: '/v1/subscriptions/sub_org_gone' });
  });

  test('twenty of one event at once write one entry', async () => {
    const org = await newOrg();
    const body = eventOf({ org: org.id, at: 1000 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(204));
    const rows = await server.database.db.query("select 1 from audit_log where org = $1 and action = 'plan.change'", [
      org.id,
    ]);
    // One when the key was made, when the org was put on the plan free; one now.
    const made = await server.database.db.query(
      "select 1 from audit_log where org = $1 and action = 'plan.change' and actor_name = 'payments'",
      [org.id],
    );
    expect([made.length, rows.length - made.length <= 1]).toEqual([1, true]);
  });

  test('a payment that failed and is tried again keeps the plan; one that is given up ends it', async () => {
    const org = await newOrg();
    await tell({ org: org.id, at: 1000 });
    await tell({ org: org.id, at: 2000, status: 'past_due' });
    expect(await org.plan()).toBe('pro');
    await tell({ org: org.id, at: 3000, status: 'unpaid' });
    expect(await org.plan()).toBe('free');
    await tell({ org: org.id, at: 4000, status: 'active', price: 'price_business' });
    expect(await org.plan()).toBe('business');
  });

  test('of another subscription that is not paid for take nothing from the one that is', async () => {
    const org = await newOrg();
    await tell({ org: org.id, at: 1000 });
    const other = { org: org.id, subscription: `sub_other_${org.id}` };
    await tell({ ...other, at: 2000, type: 'created', status: 'incomplete' });
    await tell({ ...other, at: 3000, status: 'incomplete_expired' });
    expect(await org.plan()).toBe('pro');
    expect(await server.services.billing.subscription(org.id)).toMatchObject({ id: `sub_${org.id}`, live: true });
  });

  test('of an organization that is gone, or of other things, change nothing', async () => {
    expect(await tell({ org: 'org_none', at: 1000 })).toBe(204);
    const other = JSON.stringify({
      id: 'evt_x',
      object: 'event',
      created: 1,
      type: 'invoice.paid',
      data: { object: {} },
    });
    expect((await send(other)).status).toBe(204);
    const huge = await server.ask('POST', '/webhooks/stripe', { body: Buffer.alloc(1_100_000, 'x') });
    expect(huge.status).toBe(413);
  });

  test('have no address without a provider', async () => {
    const other = await openTestServer({}, { database: server.database });
    try {
      const answer = await other.ask('POST', '/webhooks/stripe', { body: '{}' });
      expect(answer.status).toBe(404);
    } finally {
      await other.close();
    }
  });
});

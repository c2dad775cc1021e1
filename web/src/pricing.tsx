import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Pricing } from './account/overview.tsx';
import { Act } from './actions.tsx';
import { ask } from './api.ts';
import { count, money } from './format.ts';
import { href } from './route.ts';
import { useAccount } from './session.ts';
import { Show, useLoad, Wide } from './ui.tsx';

const amount = (value: number | null): string => (value === null ? 'unlimited' : count(value));

/** The plans, and the cost of each operation. */
export default function PricingPage(): JSX.Element {
  const account = useAccount();
  const pricing = useLoad('pricing', (signal) => ask<Pricing>('/pricing', { signal }));
  useEffect(() => {
    document.title = 'Pricing · Boundary Lookup';
  }, []);
  const choose = async (plan: string): Promise<void> => {
    const { checkout_url } = await ask<{ checkout_url: string | null }>('/orgs/plan', {
      method: 'PUT',
      body: { plan },
    });
    if (checkout_url === null) location.reload();
    else location.assign(checkout_url);
  };
  return (
    <main class="page">
      <h1>Pricing</h1>
      <p>
        Search, lists and shapes at low detail are free, with{' '}
        {pricing.state === 'done' ? amount(pricing.value.anonymous.requests_per_minute) : '…'} requests a minute without
        an account. Everything else costs units.
      </p>
      <Show of={pricing} lines={10}>
        {({ plans, costs, currency }) => (
          <>
            <Wide label="Plans">
              <table class="table">
                <caption class="hidden">Plans</caption>
                <thead>
                  <tr>
                    <th scope="col">Plan</th>
                    <th scope="col">A month</th>
                    <th scope="col">Units a month</th>
                    <th scope="col">Requests a minute</th>
                    <th scope="col">Area sets</th>
                    <th scope="col">
                      <span class="hidden">Choose</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {plans.map((plan) => (
                    <tr key={plan.id}>
                      <th scope="row">
                        <b>{plan.name}</b>
                      </th>
                      <td>{plan.price_month === null ? '—' : money(plan.price_month, currency)}</td>
                      <td>{amount(plan.included_units)}</td>
                      <td>{amount(plan.requests_per_minute)}</td>
                      <td>{amount(plan.area_sets)}</td>
                      <td>
                        {account?.org.plan === plan.id ? (
                          <span class="soft">yours</span>
                        ) : (
                          account?.org.role === 'owner' &&
                          plan.price_month !== null && (
                            <Act label="Choose" about={plan.name} work={() => choose(plan.id)} done={() => undefined} />
                          )
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Wide>
            <h2>Units of each operation</h2>
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">Operation</th>
                  <th scope="col">Units</th>
                </tr>
              </thead>
              <tbody>
                {costs
                  .filter(({ units }) => units > 0)
                  .map(({ op, units, per, note }) => (
                    <tr key={op}>
                      <th scope="row">
                        <code>{op}</code>
                      </th>
                      <td>
                        {count(units)} per {per}
                        {note && <span class="soft">, {note}</span>}
                      </td>
                    </tr>
                  ))}
              </tbody>
            </table>
            <p class="soft">All other operations are free.</p>
            {account === null && (
              <p>
                <a class="button" href={href('/sign-in')} data-plain>
                  Create an account
                </a>
              </p>
            )}
          </>
        )}
      </Show>
    </main>
  );
}

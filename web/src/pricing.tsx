import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Pricing } from './account/overview.tsx';
import { Act } from './actions.tsx';
import { ask } from './api.ts';
import { count, money, pageTitle } from './format.ts';
import { t, textOr } from './language.ts';
import { href } from './route.ts';
import { useAccount } from './session.ts';
import { Show, useLoad, Wide } from './ui.tsx';

const amount = (value: number | null): string => (value === null ? t('pricing.unlimited') : count(value));

/** The plans, and the cost of each operation. */
export default function PricingPage(): JSX.Element {
  const account = useAccount();
  const pricing = useLoad('pricing', (signal) => ask<Pricing>('/pricing', { signal }));
  useEffect(() => {
    document.title = pageTitle(t('page.pricing'));
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
      <h1>{t('page.pricing')}</h1>
      <p>
        {t('pricing.about', {
          requests: pricing.state === 'done' ? amount(pricing.value.anonymous.requests_per_minute) : '…',
        })}
      </p>
      <Show of={pricing} lines={10}>
        {({ plans, costs, currency }) => (
          <>
            <Wide label={t('pricing.plans')}>
              <table class="table">
                <caption class="hidden">{t('pricing.plans')}</caption>
                <thead>
                  <tr>
                    <th scope="col">{t('word.plan')}</th>
                    <th scope="col">{t('pricing.aMonth')}</th>
                    <th scope="col">{t('pricing.unitsAMonth')}</th>
                    <th scope="col">{t('pricing.requestsAMinute')}</th>
                    <th scope="col">{t('pricing.areaSets')}</th>
                    <th scope="col">
                      <span class="hidden">{t('pricing.choose')}</span>
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
                          <span class="soft">{t('pricing.yours')}</span>
                        ) : (
                          account?.org.role === 'owner' &&
                          plan.price_month !== null && (
                            <Act
                              label={t('pricing.choose')}
                              about={plan.name}
                              work={() => choose(plan.id)}
                              done={() => undefined}
                            />
                          )
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Wide>
            <h2>{t('pricing.unitsOfEachOperation')}</h2>
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">{t('word.operation')}</th>
                  <th scope="col">{t('word.units')}</th>
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
                        {t('pricing.per', { units: count(units), per: textOr(`per.${per}`, per) })}
                        {note && <span class="soft">{`, ${textOr(`cost.${op}`, note)}`}</span>}
                      </td>
                    </tr>
                  ))}
              </tbody>
            </table>
            <p class="soft">{t('pricing.allOtherOperationsAre')}</p>
            {account === null && (
              <p>
                <a class="button" href={href('/sign-in')} data-plain>
                  {t('pricing.createAnAccount')}
                </a>
              </p>
            )}
          </>
        )}
      </Show>
    </main>
  );
}

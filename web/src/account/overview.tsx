import type { JSX } from 'preact';
import { Act } from '../actions.tsx';
import { type Answer, ask } from '../api.ts';
import { capital, count, day, money } from '../format.ts';
import { t } from '../language.ts';
import { href } from '../route.ts';
import type { Account } from '../session.ts';
import { Show, said, useLoad } from '../ui.tsx';
import { CreateNamed, useList } from './parts.tsx';

type Usage = Answer<'get_usage'>;

function UsageChart({ usage }: { usage: Usage }): JSX.Element {
  const rows = [...usage.by_op].sort((a, b) => b.units - a.units || b.calls - a.calls);
  const most = Math.max(1, ...rows.map(({ units }) => units));
  return (
    <>
      <p>
        {said(usage.limit === null ? 'account.usedUnlimited' : 'account.used', {
          used: <b class="figure">{count(usage.used)}</b>,
          n: usage.limit ?? 0,
          day: day(usage.period_start),
        })}
      </p>
      {usage.limit !== null && (
        <meter
          aria-label={t('account.unitsUsedThisMonth')}
          min={0}
          max={usage.limit}
          high={usage.limit * 0.9}
          value={Math.min(usage.used, usage.limit)}
        />
      )}
      {rows.length === 0 ? (
        <p class="nothing">{t('account.noUnitsUsedThis')}</p>
      ) : (
        <table class="table bars">
          <thead>
            <tr>
              <th scope="col">{t('word.operation')}</th>
              <th scope="col">{t('word.units')}</th>
              <th scope="col" class="number">
                {t('account.calls')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ op, calls, units }) => (
              <tr key={op}>
                <th scope="row">
                  <code>{op}</code>
                </th>
                <td>
                  <span class="bar" style={{ width: `${(units / most) * 70}%` }} /> {count(units)}
                </td>
                <td class="number">{count(calls)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="soft small">{t('account.resets', { day: day(usage.period_end) })}</p>
    </>
  );
}

export type Pricing = Answer<'get_pricing'>;

type Org = Answer<'list_orgs'>['items'][number];

/** The account, its organizations and this month's usage. */
export function Overview({ account }: { account: Account }): JSX.Element {
  const usage = useLoad('usage', (signal) => ask<Usage>('/usage', { signal }));
  const pricing = useLoad('pricing', (signal) => ask<Pricing>('/pricing', { signal }));
  const [orgs, again] = useList('orgs', (signal) => ask<{ items: Org[] }>('/orgs', { signal }));
  const plan = pricing.state === 'done' ? pricing.value.plans.find(({ id }) => id === account.org.plan) : undefined;
  return (
    <>
      <h1>{account.org.name}</h1>
      <dl class="facts">
        <div>
          <dt>{t('account.you')}</dt>
          <dd>
            {account.name && `${account.name}, `}
            {account.email}
          </dd>
        </div>
        <div>
          <dt>{t('account.role')}</dt>
          <dd>{capital(t(`role.${account.org.role}`))}</dd>
        </div>
        <div>
          <dt>{t('word.plan')}</dt>
          <dd>
            {plan?.name ?? account.org.plan}
            {plan?.price_month != null &&
              pricing.state === 'done' &&
              `, ${t('account.aMonth', { price: money(plan.price_month, pricing.value.currency) })}`}{' '}
            <a href={href('/pricing')}>{t('account.allPlans')}</a>
          </dd>
        </div>
      </dl>
      <h2>{t('account.usageThisMonth')}</h2>
      <Show of={usage}>{(value) => <UsageChart usage={value} />}</Show>
      <h2>{t('account.yourOrganizations')}</h2>
      <Show of={orgs}>
        {({ items }) => (
          <ul class="members">
            {items.map((org) => (
              <li key={org.id}>
                <span class="grow">
                  {org.name} <span class="soft">{t(`role.${org.role}`)}</span>
                </span>
                {org.id === account.org.id ? (
                  <span class="soft">{t('account.current')}</span>
                ) : (
                  <Act
                    label={t('account.switch')}
                    about={org.name}
                    work={() => ask('/orgs/current', { method: 'PUT', body: { org: org.id } })}
                    done={() => location.reload()}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </Show>
      <CreateNamed label={t('account.createOrganization')} path="/orgs" done={again} />
      <h2>{t('account.thisBrowser')}</h2>
      <p>
        <a href={href('/sign-in')} data-plain>
          {t('account.activeSessionsAndSign')}
        </a>
      </p>
    </>
  );
}

import type { JSX } from 'preact';
import { Act } from '../actions.tsx';
import { type Answer, ask } from '../api.ts';
import { capital, count, day, money, plural } from '../format.ts';
import { href } from '../route.ts';
import type { Account } from '../session.ts';
import { Show, useLoad } from '../ui.tsx';
import { CreateNamed, useList } from './parts.tsx';

type Usage = Answer<'get_usage'>;

function UsageChart({ usage }: { usage: Usage }): JSX.Element {
  const rows = [...usage.by_op].sort((a, b) => b.units - a.units || b.calls - a.calls);
  const most = Math.max(1, ...rows.map(({ units }) => units));
  return (
    <>
      <p>
        <b class="figure">{count(usage.used)}</b> of{' '}
        {usage.limit === null ? 'unlimited units' : plural(usage.limit, 'unit')} since {day(usage.period_start)}
      </p>
      {usage.limit !== null && (
        <meter
          aria-label="Units used this month"
          min={0}
          max={usage.limit}
          high={usage.limit * 0.9}
          value={Math.min(usage.used, usage.limit)}
        />
      )}
      {rows.length === 0 ? (
        <p class="nothing">No units used this month.</p>
      ) : (
        <table class="table bars">
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col">Units</th>
              <th scope="col" class="number">
                Calls
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
      <p class="soft small">The quota resets on {day(usage.period_end)}.</p>
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
          <dt>You</dt>
          <dd>
            {account.name && `${account.name}, `}
            {account.email}
          </dd>
        </div>
        <div>
          <dt>Role</dt>
          <dd>{capital(account.org.role)}</dd>
        </div>
        <div>
          <dt>Plan</dt>
          <dd>
            {plan?.name ?? account.org.plan}
            {plan?.price_month != null &&
              pricing.state === 'done' &&
              `, ${money(plan.price_month, pricing.value.currency)} a month`}{' '}
            <a href={href('/pricing')}>All plans</a>
          </dd>
        </div>
      </dl>
      <h2>Usage this month</h2>
      <Show of={usage}>{(value) => <UsageChart usage={value} />}</Show>
      <h2>Your organizations</h2>
      <Show of={orgs}>
        {({ items }) => (
          <ul class="members">
            {items.map((org) => (
              <li key={org.id}>
                <span class="grow">
                  {org.name} <span class="soft">{org.role}</span>
                </span>
                {org.id === account.org.id ? (
                  <span class="soft">current</span>
                ) : (
                  <Act
                    label="Switch"
                    about={`to ${org.name}`}
                    work={() => ask('/orgs/current', { method: 'PUT', body: { org: org.id } })}
                    done={() => location.reload()}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </Show>
      <CreateNamed label="Create organization" path="/orgs" done={again} />
      <h2>This browser</h2>
      <p>
        <a href={href('/sign-in')} data-plain>
          Active sessions and sign out
        </a>
      </p>
    </>
  );
}

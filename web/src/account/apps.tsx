import type { JSX } from 'preact';
import { Act } from '../actions.tsx';
import { type Answer, ask } from '../api.ts';
import { day } from '../format.ts';
import { t } from '../language.ts';
import { Show } from '../ui.tsx';
import { useList } from './parts.tsx';

type Grant = Answer<'list_oauth_grants'>['items'][number];

/** The apps that may act for the account, each with a button to disconnect it. */
export function Apps(): JSX.Element {
  const [grants, again] = useList('grants', (signal) => ask<{ items: Grant[] }>('/oauth-grants', { signal }));
  return (
    <>
      <h1>{t('account.connectedApps')}</h1>
      <p class="soft">{t('account.appsAndAgentsThat')}</p>
      <Show of={grants}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="nothing">{t('account.noConnectedApps')}</p>
          ) : (
            <ul class="members">
              {items.map((grant) => (
                <li key={grant.id}>
                  <span class="grow">
                    {grant.client_name} <span class="soft">{t('account.may', { scope: grant.scope })}</span>
                    <br />
                    <span class="soft small">
                      {t('account.since', { day: day(grant.created_at) })}
                      {grant.last_used_at && `, ${t('account.lastUsed', { day: day(grant.last_used_at, true) })}`}
                    </span>
                  </span>
                  <Act
                    label={t('account.disconnect')}
                    about={grant.client_name}
                    work={() => ask(`/oauth-grants/${grant.id}`, { method: 'DELETE' })}
                    done={again}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </>
  );
}

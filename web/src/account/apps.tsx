import type { JSX } from 'preact';
import { Act } from '../actions.tsx';
import { type Answer, ask } from '../api.ts';
import { day } from '../format.ts';
import { Show } from '../ui.tsx';
import { useList } from './parts.tsx';

type Grant = Answer<'list_oauth_grants'>['items'][number];

/** The apps that may act for the account, each with a button to disconnect it. */
export function Apps(): JSX.Element {
  const [grants, again] = useList('grants', (signal) => ask<{ items: Grant[] }>('/oauth-grants', { signal }));
  return (
    <>
      <h1>Connected apps</h1>
      <p class="soft">Apps and agents that can act for you. They chose their names themselves.</p>
      <Show of={grants}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="nothing">No connected apps.</p>
          ) : (
            <ul class="members">
              {items.map((grant) => (
                <li key={grant.id}>
                  <span class="grow">
                    {grant.client_name} <span class="soft">may {grant.scope}</span>
                    <br />
                    <span class="soft small">
                      since {day(grant.created_at)}
                      {grant.last_used_at && `, last used ${day(grant.last_used_at, true)}`}
                    </span>
                  </span>
                  <Act
                    label="Disconnect"
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

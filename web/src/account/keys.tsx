import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Act, Form, type Page, Rest } from '../actions.tsx';
import { type Answer, ask } from '../api.ts';
import { useKeptFocus } from '../focus.ts';
import { day } from '../format.ts';
import { Copy, Show } from '../ui.tsx';
import { nameOf, useList } from './parts.tsx';

type Key = Answer<'list_api_keys'>['items'][number];

function Secret({ secret, done }: { secret: string; done: () => void }): JSX.Element {
  const root = useKeptFocus<HTMLDivElement>();
  return (
    <div class="secret" role="status" ref={root}>
      <p>
        <b>Copy the key now.</b> It is not shown again.
      </p>
      <p class="row">
        <code>{secret}</code>
        <Copy text={secret} />
        <button type="button" class="quiet" onClick={done}>
          Done
        </button>
      </p>
    </div>
  );
}

/** The API keys, with forms to create and revoke them. */
export function Keys(): JSX.Element {
  const [revoked, setRevoked] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [keys, again] = useList(`keys ${revoked}`, (signal) =>
    ask<Page<Key>>('/api-keys', { query: { revoked }, signal }),
  );
  return (
    <>
      <h1>API keys</h1>
      <Form
        label="Create key"
        work={async ({ name }) => {
          const made = await ask<{ api_key: string }>('/api-keys', { method: 'POST', body: name ? { name } : {} });
          setSecret(made.api_key);
        }}
        done={again}
      >
        <label>
          What it is for
          <input name="name" maxLength={100} placeholder="API key" />
        </label>
      </Form>
      {secret && <Secret secret={secret} done={() => setSecret(null)} />}
      <p>
        <label>
          <input type="checkbox" checked={revoked} onChange={(event) => setRevoked(event.currentTarget.checked)} /> Show
          revoked keys
        </label>
      </p>
      <Show of={keys}>
        {({ items, total }) =>
          items.length === 0 ? (
            <p class="nothing">No keys yet.</p>
          ) : (
            <>
              <ul class="members">
                {items.map((key) => (
                  <li key={key.id}>
                    <span class="grow">
                      {key.name} <code class="soft">{key.prefix}…</code>
                      <br />
                      <span class="soft small">
                        {nameOf(key.creator)}, {day(key.created_at)};{' '}
                        {key.last_used_at ? `last used ${day(key.last_used_at, true)}` : 'never used'}
                      </span>
                    </span>
                    {key.revoked_at ? (
                      <span class="soft">revoked {day(key.revoked_at)}</span>
                    ) : (
                      <Act
                        label="Revoke"
                        about={key.name}
                        confirm="Programs that use it stop working."
                        work={() => ask(`/api-keys/${key.id}`, { method: 'DELETE' })}
                        done={again}
                      />
                    )}
                  </li>
                ))}
              </ul>
              <Rest of={{ items, total }} />
            </>
          )
        }
      </Show>
    </>
  );
}

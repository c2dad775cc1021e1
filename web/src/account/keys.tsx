import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Act, Form, type Page, Rest } from '../actions.tsx';
import { type Answer, ask } from '../api.ts';
import { useKeptFocus } from '../focus.ts';
import { day } from '../format.ts';
import { t } from '../language.ts';
import { Copy, Show } from '../ui.tsx';
import { nameOf, useList } from './parts.tsx';

type Key = Answer<'list_api_keys'>['items'][number];

function Secret({ secret, done }: { secret: string; done: () => void }): JSX.Element {
  const root = useKeptFocus<HTMLDivElement>();
  return (
    <div class="secret" role="status" ref={root}>
      <p>
        <b>{t('account.copyTheKeyNow')}</b> {t('account.notShownAgain')}
      </p>
      <p class="row">
        <code>{secret}</code>
        <Copy text={secret} />
        <button type="button" class="quiet" onClick={done}>
          {t('account.done')}
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
      <h1>{t('account.apiKeys')}</h1>
      <Form
        label={t('account.createKey')}
        work={async ({ name }) => {
          const made = await ask<{ api_key: string }>('/api-keys', { method: 'POST', body: name ? { name } : {} });
          setSecret(made.api_key);
        }}
        done={again}
      >
        <label>
          {t('account.whatItIsFor')}
          <input name="name" maxLength={100} placeholder={t('account.apiKey')} />
        </label>
      </Form>
      {secret && <Secret secret={secret} done={() => setSecret(null)} />}
      <p>
        <label>
          <input type="checkbox" checked={revoked} onChange={(event) => setRevoked(event.currentTarget.checked)} />{' '}
          {t('account.showRevokedKeys')}
        </label>
      </p>
      <Show of={keys}>
        {({ items, total }) =>
          items.length === 0 ? (
            <p class="nothing">{t('account.noKeysYet')}</p>
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
                        {key.last_used_at
                          ? t('account.lastUsed', { day: day(key.last_used_at, true) })
                          : t('account.neverUsed')}
                      </span>
                    </span>
                    {key.revoked_at ? (
                      <span class="soft">{t('account.revokedOn', { day: day(key.revoked_at) })}</span>
                    ) : (
                      <Act
                        label={t('account.revoke')}
                        about={key.name}
                        confirm={t('account.programsThatUseIt')}
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

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AUDIT_ACTIONS } from '../../../src/core/audit_actions.ts';
import { type Page, Pager } from '../actions.tsx';
import { type Answer, ask } from '../api.ts';
import { day } from '../format.ts';
import { t } from '../language.ts';
import type { Account } from '../session.ts';
import { Show } from '../ui.tsx';
import { manages, useList } from './parts.tsx';

type Entry = Answer<'list_audit_log'>['items'][number];

const ENTRIES = 50;

/** The audit log of the organization, newest first. */
export function Audit({ account }: { account: Account }): JSX.Element {
  const [action, setAction] = useState('');
  const [offset, setOffset] = useState(0);
  const [entries] = useList(`audit ${action} ${offset}`, (signal) =>
    ask<Page<Entry>>('/orgs/audit-log', { query: { action, offset, limit: ENTRIES }, signal }),
  );
  return (
    <>
      <h1>{t('account.auditLog')}</h1>
      {manages(account) ? (
        <>
          <div class="fields">
            <label>
              {t('account.action')}
              <select
                value={action}
                onChange={(event) => {
                  setAction(event.currentTarget.value);
                  setOffset(0);
                }}
              >
                <option value="">{t('word.all')}</option>
                {AUDIT_ACTIONS.map((value) => (
                  <option key={value}>{value}</option>
                ))}
              </select>
            </label>
          </div>
          <Show of={entries}>
            {({ items, total }) => (
              <>
                {items.length === 0 && <p class="nothing">{t('account.noEntries')}</p>}
                <ul class="members">
                  {items.map((entry) => (
                    <li key={entry.id}>
                      <span class="grow">
                        <code>{entry.action}</code> {entry.target.name ?? entry.target.id ?? ''}
                        <br />
                        <span class="soft small">
                          {day(entry.created_at, true)}, {entry.actor.name}
                          {entry.request_id && (
                            <>
                              , {t('account.request')} <code>{entry.request_id}</code>
                            </>
                          )}
                        </span>
                      </span>
                    </li>
                  ))}
                </ul>
                <Pager
                  offset={offset}
                  size={ENTRIES}
                  total={total}
                  many={t('account.entries', { n: total })}
                  go={setOffset}
                />
              </>
            )}
          </Show>
        </>
      ) : (
        <p class="nothing">{t('account.onlyOwnersAndAdmins')}</p>
      )}
    </>
  );
}

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { mayGrant, ROLES, type Role } from '../../../src/core/roles.ts';
import { Act, Form, type Page, Rest } from '../actions.tsx';
import { type Answer, ask } from '../api.ts';
import { day } from '../format.ts';
import { t } from '../language.ts';
import type { Account } from '../session.ts';
import { Copy, Show } from '../ui.tsx';
import { manages, nameOf, useList } from './parts.tsx';

export type Member = Answer<'list_members'>['items'][number];

type Invite = Answer<'list_invites'>['items'][number];

/** The members of the organization, their roles and open invitations. */
export function MemberList({ account }: { account: Account }): JSX.Element {
  const may = manages(account);
  const [members, again] = useList('members', (signal) =>
    ask<Page<Member>>('/orgs/members', { query: { limit: 100 }, signal }),
  );
  return (
    <>
      <h1>{t('word.members')}</h1>
      <Show of={members}>
        {({ items, total }) => (
          <>
            <ul class="members">
              {items.map((member) => (
                <li key={member.id}>
                  <span class="grow">
                    {nameOf(member)} {member.name && <span class="soft">{member.email}</span>}
                  </span>
                  {may && member.id !== account.id ? (
                    <RoleSelect member={member} own={account.org.effective_role} again={again} />
                  ) : (
                    <span class="soft">{t(`role.${member.role}`)}</span>
                  )}
                  {(may || member.id === account.id) && (
                    <Act
                      label={member.id === account.id ? t('account.leave') : t('word.remove')}
                      about={nameOf(member)}
                      confirm={
                        member.id === account.id
                          ? t('account.leaveThisOrganization')
                          : t('account.removeMember', { name: nameOf(member) })
                      }
                      work={() => ask(`/orgs/members/${member.id}`, { method: 'DELETE' })}
                      done={member.id === account.id ? () => location.reload() : again}
                    />
                  )}
                </li>
              ))}
            </ul>
            <Rest of={{ items, total }} />
          </>
        )}
      </Show>
      {may && <Invites account={account} />}
    </>
  );
}

function RoleSelect({ member, own, again }: { member: Member; own: Role; again: () => void }): JSX.Element {
  const [wanted, setWanted] = useState<Role>(member.role);
  const grantable = ROLES.filter((role) => mayGrant(own, role));
  if (!grantable.includes(member.role)) return <span class="soft">{t(`role.${member.role}`)}</span>;
  return (
    <>
      <select
        aria-label={t('account.roleOf', { name: nameOf(member) })}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value as Role)}
      >
        {grantable.map((role) => (
          <option key={role} value={role}>
            {t(`role.${role}`)}
          </option>
        ))}
      </select>
      {wanted !== member.role && (
        <Act
          label={t('account.changeRole')}
          work={() => ask(`/orgs/members/${member.id}`, { method: 'PATCH', body: { role: wanted } })}
          done={again}
        />
      )}
    </>
  );
}

function Invites({ account }: { account: Account }): JSX.Element {
  const [invites, again] = useList('invites', (signal) => ask<{ items: Invite[] }>('/orgs/invites', { signal }));
  return (
    <>
      <h2>{t('account.invitations')}</h2>
      <Form
        label={t('account.invite')}
        work={({ email, role }) => ask('/orgs/invites', { method: 'POST', body: { email, role } })}
        done={again}
      >
        <label>
          {t('account.email')}
          <input name="email" type="email" required maxLength={254} />
        </label>
        <label>
          {t('account.role')}
          <select name="role">
            {ROLES.filter((role) => mayGrant(account.org.effective_role, role)).map((role) => (
              <option key={role} value={role} selected={role === 'member'}>
                {t(`role.${role}`)}
              </option>
            ))}
          </select>
        </label>
      </Form>
      <Show of={invites}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="nothing">{t('account.noOpenInvitations')}</p>
          ) : (
            <>
              {items.some(({ mailed }) => !mailed) && (
                <p class="flag" role="status">
                  {t('account.thisServerSendsNo')}
                </p>
              )}
              <ul class="members">
                {items.map((invite) => (
                  <li key={invite.id}>
                    <span class="grow">
                      {invite.email}{' '}
                      <span class="soft">
                        {t(`role.${invite.role}`)}, {t('word.until', { day: day(invite.expires_at) })}
                      </span>
                    </span>
                    <Copy text={invite.url} label={t('account.copyTheLink')} />
                    <Act
                      label={t('account.revoke')}
                      about={invite.email}
                      work={() => ask(`/orgs/invites/${invite.id}`, { method: 'DELETE' })}
                      done={again}
                    />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Show>
    </>
  );
}

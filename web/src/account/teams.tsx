import type { JSX } from 'preact';
import { Act, Form, type Page } from '../actions.tsx';
import { type Answer, ask } from '../api.ts';
import { t } from '../language.ts';
import type { Account } from '../session.ts';
import { Show, useLoad } from '../ui.tsx';
import type { Member } from './members.tsx';
import { CreateNamed, manages, nameOf, useList } from './parts.tsx';

type Team = Answer<'list_teams'>['items'][number];

/** The teams of the organization with their members. */
export function Teams({ account }: { account: Account }): JSX.Element {
  const may = manages(account);
  const [teams, again] = useList('teams', (signal) => ask<{ items: Team[] }>('/orgs/teams', { signal }));
  const members = useLoad('members', (signal) => ask<Page<Member>>('/orgs/members', { query: { limit: 100 }, signal }));
  const people = members.state === 'done' ? members.value.items : [];
  return (
    <>
      <h1>{t('account.teams')}</h1>
      <p class="soft">{t('account.filesOfTheLibrary')}</p>
      {may && <CreateNamed label={t('account.createTeam')} path="/orgs/teams" done={again} />}
      <Show of={teams}>
        {({ items }) => (
          <>
            {items.length === 0 && <p class="nothing">{t('account.noTeamsYet')}</p>}
            {items.map((team) => (
              <section key={team.id} aria-label={team.name}>
                <h2 class="row">
                  <span class="grow">{team.name}</span>
                  {may && (
                    <Act
                      label={t('account.deleteTeam')}
                      about={team.name}
                      confirm={t('account.confirmTeam', { name: team.name })}
                      work={() => ask(`/orgs/teams/${team.id}`, { method: 'DELETE' })}
                      done={again}
                    />
                  )}
                </h2>
                <ul class="members">
                  {team.members.map((person) => (
                    <li key={person.id}>
                      <span class="grow">{nameOf(person)}</span>
                      {may && (
                        <Act
                          label={t('word.remove')}
                          about={`${nameOf(person)}, ${team.name}`}
                          work={() => ask(`/orgs/teams/${team.id}/members/${person.id}`, { method: 'DELETE' })}
                          done={again}
                        />
                      )}
                    </li>
                  ))}
                </ul>
                {may && people.length > team.members.length && (
                  <Form
                    label={t('word.add')}
                    work={({ person }) => ask(`/orgs/teams/${team.id}/members/${person}`, { method: 'PUT', body: {} })}
                    done={again}
                  >
                    <label>
                      {t('account.member')}
                      <select name="person">
                        {people
                          .filter(({ id }) => !team.members.some((one) => one.id === id))
                          .map((person) => (
                            <option key={person.id} value={person.id}>
                              {nameOf(person)}
                            </option>
                          ))}
                      </select>
                    </label>
                  </Form>
                )}
              </section>
            ))}
          </>
        )}
      </Show>
    </>
  );
}

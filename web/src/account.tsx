import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Act, Form, Members as NeedsAccount, type Page } from './actions.tsx';
import { ask } from './api.ts';
import { capital, count, day, money, plural } from './format.ts';
import { href, useRoute } from './route.ts';
import { type Account, type Role, useAccount } from './session.ts';
import { Copy, type Loaded, Show, useLoad } from './ui.tsx';

interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
}

const nameOf = ({ name, email }: Person): string => name || email;
const ROLES: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];
const manages = ({ org }: Account): boolean => org.effective_role === 'owner' || org.effective_role === 'admin';

/** What was loaded, and a function that loads it again. */
function useList<T>(key: string, load: (signal: AbortSignal) => Promise<T>): [Loaded<T>, () => void] {
  const [turn, setTurn] = useState(0);
  const [shown, setShown] = useState<T | null>(null);
  const loaded = useLoad(`${key} ${turn}`, load);
  useEffect(() => {
    if (loaded.state === 'done') setShown(loaded.value);
  }, [loaded]);
  // What was there stays until the new list has come.
  const kept: Loaded<T> = loaded.state === 'loading' && shown !== null ? { state: 'done', value: shown } : loaded;
  return [kept, () => setTurn((n) => n + 1)];
}

interface Usage {
  readonly period_start: string;
  readonly period_end: string;
  readonly used: number;
  readonly limit: number | null;
  readonly by_op: readonly { readonly op: string; readonly calls: number; readonly units: number }[];
}

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
        <p class="nothing">Nothing was used this month.</p>
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

export interface Pricing {
  readonly currency: string;
  readonly plans: readonly {
    readonly id: string;
    readonly name: string;
    readonly price_month: number | null;
    readonly included_units: number | null;
    readonly requests_per_minute: number | null;
  }[];
  readonly costs: readonly {
    readonly op: string;
    readonly units: number;
    readonly per: string;
    readonly note?: string;
  }[];
  readonly anonymous: { readonly requests_per_minute: number | null };
}

interface Org {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly plan: string;
  readonly personal: boolean;
  readonly role: Role;
}

function Overview({ account }: { account: Account }): JSX.Element {
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
      <Form
        label="Create organization"
        work={({ name }) => ask('/orgs', { method: 'POST', body: { name } })}
        done={again}
      >
        <label>
          Name
          <input name="name" required maxLength={100} />
        </label>
      </Form>
      <h2>This browser</h2>
      <p>
        <a href={href('/sign-in')} data-plain>
          Active sessions and sign out
        </a>
      </p>
    </>
  );
}

interface Member extends Person {
  readonly role: Role;
  readonly created_at: string;
}

interface Invite {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly expires_at: string;
}

function MemberList({ account }: { account: Account }): JSX.Element {
  const may = manages(account);
  const [members, again] = useList('members', (signal) =>
    ask<Page<Member>>('/orgs/members', { query: { limit: 100 }, signal }),
  );
  return (
    <>
      <h1>Members</h1>
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
                    <span class="soft">{member.role}</span>
                  )}
                  {(may || member.id === account.id) && (
                    <Act
                      label={member.id === account.id ? 'Leave' : 'Remove'}
                      about={nameOf(member)}
                      confirm={member.id === account.id ? 'Leave this organization?' : `Remove ${nameOf(member)}?`}
                      work={() => ask(`/orgs/members/${member.id}`, { method: 'DELETE' })}
                      done={member.id === account.id ? () => location.reload() : again}
                    />
                  )}
                </li>
              ))}
            </ul>
            {total > items.length && (
              <p class="soft">
                The first {count(items.length)} of {count(total)}.
              </p>
            )}
          </>
        )}
      </Show>
      {may && <Invites account={account} />}
    </>
  );
}

function RoleSelect({ member, own, again }: { member: Member; own: Role; again: () => void }): JSX.Element {
  const [wanted, setWanted] = useState<Role>(member.role);
  const grantable = own === 'owner' ? ROLES : ROLES.slice(1);
  if (!grantable.includes(member.role)) return <span class="soft">{member.role}</span>;
  return (
    <>
      <select
        aria-label={`Role of ${nameOf(member)}`}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value as Role)}
      >
        {grantable.map((role) => (
          <option key={role}>{role}</option>
        ))}
      </select>
      {wanted !== member.role && (
        <Act
          label="Change role"
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
      <h2>Invitations</h2>
      <Form
        label="Invite"
        work={({ email, role }) => ask('/orgs/invites', { method: 'POST', body: { email, role } })}
        done={again}
      >
        <label>
          Email
          <input name="email" type="email" required maxLength={254} />
        </label>
        <label>
          Role
          <select name="role" defaultValue="member">
            {ROLES.slice(account.org.effective_role === 'owner' ? 0 : 1).map((role) => (
              <option key={role} selected={role === 'member'}>
                {role}
              </option>
            ))}
          </select>
        </label>
      </Form>
      <Show of={invites}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="nothing">No invitation is open.</p>
          ) : (
            <ul class="members">
              {items.map((invite) => (
                <li key={invite.id}>
                  <span class="grow">
                    {invite.email}{' '}
                    <span class="soft">
                      {invite.role}, until {day(invite.expires_at)}
                    </span>
                  </span>
                  <Act
                    label="Revoke"
                    about={`the invitation of ${invite.email}`}
                    work={() => ask(`/orgs/invites/${invite.id}`, { method: 'DELETE' })}
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

interface Team {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly members: readonly Person[];
}

function Teams({ account }: { account: Account }): JSX.Element {
  const may = manages(account);
  const [teams, again] = useList('teams', (signal) => ask<{ items: Team[] }>('/orgs/teams', { signal }));
  const members = useLoad('members', (signal) => ask<Page<Member>>('/orgs/members', { query: { limit: 100 }, signal }));
  const people = members.state === 'done' ? members.value.items : [];
  return (
    <>
      <h1>Teams</h1>
      <p class="soft">Files of the library can be shared with a team.</p>
      {may && (
        <Form
          label="Create team"
          work={({ name }) => ask('/orgs/teams', { method: 'POST', body: { name } })}
          done={again}
        >
          <label>
            Name
            <input name="name" required maxLength={100} />
          </label>
        </Form>
      )}
      <Show of={teams}>
        {({ items }) => (
          <>
            {items.length === 0 && <p class="nothing">There is no team yet.</p>}
            {items.map((team) => (
              <section key={team.id} aria-label={team.name}>
                <h2 class="row">
                  <span class="grow">{team.name}</span>
                  {may && (
                    <Act
                      label="Delete team"
                      about={team.name}
                      confirm={`Delete ${team.name}? Its shares end with it.`}
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
                          label="Remove"
                          about={`${nameOf(person)} from ${team.name}`}
                          work={() => ask(`/orgs/teams/${team.id}/members/${person.id}`, { method: 'DELETE' })}
                          done={again}
                        />
                      )}
                    </li>
                  ))}
                </ul>
                {may && people.length > team.members.length && (
                  <Form
                    label="Add"
                    work={({ person }) => ask(`/orgs/teams/${team.id}/members/${person}`, { method: 'PUT', body: {} })}
                    done={again}
                  >
                    <label>
                      Member
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

interface Key {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly creator: Person;
}

function Keys(): JSX.Element {
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
      {secret && (
        <div class="secret" role="status">
          <p>
            <b>Copy the key now.</b> It is not shown again.
          </p>
          <p class="row">
            <code>{secret}</code>
            <Copy text={secret} />
            <button type="button" class="quiet" onClick={() => setSecret(null)}>
              Done
            </button>
          </p>
        </div>
      )}
      <p>
        <label>
          <input type="checkbox" checked={revoked} onChange={(event) => setRevoked(event.currentTarget.checked)} /> Show
          revoked keys
        </label>
      </p>
      <Show of={keys}>
        {({ items, total }) =>
          items.length === 0 ? (
            <p class="nothing">There is no key yet.</p>
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
              {total > items.length && (
                <p class="soft">
                  The first {count(items.length)} of {count(total)}.
                </p>
              )}
            </>
          )
        }
      </Show>
    </>
  );
}

interface Grant {
  readonly id: string;
  readonly client_name: string;
  readonly scope: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

function Apps(): JSX.Element {
  const [grants, again] = useList('grants', (signal) => ask<{ items: Grant[] }>('/oauth-grants', { signal }));
  return (
    <>
      <h1>Connected apps</h1>
      <p class="soft">Apps and agents that you let act for you. Their names are what they call themselves.</p>
      <Show of={grants}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="nothing">No app is connected.</p>
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

interface Entry {
  readonly id: string;
  readonly created_at: string;
  readonly action: string;
  readonly actor: { readonly type: string; readonly name: string };
  readonly target: { readonly type: string; readonly id: string | null; readonly name: string | null };
  readonly details: Readonly<Record<string, unknown>>;
  readonly request_id: string | null;
}

const ACTIONS = [
  'account.update',
  'org.create',
  'org.update',
  'member.add',
  'member.update',
  'member.remove',
  'team.create',
  'team.update',
  'team.delete',
  'team.add_member',
  'team.remove_member',
  'invite.create',
  'invite.revoke',
  'invite.accept',
  'api_key.create',
  'api_key.revoke',
  'oauth_grant.create',
  'oauth_grant.revoke',
  'plan.change',
  'file.share',
  'file.unshare',
  'file.visibility',
];
const ENTRIES = 50;

function Audit({ account }: { account: Account }): JSX.Element {
  const [action, setAction] = useState('');
  const [offset, setOffset] = useState(0);
  const [entries] = useList(`audit ${action} ${offset}`, (signal) =>
    ask<Page<Entry>>('/orgs/audit-log', { query: { action, offset, limit: ENTRIES }, signal }),
  );
  return (
    <>
      <h1>Audit log</h1>
      {manages(account) ? (
        <>
          <div class="fields">
            <label>
              Action
              <select
                value={action}
                onChange={(event) => {
                  setAction(event.currentTarget.value);
                  setOffset(0);
                }}
              >
                <option value="">all</option>
                {ACTIONS.map((value) => (
                  <option key={value}>{value}</option>
                ))}
              </select>
            </label>
          </div>
          <Show of={entries}>
            {({ items, total }) => (
              <>
                {items.length === 0 && <p class="nothing">Nothing is recorded.</p>}
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
                              , request <code>{entry.request_id}</code>
                            </>
                          )}
                        </span>
                      </span>
                    </li>
                  ))}
                </ul>
                <p class="row">
                  <button
                    type="button"
                    class="quiet"
                    disabled={offset === 0}
                    onClick={() => setOffset(offset - ENTRIES)}
                  >
                    Newer
                  </button>
                  <button
                    type="button"
                    class="quiet"
                    disabled={offset + ENTRIES >= total}
                    onClick={() => setOffset(offset + ENTRIES)}
                  >
                    Older
                  </button>
                  <span class="soft">{plural(total, 'entry', 'entries')}</span>
                </p>
              </>
            )}
          </Show>
        </>
      ) : (
        <p class="nothing">Only owners and admins of the organization see it.</p>
      )}
    </>
  );
}

const PAGES: readonly (readonly [string, string, (props: { account: Account }) => JSX.Element])[] = [
  ['', 'Overview', Overview],
  ['members', 'Members', MemberList],
  ['teams', 'Teams', Teams],
  ['keys', 'API keys', Keys],
  ['apps', 'Connected apps', Apps],
  ['audit', 'Audit log', Audit],
];

/** The pages of the account and its organization. */
export default function AccountPage(): JSX.Element {
  const { path } = useRoute();
  const account = useAccount();
  const name = path.split('/')[2] ?? '';
  const [, title, View] = PAGES.find(([slug]) => slug === name) ?? PAGES[0];
  useEffect(() => {
    document.title = `${title} · Boundary Lookup`;
  }, [title]);
  return (
    <main class="page">
      <NeedsAccount title="Account">
        <div class="sections">
          <nav aria-label="Account">
            {PAGES.map(([slug, label]) => (
              <a
                key={slug}
                href={href(slug ? `/account/${slug}` : '/account')}
                aria-current={slug === name ? 'page' : undefined}
              >
                {label}
              </a>
            ))}
          </nav>
          <div>{account && <View key={name} account={account} />}</div>
        </div>
      </NeedsAccount>
    </main>
  );
}

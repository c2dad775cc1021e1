import type { AuditAction, Caller } from '../../src/access.ts';
import { systemActor } from '../../src/access.ts';
import { createOAuth } from '../../src/domain/oauth.ts';
import { ops } from '../../src/ops/index.ts';
import type { Person, Stock } from './stock.ts';

/** A call that succeeds, and what it must leave in the audit log. */
export interface Scenario {
  readonly caller: Caller;
  readonly input: object;
  /** The actions, in the order they are written. */
  readonly writes: readonly AuditAction[];
  /** What must not be found in any entry. */
  readonly secrets?: readonly string[];
}

/** What a scenario starts from: an organisation with an owner, a member, and things of every kind in it. */
export interface Setting {
  readonly stock: Stock;
  readonly org: string;
  readonly owner: Person;
  readonly member: Person;
  /** The owner, signed in there. */
  readonly boss: Caller;
  readonly slug: string;
  readonly team: string;
  readonly teamSlug: string;
  readonly invite: string;
  readonly key: string;
  readonly grant: string;
  /** Belongs to the open invitation. */
  readonly token: string;
}

let settings = 0;

/** Makes an organisation of which every name, address and slug holds `mark`, so that it can be recognised anywhere. */
export async function makeSetting(stock: Stock, mark: string): Promise<Setting> {
  const n = `${mark}${++settings}`;
  const owner = await stock.person(`${n}-owner@example.org`, `${n} Owner`);
  const member = await stock.person(`${n}-member@example.org`, `${n} Member`);
  const org = await stock.org(owner, `${n} House`, `${n}-house`);
  await stock.join(org, owner, member, 'member');
  const boss = await stock.session(owner, org);
  const { id: team } = await stock.ok<{ id: string }>('create_team', { name: `${n} Team` }, boss);
  await stock.ok('add_team_member', { team, user_id: member.id }, boss);
  const email = `${n}-invited@example.org`;
  const { id: invite } = await stock.ok<{ id: string }>('invite_member', { email }, boss);
  const { id: key } = await stock.key(member, org, `${n} key`);
  const grant = `${n}-grant`;
  const consent = { id: grant, account: member.id, org, clientId: `${n}-client`, clientName: `${n} Client` };
  await createOAuth(stock.test.db, []).grant({ ...consent, scope: 'write' }, systemActor('test'));
  const slug = `${n}-house`;
  const token = await stock.inviteToken(email);
  return { stock, org, slug, owner, member, boss, team, teamSlug: `${n}-team`, invite, key, grant, token };
}

type Make = (setting: Setting) => Scenario | Promise<Scenario>;

const asBoss =
  (writes: readonly AuditAction[], input: (setting: Setting) => object): Make =>
  (setting) => ({ caller: setting.boss, input: input(setting), writes });

/** One scenario or more for every operation that declares what it writes to the audit log. */
export const SCENARIOS: Readonly<Record<string, Readonly<Record<string, Make>>>> = {
  create_api_key: { 'a key': asBoss(['api_key.create'], () => ({ name: 'nightly' })) },
  revoke_api_key: { "somebody's key": asBoss(['api_key.revoke'], ({ key }) => ({ id: key })) },
  revoke_oauth_grant: {
    'an own grant': async ({ stock, member, org, grant }) => ({
      caller: await stock.session(member, org),
      input: { id: grant },
      writes: ['oauth_grant.revoke'],
    }),
  },
  delete_account: {
    'of a member': async ({ stock, member, org }) => ({
      caller: await stock.session(member, org),
      input: {},
      // Their personal organisation has nobody else; in the other they are one of two. Its id decides the order.
      writes: ['member.remove', 'org.delete', 'api_key.revoke', 'oauth_grant.revoke', 'member.remove'],
    }),
  },
  create_org: { 'an organisation': asBoss(['org.create'], ({ org }) => ({ name: `beside ${org}` })) },
  update_org: { 'a name': asBoss(['org.update'], () => ({ name: 'renamed' })) },
  delete_org: {
    'with members': asBoss(
      ['member.remove', 'api_key.revoke', 'oauth_grant.revoke', 'member.remove', 'org.delete'],
      () => ({}),
    ),
  },
  update_member: {
    'a role': asBoss(['member.update'], ({ member }) => ({ user_id: member.id, role: 'admin' })),
    'the same role': asBoss([], ({ member }) => ({ user_id: member.id, role: 'member' })),
  },
  remove_member: {
    'with key and grant': asBoss(['api_key.revoke', 'oauth_grant.revoke', 'member.remove'], ({ member }) => ({
      user_id: member.id,
    })),
    'by a key of the owner': async ({ stock, owner, member, org }) => ({
      caller: (await stock.key(owner, org)).caller,
      input: { user_id: member.id },
      writes: ['api_key.revoke', 'oauth_grant.revoke', 'member.remove'],
    }),
    oneself: async ({ stock, member, org }) => ({
      caller: await stock.session(member, org),
      input: { user_id: member.id },
      writes: ['api_key.revoke', 'oauth_grant.revoke', 'member.remove'],
    }),
  },
  invite_member: {
    'an address': asBoss(['invite.create'], ({ org }) => ({ email: `${org.toLowerCase()}@example.org` })),
  },
  revoke_invite: { 'an open one': asBoss(['invite.revoke'], ({ invite }) => ({ id: invite })) },
  accept_invite: {
    'by a session in another organisation': async ({ stock, token, invite }) => {
      const [{ email }] = await stock.test.db.query<{ email: string }>('select email from invite where id = $1', [
        invite,
      ]);
      const invited = await stock.person(email);
      const caller = await stock.session(invited, await stock.org(invited, 'Home'));
      return { caller, input: { token }, writes: ['invite.accept', 'member.add'], secrets: [token] };
    },
  },
  create_team: { 'a team': asBoss(['team.create'], () => ({ name: 'another' })) },
  update_team: {
    'a slug': asBoss(['team.update'], ({ team }) => ({ team, slug: 'other' })),
  },
  delete_team: { 'with members': asBoss(['team.delete'], ({ team }) => ({ team })) },
  add_team_member: {
    'a new one': asBoss(['team.add_member'], ({ team, owner }) => ({ team, user_id: owner.id })),
    'one who is in it': asBoss([], ({ team, member }) => ({ team, user_id: member.id })),
  },
  remove_team_member: {
    'one of it': asBoss(['team.remove_member'], ({ team, member }) => ({ team, user_id: member.id })),
  },
};

/** Operations that say what they write to the audit log. */
export const auditedOps = ops.filter((op) => op.audit !== undefined);

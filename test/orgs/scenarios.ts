import { createHash } from 'node:crypto';
import { only } from '../../src/common/elements.ts';
import type { Caller } from '../../src/core/access.ts';
import { systemActor } from '../../src/core/access.ts';
import type { AuditAction } from '../../src/core/audit_actions.ts';
import { loadQuery } from '../../src/db/query.ts';
import { createOAuth } from '../../src/domain/people/oauth.ts';
import { ops } from '../../src/ops/index.ts';
import type { OrgHarness, Person } from './org_harness.ts';

/** A successful call, and the audit entries that it must write. */
export interface Scenario {
  readonly caller: Caller;
  readonly input: object;
  /** The actions in writing order. */
  readonly writes: readonly AuditAction[];
  /** Texts that no entry may contain. */
  readonly secrets?: readonly string[];
}

/** The initial state of a scenario: an organization with an owner, a member, and objects of every kind. */
export interface ScenarioFixture {
  readonly harness: OrgHarness;
  readonly org: string;
  readonly owner: Person;
  readonly member: Person;
  /** The owner's session in the organization. */
  readonly ownerCaller: Caller;
  readonly slug: string;
  readonly team: string;
  readonly teamSlug: string;
  readonly invite: string;
  readonly key: string;
  readonly grant: string;
  /** The token of the open invitation. */
  readonly token: string;
  /** A restricted file of the owner, shared with the member and with the team. */
  readonly file: string;
  /** The share with the member. */
  readonly share: string;
  /** A subscription of the owner to the file. */
  readonly subscription: string;
}

let settings = 0;

/** Creates an organization in which every name, address and slug contains `mark`, to recognize it anywhere. */
export async function createScenarioFixture(stock: OrgHarness, mark: string): Promise<ScenarioFixture> {
  const n = `${mark}${++settings}`;
  const owner = await stock.person(`${n}-owner@example.org`, `${n} Owner`);
  const member = await stock.person(`${n}-member@example.org`, `${n} Member`);
  const org = await stock.org(owner, `${n} House`, `${n}-server`);
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
  const slug = `${n}-server`;
  const token = await stock.inviteToken(email);
  const file = await makeFile(stock, { org, owner, name: `${n} File` });
  await stock.ok('share_file', { id: file, team }, boss);
  const { items } = await stock.ok<{ items: { grant_id: string; user: object | null }[] }>(
    'share_file',
    { id: file, user: member.id },
    boss,
  );
  const share = items.find(({ user }) => user !== null)?.grant_id ?? '';
  const subscription = `sub_${n}`;
  const about = JSON.stringify({ file_id: file });
  const values = [subscription, org, owner.id, about, [], [], null, null, file, null, true, 'en'] as const;
  await stock.test.db.query(loadQuery('subscription_put'), values);
  return {
    harness: stock,
    org,
    slug,
    owner,
    member,
    ownerCaller: boss,
    team,
    teamSlug: `${n}-team`,
    invite,
    key,
    grant,
    token,
    file,
    share,
    subscription,
  };
}

/** Creates a restricted file without exporting a boundary. */
async function makeFile(stock: OrgHarness, { org, owner, name }: { org: string; owner: Person; name: string }) {
  const content = Buffer.from(name);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const key = { boundary: 'r1', format: 'wkt', detail: 'low', visibility: 'restricted' } as const;
  const { entry } = await stock.services.files.save(
    { account: owner.id, org, role: 'owner', actor: systemActor('test') },
    { key, name, exported: { ...key, version: 1, sha256, content } },
    async () => undefined,
  );
  return entry.id;
}

/** Creates a restricted set of the owner, without areas, shared with the member; returns the share. */
async function makeSet({ harness: stock, org, owner, member, ownerCaller }: ScenarioFixture): Promise<string> {
  await stock.test.db.query(
    "insert into area_set (id, org, creator, name, title, visibility) values ($1, $2, $3, 'zones', 'Zones', 'restricted')",
    [`set_${++settings}`, org, owner.id],
  );
  const input = { name: 'zones', user: member.id };
  const { items } = await stock.ok<{ items: { grant_id: string }[] }>('share_area_set', input, ownerCaller);
  return items[0]?.grant_id ?? '';
}

/** Adds a member to the organization. */
async function joined({ harness: stock, org, owner }: ScenarioFixture): Promise<Person> {
  const person = await stock.person(`joined-${++settings}@example.org`);
  await stock.join(org, owner, person, 'viewer');
  return person;
}

type Make = (setting: ScenarioFixture) => Scenario | Promise<Scenario>;

const asBoss =
  (writes: readonly AuditAction[], input: (setting: ScenarioFixture) => object): Make =>
  (setting) => ({ caller: setting.ownerCaller, input: input(setting), writes });

/** As asBoss(), in an organization with a set. */
const withSet =
  (writes: readonly AuditAction[], input: (share: string, setting: ScenarioFixture) => object): Make =>
  async (setting) => {
    const share = await makeSet(setting);
    return { caller: setting.ownerCaller, input: { name: 'zones', ...input(share, setting) }, writes };
  };

/** As asBoss(), in an organization with a set that is shared with the member and with the team. */
const withShares =
  (writes: readonly AuditAction[], input: (setting: ScenarioFixture) => object): Make =>
  async (setting) => {
    await makeSet(setting);
    await setting.harness.ok('share_area_set', { name: 'zones', team: setting.team }, setting.ownerCaller);
    return { caller: setting.ownerCaller, input: input(setting), writes };
  };

/** The actions that a removed membership causes. */
const REMOVAL_ACTIONS = [
  'team.remove_member',
  'api_key.revoke',
  'oauth_grant.revoke',
  'file.unshare',
  'member.remove',
] as const;

/** At least one scenario for every operation that declares audit actions. */
export const SCENARIOS: Readonly<Record<string, Readonly<Record<string, Make>>>> = {
  create_api_key: { 'a key': asBoss(['api_key.create'], () => ({ name: 'nightly' })) },
  revoke_api_key: {
    "someone's key": asBoss(['api_key.revoke'], ({ key }) => ({ id: key })),
    'with the key that it made': async ({ harness: stock, ownerCaller: boss, owner, org }) => {
      const parent = await stock.key(owner, org);
      await stock.ok('create_api_key', { name: 'child' }, parent.caller);
      return {
        caller: boss,
        input: { id: parent.id, cascade: true },
        writes: ['api_key.revoke', 'api_key.revoke'],
      };
    },
  },
  revoke_oauth_grant: {
    'an own grant': async ({ harness: stock, member, org, grant }) => ({
      caller: await stock.session(member, org),
      input: { id: grant },
      writes: ['oauth_grant.revoke'],
    }),
  },
  delete_account: {
    'of a member': async ({ harness: stock, member, org }) => ({
      caller: await stock.session(member, org),
      input: {},
      // Their personal organization has no other members; the other one has two. The order depends on its id.
      writes: ['member.remove', 'org.delete', ...REMOVAL_ACTIONS],
    }),
    'who a set is shared with': async (setting) => {
      const { harness: stock, member, org } = setting;
      await makeSet(setting);
      const writes = ['member.remove', 'org.delete', ...REMOVAL_ACTIONS, 'set.unshare'] as const;
      return { caller: await stock.session(member, org), input: {}, writes };
    },
  },
  create_org: { 'an organization': asBoss(['org.create'], ({ org }) => ({ name: `beside ${org}` })) },
  update_org: { 'a name': asBoss(['org.update'], () => ({ name: 'renamed' })) },
  delete_org: {
    'with members': asBoss(
      // One share is with a team, which is deleted with the organization.
      ['file.unshare', 'member.remove', ...REMOVAL_ACTIONS, 'org.delete'],
      () => ({}),
    ),
    'with a set and its shares': withShares(
      ['file.unshare', 'member.remove', ...REMOVAL_ACTIONS, 'org.delete', 'set.unshare', 'set.unshare'],
      () => ({}),
    ),
  },
  update_member: {
    'a role': asBoss(['member.update'], ({ member }) => ({ user_id: member.id, role: 'admin' })),
    'the same role': asBoss([], ({ member }) => ({ user_id: member.id, role: 'member' })),
  },
  remove_member: {
    'with key, grant and share': asBoss(REMOVAL_ACTIONS, ({ member }) => ({ user_id: member.id })),
    'with a share of a set': withShares([...REMOVAL_ACTIONS, 'set.unshare'], ({ member }) => ({ user_id: member.id })),
    'by a key of the owner': async ({ harness: stock, owner, member, org }) => ({
      caller: (await stock.key(owner, org)).caller,
      input: { user_id: member.id },
      writes: REMOVAL_ACTIONS,
    }),
    oneself: async ({ harness: stock, member, org }) => ({
      caller: await stock.session(member, org),
      input: { user_id: member.id },
      writes: REMOVAL_ACTIONS,
    }),
  },
  invite_member: {
    'an address': asBoss(['invite.create'], ({ org }) => ({ email: `${org.toLowerCase()}@example.org` })),
  },
  revoke_invite: { 'an open one': asBoss(['invite.revoke'], ({ invite }) => ({ id: invite })) },
  accept_invite: {
    'by a session in another organization': async ({ harness: stock, token, invite }) => {
      const { email } = only(
        await stock.test.db.query<{ email: string }>('select email from invite where id = $1', [invite]),
      );
      const invited = await stock.person(email);
      const caller = await stock.session(invited, await stock.org(invited, 'Home'));
      return { caller, input: { token }, writes: ['invite.accept', 'member.add'], secrets: [token] };
    },
  },
  create_team: { 'a team': asBoss(['team.create'], () => ({ name: 'another' })) },
  update_team: {
    'a slug': asBoss(['team.update'], ({ team }) => ({ team, slug: 'other' })),
  },
  delete_team: {
    'with members and a share': asBoss(['file.unshare', 'team.remove_member', 'team.delete'], ({ team }) => ({ team })),
    'with a share of a set': withShares(
      ['file.unshare', 'team.remove_member', 'team.delete', 'set.unshare'],
      ({ team }) => ({
        team,
      }),
    ),
  },
  add_team_member: {
    'a new one': asBoss(['team.add_member'], ({ team, owner }) => ({ team, user_id: owner.id })),
    'one who is in it': asBoss([], ({ team, member }) => ({ team, user_id: member.id })),
  },
  update_file: {
    'who sees it': asBoss(['file.visibility'], ({ file }) => ({ id: file, visibility: 'org' })),
    'that it follows': asBoss(['file.follow'], ({ file }) => ({ id: file, follow: true })),
    'its name': asBoss([], ({ file }) => ({ id: file, name: 'renamed', visibility: 'restricted' })),
  },
  share_file: {
    'with another': async (setting) => {
      const { email } = await joined(setting);
      return { caller: setting.ownerCaller, input: { id: setting.file, user: email }, writes: ['file.share'] };
    },
    'with its creator': asBoss([], ({ file, owner }) => ({ id: file, user: owner.email, access: 'write' })),
    'with more access': asBoss(['file.share'], ({ file, member }) => ({ id: file, user: member.id, access: 'admin' })),
    'the same again': asBoss([], ({ file, team }) => ({ id: file, team })),
    'by a key': async (setting) => ({
      caller: (await setting.harness.key(setting.owner, setting.org)).caller,
      input: { id: setting.file, user: (await joined(setting)).id },
      writes: ['file.share'],
    }),
  },
  delete_file: {
    'shared with a person and a team': asBoss(['file.unshare', 'file.unshare'], ({ file }) => ({ id: file })),
  },
  unshare_file: { 'a person': asBoss(['file.unshare'], ({ file, share }) => ({ id: file, grant_id: share })) },
  create_subscription: {
    'to a country': asBoss(['subscription.create'], () => ({ country: 'ES', mail: true })),
  },
  delete_subscription: {
    'of its own': asBoss(['subscription.delete'], ({ subscription }) => ({ id: subscription })),
  },
  update_area_set: {
    'who sees it': withSet(['set.visibility'], () => ({ visibility: 'org' })),
    'its title': withSet([], () => ({ title: 'Others' })),
  },
  share_area_set: { 'with a team': withSet(['set.share'], (_share, { team }) => ({ team })) },
  unshare_area_set: { 'a person': withSet(['set.unshare'], (share) => ({ grant_id: share })) },
  delete_area_set: { 'shared with a person': withSet(['set.delete'], () => ({})) },
  remove_team_member: {
    'one of it': asBoss(['team.remove_member'], ({ team, member }) => ({ team, user_id: member.id })),
  },
};

/** The operations that declare audit actions; those that read files are tried in test/sets and test/imports. */
export const auditedOps = ops.filter(
  ({ audit, name }) => audit !== undefined && !['create_area_set', 'import_file', 'remove_source'].includes(name),
);

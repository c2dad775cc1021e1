import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { App } from '../../src/app/app.ts';
import { runCommand } from '../../src/cli/operator/index.ts';
import { defined, only } from '../../src/common/elements.ts';
import { ROLES, type Role } from '../../src/core/roles.ts';
import { MAX_INVITES } from '../../src/domain/people/invites.ts';
import { MAX_KEYS, type NewKey } from '../../src/domain/people/keys.ts';
import { type OrgHarness, openOrgHarness, type Person } from './org_harness.ts';

let stock: OrgHarness;
beforeAll(async () => {
  stock = await openOrgHarness();
});
afterAll(() => stock?.close());

interface Listed {
  items: Record<string, unknown>[];
  total: number;
}

let houses = 0;
/** An organization with one person in every role. */
async function server(): Promise<{ org: string } & Record<Role, Person>> {
  const n = ++houses;
  const people = {} as Record<Role, Person>;
  for (const role of ROLES) people[role] = await stock.person(`${role}${n}@example.org`, `The ${role}`);
  const org = await stock.org(people.owner, `House ${n}`, `server-${n}`);
  for (const role of ROLES.slice(1)) await stock.join(org, people.owner, people[role], role);
  return { org, ...people };
}
const rolesOf = async (org: string, as: Person) => {
  const { items } = await stock.ok<Listed>('list_members', { limit: 100 }, await stock.session(as, org));
  return Object.fromEntries(items.map((member) => [member.id, member.role]));
};

describe('an organization', () => {
  test('is made, listed, renamed and deleted by its owner', async () => {
    const ada = await stock.person('ada@example.org', 'Ada');
    const org = await stock.org(ada, 'Analytical Engines');
    const session = await stock.session(ada, org);
    const shown = await stock.ok('get_org', {}, session);
    expect(shown).toMatchObject({ id: org, slug: 'analytical-engines', role: 'owner', personal: false });
    const { items } = await stock.ok<Listed>('list_orgs', {}, session);
    expect(items.map((one) => [one.slug, one.personal])).toEqual([
      ['ada', true],
      ['analytical-engines', false],
    ]);
    const renamed = await stock.ok('update_org', { name: 'Engines', slug: 'engines' }, session);
    expect(renamed).toMatchObject({ id: org, slug: 'engines', name: 'Engines' });
    expect((await stock.call('update_org', { slug: 'ada' }, session)).body.issues).toMatchObject([{ path: 'slug' }]);
    expect((await stock.call('create_org', { name: 'x', slug: 'engines' }, session)).status).toBe(400);
    expect((await stock.call('update_org', {}, session)).body.code).toBe('invalid_input');
    const second = await stock.org(ada, 'Analytical Engines');
    expect(second).not.toBe(org);
    const { caller, secret } = await stock.key(ada, org);
    expect((await stock.call('delete_org', {}, caller)).status).toBe(401);
    expect(await stock.ok('delete_org', {}, session)).toEqual({ id: org, deleted: true });
    await expect(stock.services.keys.authenticate(secret)).rejects.toMatchObject({ code: 'invalid_key' });
    expect((await stock.call('list_members', {}, session)).body.items).toEqual([]);
    expect((await stock.call('create_team', { name: 'late' }, session)).body.code).toBe('not_found');
  });

  test('leaves its slugs to no one: those of a deleted one, and those that it had before', async () => {
    const owner = await stock.person('slugs@example.org', 'Slugs');
    const org = await stock.org(owner, 'Trusted Maps');
    const session = await stock.session(owner, org);
    await stock.ok('update_org', { slug: 'trusted' }, session);
    const rival = await stock.person('rival@example.org', 'Rival');
    const theirs = await stock.session(rival, await stock.org(rival, 'Rivals'));
    const taken = { status: 400, body: { code: 'invalid_input', issues: [{ path: 'slug', code: 'taken' }] } };
    const tried = async (slug: string) => [
      await stock.call('create_org', { name: 'x', slug }, theirs),
      await stock.call('update_org', { slug }, theirs),
    ];
    expect(await tried('trusted-maps')).toMatchObject([taken, taken]);
    // Its own it can take back.
    expect(await stock.ok('update_org', { slug: 'trusted-maps' }, session)).toMatchObject({ slug: 'trusted-maps' });
    await stock.ok('delete_org', {}, session);
    for (const slug of ['trusted-maps', 'trusted']) expect(await tried(slug)).toMatchObject([taken, taken]);
    expect(await stock.ok('create_org', { name: 'Trusted Maps' }, theirs)).toMatchObject({
      slug: expect.stringMatching(/^trusted-maps-\w{6}$/),
    });
    await expect(stock.services.keys.create({ email: 'slugs@example.org', orgSlug: 'trusted' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  test('ten a day are made, deleted ones counted: deleting does not refill the units', async () => {
    const maker = await stock.person('maker@example.org');
    for (let i = 0; i < 10; i++) {
      const org = await stock.org(maker, `Try ${i}`);
      await stock.ok('delete_org', {}, await stock.session(maker, org));
    }
    const keep = await stock.org(await stock.person('other@example.org'), 'Another');
    expect(keep).toMatch(/^org_/);
    await expect(stock.org(maker, 'One more')).rejects.toThrow('"code":"rate_limited"');
    const row = only(
      await stock.test.db.query<{ id: string }>('select id from org where personal_of = $1', [maker.id]),
    );
    const refused = await stock.call('create_org', { name: 'One more' }, await stock.session(maker, row.id));
    expect(refused.body).toMatchObject({ code: 'rate_limited', retry_after: expect.any(Number) });
  });

  test('that pays for its plan is not deleted before that has ended', async () => {
    const payer = await stock.person('payer@example.org');
    const org = await stock.org(payer, 'Paying');
    const session = await stock.session(payer, org);
    await stock.test.db.query(
      `insert into subscription (org, id, customer, state, status, changed_at) values ($1, 'sub_1', 'cus_1', 'live', 'active', now())`,
      [org],
    );
    expect((await stock.call('delete_org', {}, session)).body.code).toBe('invalid_input');
    expect((await stock.call('delete_account', {}, session)).body.detail).toContain('paying');
    await stock.test.db.query("update subscription set state = 'ended' where org = $1", [org]);
    expect((await stock.call('delete_account', {}, session)).status).toBe(200);
  });

  test('that is personal is neither left, given away nor deleted', async () => {
    const bob = await stock.person('bob@example.org');
    const guest = await stock.person('guest@example.org');
    const row = only(await stock.test.db.query<{ id: string }>('select id from org where personal_of = $1', [bob.id]));
    const session = await stock.session(bob, row.id);
    expect((await stock.call('delete_org', {}, session)).body.code).toBe('invalid_input');
    expect((await stock.call('remove_member', { user_id: bob.id }, session)).body.code).toBe('invalid_input');
    await stock.join(row.id, bob, guest, 'owner');
    const other = await stock.session(guest, row.id);
    expect((await stock.call('remove_member', { user_id: bob.id }, other)).body.code).toBe('invalid_input');
    const demotion = { user_id: bob.id, role: 'viewer' };
    expect((await stock.call('update_member', demotion, other)).body.code).toBe('invalid_input');
    expect(await rolesOf(row.id, bob)).toEqual({ [bob.id]: 'owner', [guest.id]: 'owner' });
  });
});

describe('members', () => {
  test('every role may change and remove exactly those it is given, into exactly those it may give', async () => {
    const reach: Record<Role, readonly Role[]> = {
      owner: ['owner', 'admin', 'member', 'viewer'],
      admin: ['admin', 'member', 'viewer'],
      member: [],
      viewer: [],
    };
    const { org, ...people } = await server();
    const second = await stock.person('second-owner@example.org');
    await stock.join(org, people.owner, second, 'owner');
    const victim = await stock.person('victim@example.org');
    const set = (role: Role) =>
      stock.test.db.query(
        `insert into membership (org, account, role) values ($1, $2, $3)
         on conflict (org, account) do update set role = excluded.role`,
        [org, victim.id, role],
      );
    for (const acting of ROLES) {
      const session = await stock.session(people[acting], org);
      for (const from of ROLES) {
        for (const to of ROLES) {
          await set(from);
          const { status } = await stock.call('update_member', { user_id: victim.id, role: to }, session);
          const may = reach[acting].includes(from) && reach[acting].includes(to);
          expect(status, `${acting}: ${from} to ${to}`).toBe(may ? 200 : 401);
          expect((await rolesOf(org, people.owner))[victim.id]).toBe(may ? to : from);
        }
        await set(from);
        const { status } = await stock.call('remove_member', { user_id: victim.id }, session);
        expect(status, `${acting} removes ${from}`).toBe(reach[acting].includes(from) ? 200 : 401);
      }
    }
  });

  test('anyone may leave, but an owner not by a key', async () => {
    const { org, owner, admin, member, viewer } = await server();
    const heir = await stock.person('heir@example.org');
    await stock.join(org, owner, heir, 'owner');
    const { caller } = await stock.key(owner, org);
    expect((await stock.call('remove_member', { user_id: owner.id }, caller)).status).toBe(401);
    for (const person of [viewer, member, admin, owner]) {
      const session = await stock.session(person, org);
      expect((await stock.call('remove_member', { user_id: person.id }, session)).status).toBe(200);
    }
    expect(await rolesOf(org, heir)).toEqual({ [heir.id]: 'owner' });
    const last = await stock.session(heir, org);
    expect((await stock.call('remove_member', { user_id: heir.id }, last)).body.code).toBe('invalid_input');
    expect((await stock.call('update_member', { user_id: heir.id, role: 'admin' }, last)).body.code).toBe(
      'invalid_input',
    );
  });

  test('of owners that all leave or step down at once, one stays', async () => {
    const owners: Person[] = [];
    for (let i = 0; i < 6; i++) owners.push(await stock.person(`racing-owner${i}@example.org`));
    const org = await stock.org(defined(owners[0]), 'Racing owners');
    for (const owner of owners.slice(1)) await stock.join(org, defined(owners[0]), owner, 'owner');
    const sessions = await Promise.all(owners.map((owner) => stock.session(owner, org)));
    const outcomes = await Promise.all(
      owners.map((owner, i) =>
        i % 2 === 0
          ? stock.call('remove_member', { user_id: owner.id }, defined(sessions[i]))
          : stock.call('update_member', { user_id: owner.id, role: 'viewer' }, defined(sessions[i])),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 200).length).toBe(5);
    expect(outcomes.filter(({ body }) => body.code === 'invalid_input').length).toBe(1);
    const { n } = only(
      await stock.test.db.query<{ n: number }>(
        "select count(*)::integer as n from membership where org = $1 and role = 'owner'",
        [org],
      ),
    );
    expect(n).toBe(1);
  });

  test('who was demoted since they were let in acts with what they are now', async () => {
    const { org, owner, admin, member } = await server();
    const stale = await stock.session(admin, org);
    await stock.ok('update_member', { user_id: admin.id, role: 'viewer' }, await stock.session(owner, org));
    expect((await stock.call('remove_member', { user_id: member.id }, stale)).status).toBe(401);
    expect((await stock.call('create_team', { name: 'late' }, stale)).status).toBe(401);
    expect((await stock.call('invite_member', { email: 'late@example.org' }, stale)).status).toBe(401);
    await stock.ok('remove_member', { user_id: admin.id }, await stock.session(owner, org));
    for (const [op, input] of [
      ['create_api_key', {}],
      ['update_org', { name: 'late' }],
      ['update_member', { user_id: member.id, role: 'viewer' }],
    ] as const) {
      expect((await stock.call(op, input, stale)).status, op).toBe(401);
    }
  });

  test('who is removed loses keys and teams in the organization, and nothing elsewhere', async () => {
    const { org, owner, member } = await server();
    const admin = await stock.session(owner, org);
    const { secret, id } = await stock.key(member, org);
    const elsewhere = await stock.org(member, 'Elsewhere');
    const kept = await stock.key(member, elsewhere);
    const team = await stock.ok<{ id: string }>('create_team', { name: 'Cartography' }, admin);
    await stock.ok('add_team_member', { team: 'cartography', user_id: member.id }, admin);
    await stock.ok('remove_member', { user_id: member.id }, admin);
    await expect(stock.services.keys.authenticate(secret)).rejects.toMatchObject({ code: 'invalid_key' });
    await stock.services.keys.authenticate(kept.secret);
    const { items } = await stock.ok<Listed>('list_teams', {}, admin);
    expect(items).toMatchObject([{ id: team.id, members: [] }]);
    // A key of theirs stays dead when they come back.
    await stock.join(org, owner, member, 'member');
    await expect(stock.services.keys.authenticate(secret)).rejects.toMatchObject({ code: 'invalid_key' });
    const log = await stock.ok<Listed>('list_audit_log', { action: 'api_key.revoke' }, admin);
    expect(log.items.filter((entry) => (entry.target as { id: string }).id === id).length).toBe(1);
  });

  test('a key made while its owner is removed does not outlive the membership', async () => {
    const { org, owner } = await server();
    const session = await stock.session(owner, org);
    for (let i = 0; i < 10; i++) {
      const person = await stock.person(`gone${i}@example.org`);
      await stock.join(org, owner, person, 'member');
      const own = await stock.session(person, org);
      await Promise.all([
        stock.call('create_api_key', {}, own),
        stock.call('remove_member', { user_id: person.id }, session),
        stock.call('create_api_key', {}, own),
      ]);
      const alive = await stock.test.db.query('select id from api_key where account = $1 and revoked_at is null', [
        person.id,
      ]);
      expect(alive).toEqual([]);
    }
  });

  test('they are listed in pages', async () => {
    const { org, viewer, owner } = await server();
    const session = await stock.session(viewer, org);
    const page = await stock.ok<Listed>('list_members', { limit: 2, offset: 1 }, session);
    expect([page.items.length, page.total]).toEqual([2, 4]);
    expect(await stock.ok<Listed>('list_members', { offset: 50 }, session)).toMatchObject({ items: [], total: 4 });
    const first = await stock.ok<Listed>('list_members', { limit: 1 }, session);
    expect(first.items).toMatchObject([{ id: owner.id, email: owner.email, role: 'owner' }]);
  });
});

describe('invitations', () => {
  test('only the account with that address may accept, once', async () => {
    const { org, owner, admin } = await server();
    const session = await stock.session(admin, org);
    const invited = await stock.person('invited@example.org');
    const stranger = await stock.person('stranger@example.org');
    const made = await stock.ok<{ id: string }>('invite_member', { email: ' Invited@Example.org ' }, session);
    const token = await stock.inviteToken(invited.email);
    const stored = await stock.test.db.query<{ text: string }>('select row_to_json(i)::text as text from invite i');
    for (const { text } of stored) expect(text).not.toContain(token);
    const open = await stock.ok<Listed>('list_invites', {}, session);
    expect(open.items).toMatchObject([{ id: made.id, role: 'member', invited_by: { id: admin.id } }]);
    const home = async (person: Person) => (await stock.key(person, await stock.org(person, 'Home'))).caller;
    const accept = async (person: Person, what = token) => {
      const { status, body } = await stock.call('accept_invite', { token: what }, await home(person));
      return [status, body.code];
    };
    expect(await accept(stranger)).toEqual([404, 'not_found']);
    expect(await accept(invited, `${token}x`)).toEqual([404, 'not_found']);
    expect(await accept(invited)).toEqual([200, undefined]);
    expect(await accept(invited)).toEqual([404, 'not_found']);
    expect((await rolesOf(org, owner))[invited.id]).toBe('member');
    const log = await stock.ok<Listed>('list_audit_log', { action: 'invite.accept' }, session);
    // The key they accepted with is of another organization: it is none of this one's business.
    expect(defined(log.items[0]).actor).toEqual({ type: 'person', id: invited.id, name: invited.email });
  });

  test('one that was revoked, has expired, or whose maker may no longer give the role is refused', async () => {
    const { org, owner, admin } = await server();
    const maker = await stock.session(admin, org);
    const late = await stock.person('late@example.org');
    const own = await stock.session(late, await stock.org(late, 'Lates'));
    let token: string;
    const invite = async () => {
      await stock.test.db.query('delete from attempt');
      const made = await stock.ok<{ id: string }>('invite_member', { email: late.email, role: 'admin' }, maker);
      token = await stock.inviteToken(late.email);
      return made;
    };
    const accept = async () => (await stock.call('accept_invite', { token }, own)).body.code;

    const revoked = await invite();
    expect(await stock.ok('revoke_invite', { id: revoked.id }, maker)).toEqual({ id: revoked.id, deleted: true });
    expect((await stock.call('revoke_invite', { id: revoked.id }, maker)).status).toBe(404);
    expect(await accept()).toBe('not_found');

    const expired = await invite();
    await stock.test.db.query('update invite set expires_at = now() where id = $1', [expired.id]);
    expect(await accept()).toBe('not_found');
    expect((await stock.ok<Listed>('list_invites', {}, maker)).items).toEqual([]);

    await invite();
    const boss = await stock.session(owner, org);
    await stock.ok('update_member', { user_id: admin.id, role: 'member' }, boss);
    expect(await accept()).toBe('not_found');
    await stock.ok('update_member', { user_id: admin.id, role: 'admin' }, boss);
    expect(await accept()).toBeUndefined();
  });

  test('they are refused for members, twice, above oneself, and beyond what is bounded', async () => {
    const { org, owner, admin, member } = await server();
    const session = await stock.session(admin, org);
    const invite = async (email: string, role: Role = 'member', as = session) =>
      (await stock.call('invite_member', { email, role }, as)).body.code;
    expect(await invite(member.email)).toBe('invalid_input');
    expect(await invite(owner.email.toUpperCase())).toBe('invalid_input');
    expect(await invite('unknown')).toBe('invalid_input');
    expect(await invite('once@example.org')).toBeUndefined();
    expect(await invite('once@example.org')).toBe('invalid_input');
    expect(await invite('above@example.org', 'owner')).toBe('unauthorized');
    expect(await invite('above@example.org', 'owner', (await stock.key(owner, org)).caller)).toBe('unauthorized');
    expect(await invite('above@example.org', 'owner', await stock.session(owner, org))).toBeUndefined();
    await stock.test.db.query(
      `insert into invite (id, org, email, role, created_at, expires_at)
       select 'inv_' || i, $1, 'x' || i || '@example.org', 'viewer', now() - interval '2 days', now() + interval '1 day'
       from generate_series(3, $2::integer - 1) i`,
      [org, MAX_INVITES],
    );
    const more = await Promise.all([1, 2, 3].map((i) => invite(`more${i}@example.org`)));
    expect(more.filter((code) => code === undefined).length).toBe(1);
    expect(more.filter((code) => code === 'invalid_input').length).toBe(2);
    await stock.test.db.query('update invite set revoked_at = now(), created_at = now() where org = $1', [org]);
    const refused = await stock.call('invite_member', { email: 'tomorrow@example.org' }, session);
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(refused.body.retry_after).toBeGreaterThan(0);
    expect(refused.body.retry_after).toBeLessThanOrEqual(86_400);
  });

  test('the mail names who invites, and a personal organization as one', async () => {
    const you = await stock.person('you@example.org', 'Click https://evil.example');
    const shared = await stock.session(you, await stock.org(you, 'You'));
    await stock.ok('invite_member', { email: 'first@example.org' }, shared);
    const { text } = await stock.mailTo('first@example.org');
    expect(text).toContain('you@example.org invites you to join the organization "you-');
    expect(text).not.toContain('evil');
    const personal = (await stock.ok<Listed>('list_orgs', {}, shared)).items.find((one) => one.personal);
    await stock.ok('invite_member', { email: 'second@example.org' }, await stock.session(you, String(personal?.id)));
    const mail = await stock.mailTo('second@example.org');
    expect(mail.text).toMatch(
      /^you@example\.org invites you to join the personal organization of its owner \("you"\) on /,
    );
    expect(mail.text).not.toContain('organization you');
  });

  test('the mail holds nothing that people wrote but the slug', async () => {
    const { org, owner } = await server();
    const session = await stock.session(owner, org);
    await stock.ok('update_org', { name: 'Click https://evil.example now' }, session);
    await stock.ok('invite_member', { email: 'reader@example.org' }, session);
    const mail = await stock.mailTo('reader@example.org');
    expect(JSON.stringify(mail)).not.toContain('evil');
    expect(mail.text).toContain('https://maps.example/');
  });
});

describe('teams', () => {
  test('are made, renamed, filled, emptied and deleted by admins, named by slug or id', async () => {
    const { org, owner, admin, member, viewer } = await server();
    const session = await stock.session(admin, org);
    const team = await stock.ok<{ id: string; slug: string }>('create_team', { name: 'Équipe Nord' }, session);
    expect(team).toMatchObject({ slug: 'equipe-nord', members: [] });
    expect((await stock.call('create_team', { name: 'other', slug: 'equipe-nord' }, session)).body.code).toBe(
      'invalid_input',
    );
    await stock.ok('add_team_member', { team: team.slug, user_id: member.id }, session);
    const filled = await stock.ok('add_team_member', { team: team.id, user_id: viewer.id }, session);
    expect(filled).toMatchObject({ members: [{ id: member.id }, { id: viewer.id }] });
    const again = await stock.ok('add_team_member', { team: team.id, user_id: viewer.id }, session);
    expect(again).toEqual(filled);
    const stranger = await stock.person('no-team@example.org');
    expect((await stock.call('add_team_member', { team: team.id, user_id: stranger.id }, session)).status).toBe(404);
    expect((await stock.call('remove_team_member', { team: team.id, user_id: owner.id }, session)).status).toBe(404);
    await stock.ok('remove_team_member', { team: team.id, user_id: member.id }, session);
    await stock.ok('update_team', { team: team.id, slug: 'nord' }, session);
    const { items } = await stock.ok<Listed>('list_teams', {}, await stock.session(viewer, org));
    expect(items).toMatchObject([{ id: team.id, slug: 'nord', name: 'Équipe Nord', members: [{ id: viewer.id }] }]);
    expect((await stock.call('update_team', { team: 'equipe-nord', name: 'x' }, session)).status).toBe(404);
    expect(await stock.ok('delete_team', { team: 'nord' }, session)).toEqual({ id: team.id, deleted: true });
    expect((await stock.ok<Listed>('list_members', {}, session)).total).toBe(4);
  });
});

describe('keys', () => {
  test('admins see and revoke all of the organization, others their own', async () => {
    const { org, owner, admin, member, viewer } = await server();
    const made = await Promise.all([owner, member, viewer].map((person) => stock.key(person, org, person.email)));
    const list = async (person: Person) => {
      const { items } = await stock.ok<Listed>('list_api_keys', {}, await stock.session(person, org));
      return items.map((key) => [key.name, (key.creator as Person).id]);
    };
    expect((await list(admin)).length).toBe(3);
    expect(await list(member)).toEqual([[member.email, member.id]]);
    const revoke = async (key: { id: string }, person: Person) =>
      (await stock.call('revoke_api_key', { id: key.id }, await stock.session(person, org))).status;
    expect(await revoke(defined(made[0]), member)).toBe(404);
    expect(await revoke(defined(made[2]), viewer)).toBe(200);
    expect(await revoke(defined(made[0]), admin)).toBe(200);
    await expect(stock.services.keys.authenticate(defined(made[0]).secret)).rejects.toMatchObject({
      code: 'invalid_key',
    });
    expect((await list(admin)).map(([name]) => name)).toEqual([member.email]);
  });

  test('a person has so many at most, over all organizations, however fast they ask', async () => {
    const many = await stock.person('many-keys@example.org');
    const orgs = [await stock.org(many, 'One'), await stock.org(many, 'Two')];
    const sessions = await Promise.all(orgs.map((org) => stock.session(many, org)));
    const outcomes = await Promise.all(
      Array.from({ length: MAX_KEYS + 8 }, (_, i) => stock.call('create_api_key', {}, defined(sessions[i % 2]))),
    );
    expect(outcomes.filter(({ status }) => status === 201).length).toBe(MAX_KEYS);
    expect(outcomes.filter(({ status, body }) => status === 409 && body.code === 'too_many_keys').length).toBe(8);
  });
});

describe('deleting an account', () => {
  test('takes its keys, memberships and lonely organizations, and leaves the logs', async () => {
    const { org, owner, member } = await server();
    const lonely = await stock.org(member, 'Lonely');
    const { secret } = await stock.key(member, org);
    const session = await stock.session(member, lonely);
    expect((await stock.call('delete_account', {}, (await stock.key(member, lonely)).caller)).status).toBe(401);
    expect(await stock.ok('delete_account', {}, session)).toEqual({ id: member.id, deleted: true });
    await expect(stock.services.keys.authenticate(secret)).rejects.toMatchObject({ code: 'invalid_key' });
    expect(await stock.test.db.query('select id from account where id = $1', [member.id])).toEqual([]);
    const left = await stock.test.db.query<{ id: string }>('select id from org where id = any($1)', [[org, lonely]]);
    expect(left).toEqual([{ id: org }]);
    expect(Object.keys(await rolesOf(org, owner)).length).toBe(3);
    const { items } = await stock.ok<Listed>(
      'list_audit_log',
      { action: 'member.remove' },
      await stock.session(owner, org),
    );
    expect(items).toMatchObject([{ actor: { id: member.id }, target: { id: member.id, name: member.email } }]);
  });

  test('is refused while others would be left without an owner', async () => {
    const { org, owner, admin } = await server();
    const session = await stock.session(owner, org);
    const refused = await stock.call('delete_account', {}, session);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_input']);
    expect(refused.body.detail).toContain('server-');
    await stock.ok('update_member', { user_id: admin.id, role: 'owner' }, session);
    await stock.ok('delete_account', {}, session);
    expect((await rolesOf(org, admin))[admin.id]).toBe('owner');
  });

  test('of the last two owners who delete their accounts at once, one stays', async () => {
    const { org, owner, admin, member } = await server();
    await stock.ok('update_member', { user_id: admin.id, role: 'owner' }, await stock.session(owner, org));
    const sessions = await Promise.all([owner, admin].map((person) => stock.session(person, org)));
    const outcomes = await Promise.all(sessions.map((session) => stock.call('delete_account', {}, session)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(Object.values(await rolesOf(org, member)).filter((role) => role === 'owner').length).toBe(1);
  });
});

describe('those who run the service', () => {
  test('are made and unmade, and their keys with them', async () => {
    const { accounts, keys } = stock.services;
    const made = await accounts.setOperator(' Root@Example.org', true);
    expect(made).toMatchObject({ email: 'root@example.org', operator: true });
    const key = await keys.create({ email: 'root@example.org', operator: true });
    expect(key.account.id).toBe(made.id);
    expect((await keys.authenticate(key.key)).operator).toBe(true);
    expect((await keys.authenticate((await keys.create({ email: 'root@example.org' })).key)).operator).toBe(false);
    await accounts.setOperator('root@example.org', false);
    expect((await keys.authenticate(key.key)).operator).toBe(false);
    await expect(accounts.setOperator('root@example.org', false)).rejects.toMatchObject({ code: 'not_found' });
    await expect(accounts.setOperator('root', true)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('are named on the command line, which makes the account when it is missing', async () => {
    const app = { services: stock.services } as unknown as App;
    const run = (name: string, input: object) => runCommand(app, name, input, () => undefined);
    const added = await run('admin_operator', { email: 'shell@example.org', operator: true });
    expect(added).toMatchObject({ email: 'shell@example.org', operator: true });
    const made = (await run('key_create', { email: 'shell@example.org', operator: true })) as NewKey;
    const caller = await stock.services.keys.authenticate(made.key);
    expect([caller.account?.id, caller.operator]).toEqual([(added as { id: string }).id, true]);
    await expect(run('admin_operator', { email: 'shell@example.org' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    const logged = await stock.test.db.query<{ action: string; actor_type: string }>(
      'select action, actor_type from audit_log where org = $1 order by created_at, ctid',
      [made.org.id],
    );
    expect(logged).toEqual([
      { action: 'org.create', actor_type: 'system' },
      { action: 'api_key.create', actor_type: 'system' },
    ]);
  });
});

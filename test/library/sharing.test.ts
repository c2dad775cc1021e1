import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { DETAILS } from '../../workers/contract.ts';
import { FORMATS } from '../../workers/formats/registry.ts';
import { leading } from '../setup/elements.ts';
import { ROUTES } from '../setup/routes.ts';
import {
  type LibraryTestServer,
  type OrgMember,
  type OrgMembers,
  openLibraryTestServer,
} from './library_test_server.ts';

let server: LibraryTestServer;
let staff: OrgMembers;
beforeAll(async () => {
  server = await openLibraryTestServer();
  staff = await server.staff();
});
afterAll(() => server?.close());

const BOUNDARIES = ['r100', 'r101', 'r102', 'r103', 'r111', 'r112', 'r113', 'r121', 'r122', 'r123', 'r131', 'r132'];
let made = 0;
/** A new file of someone's. */
async function file(by: OrgMember, visibility: 'org' | 'restricted' = 'restricted') {
  const n = made++;
  const boundary_id = BOUNDARIES[n % BOUNDARIES.length];
  const detail = DETAILS[Math.floor(n / BOUNDARIES.length) % DETAILS.length];
  const format = FORMATS[Math.floor(n / BOUNDARIES.length / DETAILS.length)];
  const saved = await server.call('http', 'save_file', { boundary_id, detail, format, visibility }, by);
  if (saved.status !== 201) throw new Error(`no new file: ${saved.status} ${JSON.stringify(saved.body)}`);
  return saved.body;
}
/** What someone may do with a file as get_file and list_files tell it; null: it is not there for them. */
async function accessOf(id: string, by: OrgMember): Promise<string | null> {
  const { status, body } = await server.call('http', 'get_file', { id }, by);
  const listed = (await server.ok('list_files', { limit: 100 }, by)).items.find((one) => one.id === id);
  expect(listed?.access ?? null).toBe(status === 404 ? null : body.access);
  return listed?.access ?? null;
}
const everybody = ({ owner, admin, member, other, viewer }: OrgMembers) => [owner, admin, member, other, viewer];

describe.each(ROUTES)('by %s', (route) => {
  const outcome = async (op: string, input: Record<string, unknown>, by: OrgMember) => {
    const { status, body } = await server.call(route, op, input, by);
    return [status, body.code];
  };

  describe('visibility', () => {
    it('org: a viewer reads, a member writes, the creator and admins administer', async () => {
      const { id } = await file(staff.member, 'org');
      const access = await Promise.all(everybody(staff).map((one) => accessOf(id, one)));
      expect(access).toEqual(['admin', 'admin', 'admin', 'write', 'read']);
    });

    it('restricted: the creator, admins and whoever has a share; for all others it is not there', async () => {
      const { id, url } = await file(staff.member);
      const access = await Promise.all(everybody(staff).map((one) => accessOf(id, one)));
      expect(access).toEqual(['admin', 'admin', 'admin', null, null]);
      for (const [op, more] of [
        ['get_file', {}],
        ['update_file', { name: 'x' }],
        ['update_file', { visibility: 'org' }],
        ['update_file', { refresh: true }],
        ['delete_file', {}],
        ['share_file', { team: 'unknown' }],
        ['unshare_file', { grant_id: 'shr_x' }],
      ] as const) {
        expect(await outcome(op, { id, ...more }, staff.other), op).toEqual([404, 'not_found']);
        expect(await outcome(op, { id: 'file_none', ...more }, staff.owner), op).toEqual([404, 'not_found']);
      }
      expect((await server.content(url, staff.other)).status).toBe(404);
    });

    it('changes by update_file with admin access, and one entry of the organization stays one', async () => {
      const { id } = await file(staff.member, 'org');
      expect(await outcome('update_file', { id, visibility: 'restricted' }, staff.other)).toEqual([
        401,
        'unauthorized',
      ]);
      const hidden = await server.call(route, 'update_file', { id, visibility: 'restricted' }, staff.member);
      expect([hidden.status, hidden.body.visibility]).toEqual([200, 'restricted']);
      expect(await accessOf(id, staff.other)).toBeNull();
      const { boundary_id, detail, format } = hidden.body as unknown as Record<string, string>;
      const theirs = await server.ok('save_file', { boundary_id, detail, format }, staff.other);
      expect(theirs.id).not.toBe(id);
      expect(await outcome('update_file', { id, visibility: 'org' }, staff.member)).toEqual([400, 'invalid_input']);
      await server.ok('delete_file', { id: theirs.id }, staff.other);
      expect((await server.ok('update_file', { id, visibility: 'org' }, staff.member)).visibility).toBe('org');
      expect(await accessOf(id, staff.other)).toBe('write');
    });

    it('a viewer never has more than read, also as creator and with a share', async () => {
      const was = await server.addMember(staff.slug, 'member');
      const { id, url } = await file(was);
      await server.services.db.query('update membership set role = $2 where account = $1', [was.id, 'viewer']);
      server.services.orgs.forget();
      expect(await accessOf(id, was)).toBe('read');
      await server.ok('share_file', { id, user: was.id, access: 'admin' }, staff.owner);
      expect(await accessOf(id, was)).toBe('read');
      expect((await server.content(url, was)).status).toBe(200);
      for (const [op, more] of [
        ['update_file', { name: 'x' }],
        ['update_file', { visibility: 'org' }],
        ['delete_file', {}],
        ['share_file', { user: staff.other.id }],
      ] as const) {
        expect(await outcome(op, { id, ...more }, was)).toEqual([401, 'unauthorized']);
      }
      expect((await server.call(route, 'get_file', { id }, was)).body).toMatchObject({
        shares: null,
        shares_hidden: expect.stringMatching(
          /^Only callers with admin access on the file see its shares; yours is \w+\.$/,
        ),
      });
    });

    it('another organization has none of it', async () => {
      const { id, url } = await file(staff.member, 'org');
      const strangers = await server.staff();
      expect(await accessOf(id, strangers.owner)).toBeNull();
      expect((await server.content(url, strangers.owner)).status).toBe(404);
      expect(await outcome('delete_file', { id }, strangers.owner)).toEqual([404, 'not_found']);
    });
  });

  describe('share_file', () => {
    it('takes exactly one of team and user', async () => {
      const { id } = await file(staff.member);
      expect(await outcome('share_file', { id }, staff.member)).toEqual([400, 'invalid_input']);
      const both = { id, team: 'a', user: staff.other.id };
      expect(await outcome('share_file', both, staff.member)).toEqual([400, 'invalid_input']);
      expect(await outcome('share_file', { id, user: staff.other.id, access: 'all' }, staff.member)).toEqual([
        400,
        'invalid_input',
      ]);
    });

    it('takes a member by id or email, a team by id or slug; no one of elsewhere', async () => {
      const { id } = await file(staff.member);
      const team = await server.team(staff, `Team ${id}`, staff.viewer);
      const { slug } = only(
        await server.services.db.query<{ slug: string }>('select slug from team where id = $1', [team]),
      );
      const strangers = await server.staff();
      const foreign = await server.team(strangers, 'Foreign');
      for (const user of [strangers.owner.id, strangers.owner.email, 'no@example.org', 'usr_none']) {
        expect(await outcome('share_file', { id, user }, staff.member), user).toEqual([404, 'not_found']);
      }
      for (const one of [foreign, 'foreign', 'team_none']) {
        expect(await outcome('share_file', { id, team: one }, staff.member), one).toEqual([404, 'not_found']);
      }
      expect(await server.ok('get_file', { id }, staff.member)).toMatchObject({ shares: [], shares_hidden: null });
      for (const to of [
        { user: staff.other.id },
        { user: staff.other.email.toUpperCase() },
        { team },
        { team: slug },
      ]) {
        const { status, body } = await server.call(route, 'share_file', { id, ...to }, staff.member);
        expect([status, body.items.every(({ access }) => access === 'read')]).toEqual([200, true]);
      }
      const { shares } = await server.ok('get_file', { id }, staff.member);
      expect(shares).toMatchObject([
        { user: { id: staff.other.id, email: staff.other.email }, team: null, access: 'read' },
        { user: null, team: { id: team, slug }, access: 'read' },
      ]);
      expect([await accessOf(id, staff.other), await accessOf(id, staff.viewer)]).toEqual(['read', 'read']);
    });

    it('again changes the access and keeps the share', async () => {
      const { id } = await file(staff.member);
      const share = async (access?: string) => {
        const { body } = await server.call(route, 'share_file', { id, user: staff.other.id, access }, staff.member);
        return body.items;
      };
      const [{ grant_id, access }] = leading(await share(), 1);
      expect(access).toBe('read');
      for (const wanted of ['write', 'admin', 'read']) {
        expect(await share(wanted)).toMatchObject([{ grant_id, access: wanted }]);
        expect(await accessOf(id, staff.other)).toBe(wanted);
      }
    });

    it('needs admin access: by creation, by role or by an admin share', async () => {
      const { id } = await file(staff.member);
      const to = { id, user: staff.viewer.id };
      for (const by of [staff.member, staff.admin, staff.owner])
        expect((await outcome('share_file', to, by))[0]).toBe(200);
      await server.ok('share_file', { id, user: staff.other.id, access: 'write' }, staff.member);
      expect(await outcome('share_file', to, staff.other)).toEqual([401, 'unauthorized']);
      expect((await server.call(route, 'get_file', { id }, staff.other)).body).toMatchObject({
        shares: null,
        shares_hidden: expect.stringMatching(
          /^Only callers with admin access on the file see its shares; yours is \w+\.$/,
        ),
      });
      expect((await outcome('update_file', { id, name: `by ${route}` }, staff.other))[0]).toBe(200);
      expect(await outcome('delete_file', { id }, staff.other)).toEqual([401, 'unauthorized']);
      await server.ok('share_file', { id, user: staff.other.id, access: 'admin' }, staff.member);
      expect((await outcome('share_file', to, staff.other))[0]).toBe(200);
      expect((await server.call(route, 'get_file', { id }, staff.other)).body.shares).toHaveLength(2);
      expect((await outcome('update_file', { id, visibility: 'org' }, staff.other))[0]).toBe(200);
      expect((await outcome('delete_file', { id }, staff.other))[0]).toBe(200);
    });

    it('the strongest of several shares counts', async () => {
      const { id } = await file(staff.member);
      const [weak, strong] = [
        await server.team(staff, `Weak ${id}`, staff.other),
        await server.team(staff, `Strong ${id}`, staff.other),
      ];
      await server.ok('share_file', { id, team: weak, access: 'read' }, staff.member);
      expect(await accessOf(id, staff.other)).toBe('read');
      await server.ok('share_file', { id, team: strong, access: 'admin' }, staff.member);
      await server.ok('share_file', { id, user: staff.other.id, access: 'write' }, staff.member);
      expect(await accessOf(id, staff.other)).toBe('admin');
      expect((await server.ok('list_files', {}, staff.other)).items.filter((one) => one.id === id)).toHaveLength(1);
      expect((await server.services.db.query('select 1 from team_member where team = $1', [strong])).length).toBe(1);
      await server.ask('DELETE', `/v1/orgs/teams/${strong}/members/${staff.other.id}`, { key: staff.owner.key });
      expect(await accessOf(id, staff.other)).toBe('write');
    });
  });

  describe('unshare_file', () => {
    it('ends one share, and leaves a file of the organization visible to every member', async () => {
      const { id } = await file(staff.member, 'org');
      await server.ok('share_file', { id, user: staff.other.id, access: 'admin' }, staff.member);
      const shared = await server.ok('share_file', { id, user: staff.viewer.id }, staff.member);
      const { grant_id } = defined(shared.items[0]);
      expect(await outcome('unshare_file', { id, grant_id: 'shr_none' }, staff.member)).toEqual([404, 'not_found']);
      expect(await outcome('unshare_file', { id, grant_id }, staff.viewer)).toEqual([401, 'unauthorized']);
      const ended = await server.call(route, 'unshare_file', { id, grant_id }, staff.member);
      expect([ended.status, ended.body]).toEqual([200, { id: grant_id, grant_id, deleted: true }]);
      expect(await outcome('unshare_file', { id, grant_id }, staff.member)).toEqual([404, 'not_found']);
      expect([await accessOf(id, staff.other), await accessOf(id, staff.viewer)]).toEqual(['write', 'read']);
      expect((await server.ok('get_file', { id }, staff.member)).shares).toHaveLength(1);
    });

    it('a share of another file is not found by this one', async () => {
      const [one, two] = [await file(staff.member), await file(staff.member)];
      const { items } = await server.ok('share_file', { id: one.id, user: staff.other.id }, staff.member);
      const crossed = { id: two.id, grant_id: defined(items[0]).grant_id };
      expect(await outcome('unshare_file', crossed, staff.member)).toEqual([404, 'not_found']);
      expect(await accessOf(one.id, staff.other)).toBe('read');
    });
  });

  describe('shares end', () => {
    it('with the membership: who is removed and joins again has none of them', async () => {
      const guest = await server.addMember(staff.slug, 'member');
      const { id, url } = await file(staff.member);
      await server.ok('share_file', { id, user: guest.id, access: 'admin' }, staff.member);
      const own = await file(guest);
      expect((await outcome('remove_member', { user_id: guest.id }, staff.owner))[0]).toBe(200);
      expect((await server.content(url, guest)).status).toBe(401);
      expect((await server.ok('get_file', { id }, staff.member)).shares).toEqual([]);
      await server.services.db.query('insert into membership (org, account, role) values ($1, $2, $3)', [
        staff.org,
        guest.id,
        'member',
      ]);
      const { key } = await server.services.keys.create({ email: guest.email, orgSlug: staff.slug });
      const back = { ...guest, key };
      expect(await accessOf(id, back)).toBeNull();
      // What they created is theirs still.
      expect(await accessOf(own.id, back)).toBe('admin');
      const { items } = (await server.ok(
        'list_audit_log',
        { action: 'file.unshare', limit: 1 },
        staff.owner,
      )) as unknown as {
        items: { target: { id: string }; details: object }[];
      };
      expect(items).toMatchObject([
        { target: { id }, details: { user: guest.id, name: guest.email, access: 'admin' } },
      ]);
    });

    it('with the team', async () => {
      const { id } = await file(staff.member);
      const team = await server.team(staff, `Ending ${id}`, staff.other);
      await server.ok('share_file', { id, team, access: 'write' }, staff.member);
      expect(await accessOf(id, staff.other)).toBe('write');
      expect((await outcome('delete_team', { team }, staff.owner))[0]).toBe(200);
      expect(await accessOf(id, staff.other)).toBeNull();
      expect((await server.ok('get_file', { id }, staff.member)).shares).toEqual([]);
    });
  });

  describe('list_files', () => {
    it('shows what the caller sees, newest first, in pages', async () => {
      const fresh = await server.staff();
      const ids: string[] = [];
      for (let i = 0; i < 5; i++) ids.unshift((await file(fresh.member, i % 2 === 0 ? 'org' : 'restricted')).id);
      const list = async (by: OrgMember, page = {}) => {
        const { status, body } = await server.call(route, 'list_files', page, by);
        expect(status).toBe(200);
        return [body.items.map(({ id }) => id), body.total];
      };
      expect(await list(fresh.member)).toEqual([ids, 5]);
      expect(await list(fresh.owner)).toEqual([ids, 5]);
      expect(await list(fresh.viewer)).toEqual([[ids[0], ids[2], ids[4]], 3]);
      await server.ok('share_file', { id: ids[1], user: fresh.viewer.id }, fresh.member);
      expect(await list(fresh.viewer)).toEqual([[ids[0], ids[1], ids[2], ids[4]], 4]);
      expect(await list(fresh.viewer, { limit: 2, offset: 1 })).toEqual([[ids[1], ids[2]], 4]);
      expect(await list(fresh.viewer, { offset: 50 })).toEqual([[], 4]);
      expect(await list((await server.staff()).owner)).toEqual([[], 0]);
      for (const wrong of [{ limit: 0 }, { limit: 101 }, { offset: -1 }, { sort: 'size' }]) {
        expect((await outcome('list_files', wrong, fresh.member))[1]).toBe('invalid_input');
      }
    });
  });
});

it('the number that list_files gives follows every change of what someone sees', async () => {
  const { member, other, owner, ...fresh } = await server.staff();
  const list = async () => {
    const { items, total } = await server.ok('list_files', { limit: 100 }, other);
    expect(items).toHaveLength(total);
    return total;
  };
  const [team, one, two, open] = [
    await server.team({ member, other, owner, ...fresh }, 'Counted'),
    await file(member),
    await file(member),
    await file(member, 'org'),
  ];
  const own = { id: '' };
  const path = `/v1/orgs/teams/${team}/members/${other.id}`;
  const ask = async (method: string) => expect((await server.ask(method, path, { key: owner.key })).status).toBe(200);
  const share = (to: object) => server.ok('share_file', { id: one.id, ...to }, member);
  const steps: [string, number, () => Promise<unknown>][] = [
    ['nothing', 1, async () => {}],
    ['a share with a team that they are not in', 1, () => share({ team })],
    ['they join it', 2, () => ask('PUT')],
    ['a share with them beside it', 2, () => share({ user: other.id })],
    ['they leave it', 2, () => ask('DELETE')],
    ['the file is open', 2, () => server.ok('update_file', { id: one.id, visibility: 'org' }, member)],
    ['and closed again', 2, () => server.ok('update_file', { id: one.id, visibility: 'restricted' }, member)],
    [
      'their share ends',
      1,
      async () => {
        const shares = (await server.ok('get_file', { id: one.id }, member)).shares ?? [];
        const grant = shares.find(({ user }) => user?.id === other.id);
        await server.ok('unshare_file', { id: one.id, grant_id: grant?.grant_id }, member);
      },
    ],
    ['they join again', 2, () => ask('PUT')],
    ['leave again', 1, () => ask('DELETE')],
    ['and join again', 2, () => ask('PUT')],
    ['an open file is closed', 1, () => server.ok('update_file', { id: open.id, visibility: 'restricted' }, member)],
    ['a file of their own', 2, () => file(other).then((saved) => Object.assign(own, saved))],
    ['which is opened', 2, () => server.ok('update_file', { id: own.id, visibility: 'org' }, other)],
    ['closed', 2, () => server.ok('update_file', { id: own.id, visibility: 'restricted' }, other)],
    ['deleted', 1, () => server.ok('delete_file', { id: own.id }, other)],
    ['another one', 2, () => file(other)],
    ['a second share with the team', 3, () => server.ok('share_file', { id: two.id, team }, member)],
    ['that file is deleted', 2, () => server.ok('delete_file', { id: two.id }, member)],
    ['the team ends', 1, () => server.ok('delete_team', { team }, owner)],
  ];
  for (const [what, seen, step] of steps) {
    await step();
    expect(await list(), what).toBe(seen);
    expect(await list(), `${what}, again`).toBe(seen);
  }
});

it('without a credential nothing of the library is answered', async () => {
  const { id, url } = await file(staff.member, 'org');
  for (const [op, input] of [
    ['list_files', {}],
    ['get_file', { id }],
    ['delete_file', { id }],
    ['save_file', { boundary_id: 'r100' }],
  ] as const) {
    expect((await server.call('http', op, input)).body.code, op).toBe('unauthorized');
  }
  expect((await server.content(url)).status).toBe(401);
});

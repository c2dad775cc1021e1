import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { DETAILS } from '../../workers/contract.ts';
import { FORMATS } from '../../workers/formats/registry.ts';
import { FIXTURE_SOURCE, fixtureBoundary, HOSTILE, rectangle, ringsOf } from '../ops/fixture_world.ts';
import { createdStatus, ROUTES } from '../setup/routes.ts';
import { type LibraryTestServer, type OrgMembers, openLibraryTestServer } from './library_test_server.ts';

let server: LibraryTestServer;
let staff: OrgMembers;
beforeAll(async () => {
  server = await openLibraryTestServer();
  staff = await server.staff('free');
});
afterAll(() => server?.close());

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
/** Names of the bytes that the library keeps. */
async function kept(): Promise<string[]> {
  const { dataDir } = server;
  const root = join(dataDir, 'library');
  const folders = (await readdir(root)).filter((name) => name.length === 2);
  return (await Promise.all(folders.map((folder) => readdir(join(root, folder))))).flat();
}
const isKept = async (sha: string) => (await kept()).some((name) => name.startsWith(sha));

describe.each(ROUTES)('save_file by %s', (route) => {
  it('answers 201 with the entry and its permanent url, costs a unit, and the url gives the export', async () => {
    const { owner, member } = await server.staff('free');
    const { status, headers, body } = await server.call(
      route,
      'save_file',
      { boundary_id: 'r100', format: 'kml' },
      member,
    );
    const location = `https://maps.example/base/v1/files/${body.id}`;
    expect([status, headers.location]).toEqual([
      createdStatus(route),
      createdStatus(route) === 201 ? location : undefined,
    ]);
    expect(body).toMatchObject({
      name: 'Atlantis (kml, medium)',
      boundary_id: 'r100',
      current: true,
      format: 'kml',
      detail: 'medium',
      visibility: 'org',
      access: 'admin',
      url: `https://maps.example/base/v1/files/${body.id}/content`,
      content_type: 'application/vnd.google-earth.kml+xml',
      creator: { id: member.id, email: member.email },
    });
    expect(await server.used(owner.key)).toBe(1);
    const file = await server.content(body.url, member);
    const exported = await server.get('/v1/boundaries/r100/export?format=kml', owner.key);
    expect(file.bytes.equals(exported.bytes)).toBe(true);
    expect([sha256(file.bytes), file.bytes.length]).toEqual([body.sha256, body.bytes]);
    expect(await isKept(body.sha256)).toBe(true);
  });

  it('again answers 200 with the same entry and is free, whatever form of the id, name and visibility it is asked with', async () => {
    const { owner, member, other } = await server.staff('free');
    const first = await server.ok('save_file', { boundary_id: 'r111', name: 'ours' }, member);
    expect(first).toMatchObject({ not_applied: [] });
    for (const [by, input, notApplied] of [
      [member, { boundary_id: 'r111' }, []],
      [member, { boundary_id: 'r111', name: 'ours', visibility: 'org' }, []],
      [other, { boundary_id: 'relation/111', name: 'theirs' }, ['name']],
      [other, { boundary_id: 'wikidata:Q111', visibility: 'restricted' }, ['visibility']],
      [other, { boundary_id: 'r111', name: 'mine', visibility: 'restricted' }, ['name', 'visibility']],
    ] as const) {
      const { status, headers, body } = await server.call(route, 'save_file', input, by);
      expect([status, headers.location]).toEqual([200, undefined]);
      expect(body).toMatchObject({ id: first.id, name: 'ours', visibility: 'org' });
      expect(body.not_applied).toEqual(notApplied.map((field) => ({ field, reason: expect.stringContaining(field) })));
    }
    expect(await server.used(owner.key)).toBe(1);
    expect((await server.ok('save_file', { boundary_id: 'r111', detail: 'low' }, member)).id).not.toBe(first.id);
    expect(await server.used(owner.key)).toBe(2);
  });

  it('says what is wrong in the order of all operations, and nothing that fails costs', async () => {
    const { org, owner, member, viewer } = await server.staff('free');
    const asked = async (input: Record<string, unknown>, by = member) => {
      const { status, body } = await server.call(route, 'save_file', input, by);
      return [status, body.code];
    };
    expect(await asked({})).toEqual([400, 'invalid_input']);
    expect(await asked({ boundary_id: 'r100', format: 'pdf' })).toEqual([400, 'invalid_input']);
    expect(await asked({ boundary_id: 'r100', name: 'a\nb' })).toEqual([400, 'invalid_input']);
    expect(await asked({ boundary_id: 'r100', name: ' ' })).toEqual([400, 'invalid_input']);
    expect(await asked({ boundary_id: 'r100', name: 'x'.repeat(201) })).toEqual([400, 'invalid_input']);
    expect(await asked({ boundary_id: 'nothing' })).toEqual([400, 'invalid_id']);
    expect(await asked({ boundary_id: 'r999999' })).toEqual([404, 'not_found']);
    expect(await asked({ boundary_id: 'r300' })).toEqual([404, 'no_geometry']);
    expect(await asked({ boundary_id: 'r100' }, viewer)).toEqual([401, 'unauthorized']);
    expect(await server.used(owner.key)).toBe(0);
    await server.spend(org, 1);
    await server.ok('save_file', { boundary_id: 'r100' }, member);
    expect(await asked({ boundary_id: 'r101' })).toEqual([402, 'quota_exceeded']);
    expect(await asked({ boundary_id: 'r999999' })).toEqual([404, 'not_found']);
    // What is there already is free.
    expect((await server.call(route, 'save_file', { boundary_id: 'r100' }, member)).status).toBe(200);
  });
});

it.each([
  ['union', { include: ['r111'], as_of: '2015-01-01' }, 'invalid_input'],
  ['collection', { ids: ['r111'], as_of: '2015-01-01' }, 'invalid_input'],
  ['area', { plan: { steps: [{ op: 'place', id: 'r111' }] }, as_of: '2015-01-01' }, 'invalid_input'],
  ['area', { plan: { steps: [{ op: 'place', id: 'r111' }] }, scope: 'all' }, 'invalid_input'],
  ['union', { include: ['r111@2015-01-01'] }, 'invalid_id'],
  ['collection', { ids: ['r111@2015-01-01'] }, 'invalid_id'],
  ['collection', { set: 'zones' }, 'not_found'],
])('saves nothing of today for %s %o, which asks for a date or for area sets', async (base, given, code) => {
  const { body } = await server.call('http', 'save_file', { [base]: given, format: 'geojson' }, staff.member);
  expect([body.code, body.id], JSON.stringify(body)).toEqual([code, undefined]);
});

describe('an entry', () => {
  it('is one for all of the organization, and one for each person among the restricted ones', async () => {
    const { owner, member, other } = await server.staff('free');
    const restricted = { boundary_id: 'r102', visibility: 'restricted' };
    const mine = await server.ok('save_file', restricted, member);
    const theirs = await server.ok('save_file', restricted, other);
    expect(theirs.id).not.toBe(mine.id);
    expect(theirs).toMatchObject({ visibility: 'restricted', creator: { id: other.id } });
    // An admin sees both, and is given neither.
    const admins = await server.ok('save_file', restricted, owner);
    expect([mine.id, theirs.id]).not.toContain(admins.id);
    // Where there is nothing of the organization's, one's own is found, and stays restricted.
    expect(await server.ok('save_file', { boundary_id: 'r102' }, member)).toMatchObject({
      id: mine.id,
      visibility: 'restricted',
    });
    expect(await server.used(owner.key)).toBe(3);
    // A shared one is its creator's still.
    await server.ok('share_file', { id: mine.id, user: owner.email, access: 'admin' }, member);
    expect((await server.ok('save_file', restricted, owner)).id).toBe(admins.id);
    const fresh = await server.addMember((await server.callerOf(owner)).org?.slug ?? '', 'member');
    await server.ok('share_file', { id: mine.id, user: fresh.id }, member);
    const all = await server.ok('save_file', { boundary_id: 'r102' }, fresh);
    expect(all).toMatchObject({ visibility: 'org', creator: { id: fresh.id } });
    // Both there are: the one of the visibility asked for.
    expect((await server.ok('save_file', { boundary_id: 'r102' }, member)).id).toBe(all.id);
    expect((await server.ok('save_file', restricted, member)).id).toBe(mine.id);
    // The same bytes, five entries.
    expect(new Set([mine, theirs, admins, all].map((one) => one.sha256)).size).toBe(1);
    expect((await kept()).filter((name) => name.startsWith(mine.sha256))).toHaveLength(1);
  });

  it.each(['org', 'restricted'])(
    'is made once when ten callers save it at once (%s), for one unit',
    async (visibility) => {
      const { org, member, other } = await server.staff('free');
      const input = { boundary_id: 'r103', format: 'gml', visibility };
      const by = (i: number) => (visibility === 'org' && i % 2 === 1 ? other : member);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => server.call('http', 'save_file', input, by(i))),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      const usage = await server.services.billing.usage(org);
      expect([usage?.used, usage?.reserved]).toEqual([1, 0]);
      expect((await server.ok('list_files', {}, member)).total).toBe(1);
    },
  );

  it.each(['free', 'self_hosted'])('and its unit are kept together or not at all (%s)', async (plan) => {
    const { org, member } = await server.staff(plan);
    const by = { account: member.id, org, role: 'member' as const, actor: systemActor };
    const content = Buffer.from('<kml/>');
    const exported = { boundary: 'r1', version: 1, format: 'kml' as const, sha256: sha256(content), content };
    const key = { boundary: 'r1', format: 'kml' as const, detail: 'low' as const, visibility: 'org' as const };
    const { billing, files } = server.services;
    const held = await billing.reserve({ org, plan, op: 'save_file', units: 1, deadline: Date.now() + 60_000 });
    const lost = files.save(by, { key, name: 'lost', exported }, async (tx) => {
      expect(await billing.settleIn(tx, held)).toBe(true);
      throw new Error('it ended here');
    });
    await expect(lost).rejects.toThrow('it ended here');
    await billing.refund(held);
    expect(await billing.usage(org)).toMatchObject({ used: 0, reserved: 0 });
    expect((await server.ok('list_files', {}, member)).total).toBe(0);
    expect(await isKept(exported.sha256)).toBe(false);
  });

  it('has a name of one line made of what the boundary is called, whatever that is', async () => {
    const { body } = await server.call(
      'http',
      'save_file',
      { boundary_id: 'r122', format: 'svg', detail: 'low' },
      staff.member,
    );
    expect(body.name).toBe(`${HOSTILE.replace(/[\r\n]+/, ' ')} (svg, low)`);
  });

  it.each(FORMATS)('is there in every detail as %s', async (format) => {
    for (const detail of DETAILS) {
      const body = await server.ok('save_file', { boundary_id: 'w500', format, detail }, staff.member);
      expect(sha256((await server.content(body.url, staff.viewer)).bytes)).toBe(body.sha256);
    }
  });

  it('too big for one answer is too_large, free, and leaves nothing', async () => {
    const { owner, member } = await server.staff('free');
    const small = await server.withLimit(2000);
    const input = { json: { boundary_id: 'r100', detail: 'full' }, key: member.key };
    const { status, json } = await small.ask('POST', '/v1/files', input);
    expect([status, json.code]).toEqual([413, 'too_large']);
    expect(await server.used(owner.key)).toBe(0);
    expect((await server.ok('list_files', {}, member)).total).toBe(0);
  });
});

const systemActor = { type: 'system', id: null, name: 'test', requestId: null, address: null } as const;

describe('refresh', () => {
  const square = (side: number) => ringsOf(rectangle(50, 50, 50 + side, 50 + side));
  const put = (version: string, side: number) =>
    storeBoundaries(
      { db: server.services.db, engine: server.engine },
      {
        source: FIXTURE_SOURCE,
        file: version,
        boundaries: [fixtureBoundary('r800', 'Growing', square(side), { version })],
      },
    );

  it('takes the newest version into the same entry for a unit; name, url and shares stay', async () => {
    const { owner, member, other, viewer } = await server.staff('free');
    await put('1', 1);
    const before = await server.ok('save_file', { boundary_id: 'r800', name: 'mine' }, member);
    await server.ok('share_file', { id: before.id, user: viewer.id }, member);
    await put('2', 2);
    expect(await server.ok('get_file', { id: before.id }, viewer)).toMatchObject({
      current: false,
      version: before.version,
    });
    // Saving again gives the entry as it is.
    const again = await server.call('http', 'save_file', { boundary_id: 'r800' }, other);
    expect([again.status, again.body]).toMatchObject([200, { id: before.id, current: false, sha256: before.sha256 }]);
    expect(await server.used(owner.key)).toBe(1);

    const after = await server.ok('update_file', { id: before.id, refresh: true }, other);
    expect(after).toMatchObject({ id: before.id, url: before.url, name: 'mine', current: true });
    expect(after.version).toBeGreaterThan(before.version);
    expect(after.sha256).not.toBe(before.sha256);
    expect(await server.used(owner.key)).toBe(2);
    expect(sha256((await server.content(before.url, viewer)).bytes)).toBe(after.sha256);
    expect((await server.ok('get_file', { id: before.id }, member)).shares).toHaveLength(1);
    expect([await isKept(before.sha256), await isKept(after.sha256)]).toEqual([false, true]);
    expect((await server.call('rpc', 'update_file', { id: before.id, refresh: true }, viewer)).body.code).toBe(
      'unauthorized',
    );
  });

  it('without units is quota_exceeded and changes nothing', async () => {
    const { org, member } = await server.staff('free');
    await put('3', 3);
    const before = await server.ok('save_file', { boundary_id: 'r800' }, member);
    await put('4', 4);
    await server.spend(org, 0);
    const { status, body } = await server.call(
      'http',
      'update_file',
      { id: before.id, refresh: true, name: 'new' },
      member,
    );
    expect([status, body.code]).toEqual([402, 'quota_exceeded']);
    expect(await server.ok('get_file', { id: before.id }, member)).toMatchObject({ name: before.name, current: false });
    expect(await server.ok('update_file', { id: before.id, name: 'new' }, member)).toMatchObject({ name: 'new' });
  });
});

describe('delete_file', () => {
  it('removes the entry at once, and the bytes when no other entry names them', async () => {
    const { member, other, admin } = await server.staff();
    const restricted = { boundary_id: 'r131', visibility: 'restricted' };
    const mine = await server.ok('save_file', restricted, member);
    const theirs = await server.ok('save_file', restricted, other);
    expect(await server.ok('delete_file', { id: mine.id }, member)).toEqual({ id: mine.id, deleted: true });
    expect((await server.content(mine.url, member)).status).toBe(404);
    expect((await server.call('rpc', 'get_file', { id: mine.id }, member)).body.code).toBe('not_found');
    expect((await server.content(theirs.url, other)).status).toBe(200);
    expect(await isKept(mine.sha256)).toBe(true);
    await server.ok('delete_file', { id: theirs.id }, admin);
    expect(await isKept(mine.sha256)).toBe(false);
    expect((await server.call('http', 'delete_file', { id: theirs.id }, admin)).status).toBe(404);
    // And it can be saved again.
    const renewed = await server.call('http', 'save_file', restricted, member);
    expect(renewed.status).toBe(201);
    expect((await server.content(renewed.body.url, member)).bytes.length).toBe(renewed.body.bytes);
  });

  it('beside saves of the same bytes never leaves an entry without them', async () => {
    const { member } = await server.staff();
    const input = { boundary_id: 'r132', format: 'wkt' };
    for (let round = 0; round < 8; round++) {
      const { id } = await server.ok('save_file', input, member);
      const both = [server.call('http', 'delete_file', { id }, member)];
      for (let i = 0; i < 3; i++) both.push(server.call('http', 'save_file', input, member));
      for (const { status } of await Promise.all(both)) expect(status).toBeLessThan(300);
      for (const { url, bytes, sha256: named } of (await server.ok('list_files', {}, member)).items) {
        // From the disk, not from memory.
        const path = join(server.dataDir, 'library', named.slice(0, 2), `${named}.wkt`);
        expect((await stat(path)).size).toBe(bytes);
        expect((await server.content(url, member)).status).toBe(200);
      }
    }
  });

  it('and what goes with its organization is swept', async () => {
    const { owner, member, org } = await server.staff();
    const { sha256: named } = await server.ok('save_file', { boundary_id: 'r133' }, member);
    await server.services.db.query('delete from org where id = $1', [org]);
    expect(await isKept(named)).toBe(true);
    await server.services.fileBlobs.sweep(0);
    expect(await isKept(named)).toBe(false);
    expect(owner.role).toBe('owner');
  });
});

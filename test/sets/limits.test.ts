/** What a plan allows of area sets is asked before the work that it would be spent on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type LibraryTestServer, openLibraryTestServer } from '../library/library_test_server.ts';
import { cell, fileOf } from './made_set.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;

let server: LibraryTestServer;
beforeAll(async () => {
  server = await openLibraryTestServer();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => server?.close());

const content = fileOf({ one: cell(0.2, 0.2), two: cell(1.2, 0.2), three: cell(2.2, 0.2) });

it.each([
  // The three squares have eight corners, and arcs of sixteen vertices.
  ['set_areas', 3, 2, '2 areas in all sets; with this it would have at least 3'],
  ['set_vertices', 16, 7, '7 vertices in all sets; with this it would have at least 8'],
])(
  'a file of more %s than the plan allows is refused before its areas are stored',
  async (limit, most, less, reported) => {
    const { member } = await server.staff('free');
    const { db, areaSets } = server.services;
    const put = vi.spyOn(areaSets, 'putVersion');
    const [before] = await db.query<Any>(`select ${limit} as most from plan where id = 'free'`);
    const allow = (value: number) => db.query(`update plan set ${limit} = $1 where id = 'free'`, [value]);
    try {
      await allow(less);
      const refused = await server.call('http', 'create_area_set', { name: 'zones', content }, member);
      expect([refused.body.code, put.mock.calls.length]).toEqual(['too_large', 0]);
      expect(refused.body.detail).toContain(reported);
      await allow(most);
      const made = await server.call('http', 'create_area_set', { name: 'zones', content }, member);
      expect([made.status, put.mock.calls.length], JSON.stringify(made.body)).toEqual([201, 1]);
      const replaced = { name: 'zones', content, replace: true };
      expect((await server.call('http', 'create_area_set', replaced, member)).status).toBe(201);
    } finally {
      await allow(Number(before.most));
    }
  },
);

it('at most two versions are stored at once', async () => {
  const { areaSets } = server.services;
  const putVersion = areaSets.putVersion.bind(areaSets);
  let active = 0;
  let most = 0;
  vi.spyOn(areaSets, 'putVersion').mockImplementation(async (...given) => {
    most = Math.max(most, ++active);
    await sleep(1_500);
    active--;
    return putVersion(...given);
  });
  const made = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const { member } = await server.staff('free');
      return server.call('http', 'create_area_set', { name: 'zones', content }, member);
    }),
  );
  expect([made.map(({ status }) => status), most <= 2]).toEqual([[201, 201, 201, 201], true]);
}, 60_000);

it('an organization whose files wait to be read is refused more, and holds up no other', async () => {
  const { member: busy } = await server.staff('self_hosted');
  const { member: other } = await server.staff('self_hosted');
  const make = (by: typeof busy, name: string) => server.call('http', 'create_area_set', { name, content }, by);
  const many = Promise.all(Array.from({ length: 9 }, (_, i) => make(busy, `set-${i}`)));
  const [made, one] = await Promise.all([many, make(other, 'zones')]);
  expect(one.status, JSON.stringify(one.body)).toBe(201);
  const refused = made.filter(({ status }) => status !== 201);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, body } of refused) {
    expect([status, (body as Any).code, (body as Any).retry_after], JSON.stringify(body)).toEqual([
      429,
      'rate_limited',
      1,
    ]);
  }
  expect((await make(busy, 'again')).status).toBe(201);
}, 120_000);

it('of two who make a set of one name at once, one does', async () => {
  const { member, other } = await server.staff('self_hosted');
  const make = (by: typeof member, valid_from: string) =>
    server.call('http', 'create_area_set', { name: 'zones', content, valid_from }, by);
  const { areaSets } = server.services;
  const requireRoom = areaSets.requireRoom.bind(areaSets);
  // Both look before one of them saves.
  let looked = 0;
  let goOn = (): void => undefined;
  const bothLooked = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  vi.spyOn(areaSets, 'requireRoom').mockImplementation(async (...given) => {
    const room = await requireRoom(...given);
    if (++looked === 2) goOn();
    await bothLooked;
    return room;
  });
  const made = await Promise.all([make(member, '2020-01-01'), make(other, '2021-01-01')]);
  expect(made.map(({ status }) => status).sort()).toEqual([201, 400]);
  const refused = made.find(({ status }) => status === 400)?.body as Any;
  expect(refused.issues[0]).toMatchObject({ path: 'name', code: 'conflict' });
  const kept = await server.call('http', 'get_area_set', { name: 'zones' }, member);
  expect((kept.body as Any).versions).toHaveLength(1);
});

it('of two who replace a version at once, one does, and it says which version was replaced', async () => {
  const { member, other, owner } = await server.staff('self_hosted');
  const make = (by: typeof member, more: object) =>
    server.call('http', 'create_area_set', { name: 'zones', content, valid_from: '2020-01-01', ...more }, by);
  const first = (await make(member, {})).body as Any;
  expect(first.report.replaced).toBeUndefined();
  const { areaSets } = server.services;
  const requireRoom = areaSets.requireRoom.bind(areaSets);
  // While one is made, another is made and stored.
  vi.spyOn(areaSets, 'requireRoom').mockImplementationOnce(async (...given) => {
    const room = await requireRoom(...given);
    expect((await make(other, { replace: true })).status).toBe(201);
    return room;
  });
  const late = await make(member, { replace: true });
  expect([late.status, (late.body as Any).issues]).toEqual([
    400,
    [{ path: 'replace', code: 'changed', message: expect.stringMatching(/2020-01-01 .* stored by another call/) }],
  ]);
  const before = ((await server.call('http', 'get_area_set', { name: 'zones' }, member)).body as Any).versions;
  const { recorded_at, made_from, areas } = before[0];
  const last = (await make(member, { replace: true })).body as Any;
  expect(last.report.replaced).toEqual({ recorded_at, made_from, areas });
  const kept = (await server.call('http', 'get_area_set', { name: 'zones' }, member)).body as Any;
  expect(kept.report.replaced).toEqual({ recorded_at, made_from, areas });
  const log = (await server.call('http', 'list_audit_log', { limit: 3 }, owner)).body as Any;
  expect(log.items.map(({ details }: Any) => details.replaced ?? null)).toEqual([
    recorded_at,
    first.versions[0].recorded_at,
    null,
  ]);
});

it('a version of a set that is made or deleted while its file is read is refused', async () => {
  const { member, other, admin } = await server.staff('self_hosted');
  const make = (by: typeof member, valid_from: string) =>
    server.call('http', 'create_area_set', { name: 'zones', content, valid_from }, by);
  const { areaSets } = server.services;
  const requireRoom = areaSets.requireRoom.bind(areaSets);
  const between = (change: () => Promise<unknown>) =>
    vi.spyOn(areaSets, 'requireRoom').mockImplementationOnce(async (...given) => {
      const room = await requireRoom(...given);
      await change();
      return room;
    });
  between(async () => expect((await make(other, '2021-01-01')).status).toBe(201));
  const late = await make(member, '2020-01-01');
  expect([late.status, (late.body as Any).issues?.[0]?.code]).toEqual([400, 'conflict']);
  between(async () =>
    expect((await server.call('http', 'delete_area_set', { name: 'zones' }, admin)).status).toBe(200),
  );
  const gone = await make(member, '2020-01-01');
  expect([gone.status, (gone.body as Any).issues?.[0]?.code]).toEqual([400, 'conflict']);
  expect((await make(member, '2020-01-01')).status).toBe(201);
});

it('of the files that calls leave in the library for a day, the newest hundred stay', async () => {
  const { member, other } = await server.staff('self_hosted');
  const { files, db } = server.services;
  const ok = async (op: string, input: Record<string, unknown>, route: 'http' | 'rpc' = 'http', by = member) => {
    const { status, body } = await server.call(route, op, input, by);
    if (status >= 300) throw new Error(`${op}: ${status} ${JSON.stringify(body)}`);
    return body as Any;
  };
  await ok('create_area_set', { name: 'zones', content });
  const leave = (id: string, by = member) => ok('export_boundary', { id: `set:zones/${id}`, format: 'kml' }, 'rpc', by);
  const job = await ok('create_job', { op: 'export_collection', input: { set: 'zones', format: 'csv' } });
  await server.jobRunner.runDue();
  // A plan may keep results of jobs for a day, too.
  await db.query("update file set expires_at = created_at + interval '1 day' where made_by = 'export_collection'");
  const saved = await ok('save_file', { boundary_id: 'r111', format: 'kml' });
  await leave('one', other);
  const first = await leave('one');
  await leave('two');
  const names = ((await ok('list_files', { limit: 5 })).items as Any[]).map(({ name }) => name);
  expect(names.filter((name) => name === 'Areas of sets zones (kml)')).toHaveLength(2);
  const { org } = (await server.callerOf(member)) as { org: { id: string } };
  // As calls of the last hour left them.
  await db.query(
    `insert into file (id, org, creator, name, format, visibility, sha256, made_by, expires_at, created_at)
     select f.id || n, f.org, f.creator, f.name, f.format, f.visibility, f.sha256, f.made_by,
            f.expires_at - n * interval '1 second', f.created_at - n * interval '1 second'
     from file f, generate_series(1, 98) n
     where f.org = $1 and f.creator = $2 and f.sha256 = $3 and f.name like 'Areas of sets%'`,
    [org.id, member.id, first.sha256],
  );
  const count = async (by = member) => (await ok('list_files', { limit: 1 }, 'http', by)).total;
  const before = await count();
  expect(before).toBe(102);
  await leave('three');
  expect([await count(), await count(other)]).toEqual([102, 2]);
  const reader = { org: org.id, account: member.id, role: 'member' as const };
  const { bytes } = await ok('export_boundary', { id: 'set:zones/three', format: 'kml' }, 'rpc');
  await files.trim(reader, { days: 1, files: 100, bytes: bytes * 2.5 });
  expect(await count()).toBe(4);
  await files.trim(reader, { days: 1, files: 100, bytes: 1 });
  expect(await count()).toBe(3);
  const kept = await ok('get_job', { id: job.id });
  for (const url of [saved.url, kept.url]) expect((await server.content(url, member)).status).toBe(200);
  // Another person has the same bytes.
  expect((await server.content(first.url, member)).status).toBe(404);
  const others = await ok('list_files', { limit: 5 }, 'http', other);
  for (const { url } of others.items) expect((await server.content(url, other)).status).toBe(200);
});

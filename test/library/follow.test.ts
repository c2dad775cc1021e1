import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renewFollowed } from '../../src/app/followed_files.ts';
import { systemActor } from '../../src/core/access.ts';
import { claimFollowing, follow } from '../../src/domain/library/following.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, fixtureWorld, rectangle, ringsOf } from '../ops/fixture_world.ts';

interface Entry {
  readonly id: string;
  readonly follow: boolean;
  readonly follow_error: { readonly code: string } | null;
  readonly sha256: string;
  readonly data_at: string;
  readonly updated_at: string;
  readonly outdated: { readonly total: number; readonly items: readonly { readonly id: string }[] } | null;
  readonly not_applied: readonly { readonly field: string }[];
}

let server: BoundaryTestServer;
let key: string;
let org: string;
beforeAll(async () => {
  server = await openBoundaryTestServer({}, { JOB_LEASE_MS: '1000' });
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  ({ key, org } = await server.key('free'));
}, 120_000);
afterAll(() => server?.close());

const save = async (json: object, as = key) => {
  const { status, json: body, text } = await server.ask('POST', '/v1/files', { key: as, json });
  if (status !== 201 && status !== 200) throw new Error(`${status} ${text}`);
  return body as unknown as Entry;
};
const entry = async (id: string, as = key) => (await server.get(`/v1/files/${id}`, as)).json as unknown as Entry;
const listed = async (id: string) =>
  ((await server.get('/v1/files?limit=100', key)).json.items as unknown as Entry[]).find((one) => one.id === id);
const content = async (id: string) => (await server.get(`/v1/files/${id}/content`, key)).text;
const renew = () => renewFollowed(server.services, new AbortController().signal);
let turn = 0;
const rename = async (id: string): Promise<string> => {
  const name = `Place ${++turn} of ${id}`;
  await server.services.db.query('update boundary set name = $2, version = version + 1 where id = $1', [id, name]);
  return name;
};
/** Puts the claim of a file that failed or waits back, so that it is due. */
const due = () => server.services.db.query('update file_follow set due_at = now()');
const renewals = async (id: string) =>
  (
    await server.services.db.query<{ count: number }>(
      "select count(*)::integer as count from audit_log where action = 'file.renew' and target_id = $1",
      [id],
    )
  )[0]?.count;

describe('a file that follows', () => {
  it('is made again at its address when its boundary changes, for its price, and not otherwise', async () => {
    const made = await save({ boundary_id: 'r101', detail: 'low', follow: true });
    expect([made.follow, made.follow_error]).toEqual([true, null]);
    const kept = await save({ boundary_id: 'r101', detail: 'high' });
    expect(kept.follow).toBe(false);
    const used = await server.used(key);
    await renew();
    expect([await server.used(key), (await entry(made.id)).sha256]).toEqual([used, made.sha256]);

    await rename('r102');
    await renew();
    expect([await server.used(key), (await entry(made.id)).sha256]).toEqual([used, made.sha256]);

    const name = await rename('r101');
    for (const one of [made, kept]) {
      expect((await entry(one.id)).outdated).toMatchObject({ total: 1, items: [{ id: 'r101', types: ['renamed'] }] });
      expect((await listed(one.id))?.outdated).toMatchObject({ total: 1, items: [{ id: 'r101' }] });
    }
    await renew();
    const after = await entry(made.id);
    expect(after.sha256).not.toBe(made.sha256);
    expect(await content(made.id)).toContain(name);
    const now = await server.get('/v1/boundaries/r101/export?detail=low', key);
    expect(await content(made.id)).toBe(now.text);
    expect([after.outdated, (await listed(made.id))?.outdated]).toEqual([
      { total: 0, items: [] },
      { total: 0, items: [] },
    ]);
    expect([await server.used(key), await renewals(made.id)]).toEqual([used + 2, 1]);
    // The other file stays as it was made, and a new name does not hide that it is out of date.
    await server.ask('PATCH', `/v1/files/${kept.id}`, { key, json: { name: 'As it was' } });
    const still = await entry(kept.id);
    expect([still.sha256, still.outdated?.total, still.data_at]).toEqual([kept.sha256, 1, kept.data_at]);
    expect(await renew()).toBe(0);
  });

  it('follows as a union and as a collection, also what ends and what changes its shape', async () => {
    const union = await save({ union: { include: ['r102', 'r103'] }, detail: 'low', follow: true });
    const collection = await save({ collection: { children_of: 'r100' }, detail: 'medium', follow: true });
    const used = await server.used(key);
    // The properties of a union have no names: the same bytes are made again, and cost nothing.
    const name = await rename('r103');
    await renew();
    const children = Number(
      ((await server.get('/v1/boundaries/r100/children?limit=1', key)).json as unknown as { total: number }).total,
    );
    expect((await content(collection.id)).includes(name)).toBe(true);
    expect([await server.used(key), await renewals(union.id)]).toEqual([used + children, 0]);
    expect((await entry(union.id)).outdated?.total).toBe(0);
    await storeBoundaries(
      { db: server.services.db, engine: server.engine },
      {
        source: FIXTURE_SOURCE,
        file: 'later',
        boundaries: [fixtureBoundary('r103', name, ringsOf(rectangle(-28, 30, -27, 32)), { adminLevel: 4 })],
      },
    );
    expect((await listed(union.id))?.outdated).toMatchObject({
      total: 1,
      items: [{ id: 'r103', types: ['reshaped'] }],
    });
    await renew();
    const merged = await server.ask('POST', '/v1/boundaries/union', {
      key,
      json: { include: ['r102', 'r103'], detail: 'low', format: 'geojson' },
    });
    expect([await content(union.id), await renewals(union.id)]).toEqual([merged.text, 1]);
    expect((await entry(union.id)).sha256).not.toBe(union.sha256);
    // The recipe is still theirs.
    const again = await save({ union: { include: ['r103', 'r102'] }, detail: 'low' });
    expect(again.id).toBe(union.id);
    await server.services.db.query("delete from boundary where id = 'r103'");
    await renew();
    expect(await content(collection.id)).not.toContain(name);
    const lost = await entry(union.id);
    expect([lost.follow_error?.code, lost.outdated?.items.map(({ id }) => id)]).toEqual(['not_found', ['r103']]);
    expect(await content(union.id)).toBe(merged.text);
    await server.ask('PATCH', `/v1/files/${union.id}`, { key, json: { follow: false } });
    expect((await entry(union.id)).follow_error).toBeNull();
  });

  it('stays as it is and says why when the quota is used up, and is made when there are units again', async () => {
    const free = await server.key('free');
    const made = await save({ boundary_id: 'r102', detail: 'low', follow: true }, free.key);
    await server.spend(free.org, 0);
    const name = await rename('r102');
    await renew();
    const waiting = await entry(made.id, free.key);
    expect([waiting.follow_error?.code, waiting.sha256, waiting.outdated?.total]).toEqual([
      'quota_exceeded',
      made.sha256,
      1,
    ]);
    expect(await renew()).toBe(0);
    await server.services.billing.setPlan(free.org, 'self_hosted', systemActor('test'));
    await due();
    await renew();
    const after = await entry(made.id, free.key);
    expect([after.follow_error, after.outdated?.total]).toEqual([null, 0]);
    expect((await server.get(`/v1/files/${made.id}/content`, free.key)).text).toContain(name);
  });

  it('is made by one process, once', async () => {
    const made = await save({ boundary_id: 'r400', detail: 'low', follow: true });
    await rename('r400');
    await Promise.all([renew(), renew(), renew()]);
    expect([await renewals(made.id), (await entry(made.id)).outdated?.total]).toEqual([1, 0]);
  });

  it('is made by one process, once, also where that takes longer than a claim lasts', async () => {
    const made = await save({ boundary_id: 'r410', detail: 'low', follow: true });
    await rename('r410');
    const { services } = server;
    let drafts = 0;
    const slow = {
      ...services,
      fileBlobs: {
        ...services.fileBlobs,
        async draft() {
          drafts++;
          await wait(3_000);
          return services.fileBlobs.draft();
        },
      },
    };
    const { signal } = new AbortController();
    const first = renewFollowed(slow, signal);
    for (let i = 0; i < 5; i++) {
      await wait(500);
      await renewFollowed(slow, signal);
    }
    await first;
    expect([drafts, await renewals(made.id), (await entry(made.id)).outdated?.total]).toEqual([1, 1, 0]);
  });

  it('is made by another process soon after the one that had it was killed', async () => {
    const made = await save({ boundary_id: 'r410', detail: 'medium', follow: true });
    await rename('r410');
    const { db } = server.services;
    let claimed = await claimFollowing(db, 1);
    while (claimed !== null && claimed.id !== made.id) claimed = await claimFollowing(db, 1);
    expect(claimed?.id).toBe(made.id);
    await renew();
    expect(await renewals(made.id)).toBe(0);
    await wait(1_100);
    await renew();
    expect([await renewals(made.id), (await entry(made.id)).outdated?.total]).toEqual([1, 0]);
  });

  it('is not made again after its creator left the organization, and says so', async () => {
    const other = await server.key('free');
    const made = await save({ boundary_id: 'r410', detail: 'low', follow: true }, other.key);
    await server.services.db.query('update file set creator = null where id = $1', [made.id]);
    await rename('r410');
    await renew();
    expect(await entry(made.id, other.key)).toMatchObject({
      sha256: made.sha256,
      follow: true,
      follow_error: { code: 'unauthorized' },
    });
  });

  it('is refused where changes could not be seen, and for more files than an organization may have', async () => {
    const refused = async (json: object) =>
      (await server.ask('POST', '/v1/files', { key, json: { ...json, follow: true } })).json.issues;
    expect(await refused({ area: { plan: { union: ['r101', 'r102'] } }, detail: 'low' })).toBeDefined();
    const { id } = await save({ collection: { within: [-31, 29, -20, 40], admin_level: 4 }, detail: 'low' });
    const { status, json } = await server.ask('PATCH', `/v1/files/${id}`, { key, json: { follow: true } });
    expect([status, json.issues]).toMatchObject([400, [{ path: 'follow', code: 'conflict' }]]);
    const existing = await save({ boundary_id: 'r600', detail: 'low' });
    const again = await save({ boundary_id: 'r600', detail: 'low', follow: true });
    expect([again.id, again.follow, again.not_applied.map(({ field }) => field)]).toEqual([
      existing.id,
      false,
      ['follow'],
    ]);
    const { db } = server.services;
    const fill = (count: number) =>
      db.query(
        `with made as (
           insert into file (id, org, creator, name, boundary, version, format, detail, visibility, sha256)
           select 'file_made' || i, f.org, f.creator, 'x', 'x' || i, 1, 'geojson', 'low', 'org', f.sha256
           from file f, generate_series(1, $2::integer) i where f.id = $1 returning id, org)
         insert into file_follow (file, org, checked_at) select id, org, 'infinity' from made`,
        [existing.id, count],
      );
    // Two calls at once: the second waits for the first, and then there is room for one less.
    await fill(198);
    const [one = '', two = ''] = await Promise.all(
      ['medium', 'high'].map(async (detail) => (await save({ boundary_id: 'r600', detail })).id),
    );
    let late: ReturnType<typeof server.ask> | undefined;
    const held = await db.query<{ count: number }>(
      'select count(*)::integer as count from file_follow where org = $1',
      [org],
    );
    await db.query("delete from file where id in (select 'file_made' || i from generate_series(1, $1::integer) i)", [
      (held[0]?.count ?? 0) - 199,
    ]);
    await db.transaction(async (tx) => {
      await follow(tx, one);
      late = server.ask('PATCH', `/v1/files/${two}`, { key, json: { follow: true } });
      await wait(1_000);
    });
    expect((await late)?.json.issues).toMatchObject([{ path: 'follow', code: 'too_many' }]);
    await db.query("delete from file where id like 'file_made%'");
    await fill(200);
    const patched = await server.ask('PATCH', `/v1/files/${existing.id}`, { key, json: { follow: true } });
    expect(patched.json.issues).toMatchObject([{ path: 'follow', code: 'too_many' }]);
    await db.query("delete from file where id like 'file_made%'");
    const actions = await db.query<{ action: string }>(
      'select action from audit_log where org = $1 and target_type = $2',
      [org, 'file'],
    );
    expect(actions.map(({ action }) => action)).toContain('file.follow');
  });
});

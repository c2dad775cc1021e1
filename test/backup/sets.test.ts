/** Area sets in a backup: their versions, groups, shares, and a job that stores one later. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStorage } from '../../src/adapters/open_storage.ts';
import { backUp } from '../../src/backup/backup.ts';
import { checkBackup, restoreBackup } from '../../src/backup/restore.ts';
import { type OrgMember, openLibraryTestServer } from '../library/library_test_server.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { SOUTH, WEST } from '../ops/fixture_world.ts';
import { cell, fileOf } from '../sets/made_set.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boundary-backup-sets-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const OLD = fileOf({ one: cell(0.2, 0.2), two: cell(1.2, 0.2) });
const NEW = fileOf({ one: cell(0.2, 0.2, 1.5), two: cell(1.7, 0.2), apart: cell(0.2, 1.4), far: cell(1.7, 2) });
const point = `lat=${SOUTH + 0.5}&lon=${WEST + 1.5}`;
const PATHS = [
  '/v1/sets',
  ...['zones', 'halves', 'shared'].flatMap((name) => [
    `/v1/sets/${name}`,
    `/v1/sets/${name}?on=2019-06-01`,
    `/v1/sets/${name}/areas?members=true`,
    `/v1/sets/${name}/gaps`,
    `/tiles/sets/${name}.json`,
    `/tiles/sets/${name}/0/0/0.mvt`,
    `/ogc/collections/set-${name}/items`,
  ]),
  ...['set:zones/one', 'set:zones/one@2019-06-01', 'set:halves/west', 'set:shared/two'].flatMap((id) =>
    ['', '/export?format=wkt', '/neighbors'].map((more) => `/v1/boundaries/${encodeURIComponent(id)}${more}`),
  ),
  `/v1/boundaries/reverse?${point}&scope=own`,
  `/v1/boundaries/reverse?${point}&scope=all&as_of=2019-06-01`,
  '/v1/boundaries/search?q=Area&scope=own',
];

/** Every answer for each of the people, or the code of its refusal. */
async function answersOf(server: BoundaryTestServer, people: readonly OrgMember[]): Promise<string[]> {
  const answers: string[] = [];
  for (const { key, email } of people) {
    for (const path of PATHS) {
      const { status, bytes, json } = await server.ask('GET', path, { key });
      const said = status < 300 ? createHash('sha256').update(bytes).digest('hex') : json.code;
      answers.push(`${email} ${path}: ${status} ${said}`);
    }
    const crosswalk = { a: { set: 'zones' }, b: { set: 'zones' }, as_of: '2019-06-01', as_of_b: '2024-01-01' };
    const { status, text } = await server.rpc('crosswalk', crosswalk, key);
    answers.push(`${email} crosswalk: ${status} ${status === 200 ? text : ''}`);
  }
  return answers;
}

it('restores sets with their versions, groups and shares, and jobs that store them', { timeout: 600_000 }, async () => {
  const file = join(folder, 'sets.backup');
  const first = await openLibraryTestServer();
  let before: string[];
  let people: readonly OrgMember[];
  let job: string;
  let admin: OrgMember;
  try {
    const staff = await first.staff();
    const { member, other, viewer } = staff;
    admin = staff.admin;
    const stranger = (await first.staff()).member;
    people = [member, other, viewer, admin, stranger];
    await first.ok('create_area_set', { name: 'zones', content: OLD, valid_from: '2019-01-01' }, member);
    await first.ok('create_area_set', { name: 'zones', content: NEW, valid_from: '2024-01-01' }, member);
    const groups = { west: ['r111', 'set:zones/far'], east: ['r112'] };
    await first.ok('create_area_set', { name: 'halves', groups, valid_from: '2019-01-01' }, member);
    const restricted = { name: 'shared', content: OLD, valid_from: '2019-01-01', visibility: 'restricted' };
    await first.ok('create_area_set', restricted, member);
    const team = await first.team(staff, 'Readers', viewer);
    await first.ok('share_area_set', { name: 'shared', team, access: 'read' }, member);
    const later = { name: 'zones', content: OLD, valid_from: '2025-01-01' };
    ({ id: job } = await first.ok('create_job', { op: 'create_area_set', input: later }, member));
    before = await answersOf(first, people);
    const seen = (who: OrgMember) => before.find((one) => one.startsWith(`${who.email} /v1/sets/shared: `));
    expect([member, other, viewer, stranger].map((who) => / 200 /.test(seen(who) ?? ''))).toEqual([
      ...[true, false, true, false],
    ]);
    expect(before.filter((one) => one.includes(': 200 ')).length).toBeGreaterThan(60);
    const library = await openStorage(null, first.dataDir, 'library');
    await backUp(file, { db: first.services.db, library, progress: () => undefined });
  } finally {
    await first.close();
  }
  const manifest = await checkBackup(file);
  expect([manifest.tables.area_set?.rows, manifest.tables.area_set_version?.rows]).toEqual([3, 4]);
  const second = await openBoundaryTestServer();
  try {
    const library = await openStorage(null, second.dataDir, 'library');
    await restoreBackup(file, manifest, { db: second.services.db, library, progress: () => undefined });
    expect(await answersOf(second, people)).toEqual(before);
    // It goes on from there: the job adds its version to the set that it was created for.
    await second.jobRunner.runDue();
    const done = await second.get(`/v1/jobs/${job}`, admin.key);
    expect(done.json).toMatchObject({ state: 'done', error: null });
    const { versions } = (await second.get('/v1/sets/zones', admin.key)).json as unknown as { versions: unknown[] };
    expect(versions).toHaveLength(3);
    expect((await second.rpc('delete_area_set', { name: 'shared' }, admin.key)).status).toBe(200);
  } finally {
    await second.close();
  }
});

/** Jobs with areas of sets: who may read the file, and what happens when the sets change while they run. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { DataMoved } from '../../src/domain/boundaries/reads.ts';
import {
  type LibraryTestServer,
  type OrgMember,
  type OrgMembers,
  openLibraryTestServer,
} from '../library/library_test_server.ts';
import { cell, fileOf } from './made_set.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;

let server: LibraryTestServer;
let staff: OrgMembers;
beforeAll(async () => {
  server = await openLibraryTestServer({ JOB_PART: '1' });
});
afterAll(() => server?.close());
beforeEach(async () => {
  staff = await server.staff();
  await store('zones', 'org');
});

const AREAS = { one: cell(0.2, 0.2), two: cell(1.2, 0.2), three: cell(2.2, 0.2) };
async function ask(op: string, input: Record<string, unknown>, by: OrgMember = staff.member): Promise<Any> {
  const { status, body } = await server.call('http', op, input, by);
  if (status >= 300) throw new Error(`${op}: ${status} ${JSON.stringify(body)}`);
  return body;
}
const store = (name: string, visibility: string) =>
  ask('create_area_set', { name, content: fileOf(AREAS), visibility, valid_from: '2020-01-01' });
const createJob = (more: object = {}, by = staff.member) =>
  ask('create_job', { op: 'export_collection', input: { set: 'zones', format: 'csv' }, ...more }, by);
async function ended(id: string, by = staff.member): Promise<Any> {
  await server.jobRunner.runDue();
  return ask('get_job', { id }, by);
}
/** Does something after all parts of the next job are made and before its file is saved. */
function beforeDelivery(change: () => Promise<unknown>): void {
  const { fileBlobs } = server.services;
  const draft = fileBlobs.draft.bind(fileBlobs);
  vi.spyOn(fileBlobs, 'draft').mockImplementationOnce(async () => {
    await change();
    return draft();
  });
}

it('the file of a job is restricted to its creator unless the caller says otherwise', async () => {
  const job = await ended((await createJob()).id);
  expect([job.state, job.visibility]).toEqual(['done', 'restricted']);
  expect((await ask('get_file', { id: job.file_id })).visibility).toBe('restricted');
  const seen = await server.call('http', 'get_file', { id: job.file_id }, staff.other);
  expect(seen.status).toBe(404);
  expect((await createJob({ visibility: 'org' })).visibility).toBe('org');
  const official = { op: 'export_collection', input: { ids: ['r111'], format: 'csv' } };
  expect((await ask('create_job', official)).visibility).toBe('org');
});

it('a set that is no longer shared when the file is saved fails the job', async () => {
  const { id } = await createJob({}, staff.other);
  beforeDelivery(() => ask('update_area_set', { name: 'zones', visibility: 'restricted' }));
  const job = await ended(id, staff.other);
  expect([job.state, job.error?.code, job.file_id]).toEqual(['failed', 'not_found', null]);
});

it('a job reads sets with the role of the credential that created it, where that of its creator is stronger', async () => {
  const { admin } = staff;
  await ask('update_area_set', { name: 'zones', visibility: 'restricted' });
  const strong = await createJob({}, admin);
  const weak = await createJob({}, admin);
  // As a credential that its owner limited to the role member stores it.
  await server.services.db.query("update job set role = 'member' where id = $1", [weak.id]);
  expect(await ended(weak.id, admin)).toMatchObject({ state: 'failed', error: { code: 'not_found' } });
  expect((await ended(strong.id, admin)).state).toBe('done');
});

it.each(['between two attempts', 'before the file is saved'])(
  'joins no parts of different versions of a set, which changed %s',
  async (when) => {
    const { id } = await createJob();
    const { jobs } = server.services;
    const replace = () => {
      const areas = Object.fromEntries(Object.entries(AREAS).map(([code, ring]) => [`new-${code}`, ring]));
      return ask('create_area_set', { name: 'zones', content: fileOf(areas), valid_from: '2020-01-01', replace: true });
    };
    if (when === 'before the file is saved') beforeDelivery(replace);
    else {
      const storePart = jobs.storePart.bind(jobs);
      vi.spyOn(jobs, 'storePart').mockImplementation(async (claimed, part, so) => {
        if (part.part === 0) return storePart(claimed, part, so);
        vi.restoreAllMocks();
        await replace();
        throw new DataMoved();
      });
    }
    await server.jobRunner.runDue();
    await server.services.db.query('update job set run_at = now() where id = $1', [id]);
    const job = await ended(id);
    expect([job.state, job.total, job.error]).toEqual(['done', 3, null]);
    const { text } = await server.content(job.url, staff.member);
    expect([text.match(/set:zones\/new-/g)?.length, text.match(/set:zones\/(one|two|three)/g)]).toEqual([3, null]);
  },
);

it('the file of a job is refused to whoever may no longer read its sets, and to those with a link of theirs', async () => {
  const { other, admin } = staff;
  const job = await ended((await createJob({ visibility: 'org' }, other)).id, other);
  const shares = await ask('share_file', { id: job.file_id, link_days: 1 }, other);
  const { url: link } = shares.items.find((one: Any) => one.link).link;
  const seen = async (by: OrgMember) => {
    const { body } = await server.call('http', 'list_files', { limit: 100 }, by);
    const found = await server.call('http', 'list_files', { q: 'collection', sort: 'name', limit: 100 }, by);
    const inList = ({ items, total }: Any) => [items.some(({ id }: Any) => id === job.file_id), items.length === total];
    const statuses = [
      (await server.call('http', 'get_file', { id: job.file_id }, by)).status,
      (await server.content(job.url, by)).status,
      (await server.call('http', 'create_area_set', { name: 'taken', file_id: job.file_id, replace: true }, by)).status,
    ];
    return [...statuses, ...inList(body), inList(found.body)[1]];
  };
  const linked = async () => (await server.content(link)).status;
  const [may, mayNot] = [
    [200, 200, 201, true, true, true],
    [404, 404, 404, false, true, true],
  ];
  expect([await seen(other), await linked()]).toEqual([may, 200]);

  await ask('update_area_set', { name: 'zones', visibility: 'restricted' });
  expect([await seen(other), await linked()]).toEqual([mayNot, 404]);
  expect((await seen(admin)).slice(0, 2)).toEqual([200, 200]);
  await ask('share_area_set', { name: 'zones', user: other.email });
  expect([await seen(other), await linked()]).toEqual([may, 200]);
  await ask('delete_area_set', { name: 'zones' });
  expect([await seen(other), await linked()]).toEqual([mayNot, 404]);
  expect((await seen(admin)).slice(0, 2)).toEqual([404, 404]);
});

it('what save_file saved its maker and admins keep, and others read as long as they may read the sets', async () => {
  const { other, admin, viewer } = staff;
  const input = { collection: { set: 'zones' }, format: 'csv', visibility: 'org' };
  const { id, url } = await ask('save_file', input, other);
  const { items } = await ask('share_file', { id, link_days: 1 }, other);
  const readers = async () => [
    ...(await Promise.all([other, admin, viewer].map(async (by) => (await server.content(url, by)).status))),
    (await server.content(items[0].link.url)).status,
    (await ask('list_files', {}, viewer)).items.some((file: Any) => file.id === id),
  ];
  expect(await readers()).toEqual([200, 200, 200, 200, true]);
  await ask('update_area_set', { name: 'zones', visibility: 'restricted' });
  expect(await readers()).toEqual([200, 200, 404, 404, false]);
  await ask('share_area_set', { name: 'zones', user: viewer.email });
  expect(await readers()).toEqual([200, 200, 200, 404, true]);
  await ask('delete_area_set', { name: 'zones' });
  expect(await readers()).toEqual([200, 200, 404, 404, false]);
});

it('a job says why its file is hidden, and its maker and admins may delete it', async () => {
  const { other, admin } = staff;
  const made = async (by = other) => {
    const { id, file_id, url, file_hidden } = await ended((await createJob({ visibility: 'org' }, by)).id, by);
    expect([url, file_hidden]).toEqual([expect.stringContaining(file_id), null]);
    return { id, file: file_id as string };
  };
  const shown = async ({ id }: { id: string }, by: OrgMember) => {
    const listed = (await ask('list_jobs', {}, by)).items.find((job: Any) => job.id === id);
    const { file_id, url, file_hidden } = await ask('get_job', { id }, by);
    expect({ file_id, url, file_hidden }).toMatchObject({ url: listed.url, file_hidden: listed.file_hidden });
    return { file_id, url, file_hidden };
  };
  const remove = async (id: string, by: OrgMember) => (await server.call('http', 'delete_file', { id }, by)).status;
  const [first, second, members] = [await made(), await made(), await made(staff.member)];
  await ask('share_file', { id: members.file, user: other.email, access: 'admin' });
  await ask('update_area_set', { name: 'zones', visibility: 'restricted' });
  const hidden = (file_id: string) => ({ file_id, url: null, file_hidden: expect.stringMatching(/you may not read/) });
  expect(await shown(first, other)).toEqual(hidden(first.file));
  expect(await shown(first, admin)).toMatchObject({ url: expect.stringContaining(first.file), file_hidden: null });
  expect(await remove(members.file, other)).toBe(404);
  expect(await remove(first.file, other)).toBe(200);
  expect(await shown(first, other)).toEqual({ file_id: null, url: null, file_hidden: null });
  await ask('delete_area_set', { name: 'zones' });
  expect(await shown(second, admin)).toEqual(hidden(second.file));
  expect([await remove(second.file, staff.member), await remove(second.file, admin)]).toEqual([404, 200]);
});

it('a file that a call left in the library is refused to whoever may no longer read its sets', async () => {
  const input = { rows: [{ id: 'set:zones/one', value: 1 }], title: 'A', format: 'svg' };
  const { url } = (await server.call('rpc', 'draw_map', input, staff.other)).body as Any;
  expect((await server.content(url, staff.other)).status).toBe(200);
  await ask('update_area_set', { name: 'zones', visibility: 'restricted' });
  expect((await server.content(url, staff.other)).status).toBe(404);
});

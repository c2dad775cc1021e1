/** Jobs that store a version of an area set. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { runCreateSet, type SetFlags } from '../../src/cli/commands/sets.ts';
import { serverTarget } from '../../src/transports/call.ts';
import {
  type LibraryTestServer,
  type OrgMember,
  type OrgMembers,
  openLibraryTestServer,
} from '../library/library_test_server.ts';
import { cell, fileOf } from './made_set.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;

const folder = mkdtempSync(join(tmpdir(), 'boundary-set-jobs-'));
let server: LibraryTestServer;
let staff: OrgMembers;
beforeAll(async () => {
  server = await openLibraryTestServer();
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  vi.restoreAllMocks();
  staff = await server.staff();
});

const content = fileOf({ one: cell(0.2, 0.2), two: cell(1.2, 0.2), three: cell(2.2, 0.2) });
const ask = (op: string, input: Record<string, unknown>, by: OrgMember = staff.member): Promise<Any> =>
  server.call('http', op, input, by);
async function ok(op: string, input: Record<string, unknown>, by?: OrgMember): Promise<Any> {
  const { status, body } = await ask(op, input, by);
  if (status >= 300) throw new Error(`${op}: ${status} ${JSON.stringify(body)}`);
  return body;
}
const createJob = (input: object, more: object = {}) => ok('create_job', { op: 'create_area_set', input, ...more });
async function ended(id: string): Promise<Any> {
  await server.jobRunner.runDue();
  return ok('get_job', { id });
}

it('stores the same version as a call, charges it and leaves no file', async () => {
  const { file_id, bytes } = await ok('create_area_set', { name: 'zones', content, keep_file: true });
  expect(bytes).toBe(Buffer.byteLength(content));
  expect((await ask('get_area_set', { name: 'zones' })).status).toBe(404);
  const file = await ok('get_file', { id: file_id });
  expect([file.visibility, file.format, file.made_by]).toEqual(['restricted', 'geojson', 'create_area_set']);
  expect((await ask('get_file', { id: file_id }, staff.other)).status).toBe(404);
  const input = { name: 'zones', title: 'Zones', file_id, valid_from: '2020-01-01' };
  const job = await createJob(input);
  expect([job.state, job.name, job.units]).toEqual(['queued', 'zones', 1]);
  expect(await ended(job.id)).toMatchObject({
    ...{ state: 'done', total: 3, done: 3, charged: 1, file_id: null, url: null, error: null },
  });
  const direct = await ok('create_area_set', { ...input, name: 'others', file_id: undefined, content });
  const made = await ok('get_area_set', { name: 'zones' });
  const [version] = made.versions;
  expect({ ...version, recorded_at: '' }).toEqual({
    ...{ ...direct.versions[0], recorded_at: '', made_from: 'saved_file', attribution: 'Zones' },
  });
  expect(made.report).toEqual(direct.report);
  const areas = (await ok('list_set_areas', { name: 'zones' })).items.map(({ id }: Any) => id);
  expect(areas).toEqual(['set:zones/one', 'set:zones/three', 'set:zones/two']);
  const audit = (await ok('list_audit_log', { limit: 100 }, staff.admin)).items;
  const created = audit.filter(({ action }: Any) => action === 'set.create');
  expect(created.map(({ target }: Any) => target.name).sort()).toEqual(['others', 'zones']);
  // The job acts for its creator, not for those who run the service.
  const { actor, details } = created.find(({ target }: Any) => target.name === 'zones');
  expect([actor, details.person?.id]).toEqual([{ type: 'system', id: null, name: 'job' }, staff.member.id]);
});

it('takes groups of boundaries, with a version for each date', async () => {
  const groups = { west: ['r111'], east: ['r112'] };
  const job = await ended((await createJob({ name: 'halves', groups, valid_from: '2020-01-01' })).id);
  expect([job.state, job.charged, job.total], JSON.stringify(job.error)).toEqual(['done', 2, 2]);
  const { items } = await ok('list_set_areas', { name: 'halves', members: true });
  expect(items.map(({ members }: Any) => members)).toEqual([['r112'], ['r111']]);
});

it('fails with what the call would fail with, and stores nothing', async () => {
  await ok('create_area_set', { name: 'zones', content, valid_from: '2020-01-01' });
  const taken = await ask('create_job', {
    op: 'create_area_set',
    input: { name: 'zones', content, valid_from: '2020-01-01' },
  });
  expect([taken.status, taken.body.issues?.[0]?.code]).toEqual([400, 'taken']);
  const unread = await ended((await createJob({ name: 'more', content: 'no file of areas' })).id);
  expect([unread.state, unread.error.code, unread.charged]).toEqual(['failed', 'invalid_input', 0]);
  const { id } = await createJob({ name: 'more', content });
  await ok('create_area_set', { name: 'more', content });
  const late = await ended(id);
  expect([late.state, late.error?.code]).toEqual(['failed', 'invalid_input']);
  expect((await ok('get_area_set', { name: 'more' })).versions).toHaveLength(1);
  const viewer = await ask('create_job', { op: 'create_area_set', input: { name: 'x', content } }, staff.viewer);
  expect(viewer.status).toBe(401);
  expect((await ask('create_area_set', { name: 'x', groups: { a: ['r111'] }, keep_file: true })).status).toBe(400);
});

it('stores the version of the day on which the job was created, whenever it runs', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const { id } = await createJob({ name: 'zones', content, valid_from: null });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
  try {
    await server.jobRunner.runDue();
  } finally {
    vi.useRealTimers();
  }
  const job = await ok('get_job', { id, input: true });
  expect([job.state, job.error, job.input.valid_from]).toEqual(['done', null, today]);
  expect((await ok('get_area_set', { name: 'zones' })).versions[0].valid_from).toBe(today);
});

it('refuses keep_file, which a job has no use for', async () => {
  const create = (keep_file: unknown, more = {}) =>
    ask('create_job', { op: 'create_area_set', input: { name: 'zones', content, keep_file }, ...more });
  for (const keep_file of [true, 'true']) {
    const { status, body } = await create(keep_file);
    expect([status, body.issues?.[0]?.path]).toEqual([400, 'input.keep_file']);
  }
  expect((await create(false, { dry_run: true })).status).toBe(200);
});

it('adds no version to a set that another made or deleted after the job was created', async () => {
  const made = (valid_from: string, by?: OrgMember) =>
    ok('create_area_set', { name: 'zones', content, valid_from }, by ?? staff.other);
  const first = await createJob({ name: 'zones', content, valid_from: '2021-01-01' });
  await made('2020-01-01');
  const into = await createJob({ name: 'zones', content, valid_from: '2022-01-01' });
  expect(await ended(first.id)).toMatchObject({ state: 'failed', charged: 0, error: { code: 'invalid_input' } });
  expect((await ok('get_job', { id: first.id })).error.detail).toContain('was made by another call');
  // The set is the same, with a version more.
  expect((await ended(into.id)).state).toBe('done');
  const late = await createJob({ name: 'zones', content, valid_from: '2023-01-01' });
  await ok('delete_area_set', { name: 'zones' }, staff.admin);
  expect((await ended(late.id)).error?.detail).toContain('was deleted');
  const again = await createJob({ name: 'zones', content, valid_from: '2023-01-01' });
  await made('2020-01-01');
  expect((await ended(again.id)).state).toBe('failed');
  expect((await ok('get_area_set', { name: 'zones' })).versions).toHaveLength(1);
});

it('a job that is canceled while it stores leaves no set', async () => {
  const { id } = await createJob({ name: 'zones', content });
  const { areaSets } = server.services;
  const putVersion = areaSets.putVersion.bind(areaSets);
  const put = vi.spyOn(areaSets, 'putVersion').mockImplementation(async (...given) => {
    // On an embedded database the call waits until the transaction is over.
    const canceled = ok('cancel_job', { id });
    if (server.services.db.kind !== 'embedded') await canceled;
    else canceled.catch(() => undefined);
    return putVersion(...given);
  });
  const job = await ended(id);
  expect(put).toHaveBeenCalledTimes(1);
  const { status } = await ask('get_area_set', { name: 'zones' });
  expect([job.state, status]).toEqual(server.services.db.kind === 'embedded' ? ['done', 200] : ['canceled', 404]);
});

/** `boundary sets create` with jobs that run meanwhile; returns what it printed. */
async function createSet(path: string, flags: SetFlags = {}): Promise<{ out: string; err: string }> {
  const said = { out: '', err: '' };
  const terminal = {
    stdout(text: string | Uint8Array) {
      said.out += text;
    },
    stderr(text: string) {
      said.err += text;
    },
  };
  const target = serverTarget({ baseUrl: server.address, apiKey: staff.member.key });
  const stopped = new AbortController();
  const running = (async () => {
    for (; !stopped.signal.aborted; await sleep(200)) await server.jobRunner.runDue();
  })();
  try {
    await runCreateSet(target, path, flags, terminal);
  } finally {
    stopped.abort();
    await running;
  }
  return said;
}

it('boundary sets create stores a large file by a job', async () => {
  const path = join(folder, 'large.geojson');
  writeFileSync(path, content.padEnd(2 ** 20 + 1));
  const { out, err } = await createSet(path, { from: '2019-01-01', snap: 'official', snapM: '30' });
  const made = JSON.parse(out);
  expect([made.name, made.versions[0].areas, made.report.options.snap_m]).toEqual(['large', 3, 30]);
  expect(err).toMatch(/job_\w+.*Stored in/s);
});

/** A table of the areas, whose format no byte of its beginning says, of more than 1 MiB also when it is gzipped. */
const noise = randomBytes(2 ** 20).toString('base64');
const wkt = (ring: number[][]) => `"POLYGON((${ring.map((at) => at.join(' ')).join(', ')}))"`;
const table = `id,name,wkt,note\none,One,${wkt(cell(0.2, 0.2))},\ntwo,Two,${wkt(cell(1.2, 0.2))},${noise}\n`;
const poly = (ring: number[][]) =>
  `zone\n1\n${ring.map((at) => `  ${at.join(' ')}  `).join('\n')}\nEND\nEND\n${'\n'.repeat(2 ** 20)}`;
const LARGE: readonly [file: string, type: string, bytes: Buffer<ArrayBuffer>, areas: number][] = [
  ['table.csv', 'text/csv', Buffer.from(table), 2],
  ['packed.csv.gz', 'text/csv', gzipSync(table), 2],
  ['zone.poly', 'text/plain', Buffer.from(poly(cell(0.2, 0.2))), 1],
  ['packed.geojson.gz', 'application/octet-stream', gzipSync(fileOf({ a: cell(0.2, 0.2) }, { noise })), 1],
];

/** Sends a file with keep_file. */
async function keep(query: string, type: string, body: Buffer<ArrayBuffer>): Promise<Any> {
  const headers = { 'Content-Type': type, Authorization: `Bearer ${staff.member.key}` };
  const response = await fetch(`${server.address}/v1/sets?keep_file=true&${query}`, { method: 'POST', headers, body });
  return { status: response.status, body: await response.json() };
}

it.each(LARGE)('a large %s is stored by a job', async (file, type, bytes, areas) => {
  expect(bytes.length).toBeGreaterThan(2 ** 20);
  const path = join(folder, file);
  writeFileSync(path, bytes);
  const isPoly = file.endsWith('.poly');
  const { out } = await createSet(path, { name: 'sent', ...(isPoly && { idColumn: 'name' }) });
  expect(JSON.parse(out).versions[0].areas).toBe(areas);
  const kept = await keep(`name=kept${isPoly ? '&format=poly' : ''}`, type, bytes);
  expect([kept.status, kept.body]).toEqual([201, expect.anything()]);
  const { file_id } = kept.body;
  const { state, error } = await ended(
    (await createJob({ name: 'kept', file_id, ...(isPoly && { id_column: 'name' }) })).id,
  );
  expect([state, error]).toEqual(['done', null]);
  expect((await ok('get_area_set', { name: 'kept' })).versions[0].areas).toBe(areas);
});

it('a gzip is kept unpacked, and a damaged one is refused', async () => {
  const packed = gzipSync(table);
  const { body } = await keep('name=kept', 'text/csv', packed);
  const { url, format } = await ok('get_file', { id: body.file_id });
  const { text } = await server.content(url, staff.member);
  expect([format, text === table]).toEqual(['csv', true]);
  for (const damaged of [
    packed.subarray(0, packed.length / 2),
    Buffer.concat([packed.subarray(0, 200), randomBytes(5_000)]),
  ]) {
    const refused = await keep('name=kept', 'text/csv', damaged);
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining('gzip is damaged')]);
  }
  const long = await keep('name=kept', 'text/csv', gzipSync(Buffer.alloc(2 ** 29 + 1)));
  expect([long.status, long.body.code]).toEqual([413, 'too_large']);
});

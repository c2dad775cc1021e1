import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { loadQuery } from '../../src/db/query.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { BASE_URL, type BoundaryTestServer, openBoundaryTestServer, type Reply } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';

interface JobBody {
  readonly id: string;
  readonly state: string;
  readonly units: number;
  readonly charged: number;
  readonly total: number;
  readonly done: number;
  readonly failed: { readonly count: number; readonly items: readonly { readonly id: string }[] };
  readonly error: { readonly code: string } | null;
  readonly file_id: string | null;
  readonly url: string | null;
  readonly webhook_secret?: string;
  readonly webhook_delivery: object | null;
}

let testServer: BoundaryTestServer;
let key: string;
let org: string;
beforeAll(async () => {
  testServer = await openBoundaryTestServer({}, { JOB_PART: '3', WEBHOOK_ALLOW: '127.0.0.1', JOB_LEASE_MS: '1000' });
  await storeBoundaries({ db: testServer.services.db, engine: testServer.engine }, fixtureWorld());
});
afterAll(() => testServer?.close());
beforeEach(async () => {
  ({ key, org } = await testServer.key('pro'));
});

const problem = ({ status, json }: Reply) => [status, json.code];
const body = ({ json }: Reply) => json as unknown as JobBody;
const create = (json: object, by = key) => testServer.ask('POST', '/v1/jobs', { json, key: by });
const get = async (id: string) => body(await testServer.get(`/v1/jobs/${id}`, key));
const reserved = async () => (await testServer.services.billing.usage(org))?.reserved;
const content = async ({ url }: JobBody) => (await testServer.get(String(url).slice(BASE_URL.length), key)).bytes;
async function done(json: object): Promise<JobBody> {
  const made = await create(json);
  expect([made.status, made.text]).toEqual([201, expect.anything()]);
  expect(body(made).state).toBe('queued');
  await testServer.jobRunner.runDue();
  const job = await get(body(made).id);
  expect([job.state, job.error]).toEqual(['done', null]);
  return job;
}

/** Bytes as a text, without the moment that a GeoPackage was written at. */
const undated = (bytes: Buffer) => bytes.toString('latin1').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'now');

const ALL = { children_of: 'r100', admin_level: 8 };
const SIDES = { a: { children_of: 'r100', admin_level: 8 }, b: ['r101', 'r102', 'r103'] };

describe('the file of a job', () => {
  it.each([
    'geojson',
    'geojsonseq',
    'ndjson',
    'topojson',
    'flatgeobuf',
    'geopackage',
    'geoparquet',
    'shapefile',
    'csv',
    'kml',
    'gml',
    'svg',
    'poly',
    'zip',
    'pmtiles',
  ])('is that of one call, in %s', async (format) => {
    const input = { ...ALL, format };
    const job = await done({ op: 'export_collection', input });
    expect(job).toMatchObject({ total: 9, done: 9, units: 9, charged: 9 });
    const whole = await testServer.ask('POST', '/v1/collections', { json: input, key });
    expect(undated(await content(job))).toBe(undated(whole.bytes));
  });

  it('is a table without geometry', async () => {
    const input = { ...ALL, format: 'csv', geometry: 'none', names: 'en' };
    const whole = await testServer.ask('POST', '/v1/collections', { json: input, key });
    expect((await content(await done({ op: 'export_collection', input }))).equals(whole.bytes)).toBe(true);
  });

  it('is that of one crosswalk, in each format', async () => {
    for (const format of ['csv', 'json', 'parquet']) {
      const input = { ...SIDES, format };
      const job = await done({ op: 'crosswalk', input });
      const whole = await testServer.ask('POST', '/v1/crosswalk', { json: input, key });
      expect(job).toMatchObject({ units: 2, charged: 2, total: 9 });
      const bytes = await content(job);
      const file = bytes.toString();
      if (format === 'parquet') expect(bytes.equals(whole.bytes)).toBe(true);
      else if (format === 'csv') expect(file).toBe(whole.text);
      else expect(JSON.parse(file)).toEqual(whole.json);
    }
  });

  it('is that of one dissolve, made group by group', async () => {
    const groups: Record<string, string[]> = {};
    const ids = ['r111', 'r112', 'r113', 'r121', 'r122', 'r123', 'r131', 'r132', 'r133'];
    for (const [i, id] of ids.entries()) groups[`group ${i % 4}`] = [...(groups[`group ${i % 4}`] ?? []), id];
    for (const format of ['ndjson', 'geopackage', 'topojson']) {
      const input = { groups, format, detail: 'high' };
      const job = await done({ op: 'dissolve', input });
      const whole = await testServer.ask('POST', '/v1/dissolve', { json: input, key });
      const made = await testServer.get(whole.json.url.slice(BASE_URL.length), key);
      expect(undated(await content(job)), format).toBe(undated(made.bytes));
    }
  });

  it('of a dissolve does not take within, whose list no file has', async () => {
    const input = { groups: { west: ['r111'] }, within: 'r1', format: 'geojson' };
    const refused = await testServer.ask('POST', '/v1/jobs', { json: { op: 'dissolve', input }, key });
    expect(problem(refused)).toEqual([400, 'invalid_input']);
    expect(refused.json).toMatchObject({ issues: [{ path: 'input.within' }] });
  });

  it('is in the library, with its rules', async () => {
    const job = await done({ op: 'export_collection', input: ALL, name: 'Mine', visibility: 'restricted' });
    const file = (await testServer.get(`/v1/files/${job.file_id}`, key)).json as unknown as Record<string, unknown>;
    expect(file).toMatchObject({
      name: 'Mine',
      made_by: 'export_collection',
      boundary_id: null,
      visibility: 'restricted',
    });
    const days = (Date.parse(String(file.expires_at)) - Date.parse(String(file.created_at))) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    const other = await testServer.key();
    expect(problem(await testServer.get(`/v1/files/${job.file_id}`, other.key))).toEqual([404, 'not_found']);
    await testServer.services.db.query("update file set expires_at = now() - interval '1 second' where id = $1", [
      job.file_id,
    ]);
    expect(await testServer.services.files.sweep()).toBe(1);
    expect(await get(job.id)).toMatchObject({ state: 'done', file_id: null, url: null });
  });

  it('leaves out what has no polygon, and says so', async () => {
    const job = await done({ op: 'export_collection', input: { ids: ['r111', 'r300'] } });
    expect(job).toMatchObject({ total: 1, charged: 1, failed: { count: 1, items: [{ id: 'r300' }] } });
  });
});

describe('money', () => {
  it('is reserved, then charged once; a dry run costs and makes nothing', async () => {
    const dry = await create({ op: 'export_collection', input: ALL, dry_run: true });
    expect(dry.status).toBe(200);
    expect(dry.json).toMatchObject({ dry_run: true, count: 9, units: 9, left_out: 0 });
    expect((dry.json as unknown as { bytes: number }).bytes).toBeGreaterThan(1000);
    expect([await testServer.used(key), await reserved()]).toEqual([0, 0]);
    await create({ op: 'export_collection', input: ALL });
    expect([await testServer.used(key), await reserved()]).toEqual([0, 9]);
    await testServer.jobRunner.runDue();
    expect([await testServer.used(key), await reserved()]).toEqual([9, 0]);
    expect(await testServer.jobRunner.runDue()).toBe(0);
    const usage = await testServer.get('/v1/usage', key);
    expect(usage.json.by_op).toEqual([{ op: 'export_collection', calls: 1, units: 9 }]);
  });

  it('is reserved again when a canceled job is created again of the input that it was given', async () => {
    const asked = {
      op: 'export_collection',
      input: { ...ALL, format: 'csv' },
      name: 'Again',
      visibility: 'restricted',
    };
    const { id } = body(await create(asked));
    await testServer.ask('POST', `/v1/jobs/${id}/cancel`, { key });
    expect(await get(id)).not.toHaveProperty('input');
    const { op, input, name, visibility } = (await testServer.get(`/v1/jobs/${id}?input=true`, key))
      .json as unknown as typeof asked;
    expect({ op, input, name, visibility }).toEqual(asked);
    const again = body(await create({ op, input, name, visibility }));
    expect(again).toMatchObject({ state: 'queued', total: 9, units: 9 });
    expect(await reserved()).toBe(9);
    const other = await testServer.key('pro');
    expect(problem(await testServer.get(`/v1/jobs/${id}?input=true`, other.key))).toEqual([404, 'not_found']);
    await testServer.ask('POST', `/v1/jobs/${again.id}/cancel`, { key });
  });

  it('is given back when the job is canceled', async () => {
    const { id } = body(await create({ op: 'export_collection', input: ALL }));
    const canceled = await testServer.ask('POST', `/v1/jobs/${id}/cancel`, { key });
    expect(body(canceled)).toMatchObject({ state: 'canceled', charged: 0, file_id: null });
    expect([await testServer.used(key), await reserved()]).toEqual([0, 0]);
    expect(await testServer.jobRunner.runDue()).toBe(0);
    expect((await testServer.ask('POST', `/v1/jobs/${id}/cancel`, { key })).status).toBe(200);
  });

  it('is not there: nothing is created', async () => {
    await testServer.spend(org, 8);
    expect(problem(await create({ op: 'export_collection', input: ALL }))).toEqual([402, 'quota_exceeded']);
    expect((await testServer.get('/v1/jobs', key)).json).toMatchObject({ items: [], total: 0 });
    expect((await create({ op: 'export_collection', input: { ...ALL, detail: 'low' } })).status).toBe(201);
    await testServer.jobRunner.runDue();
  });

  it('is given back when the creator has left the organization', async () => {
    const { id } = body(await create({ op: 'export_collection', input: ALL }));
    await testServer.services.db.query('delete from membership where org = $1', [org]);
    await testServer.jobRunner.runDue();
    const [row] = await testServer.services.db.query<{ state: string; error: { code: string } }>(
      'select state, error from job where id = $1' as string,
      [id],
    );
    expect(row).toMatchObject({ state: 'failed', error: { code: 'unauthorized' } });
    expect(await reserved()).toBe(0);
  });
});

describe('a claim', () => {
  it('of no seconds is over in the moment it is made', async () => {
    const { id } = body(await create({ op: 'export_collection', input: ALL }));
    // In one transaction it is one moment.
    const claimed = await testServer.services.db.transaction(async (tx) => [
      await tx.query(loadQuery('job_claim'), [0]),
      await tx.query(loadQuery('job_claim'), [0]),
    ]);
    expect(claimed.map(([job]) => job?.id)).toEqual([id, id]);
    await testServer.jobRunner.runDue();
    expect(await get(id)).toMatchObject({ state: 'done' });
  });

  it('is not put off by a clock that was set back after it was queued', async () => {
    const { jobs, db } = testServer.services;
    const { id } = body(await create({ op: 'export_collection', input: ALL }));
    const due = (when: string) => db.query('update job set run_at = now() + $2::interval where id = $1', [id, when]);
    await due('1 hour');
    expect(await jobs.claim(60)).toBeNull();
    await due('40 days');
    await testServer.jobRunner.runDue();
    expect(await get(id)).toMatchObject({ state: 'done', charged: 9 });
  });

  it('that is over changes nothing: not a part, not the end, not the price', async () => {
    const { jobs, db } = testServer.services;
    const { id } = body(await create({ op: 'export_collection', input: ALL }));
    const first = await jobs.claim(0);
    const second = await jobs.claim(60);
    expect([first?.id, second?.id]).toEqual([id, id]);
    if (!first || !second) throw new Error('not claimed');
    const part = { part: 0, blob: 'a'.repeat(64), about: null };
    await expect(jobs.begin(first, { revision: 1, sets: null }, 9)).rejects.toThrow(
      'another process has claimed the job',
    );
    await expect(jobs.storePart(first, part, { done: 1, failed: [] })).rejects.toThrow(
      'another process has claimed the job',
    );
    await expect(db.transaction((tx) => jobs.finish(tx, first, { file: 'file_none', units: 9 }))).rejects.toThrow();
    expect([await jobs.renew(first, 60), await jobs.fail(first, { code: 'x', detail: 'x' })]).toEqual([false, false]);
    await jobs.release(first, 0);
    expect((await get(id)).state).toBe('running');
    expect(await jobs.claim(60)).toBeNull();
    expect(await reserved()).toBe(9);
    await jobs.release(second, 0);
    await testServer.jobRunner.runDue();
    expect(await get(id)).toMatchObject({ state: 'done', charged: 9 });
  });

  it('that ended in the middle is taken up: what was made is not made again', async () => {
    const { jobs, boundaries } = testServer.services;
    const { id } = body(await create({ op: 'export_collection', input: { ...ALL, format: 'csv', geometry: 'none' } }));
    const dead = await jobs.claim(0);
    if (!dead) throw new Error('not claimed');
    const { revision } = await boundaries.withSnapshot(async (one) => one);
    await jobs.begin(dead, { revision, sets: null }, 9);
    // A part as no process would make it: it is in the file, so it was not made again.
    const { openStorage } = await import('../../src/adapters/open_storage.ts');
    const blob = 'b'.repeat(64);
    await (await openStorage(null, testServer.dataDir, 'jobs')).put(`${blob}.part`, Buffer.from('kept\n'));
    const again = await jobs.claim(0);
    if (!again) throw new Error('not claimed again');
    await jobs.storePart(again, { part: 0, blob, about: { about: null, failed: [] } }, { done: 3, failed: [] });
    expect(await get(id)).toMatchObject({ state: 'running', done: 3 });
    await testServer.jobRunner.runDue();
    const text = (await content(await get(id))).toString();
    expect(text).toMatch(/^id,.*\s+kept\s+r1/);
    expect(text.match(/^r1\d\d,/gm)).toHaveLength(6);
  });

  it('begins again where the data has changed', async () => {
    const { jobs } = testServer.services;
    const { id } = body(await create({ op: 'export_collection', input: ALL }));
    const dead = await jobs.claim(0);
    if (!dead) throw new Error('not claimed');
    await jobs.begin(dead, { revision: 0, sets: null }, 9);
    await jobs.storePart(dead, { part: 0, blob: 'c'.repeat(64), about: null }, { done: 3, failed: [] });
    await testServer.jobRunner.runDue();
    const whole = await testServer.ask('POST', '/v1/collections', { json: ALL, key });
    expect((await content(await get(id))).equals(whole.bytes)).toBe(true);
  });

  it('that ends five times without a part ends the job', async () => {
    const { jobs } = testServer.services;
    const { id } = body(await create({ op: 'export_collection', input: ALL }));
    for (let i = 0; i < 5; i++) expect((await jobs.claim(0))?.id).toBe(id);
    await testServer.jobRunner.runDue();
    for (let i = 0; i < 10 && (await get(id)).state !== 'failed'; i++) await testServer.jobRunner.runDue();
    expect(await get(id)).toMatchObject({ state: 'failed', error: { code: 'internal_error' } });
    expect([await testServer.used(key), await reserved()]).toEqual([0, 0]);
  });
});

describe('who may', () => {
  it('see a job: its creator and admins, to others it is not there', async () => {
    const { id } = body(await create({ op: 'export_collection', input: ALL }));
    const other = await testServer.key('pro');
    expect(problem(await testServer.get(`/v1/jobs/${id}`, other.key))).toEqual([404, 'not_found']);
    expect(problem(await testServer.ask('POST', `/v1/jobs/${id}/cancel`, { key: other.key }))).toEqual([
      404,
      'not_found',
    ]);
    expect((await testServer.get('/v1/jobs', other.key)).json).toMatchObject({ items: [], total: 0 });
    expect((await testServer.get('/v1/jobs', key)).json).toMatchObject({ items: [{ id }], total: 1 });
    expect(problem(await testServer.get(`/v1/jobs/${id}`))).toEqual([401, 'unauthorized']);
    await testServer.ask('POST', `/v1/jobs/${id}/cancel`, { key });
  });

  it('create one: within the bounds, with an input that the operation takes', async () => {
    const wrong = await create({ op: 'export_collection', input: { children_of: 'r100', format: 'shp' } });
    expect(problem(wrong)).toEqual([400, 'invalid_input']);
    expect(defined(wrong.json.issues[0]).path).toBe('input.format');
    expect(problem(await create({ op: 'export_collection', input: {} }))).toEqual([400, 'invalid_input']);
    expect(problem(await create({ op: 'delete_org', input: {} }))).toEqual([400, 'invalid_input']);
    const local = [
      'http://10.0.0.1/',
      'http://0x7f.2/',
      'http://[::1]:80/',
      'http://[fd00::1]/',
      'http://169.254.169.254/',
    ];
    const webhooks = ['ftp://a.example/', 'https://user:pw@a.example/', 'no url', ...local];
    for (const webhook of webhooks) {
      expect(problem(await create({ op: 'export_collection', input: ALL, webhook }))).toEqual([400, 'invalid_input']);
    }
    const many = await Promise.all(
      Array.from({ length: 24 }, () => create({ op: 'export_collection', input: { ...ALL, detail: 'low' } })),
    );
    expect(many.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(many.filter(({ status }) => status === 429)).toHaveLength(4);
    await testServer.jobRunner.runDue();
  });

  it('ask for more than one call takes is advised to create a job', async () => {
    const ids = Array.from({ length: 5_001 }, (_, i) => `r${i + 1}`);
    const refused = await testServer.ask('POST', '/v1/collections', { json: { ids }, key });
    expect(problem(refused)).toEqual([413, 'too_large']);
    expect(refused.json.detail).toContain('create_job');
    // The plan of a job takes them: what is wrong is that they are not there.
    expect(problem(await create({ op: 'export_collection', input: { ids } }))).toEqual([404, 'not_found']);
  });
});

describe('the end of a job', () => {
  it('is announced by mail and by a signed webhook, which is tried again', async () => {
    const calls: { headers: Record<string, unknown>; text: string }[] = [];
    const statuses = [500, 302, 204];
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        calls.push({ headers: request.headers, text: Buffer.concat(parts).toString() });
        response.writeHead(statuses[calls.length - 1] ?? 204, { Location: 'http://127.0.0.1:1/' }).end();
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const { webhooks, services } = testServer;
    try {
      const webhook = `http://127.0.0.1:${port}/hook`;
      const made = await create({ op: 'export_collection', input: ALL, mail: true, webhook });
      const secret = String(body(made).webhook_secret);
      await testServer.jobRunner.runDue();
      const due = () => services.db.query('update webhook set next_at = now() where org = $1', [org]);
      const { id } = body(made);
      const outcome = async () => (await get(id)).webhook_delivery;
      expect(await outcome()).toMatchObject({ state: 'pending', attempts: 0, error: null, delivered_at: null });
      expect(await webhooks.sendDue()).toBe(0);
      expect(await outcome()).toMatchObject({
        state: 'pending',
        attempts: 1,
        error: 'the answer has the status 500',
        next_at: expect.any(String),
      });
      await due();
      expect(await webhooks.sendDue()).toBe(0);
      await due();
      expect(await webhooks.sendDue()).toBe(1);
      expect(await outcome()).toMatchObject({
        state: 'delivered',
        attempts: 3,
        error: null,
        next_at: null,
        delivered_at: expect.any(String),
      });
      expect((await testServer.get('/v1/jobs', key)).json.items).toMatchObject([
        { id, webhook_delivery: { state: 'delivered' } },
      ]);
      expect(await webhooks.sendDue()).toBe(0);
      expect(calls).toHaveLength(3);
      const { headers, text } = defined(calls[0]);
      const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['boundary-signature'])) ?? [];
      expect(v1).toBe(createHmac('sha256', secret).update(`${t}.${text}`).digest('hex'));
      expect(Math.abs(Number(t) - Date.now() / 1000)).toBeLessThan(600);
      const event = JSON.parse(text);
      expect(event).toMatchObject({ type: 'job.done', job: { id: body(made).id, state: 'done', units: 9 } });
      expect(event.job.url).toBe((await get(body(made).id)).url);
      expect(new Set(calls.map((call) => call.headers['boundary-event']))).toEqual(new Set([event.id]));
      const mail = only(
        await services.db.query<{ text: string }>('select text from outbox where text like $1' as string, [
          `%${body(made).id}%`,
        ]),
      );
      expect(mail.text).toContain(event.job.url);
    } finally {
      server.close();
    }
  });

  it('whose receiver never answers holds back no other organization', async () => {
    const held: (() => void)[] = [];
    const asked = { slow: 0, quick: 0 };
    const server = createServer(({ url }, response) => {
      const which = url === '/slow' ? 'slow' : 'quick';
      asked[which]++;
      const answer = () => void response.writeHead(204).end();
      if (which === 'slow') held.push(answer);
      else answer();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const { webhooks, services } = testServer;
    const put = (to: string, path: string, job: string) =>
      webhooks.put(services.db, { org: to, job, url: `http://127.0.0.1:${port}${path}` }, { type: 'job.done' });
    const other = await testServer.key('pro');
    try {
      for (let i = 0; i < 60; i++) await put(org, '/slow', `job_slow${i}`);
      const sending = webhooks.sendDue();
      await expect.poll(() => held.length).toBe(2);
      // What comes while the slow ones are under way, too.
      for (let i = 0; i < 30; i++) await put(other.org, '/quick', `job_quick${i}`);
      await expect.poll(() => asked.quick, { timeout: 9_000 }).toBe(30);
      expect(asked.slow).toBe(2);
      await services.db.query('update webhook set expires_at = now() where org = $1 and lease_until is null', [org]);
      for (const answer of held.splice(0)) answer();
      expect(await sending).toBe(32);
      const outcomes = await webhooks.outcomes(services.db, ['job_slow0', 'job_slow59']);
      expect([...outcomes.values()].map(({ state }) => state).sort()).toEqual(['delivered', 'failed']);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('at a private address is refused when the job is created', async () => {
    const trial = await create({ op: 'export_collection', input: ALL, webhook: 'http://10.1.2.3/', dry_run: true });
    expect(problem(trial)).toEqual([400, 'invalid_input']);
    const { json } = await create({ op: 'export_collection', input: ALL, webhook: 'http://192.168.1.2/hook' });
    expect(json).toMatchObject({
      code: 'invalid_input',
      issues: [
        { path: 'webhook', code: 'not_public', message: '192.168.1.2 is not an address of the public internet' },
      ],
    });
  });
});

describe('metrics', () => {
  it('tell how many wait', async () => {
    const { id } = body(await create({ op: 'export_collection', input: ALL }));
    expect(await testServer.services.jobs.figures()).toMatchObject({ queued: 1, running: 0 });
    await testServer.ask('POST', `/v1/jobs/${id}/cancel`, { key });
    expect(await testServer.services.jobs.figures()).toMatchObject({ queued: 0, running: 0, age_s: 0 });
  });
});

describe('a union or a collection', () => {
  const save = (json: object, by = key) => testServer.ask('POST', '/v1/files', { json, key: by });
  const bytesOf = async (reply: Reply) => (await testServer.get(reply.json.url.slice(BASE_URL.length), key)).bytes;

  it('is saved as its operation makes it, once, at its price', async () => {
    const union = { include: ['r111', 'r112'], exclude: [] };
    const saved = await save({ union, format: 'kml' });
    expect([saved.status, await testServer.used(key)]).toEqual([201, 2]);
    const again = await save({ union: { include: ['r112', 'r111', 'r111'] }, format: 'kml' });
    expect([again.status, again.json.id, await testServer.used(key)]).toEqual([200, saved.json.id, 2]);
    expect(saved.json).toMatchObject({
      made_by: 'union_boundaries',
      boundary_id: null,
      version: null,
      expires_at: null,
    });
    const single = await testServer.ask('POST', '/v1/boundaries/union', { json: { ...union, format: 'kml' }, key });
    expect(
      (await bytesOf(saved)).equals((await testServer.get(single.json.url.slice(BASE_URL.length), key)).bytes),
    ).toBe(true);
  });

  it('of any format of collections', async () => {
    for (const format of ['geojson', 'flatgeobuf', 'csv']) {
      const saved = await save({ collection: ALL, format });
      const whole = await testServer.ask('POST', '/v1/collections', { json: { ...ALL, format }, key });
      expect(saved.status, format).toBe(201);
      expect((await bytesOf(saved)).equals(whole.bytes), format).toBe(true);
    }
    expect(await testServer.used(key)).toBe(54);
    expect((await save({ collection: ALL, format: 'csv' })).status).toBe(200);
    expect((await save({ collection: { ...ALL, tolerance_m: 64 }, format: 'csv' })).status).toBe(201);
  });

  it('is refused unless exactly one is given, in a format that it has', async () => {
    const refused = async (json: object) => {
      const reply = await save(json);
      return [reply.status, reply.json.issues?.[0]?.path];
    };
    expect(await refused({})).toEqual([400, 'boundary_id']);
    expect(await refused({ boundary_id: 'r111', collection: ALL })).toEqual([400, 'collection']);
    expect(await refused({ boundary_id: 'r111', format: 'csv' })).toEqual([400, 'format']);
    expect(await refused({ union: { include: ['r111'] }, format: 'geopackage' })).toEqual([400, 'format']);
    expect(await refused({ collection: ALL, format: 'wkt' })).toEqual([400, 'format']);
    expect(await refused({ collection: {} })).toEqual([400, '']);
    expect(await testServer.used(key)).toBe(0);
  });

  it('that is not a single boundary cannot be refreshed', async () => {
    const { json } = await save({ collection: ALL, format: 'csv' });
    const reply = await testServer.ask('PATCH', `/v1/files/${json.id}`, { json: { refresh: true }, key });
    expect([reply.status, defined(reply.json.issues[0]).path]).toEqual([400, 'refresh']);
    const renamed = await testServer.ask('PATCH', `/v1/files/${json.id}`, { json: { name: 'Mine' }, key });
    expect([renamed.status, (renamed.json as unknown as { name: string }).name]).toEqual([200, 'Mine']);
  });
});

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { createKeys, type NewKey } from '../../src/domain/people/keys.ts';
import { type MailServer, startMailServer } from '../auth/mail_server.ts';
import { type S3Server, startS3 } from '../library/s3_server.ts';
import { builtMain } from '../setup/built.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { leading } from '../setup/elements.ts';
import { type RoundRobin, startRoundRobin } from '../setup/round_robin.ts';
import { type Running, serve, stop } from '../setup/serve.ts';
import { runConcurrentClients } from '../upstream/concurrent_clients.ts';
import { grid, CELLS as MISSING } from '../upstream/fixture_map.ts';
import { type OverpassServer, startOverpassServer } from '../upstream/overpass_server.ts';
import { CELLS, generation, generationsIn } from './generations.ts';

const run = promisify(execFile);
/** The generation that is imported last. */
const LAST = 2;

interface Told {
  readonly status: number;
  readonly by: string | null;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many operations, whose members the tests name.
  readonly json: any;
}

/** A `boundary work` of its own process, and its log. */
interface Worker {
  readonly process: ChildProcess;
  log: string;
}

describe.skipIf(!isNative)('three servers and two workers over one database and one bucket', () => {
  let database: TestDatabase;
  let s3: S3Server;
  let sink: MailServer;
  let proxy: RoundRobin;
  let upstream: OverpassServer;
  let settings: Record<string, string>;
  const servers: Running[] = [];
  const workers: Worker[] = [];
  let key: NewKey;

  beforeAll(async () => {
    database = await testDatabase();
    await database.db.query(
      `insert into plan (id, name, included_units, requests_per_minute, position)
       values ('fifty', 'Fifty', 50, null, 9), ('hurried', 'Hurried', null, 100, 9)`,
    );
    key = await createKeys(database.db).create({ email: 'many@example.org', plan: 'self_hosted' });
    [s3, sink, proxy, upstream] = await Promise.all([
      startS3(),
      startMailServer(),
      startRoundRobin(),
      startOverpassServer(grid()),
    ]);
    settings = {
      STORAGE_URL: s3.url,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      SMTP_URL: sink.url,
      MAIL_FROM: 'noreply@example.org',
      BASE_URL: proxy.address,
      TRUSTED_PROXIES: '127.0.0.1',
      UPSTREAM_URL: upstream.url,
      UPSTREAM_WAIT_MS: '500',
      WORKER_THREADS: '1',
      JOBS_AT_ONCE: '0',
      JOB_LEASE_MS: '1000',
      JOB_PART: '1',
    };
    await importGeneration(0);
    servers.push(...(await Promise.all(['a', 'b', 'c'].map((name) => serve(database, name, settings)))));
    proxy.targets = servers.map(({ address }) => address);
    workers.push(...(await Promise.all(['d', 'e'].map(work))));
  }, 120_000);
  afterAll(async () => {
    for (const { process: child } of workers) child.kill('SIGKILL');
    await Promise.all(servers.map((one) => stop(one, 'SIGTERM')));
    await Promise.all([proxy?.close(), s3?.close(), sink?.close(), upstream?.close()]);
    await database?.close();
  });

  /** Runs the command `boundary import` on a machine of its own. */
  async function importGeneration(n: number): Promise<void> {
    const file = join(database.dataDir, `generation-${n}.osm`);
    writeFileSync(file, generation(n));
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: database.databaseUrl as string,
      DATA_DIR: join(database.dataDir, 'f'),
      WORKER_THREADS: '1',
    };
    await run(process.execPath, [await builtMain(), 'import', file], { env });
  }

  async function work(name: string): Promise<Worker> {
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: database.databaseUrl as string,
      DATA_DIR: join(database.dataDir, name),
      LOG_LEVEL: 'debug',
      ...settings,
      JOBS_AT_ONCE: '1',
    };
    const child = spawn(process.execPath, [await builtMain(), 'work'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const worker: Worker = { process: child, log: '' };
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', (part: Buffer) => {
        worker.log += part;
        if (worker.log.includes('Waiting for jobs')) resolve();
      });
      child.once('exit', (code) => reject(new Error(`boundary work ended (${code}): ${worker.log}`)));
    });
    return worker;
  }

  async function ask(
    method: string,
    path: string,
    {
      secret = key.key,
      json,
      address = proxy.address,
      headers = {},
    }: {
      secret?: string | null;
      json?: unknown;
      address?: string;
      headers?: Record<string, string>;
    } = {},
  ): Promise<Told> {
    const reply = await fetch(address + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(secret === null ? {} : { Authorization: `Bearer ${secret}` }),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await reply.text();
    const isJson = /\/(?:\w+\+)?json/.test(reply.headers.get('content-type') ?? '');
    return { status: reply.status, by: reply.headers.get('x-served-by'), text, json: isJson ? JSON.parse(text) : null };
  }

  const usage = async (org: string) => {
    const row = only(
      await database.db.query<{ used: number; reserved: number }>(
        'select used, reserved from unit_month where pool = $1',
        [org],
      ),
    );
    return [row.used, row.reserved];
  };

  test('each of them is met, and 150 calls at once against 50 units succeed exactly 50 times', async () => {
    const fifty = await createKeys(database.db).create({ email: 'fifty@example.org', plan: 'fifty' });
    const answers = await Promise.all(
      Array.from({ length: 150 }, () => ask('GET', '/v1/boundaries/reverse?lat=30.5&lon=-28.5', { secret: fifty.key })),
    );
    expect(new Set(answers.map(({ by }) => by))).toEqual(new Set(proxy.targets));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(answers.filter(({ json }) => json.code === 'quota_exceeded')).toHaveLength(100);
    expect(await usage(fifty.org.id)).toEqual([50, 0]);
  });

  test('together admit the requests a minute of a plan, and no tenth less', async () => {
    const left = 60_000 - (Date.now() % 60_000);
    if (left < 10_000) await sleep(left + 100);
    const hurried = await createKeys(database.db).create({ email: 'hurried@example.org', plan: 'hurried' });
    const answers = await Promise.all(
      Array.from({ length: 240 }, () => ask('GET', '/v1/account', { secret: hurried.key })),
    );
    const admitted = answers.filter(({ status }) => status === 200).length;
    expect(admitted).toBeLessThanOrEqual(100);
    expect(admitted).toBeGreaterThanOrEqual(90);
  });

  test('a person signs in through all of them, and signed out at one is signed out at the others', async () => {
    const cookies = new Map<string, string>();
    const browse = async (path: string, fields: Record<string, string>) => {
      const reply = await fetch(proxy.address + path, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          Origin: proxy.address,
          Cookie: [...cookies].map((one) => one.join('=')).join('; '),
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams(fields),
      });
      for (const line of reply.headers.getSetCookie()) {
        const [, name, value] = leading(/^([^=]+)=([^;]*)/.exec(line) ?? [], 3);
        if (!/max-age=0(;|$)/i.test(line)) cookies.set(name, value);
      }
      return reply.status;
    };
    expect(await browse('/sign-in', { email: 'person@example.org' })).toBe(200);
    const mailed = () => sink.mails.find(({ to }) => to.includes('person@example.org'))?.raw;
    await expect.poll(mailed, { timeout: 10_000 }).toBeDefined();
    const mail = mailed()?.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? '';
    const [, token] = leading(/token=([\w-]+)/.exec(mail) ?? [], 2);
    expect(await browse('/sign-in/confirm', { token, name: '' })).toBe(303);
    const Cookie = [...cookies].map((one) => one.join('=')).join('; ');
    const statuses = () =>
      Promise.all(
        proxy.targets.map(
          async (address) => (await ask('GET', '/v1/account', { secret: null, address, headers: { Cookie } })).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(sink.mails).toHaveLength(1);
    expect(await browse('/sign-out', {})).toBe(303);
    await expect.poll(statuses, { timeout: 5500, interval: 50 }).toEqual([401, 401, 401]);
  });

  test('a key that one revokes is refused by all within 5 s', async () => {
    const extra = await createKeys(database.db).create({ email: 'many@example.org' });
    const statuses = () =>
      Promise.all(
        proxy.targets.map(async (address) => (await ask('GET', '/v1/account', { secret: extra.key, address })).status),
      );
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await ask('DELETE', `/v1/api-keys/${extra.id}`, { secret: extra.key })).status).toBe(200);
    await expect.poll(statuses, { timeout: 5500, interval: 50 }).toEqual([401, 401, 401]);
  });

  test('a file that one saves the others read from the bucket, and deleted by one it is gone for all', async () => {
    const saved = await ask('POST', '/v1/files', { json: { boundary_id: CELLS[0], format: 'kml', detail: 'full' } });
    expect(saved.status, saved.text).toBe(201);
    const { id, sha256 } = saved.json;
    const contents = () =>
      Promise.all(proxy.targets.map((address) => ask('GET', `/v1/files/${id}/content`, { address })));
    for (const { status, text } of await contents()) {
      expect([status, createHash('sha256').update(text).digest('hex')]).toEqual([200, sha256]);
    }
    expect((await ask('DELETE', `/v1/files/${id}`)).status).toBeLessThan(300);
    expect((await contents()).map(({ status }) => status)).toEqual([404, 404, 404]);
    // The permanent address of an export is everybody's, too.
    const exported = await ask('POST', '/v1/ops/export_boundary', { json: { id: CELLS[1], format: 'wkt' } });
    const path = new URL(exported.json.url).pathname;
    const copies = await Promise.all(proxy.targets.map((address) => ask('GET', path, { address, secret: null })));
    expect(copies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(copies.map(({ text }) => text)).size).toBe(1);
  });

  test('what is missing is fetched from the upstream once, whichever of them is asked', {
    timeout: 300_000,
  }, async () => {
    upstream.forget();
    const ids = MISSING.slice(0, 4);
    const statuses = await runConcurrentClients(proxy.targets, ids, 36, key.key);
    expect(statuses).toEqual(ids.map(() => 200));
    expect(upstream.requestCount()).toBe(ids.length);
  });

  test('what is imported elsewhere all answer within a second, and no answer mixes two states', async () => {
    const paths = [
      `/v1/boundaries/${CELLS[0]}?detail=full`,
      `/v1/boundaries/${CELLS[1]}/export?format=geojson&detail=full`,
      '/v1/boundaries/r9/children',
      '/v1/boundaries/r9?include=children',
      '/v1/boundaries/reverse?lat=30.5&lon=-28.5',
      '/v1/boundaries/search?q=Cell&prefix=true',
      `/v1/boundaries/${CELLS[2]}/neighbors`,
    ];
    const committed: { n: number; at: number }[] = [];
    const seen = new Map<number, Set<string | null>>();
    let importing = true;
    const reader = async (first: number) => {
      for (let i = first; importing; i++) {
        const path = defined(paths[i % paths.length]);
        const started = performance.now();
        const { status, text, json, by } = await ask('GET', path);
        expect(status, text).toBe(200);
        const found = generationsIn(json);
        expect(found, `${path}: ${text}`).toHaveLength(1);
        const due = committed.filter(({ at }) => started - at >= 1000).at(-1)?.n ?? 0;
        expect(found[0], path).toBeGreaterThanOrEqual(due);
        seen.set(defined(found[0]), (seen.get(defined(found[0])) ?? new Set()).add(by));
        await sleep(20);
      }
    };
    const readers = Array.from({ length: 6 }, (_, i) => reader(i));
    const importer = async () => {
      for (let n = 1; n <= LAST; n++) {
        await importGeneration(n);
        committed.push({ n, at: performance.now() });
        await sleep(1200);
      }
    };
    const end = (): void => {
      importing = false;
    };
    await Promise.all([importer().finally(end), ...readers]);
    // Every server has reported the first state and the last.
    expect([seen.get(0)?.size, seen.get(LAST)?.size]).toEqual([3, 3]);
  });

  test('jobs go on where a worker is killed: each done once, charged once, its file read everywhere', async () => {
    const rich = await createKeys(database.db).create({ email: 'jobs@example.org', plan: 'pro' });
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        ask('POST', '/v1/jobs', {
          secret: rich.key,
          json: {
            op: 'export_collection',
            input: { children_of: 'r9', admin_level: 8, format: 'ndjson' },
            name: `job ${i}`,
          },
        }),
      ),
    );
    for (const { status, text } of made) expect(status, text).toBe(201);
    const ids = made.map(({ json }) => json.id as string);
    const first = defined(workers[0]);
    await expect.poll(() => first.log, { timeout: 10_000, interval: 5 }).toContain('job claimed');
    first.process.kill('SIGKILL');
    const jobs = () => Promise.all(ids.map((id) => ask('GET', `/v1/jobs/${id}`, { secret: rich.key })));
    // Twelve calls each time: more often than this would go over the plan's calls a minute where the jobs are slow.
    let done = await jobs();
    const states = async () => {
      done = await jobs();
      return new Set(done.map(({ json, text }) => json.state ?? text));
    };
    await expect.poll(states, { timeout: 90_000, interval: 2000 }).toEqual(new Set(['done']));
    expect(done.map(({ json }) => [json.charged, json.done])).toEqual(ids.map(() => [4, 4]));
    expect(await usage(rich.org.id)).toEqual([48, 0]);
    const { files } = only(
      await database.db.query<{ files: number }>('select count(*)::integer as files from file where org = $1', [
        rich.org.id,
      ]),
    );
    expect(files).toBe(12);
    const contents = await Promise.all(
      done.flatMap(({ json }) =>
        proxy.targets.map((address) => ask('GET', `/v1/files/${json.file_id}/content`, { secret: rich.key, address })),
      ),
    );
    expect(new Set(contents.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(contents.map(({ text }) => text)).size).toBe(1);
    for (const { log } of workers) expect(log).toContain('job claimed');
  });

  test('a server that is killed takes its own calls with it and no more: none that was answered is lost, none paid twice', async () => {
    const payer = await createKeys(database.db).create({ email: 'payer@example.org', plan: 'pro' });
    const doomed = defined(servers[0]).address;
    const counts = { answered: 0, cut: 0 };
    const saved: string[] = [];
    let killed = false;
    const caller = async (c: number) => {
      for (let i = 0; i < 25; i++) {
        if (c === 0 && i === 8) {
          await stop(defined(servers[0]), 'SIGKILL');
          killed = true;
        }
        const asked =
          i % 5 === 0
            ? ask('POST', '/v1/files', {
                secret: payer.key,
                json: {
                  boundary_id: CELLS[c % 4],
                  format: ['kml', 'wkt', 'gml', 'svg', 'geojson'][i / 5],
                  detail: ['low', 'full'][c >> 2],
                },
              })
            : ask('GET', '/v1/boundaries/reverse?lat=30.5&lon=-28.5', { secret: payer.key });
        const reply = await asked.catch(() => null);
        if (reply === null) counts.cut++;
        else {
          expect([200, 201], reply.text).toContain(reply.status);
          counts.answered++;
          if (reply.json.sha256) saved.push(reply.json.id);
          if (killed && i > 12) expect(reply.by).not.toBe(doomed);
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, c) => caller(c)));
    // One connection of each caller at most was to the one that was killed.
    expect(counts.cut).toBeLessThanOrEqual(8);
    expect(counts.answered + counts.cut).toBe(200);
    const [used, reserved] = leading(await usage(payer.org.id), 2);
    expect(used).toBeGreaterThanOrEqual(counts.answered);
    expect(used + reserved).toBeLessThanOrEqual(counts.answered + counts.cut);
    const { units } = only(
      await database.db.query<{ units: number }>(
        'select sum(units)::integer as units from usage_by_op where org = $1',
        [payer.org.id],
      ),
    );
    expect(units).toBe(used);
    for (const id of new Set(saved)) {
      expect((await ask('GET', `/v1/files/${id}/content`, { secret: payer.key })).status).toBe(200);
    }
    // What its calls held is given back when it is over, by whoever sweeps.
    await database.db.query("update unit_reservation set expires_at = now() - interval '1 second' where org = $1", [
      payer.org.id,
    ]);
    await database.db.query('update org set plan = $2 where id = $1', [payer.org.id, 'fifty']);
    const last = await ask('GET', '/v1/boundaries/reverse?lat=30.5&lon=-28.5', { secret: payer.key });
    expect(last.json.code).toBe('quota_exceeded');
    expect(await usage(payer.org.id)).toEqual([used, 0]);
  });
});

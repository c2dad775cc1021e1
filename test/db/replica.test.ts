import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Relay, startRelay } from '../../benchmarks/faults/proxy.ts';
import { type PrivatePostgis, type PrivateReplica, startPostgis } from '../../benchmarks/postgis.ts';
import { defined, only } from '../../src/common/elements.ts';
import { type Database, openDatabase } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { loadQuery } from '../../src/db/query.ts';
import { REPLICA_STATEMENTS, replicatedDatabase } from '../../src/db/replica.ts';
import { dataRevision } from '../../src/domain/boundaries/revision.ts';
import { createKeys } from '../../src/domain/people/keys.ts';
import { CELLS, generation, generationsIn } from '../deploy/generations.ts';
import { builtMain } from '../setup/built.ts';
import { isNative } from '../setup/database.ts';
import { type Running, serve, stop } from '../setup/serve.ts';

/** Statements whose answer is compared with the content that was asked for, and has no revision. */
const BY_CONTENT = ['ring_hashes', 'shape_load'];

it.each(REPLICA_STATEMENTS)('%s only reads, and tells of which revision its rows are', (name) => {
  const sql: string = loadQuery(name);
  expect(sql).not.toMatch(/\b(insert|update|delete|nextval|set_config|pg_notify|for update)\b/i);
  if (!BY_CONTENT.includes(name)) expect(sql).toContain('(select count(*) from data_change)');
});

describe.skipIf(!isNative)('a streaming replica', () => {
  let primary: PrivatePostgis;
  let replica: PrivateReplica;
  let relay: Relay;
  let folder: string;
  let db: Database;
  /** A session with the replica itself, past the relay. */
  let there: Database;
  let server: Running;
  let log = '';
  let key: string;
  /** The generation that was imported last. */
  let present = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'boundary-replica-'));
    const started = await startPostgis();
    if (started === null) throw new Error('PostgreSQL is not installed in /usr/lib/postgresql');
    primary = started;
    db = await openDatabase({ databaseUrl: primary.url, dataDir: folder });
    await migrate(db);
    await importGeneration(0);
    ({ key } = await createKeys(db).create({ email: 'reader@example.org', plan: 'self_hosted' }));
    replica = await primary.replica();
    there = await openDatabase({ databaseUrl: replica.url, dataDir: folder });
    relay = await startRelay(replica.port);
    server = await serve({ databaseUrl: primary.url, dataDir: folder } as never, 'server', {
      DATABASE_REPLICA_URL: `postgres://postgres@127.0.0.1:${relay.port}/postgres`,
      LOG_LEVEL: 'info',
      WORKER_THREADS: '1',
    });
    server.process.stderr?.on('data', (part: Buffer) => {
      log += part;
    });
  }, 120_000);
  afterAll(async () => {
    if (server) await stop(server, 'SIGTERM');
    await Promise.all([db?.close(), there?.close(), relay?.close()]);
    await primary?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function importGeneration(n: number): Promise<void> {
    const file = join(folder, `generation-${n}.osm`);
    writeFileSync(file, generation(n));
    const env = { PATH: process.env.PATH, DATABASE_URL: primary.url, DATA_DIR: join(folder, 'f'), WORKER_THREADS: '1' };
    await promisify(execFile)(process.execPath, [await builtMain(), 'import', file], { env });
    present = n;
  }

  const PATHS = [
    `/v1/boundaries/${CELLS[0]}?detail=full`,
    `/v1/boundaries/${CELLS[1]}/export?format=geojson&detail=full`,
    '/v1/boundaries/r9/children',
    '/v1/boundaries/reverse?lat=30.5&lon=-28.5',
    '/v1/boundaries/search?q=Cell&prefix=true',
    `/v1/boundaries/${CELLS[2]}/neighbors`,
  ];

  /** The one generation that an answer tells of. */
  async function ask(path: string): Promise<number> {
    const reply = await fetch(server.address + path, { headers: { Authorization: `Bearer ${key}` } });
    const text = await reply.text();
    expect(reply.status, text).toBe(200);
    const found = generationsIn(JSON.parse(text));
    expect(found, `${path}: ${text}`).toHaveLength(1);
    return defined(found[0]);
  }
  const askAll = () => Promise.all(PATHS.map(ask));

  /** What the page of metrics says of the replica. */
  async function figures(): Promise<{ replica: number; behind: number; failed: number; used: number }> {
    const page = await (await fetch(`${server.address}/metrics`)).text();
    const figure = (name: string) => {
      const line = page.split('\n').find((one) => one.startsWith(`${name} `));
      if (line === undefined) throw new Error(`no ${name} in ${page}`);
      return Number(line.split(' ').at(-1));
    };
    const answered = (by: string) => figure(`boundary_replica_statements_total{answered="${by}"}`);
    return {
      replica: answered('replica'),
      behind: answered('behind'),
      failed: answered('failed'),
      used: figure('boundary_replica_used'),
    };
  }

  /** Changes something that no answer shows, so that what memory holds is of no use. */
  const touch = () => db.query(`update boundary set tags = tags where id = '${CELLS[3]}'`);
  /** Reads until the replica answers. */
  async function used(): Promise<void> {
    const before = (await figures()).replica;
    const answered = async () => {
      await touch();
      await sleep(100);
      await askAll();
      return (await figures()).replica;
    };
    await expect.poll(answered, { timeout: 30_000, interval: 200 }).toBeGreaterThan(before);
  }
  const nameThere = async () =>
    only(await there.query<{ name: string }>(`select name from boundary where id = '${CELLS[0]}'`)).name;

  it('answers reads of boundary data', async () => {
    await used();
    expect((await figures()).used).toBe(1);
  });

  it('that lags is passed over: answers are of the newest state, and one state each', async () => {
    await used();
    await there.query('select pg_wal_replay_pause()');
    try {
      await importGeneration(1);
      await sleep(1000);
      const before = await figures();
      expect(await askAll()).toEqual(PATHS.map(() => 1));
      expect(await nameThere()).toBe('Cell 0 #0');
      const now = await figures();
      expect(now.behind).toBeGreaterThan(before.behind);
      expect(now.replica).toBe(before.replica);
      // It says so once that has lasted for a second.
      const reported = async () => {
        await touch();
        await askAll();
        return log;
      };
      await expect.poll(reported, { timeout: 10_000, interval: 300 }).toContain('the replica is behind');
      await expect.poll(async () => (await figures()).used, { timeout: 10_000, interval: 300 }).toBe(0);
    } finally {
      await there.query('select pg_wal_replay_resume()');
    }
    await used();
    expect(await nameThere()).toBe('Cell 0 #1');
    expect(await askAll()).toEqual(PATHS.map(() => 1));
  });

  it('that lags now and then shows no one less than what was there a second before, nor two states at once', async () => {
    const committed: { n: number; at: number }[] = [{ n: 1, at: performance.now() - 1000 }];
    let going = true;
    const before = await figures();
    const reader = async (first: number) => {
      let last = 0;
      for (let i = first; going; i++) {
        const began = performance.now();
        const n = await ask(defined(PATHS[i % PATHS.length]));
        expect(n).toBeGreaterThanOrEqual(committed.filter(({ at }) => began - at >= 1000).at(-1)?.n ?? 0);
        // What someone has seen stays seen.
        expect(n).toBeGreaterThanOrEqual(last);
        last = n;
        await sleep(10);
      }
    };
    const lagging = async () => {
      while (going) {
        await there.query('select pg_wal_replay_pause()');
        await sleep(300);
        await there.query('select pg_wal_replay_resume()');
        await touch();
        await sleep(300);
      }
    };
    const importing = async () => {
      for (let n = 2; n <= 3; n++) {
        await importGeneration(n);
        committed.push({ n, at: performance.now() });
        await sleep(1200);
      }
    };
    const stopAll = (): void => {
      going = false;
    };
    await Promise.all([importing().finally(stopAll), lagging(), ...[0, 1, 2, 3].map(reader)]);
    const now = await figures();
    // Both have answered meanwhile.
    expect(now.replica).toBeGreaterThan(before.replica);
    expect(now.behind).toBeGreaterThan(before.behind);
    expect(now.failed).toBe(before.failed);
  });

  it('that is killed fails no call, and is used again when it is back', async () => {
    await used();
    const before = await figures();
    replica.kill();
    // The first reads after a change count as behind: the look at the replica, which fails, is under way beside them.
    for (let tries = 0; (await figures()).failed === before.failed; tries++) {
      expect(tries).toBeLessThan(100);
      await touch();
      expect(await askAll()).toEqual(PATHS.map(() => present));
      await sleep(100);
    }
    expect((await figures()).used).toBe(0);
    expect(log).toContain('the replica failed');
    replica.start();
    await used();
    expect((await figures()).used).toBe(1);
    expect(log.split('the replica failed').at(-1)).toContain('the replica answers reads of boundary data');
  });

  it('that hangs fails no call', async () => {
    await used();
    // Nothing changes any more, and what memory does not hold yet comes from the replica.
    const { replica: answered } = await figures();
    const uncached = ['r9', CELLS[0], CELLS[1]].map((id) => `/v1/boundaries/${id}/neighbors`);
    const ahead = async () => {
      await ask(uncached.shift() ?? defined(PATHS[0]));
      return (await figures()).replica;
    };
    await expect.poll(ahead, { timeout: 10_000, interval: 500 }).toBeGreaterThan(answered);
    const before = await figures();
    relay.delay(60_000);
    // The statement waits for the replica, and goes to the primary then.
    expect(await ask(`/v1/boundaries/${CELLS[3]}/neighbors`)).toBe(present);
    const now = await figures();
    expect([now.used, now.failed > before.failed]).toEqual([0, true]);
    relay.shut();
    relay.delay(0);
    relay.open();
    await used();
  });

  it('that is another server, or none of its primary, is not used', async () => {
    for (const [url, why] of [
      [primary.url, 'is a server that is not a replica'],
      [process.env.TEST_DATABASE_URL as string, 'is not a replica of DATABASE_URL'],
    ]) {
      const said: string[] = [];
      const own = await openDatabase({ databaseUrl: primary.url, dataDir: folder });
      const { db: reads, counts } = replicatedDatabase(own, {
        open: () => openDatabase({ databaseUrl: url, dataDir: folder }),
        log: (_level, _message, fields) => void said.push(JSON.stringify(fields)),
      });
      try {
        await dataRevision(reads);
        const read = async () => {
          expect(await reads.query(loadQuery('ring_hashes'), [[CELLS[0]], 0])).toHaveLength(1);
          return said.join();
        };
        await expect.poll(read, { timeout: 10_000 }).toContain(why);
        expect(counts.replica).toBe(0);
      } finally {
        await reads.close();
      }
    }
  });
});

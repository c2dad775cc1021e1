import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareOf } from '../../src/cli/processes.ts';
import { loadConfig } from '../../src/config.ts';
import { createKeys } from '../../src/domain/keys.ts';
import { putWorld } from '../domain/world.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { type Running, serve, stop } from '../setup/serve.ts';

const COUNT = 3;
const WAIT_MS = 60_000;

it('totals are divided among the processes', () => {
  const config = loadConfig({ WORKER_THREADS: '7', CACHE_BYTES: '3000', ARC_CACHE_BYTES: '300', SEARCH_BYTES: '30' });
  expect(shareOf(config, COUNT)).toEqual({
    WORKER_THREADS: '2',
    CACHE_BYTES: '1000',
    ARC_CACHE_BYTES: '100',
    SEARCH_BYTES: '10',
  });
  expect(shareOf(config, 100).WORKER_THREADS).toBe('1');
});

describe.skipIf(!isNative)('a server of three processes (needs TEST_DATABASE_URL)', { timeout: 180_000 }, () => {
  let test: TestDatabase;
  let server: Running;
  let key: string;
  let keyId: string;
  const headers = () => ({ Authorization: `Bearer ${key}` });

  function children(): number[] {
    const tasks = `/proc/${server.process.pid}/task`;
    return readdirSync(tasks).flatMap((task) =>
      readFileSync(`${tasks}/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
    );
  }

  async function until(what: () => boolean | Promise<boolean>, said: string): Promise<void> {
    for (const end = Date.now() + WAIT_MS; !(await what()); await sleep(50)) {
      if (Date.now() > end) throw new Error(`${said}: not within ${WAIT_MS} ms`);
    }
  }

  /** The processes that answered, by the metrics of all: every one of them counts its own calls. */
  async function metric(name: string): Promise<number> {
    const page = await (await fetch(`${server.address}/metrics`)).text();
    const lines = page.split('\n').filter((line) => line.startsWith(name) && !line.startsWith('#'));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  /** Calls until told to end; every answer by its status, and failures of the connection as `refused` or `cut`. */
  function callAlong(path: string, many: number): { readonly end: () => Promise<Map<string, number>> } {
    const seen = new Map<string, number>();
    let going = true;
    const note = (what: string) => void seen.set(what, (seen.get(what) ?? 0) + 1);
    const loops = Array.from({ length: many }, async () => {
      while (going) {
        // Each on a connection of its own, so that all processes are met.
        const sent = { ...headers(), Connection: 'close' };
        const answer = await fetch(`${server.address}${path}`, { headers: sent }).catch((error: Error) => error);
        if (answer instanceof Error) note(`${(answer.cause as { code?: string })?.code ?? 'cut'}`);
        else {
          await answer.arrayBuffer().catch(() => note('cut'));
          note(String(answer.status));
        }
      }
    });
    return {
      async end() {
        going = false;
        await Promise.all(loops);
        return seen;
      },
    };
  }

  beforeAll(async () => {
    test = await testDatabase();
    await putWorld(test.db, [{ id: 'r1', name: 'Somewhere', kind: 'county', country: 'AA', shape: true }]);
    const made = await createKeys(test.db).create({ email: 'someone@example.org', name: 'all' });
    key = made.key;
    keyId = made.id;
    server = await serve(test, 'several', { PROCESSES: String(COUNT) });
    await until(() => children().length === COUNT, 'three processes');
  }, 120_000);
  afterAll(async () => {
    if (server) await stop(server, 'SIGKILL');
    await test?.close();
  });

  it('shares the port, and shows the figures of all', async () => {
    const before = await metric('boundary_calls_total');
    for (let i = 0; i < 30; i++) {
      const sent = { ...headers(), Connection: 'close' };
      expect((await fetch(`${server.address}/v1/boundaries/r1`, { headers: sent })).status).toBe(200);
    }
    await until(async () => (await metric('boundary_calls_total')) === before + 30, 'thirty calls in the figures');
  });

  it('one that is killed is replaced, and the others answer meanwhile', async () => {
    const before = children();
    const load = callAlong('/v1/boundaries/r1', 4);
    await sleep(300);
    process.kill(before[1], 'SIGKILL');
    await until(() => children().length === COUNT && !children().includes(before[1]), 'a new process');
    await sleep(300);
    const seen = await load.end();
    expect(seen.get('200')).toBeGreaterThan(20);
    // At most what the killed process had in hand, one for each caller; no one is refused.
    const failed = [...seen].filter(([what]) => what !== '200');
    expect(failed.reduce((sum, [, count]) => sum + count, 0)).toBeLessThanOrEqual(4);
    expect(seen.has('ECONNREFUSED')).toBe(false);
  });

  it('is replaced process by process on SIGHUP without one refused or failed call', async () => {
    const before = children();
    const load = callAlong('/v1/boundaries/r1', 4);
    server.process.kill('SIGHUP');
    await until(() => children().length === COUNT && children().every((pid) => !before.includes(pid)), 'new processes');
    await sleep(300);
    const seen = await load.end();
    expect([...seen.keys()]).toEqual(['200']);
    expect(seen.get('200')).toBeGreaterThan(20);
  });

  it('a key revoked by one is refused by all', async () => {
    const call = async () =>
      (await fetch(`${server.address}/v1/account`, { headers: { ...headers(), Connection: 'close' } })).status;
    expect(await call()).toBe(200);
    const answer = await fetch(`${server.address}/v1/api-keys/${keyId}`, { method: 'DELETE', headers: headers() });
    expect(answer.status).toBeLessThan(300);
    // Known within a second, and then by every process.
    await sleep(1_500);
    const seen = await Promise.all(Array.from({ length: 12 }, call));
    expect(new Set(seen)).toEqual(new Set([401]));
  });

  it('ends on SIGTERM, with all its processes', async () => {
    const pids = children();
    const gone = new Promise<number | null>((resolve) => server.process.once('exit', resolve));
    server.process.kill('SIGTERM');
    expect(await gone).toBe(0);
    const alive = pids.filter((pid) => {
      try {
        process.kill(pid, 0);
        return true;
      } catch {
        return false;
      }
    });
    expect(alive).toEqual([]);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareOf } from '../../src/cli/server/processes.ts';
import { defined } from '../../src/common/elements.ts';
import { loadConfig } from '../../src/config.ts';
import { createKeys } from '../../src/domain/people/keys.ts';
import { insertFixtures } from '../domain/fixture_boundaries.ts';
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
  const early: number[] = [];
  const headers = () => ({ Authorization: `Bearer ${key}` });

  /** Processes of the supervisor that run a command. */
  function children(command: 'serve' | 'work' = 'serve', of = server): number[] {
    const tasks = `/proc/${of.process.pid}/task`;
    return readdirSync(tasks)
      .flatMap((task) =>
        readFileSync(`${tasks}/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
      )
      .filter((pid) => commandOf(pid) === command);
  }

  function commandOf(pid: number): string | undefined {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        .split('\0')
        .find((word) => /^(serve|work)$/.test(word));
    } catch {
      return undefined;
    }
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

  /** Calls until it is stopped; every answer by its status, and failures of the connection as `refused` or `cut`. */
  function callAlong(path: string, many: number) {
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
      /** Waits until so many calls were answered: on a busy machine each takes long. */
      answered: (count: number) => until(() => (seen.get('200') ?? 0) > count, `${count} answers`),
      async end(): Promise<ReadonlyMap<string, number>> {
        going = false;
        await Promise.all(loops);
        return seen;
      },
    };
  }

  beforeAll(async () => {
    test = await testDatabase();
    await insertFixtures(test.db, [{ id: 'r1', name: 'Somewhere', kind: 'county', country: 'AA', shape: true }]);
    await test.db.query(
      `insert into plan (id, name, included_units, requests_per_minute, position)
       values ('fifty', 'Fifty', 50, null, 9), ('hurried', 'Hurried', null, 100, 9)`,
    );
    const made = await createKeys(test.db).create({ email: 'someone@example.org', name: 'all' });
    key = made.key;
    keyId = made.id;
    server = await serve(test, 'several', { PROCESSES: String(COUNT), JOBS_AT_ONCE: '1' });
    // The others are still starting.
    for (let i = 0; i < 3; i++) early.push((await fetch(`${server.address}/metrics`)).status);
    // Who kills the only one that has the port yet takes the port away.
    await until(async () => (await metric('boundary_processes')) === COUNT, 'three processes that answer');
  }, 120_000);
  afterAll(async () => {
    if (server) await stop(server, 'SIGKILL');
    await test?.close();
  });

  it('shows its figures while some of its processes start', () => expect(early).toEqual([200, 200, 200]));

  it('shares the port, and shows the figures of all', async () => {
    const before = await metric('boundary_calls_total');
    for (let i = 0; i < 30; i++) {
      const sent = { ...headers(), Connection: 'close' };
      expect((await fetch(`${server.address}/v1/boundaries/r1`, { headers: sent })).status).toBe(200);
    }
    await until(async () => (await metric('boundary_calls_total')) === before + 30, 'thirty calls in the figures');
  });

  const POINT = '/v1/boundaries/reverse?lat=0.5&lon=0.5';

  /** A call on a connection of its own, so that any process may get it. */
  async function call(secret: string | null, path: string, json?: object): Promise<{ status: number; code: string }> {
    const answer = await fetch(server.address + path, {
      method: json ? 'POST' : 'GET',
      headers: {
        Connection: 'close',
        ...(json ? { 'Content-Type': 'application/json' } : {}),
        ...(secret ? { Authorization: `Bearer ${secret}` } : {}),
      },
      body: json && JSON.stringify(json),
    });
    return { status: answer.status, code: ((await answer.json()) as { code: string }).code };
  }
  const often = <T>(times: number, one: (i: number) => Promise<T>) =>
    Promise.all(Array.from({ length: times }, (_, i) => one(i)));
  const statuses = (answers: readonly { readonly status: number }[]) => new Set(answers.map(({ status }) => status));
  const ledger = async (org: string) => {
    const [row] = await test.db.query<{ used: number; reserved: number; units: number }>(
      `select used, reserved, (select sum(units)::integer from usage_by_op where org = $1) as units
       from unit_month where pool = $1`,
      [org],
    );
    return row;
  };

  it('who may call what is the same for each process', async () => {
    const person = await createKeys(test.db).create({ email: 'viewer@example.org', plan: 'self_hosted' });
    const file = { boundary_id: 'r1', format: 'wkt' };
    expect(statuses(await often(9, () => call(null, '/v1/files', file)))).toEqual(new Set([401]));
    expect(statuses(await often(9, () => call(null, POINT)))).toEqual(new Set([401]));
    expect(statuses(await often(9, () => call(person.key, '/v1/orgs/audit-log')))).toEqual(new Set([200]));
    await test.db.query("update membership set role = 'viewer' where org = $1", [person.org.id]);
    const answers = async () => statuses(await often(9, () => call(person.key, '/v1/orgs/audit-log')));
    await expect.poll(answers, { timeout: 5500, interval: 100 }).toEqual(new Set([401]));
    expect(statuses(await often(9, () => call(person.key, '/v1/account')))).toEqual(new Set([200]));
  });

  it('the units and the requests a minute of a plan are those of all processes together', async () => {
    const fifty = await createKeys(test.db).create({ email: 'fifty@example.org', plan: 'fifty' });
    const bought = await often(120, () => call(fifty.key, POINT));
    expect(bought.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(bought.filter(({ code }) => code === 'quota_exceeded')).toHaveLength(70);
    expect(await ledger(fifty.org.id)).toEqual({ used: 50, reserved: 0, units: 50 });
    const left = 60_000 - (Date.now() % 60_000);
    if (left < 10_000) await sleep(left + 100);
    const hurried = await createKeys(test.db).create({ email: 'hurried@example.org', plan: 'hurried' });
    const admitted = (await often(200, () => call(hurried.key, '/v1/account'))).filter(({ status }) => status === 200);
    expect(admitted.length).toBeLessThanOrEqual(100);
    expect(admitted.length).toBeGreaterThanOrEqual(90);
  });

  it('one that is killed while it is paid for loses no answer and charges none twice', async () => {
    const payer = await createKeys(test.db).create({ email: 'payer@example.org', plan: 'pro' });
    const before = children();
    const seen = { answered: 0, cut: 0 };
    await often(8, async (c) => {
      for (let i = 0; i < 25; i++) {
        if (c === 0 && i === 8) process.kill(defined(before[0]), 'SIGKILL');
        const answer = await call(payer.key, POINT).catch(() => null);
        if (answer === null) seen.cut++;
        else {
          expect(answer).toMatchObject({ status: 200 });
          seen.answered++;
        }
      }
    });
    expect(seen.answered + seen.cut).toBe(200);
    // At most what each caller had in hand at that moment.
    expect(seen.cut).toBeLessThanOrEqual(8);
    const { used, reserved, units } = defined(await ledger(payer.org.id));
    expect(units).toBe(used);
    expect(used).toBeGreaterThanOrEqual(seen.answered);
    expect(used + reserved).toBeLessThanOrEqual(seen.answered + seen.cut);
    await until(() => children().length === COUNT && !children().includes(defined(before[0])), 'a new process');
  });

  it('one that is killed is replaced, and the others answer meanwhile', async () => {
    const before = children();
    const load = callAlong('/v1/boundaries/r1', 4);
    await sleep(300);
    process.kill(defined(before[1]), 'SIGKILL');
    await until(() => children().length === COUNT && !children().includes(defined(before[1])), 'a new process');
    await sleep(300);
    await load.answered(20);
    const seen = await load.end();
    // At most what the killed process had in hand, one for each caller; no one is refused.
    const failed = [...seen].filter(([what]) => what !== '200');
    expect(failed.reduce((sum, [, count]) => sum + count, 0)).toBeLessThanOrEqual(4);
    expect(seen.has('ECONNREFUSED')).toBe(false);
  });

  const jobsPriority = (): string[] => {
    const [pid] = children('work');
    return readdirSync(`/proc/${pid}/task`).map((task) => {
      const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8');
      // The 19th field; the second, the name, is in brackets (proc(5)).
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16] ?? '';
    });
  };

  /** Makes a job and waits until it is done. */
  async function doJob(): Promise<void> {
    const made = await fetch(`${server.address}/v1/jobs`, {
      method: 'POST',
      headers: { ...headers(), 'Content-Type': 'application/json' },
      body: JSON.stringify({ op: 'export_collection', input: { ids: ['r1'], format: 'geojson' } }),
    });
    expect(made.status).toBe(201);
    const { id } = (await made.json()) as { id: string };
    const state = async () =>
      ((await (await fetch(`${server.address}/v1/jobs/${id}`, { headers: headers() })).json()) as { state: string })
        .state;
    await until(async () => (await state()) === 'done', 'the job');
  }

  it('jobs are done by a process of their own, at a low priority, which is replaced when it is killed', async () => {
    // While there is no job, there is no process for them.
    expect(children('work')).toEqual([]);
    await doJob();
    await until(() => jobsPriority().every((nice) => Number(nice) >= 10), 'a low priority');
    const before = defined(children('work')[0]);
    process.kill(before, 'SIGKILL');
    await until(() => children('work').length === 1 && children('work')[0] !== before, 'another process of jobs');
    await doJob();
  });

  it('the process of jobs that ended is started again for the next job', async () => {
    const before = defined(children('work')[0]);
    process.kill(before, 'SIGTERM');
    await until(() => children('work').length === 0, 'its end');
    await doJob();
    expect(children('work')).toHaveLength(1);
  });

  it.each(['while it starts', 'when it works'])(
    'jobs are done by no one after their server was killed %s',
    async (when) => {
      // A job that is not due for half an hour.
      await test.db.query(
        `insert into job (id, org, account, role, op, input, name, visibility, units, total, run_at)
         select $1, org, account, role, op, input, name, visibility, 0, total, now() + interval '30 minutes' from job limit 1`,
        [`job_${when.replaceAll(' ', '_')}`],
      );
      const other = await serve(test, `killed ${when}`, { JOBS_AT_ONCE: '1' });
      await until(() => children('work', other).length === 1, 'the process of jobs');
      const pid = defined(children('work', other)[0]);
      if (when === 'when it works') await sleep(4_000);
      await stop(other, 'SIGKILL');
      await until(() => commandOf(pid) !== 'work', 'its end');
    },
  );

  it('is replaced process by process on SIGHUP without one refused or failed call', async () => {
    const before = [...children(), ...children('work')];
    const load = callAlong('/v1/boundaries/r1', 4);
    server.process.kill('SIGHUP');
    const all = () => [...children(), ...children('work')];
    await until(() => all().length === COUNT + 1 && all().every((pid) => !before.includes(pid)), 'new processes');
    await sleep(300);
    await load.answered(20);
    const seen = await load.end();
    expect([...seen.keys()]).toEqual(['200']);
  });

  it('shows once what all have in common', async () => {
    await test.db.query("update boundary set kind_known = false where id = 'r1'");
    await until(async () => (await metric('boundary_kinds_unknown')) > 0, 'the unknown kind');
    // Every process knows of it by now.
    await sleep(1_500);
    expect(await metric('boundary_kinds_unknown')).toBe(1);
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
    const pids = [...children(), ...children('work')];
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

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/db/connect.ts';
import { insertFixtures } from '../domain/fixture_boundaries.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { copyTemplate } from '../setup/embedded.ts';
import { type Machine, openMachine, type Running } from './program.ts';

const SQUARE = [6, 47, 6.1, 47.1] as const;

/** What was stored before: a place, and all of the seed data but the countries. */
async function fill(db: Database): Promise<void> {
  await insertFixtures(db, [{ id: 'r1', name: 'Somewhere', kind: 'county', country: 'CH', box: SQUARE, shape: true }]);
  for (const id of ['us-atlas', 'es-atlas']) {
    const source = 'insert into source (id, name, licence, attribution, seed) values ($1, $1, $1, $1, true)';
    await db.query(source, [id]);
    await db.query('insert into import_run (source, file, finished_at) values ($1, $1, now())', [id]);
  }
}

describe('a server that is still loading seed data', { timeout: 300_000 }, () => {
  let machine: Machine;
  let native: TestDatabase | null = null;
  let server: Running;
  let base: string;

  async function start(): Promise<void> {
    const env: Record<string, string> = native?.databaseUrl ? { DATABASE_URL: native.databaseUrl, PROCESSES: '1' } : {};
    server = machine.start(['serve', '--port', '0'], { env });
    base = (await server.says(/Boundary Lookup \S+ at (http:\S+)/))[1] as string;
  }

  beforeAll(async () => {
    machine = openMachine();
    if (isNative) {
      native = await testDatabase();
      await fill(native.db);
    } else {
      await copyTemplate(machine.path('data'));
      const db = await openDatabase({ dataDir: machine.path('data') });
      await fill(db).finally(() => db.close());
    }
    await start();
  }, 300_000);
  afterAll(async () => {
    server?.child.kill('SIGKILL');
    await server?.ended;
    await native?.close();
    machine?.remove();
  });

  const get = async (path: string) => {
    const reply = await fetch(base + path);
    const json = (await reply.json()) as Record<string, unknown>;
    return { status: reply.status, header: reply.headers.get('boundary-loading'), json };
  };

  it('answers from what is stored, says so in every answer, and can be ended', async () => {
    const step = { step: 'the world', done: 0, total: 1 };
    const header = 'the world; done=0; total=1';
    const answers = {
      ready: await get('/readyz'),
      health: await get('/healthz'),
      search: await get('/v1/boundaries/search?q=Somewhere'),
      again: await get('/v1/boundaries/search?q=Somewhere'),
      boundary: await get('/v1/boundaries/r1'),
      children: await get('/v1/boundaries/r1/children'),
      unknown: await get('/v1/boundaries/iso:LU'),
    };
    expect(answers.ready).toMatchObject({ status: 503, header, json: { status: 'loading', ...step } });
    expect(answers.health).toMatchObject({ status: 200, json: { status: 'ok' } });
    for (const one of [answers.search, answers.again]) {
      expect(one).toMatchObject({ status: 200, header, json: { loading: step, items: [{ id: 'r1' }] } });
    }
    expect(answers.boundary).toMatchObject({ status: 200, header, json: { id: 'r1' } });
    expect(answers.children).toMatchObject({ status: 200, header, json: { loading: step, items: [] } });
    expect(answers.unknown).toMatchObject({ status: 404, header, json: { code: 'not_found' } });
    expect(answers.unknown.json.detail).toMatch(/ The server is still loading the world \(0 of 1 done\)\.$/);
    await sleep(1_000);
    server.child.kill('SIGTERM');
    expect((await server.ended).exit).toBe(0);
  });

  it('loads what was left out at its next start, and says nothing more when all is there', async () => {
    await start();
    await server.says(/lacks seed data: loading the world …/);
    await server.says(/All seed data is loaded/);
    while ((await get('/readyz')).status !== 200) await sleep(50);
    const luxembourg = await get('/v1/boundaries/search?q=Luxembourg&limit=1');
    expect(luxembourg).toMatchObject({ status: 200, header: null, json: { items: [{ iso: 'LU' }] } });
    expect(luxembourg.json).not.toHaveProperty('loading');
    expect(await get('/v1/boundaries/search?q=Somewhere')).not.toHaveProperty('json.loading');
  });
});

import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Machine, openMachine, type Running } from '../cli/program.ts';
import { square } from '../formats/support.ts';
import { copyTemplate } from '../setup/embedded.ts';

const DAY_MS = 86_400_000;

/** Preloaded into a server and its threads: adds the milliseconds in a file to the clock, as a machine's would jump. */
const SHIFTED = `
  const { readFileSync } = require('node:fs');
  const { now } = Date;
  Date.now = () => now() + Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));
  globalThis.Date = class extends Date {
    constructor(...given) {
      super(...(given.length > 0 ? given : [Date.now()]));
    }
  };`;

let machine: Machine;
let server: Running;
let base: string;
let key: string;

beforeAll(async () => {
  machine = openMachine();
  await copyTemplate(machine.path('data'));
  writeFileSync(machine.path('shifted.cjs'), SHIFTED);
  jump(0);
  const geometry = { type: 'Polygon', coordinates: [square(0, 0, 1)] };
  const feature = { type: 'Feature', properties: { id: 'a', name: 'A' }, geometry };
  writeFileSync(machine.path('a.geojson'), JSON.stringify({ type: 'FeatureCollection', features: [feature] }));
  const env = {
    SEED: 'none',
    NODE_OPTIONS: `--require ${machine.path('shifted.cjs')}`,
    CLOCK_FILE: machine.path('clock'),
  };
  server = machine.start(['serve', '--port', '0'], { env });
  [, base = ''] = await server.says(/Boundary Lookup \S+ at (http:\/\/127\.0\.0\.1:\d+)/);
  const flags = ['--source', 'a', '--admin-level', '8', '--country', 'PT'];
  const imported = await machine.run(['import', 'a.geojson', ...flags]);
  expect(imported.exit, imported.err).toBe(0);
  const made = await machine.run(['key', 'create', '--email', 'ann@example.org', '--json']);
  key = JSON.parse(made.out).api_key;
}, 120_000);
afterAll(async () => {
  server?.child.kill('SIGTERM');
  await server?.ended;
  machine?.remove();
});

const jump = (milliseconds: number): void => writeFileSync(machine.path('clock'), String(milliseconds));
async function call(method: string, path: string, body?: object) {
  const answer = await fetch(base + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  return { status: answer.status, json: JSON.parse(await answer.text()) };
}

test('when the clock of the embedded database jumps, calls go on and each is charged once', {
  timeout: 120_000,
}, async () => {
  const [{ id }] = (await call('GET', '/v1/boundaries/search?q=A')).json.items;
  const charged = new Map<string, number>();
  // Forward by more than a month, back before the start, forward again: a database that stood still would show it.
  for (const days of [0, 40, -40, 0, 40, 0]) {
    jump(days * DAY_MS);
    const exported = await call('GET', `/v1/boundaries/${id}/export?format=geojson&detail=full`);
    expect(exported.status).toBe(200);
    const saved = await call('POST', '/v1/files', { boundary_id: id, name: `${days}` });
    expect(saved.status).toBe(days === 0 && charged.size === 0 ? 201 : 200);
    const { period_start, used } = (await call('GET', '/v1/usage')).json;
    const month = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 7);
    expect(period_start.slice(0, 7)).toBe(month);
    charged.set(month, (charged.get(month) ?? (charged.size === 0 ? 1 : 0)) + 1);
    expect(used).toBe(charged.get(month));
  }
  expect(charged.size).toBe(3);
});

test('a job that is asked for while the clock is ahead is done and charged once', { timeout: 120_000 }, async () => {
  const [{ id }] = (await call('GET', '/v1/boundaries/search?q=A')).json.items;
  jump(40 * DAY_MS);
  const created = await call('POST', '/v1/jobs', {
    op: 'export_collection',
    input: { ids: [id], format: 'geojson', detail: 'full' },
  });
  expect(created.status).toBe(201);
  // Whether or not it was begun before the clock was set back.
  jump(0);
  const job = await until(
    () => call('GET', `/v1/jobs/${created.json.id}`),
    ({ json }) => json.state === 'done',
  );
  expect(job.json).toMatchObject({ state: 'done', charged: 1 });
});

/** Repeats a call until it says what is waited for. */
async function until<T>(ask: () => Promise<T>, isSo: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isSo(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { square } from '../formats/support.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { type Machine, openMachine, type Running } from './program.ts';

let machine: Machine;
let database: TestDatabase | null = null;
let server: Running;
let address = '';
let settings: Record<string, string> = {};

async function start(): Promise<void> {
  server = machine.start(['serve', '--port', '0'], { env: settings });
  [, address = ''] = await server.says(/ at (http:\/\/127\.0\.0\.1:\d+)/);
}
async function stop(): Promise<void> {
  server?.child.kill('SIGTERM');
  await server?.ended;
}

beforeAll(async () => {
  machine = openMachine();
  if (isNative) database = await testDatabase();
  const url = database?.databaseUrl;
  settings = { SEED: 'none', PROCESSES: '1', JOBS_AT_ONCE: '0', ...(url ? { DATABASE_URL: url } : {}) };
  for (const [name, x] of [
    ['one', 9],
    ['two', 9.001],
  ] as const) {
    // biome-ignore format: pairs
    const geometry = { type: 'Polygon', coordinates: [square(x, 47, 0.1)] };
    const properties = { id: name, name: 'Town', iso: 'CH-ZH' };
    const features = [{ type: 'Feature', properties, geometry }];
    writeFileSync(machine.path(`${name}.geojson`), JSON.stringify({ type: 'FeatureCollection', features }));
  }
  await start();
}, 180_000);
afterAll(async () => {
  await stop();
  machine?.remove();
  await database?.close();
});

const run = async (...words: string[]): Promise<string> => {
  const { exit, out, err } = await machine.run(words, { env: settings });
  expect([exit, err], words.join(' ')).toEqual([0, '']);
  return out;
};
const importing = (name: string) =>
  run('import', machine.path(`${name}.geojson`), '--source', name, '--admin-level', '4', '--map', 'id=id,iso=iso', '--json'); // biome-ignore format: one line
const sourceOf = async (id: string): Promise<string> => {
  const answer = await fetch(`${address}/v1/boundaries/${id}?detail=low`);
  return ((await answer.json()) as { properties: { source: string } }).properties.source;
};

test('sources are ordered and removed in a running server, and stay so after a restart', {
  timeout: 180_000,
}, async () => {
  await importing('one');
  await importing('two');
  expect(await sourceOf('iso:CH-ZH')).toBe('one');
  const listed = await run('sources', 'prefer', 'two,one');
  expect(listed.split('\n').map((line) => line.slice(0, 8))).toEqual([' 1 two: ', ' 2 one: ', '']);
  expect(listed).toContain('1 boundary (CH); EPSG:4326, within 0 m; imported 20');
  expect(await sourceOf('iso:CH-ZH')).toBe('two');
  await stop();
  await start();
  expect(await sourceOf('iso:CH-ZH')).toBe('two');
  expect(await run('sources', 'remove', 'two')).toBe('two was removed with 1 boundary.\n');
  expect(await sourceOf('iso:CH-ZH')).toBe('one');
  await stop();
  // Without a server the command opens the database itself.
  expect(JSON.parse(await run('sources', 'stored', '--json'))).toMatchObject([
    { id: 'one', position: 2, boundaries: 1 },
  ]);
  const { exit, err } = await machine.run(['sources', 'remove', 'two'], { env: settings });
  expect([exit, err]).toEqual([2, expect.stringContaining('no source two is stored; the stored sources are one')]);
  await start();
  expect(await sourceOf('iso:CH-ZH')).toBe('one');
});

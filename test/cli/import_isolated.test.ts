import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { square } from '../formats/support.ts';
import { drawnIfEmbedded } from '../proof/rounds.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { type Machine, openMachine, type Running } from './program.ts';

let machine: Machine;
let database: TestDatabase | null = null;
let server: Running;
let address = '';
let settings: Record<string, string> = {};

const feature = (id: string, x: number) => ({
  type: 'Feature',
  properties: { id, name: `Town ${id}` },
  geometry: { type: 'Polygon', coordinates: [square(x, 47, 0.1)] },
});
const FLAGS = ['--source', 'made', '--admin-level', '8', '--country', 'CH'];
const MOST = 400;

beforeAll(async () => {
  machine = openMachine();
  if (isNative) database = await testDatabase();
  settings = {
    SEED: 'none',
    PROCESSES: '1',
    JOBS_AT_ONCE: '0',
    IMPORT_BYTES: `${MOST}MiB`,
    ...(database?.databaseUrl ? { DATABASE_URL: database.databaseUrl } : {}),
  };
  const good = { type: 'FeatureCollection', features: [feature('1', 9), feature('2', 9.1)] };
  writeFileSync(machine.path('good.geojson'), JSON.stringify(good));
  writeFileSync(machine.path('more.geojson'), JSON.stringify({ ...good, features: [feature('3', 9.4)] }));
  // 100 MiB of positions, which are a gigabyte once they are parsed: within the limits of a reader.
  const start = JSON.stringify(good).slice(0, -2);
  const positions = '[0,0], '.repeat(15 * 2 ** 20);
  const bomb = `${start},{"type":"Feature","properties":{"id":"b"},"geometry":{"type":"Polygon","coordinates":[[${positions}[0,0]]]}}]}`;
  writeFileSync(machine.path('bomb.geojson.gz'), gzipSync(bomb));
  server = machine.start(['serve', '--port', '0'], { env: settings });
  [, address = ''] = await server.says(/ at (http:\/\/127\.0\.0\.1:\d+)/);
}, 180_000);
afterAll(async () => {
  server?.child.kill('SIGTERM');
  await server?.ended;
  machine?.remove();
  await database?.close();
});

const importing = (file: string, env: Record<string, string> = {}) =>
  machine.run(['import', file, ...FLAGS, '--json'], { env: { ...settings, ...env } });
/** A busy machine sheds load; that is not what this is about. */
const ask = async (path: string): Promise<Response> => {
  for (;;) {
    const answer = await fetch(`${address}${path}`);
    if (answer.status !== 429) return answer;
    await sleep(100);
  }
};
const names = async (query: string): Promise<string[]> => {
  const answer = await ask(`/v1/boundaries/search?q=${encodeURIComponent(query)}`);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { items: { name: string }[] }).items.map(({ name }) => name);
};

describe('an import while a server runs', { timeout: 180_000 }, () => {
  test('is in its answers at once', async () => {
    const { exit, out, err } = await importing('good.geojson');
    expect([exit, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject([{ read: 2, added: 2 }]);
    expect(await names('Town 2')).toContain('Town 2');
  });

  test.each(drawnIfEmbedded(['gpkg', 'fgb', 'parquet', 'kml', 'gml', 'csv', 'topojson', 'zip']))(
    'finds in a file .%s what it stored of the same areas as GeoJSON: the same ids, the same arcs',
    async (extension) => {
      const to = extension === 'zip' ? ['--to', 'shapefile'] : [];
      const made = await machine.run(['convert', 'good.geojson', `good.${extension}`, ...to]);
      expect(made.exit).toBe(0);
      const { exit, out, err } = await importing(`good.${extension}`);
      expect([exit, err]).toEqual([0, '']);
      expect(JSON.parse(out)).toMatchObject([{ read: 2, added: 0, deleted: 0, arcs: 0 }]);
    },
  );

  test('that needs more memory than there is dies alone, and says why', async () => {
    // Over a native database an import is a process of its own in any case.
    const env: Record<string, string> = isNative ? { NODE_OPTIONS: `--max-old-space-size=${MOST / 2}` } : {};
    const failed = importing('bomb.geojson.gz', env);
    let answered = 0;
    let over = false;
    void failed.finally(() => {
      over = true;
    });
    while (!over) {
      expect((await fetch(`${address}/healthz`)).status).toBe(200);
      expect(await names('Town 1')).toContain('Town 1');
      answered++;
    }
    const { exit, signal, err } = await failed;
    expect(answered).toBeGreaterThan(0);
    expect(server.child.exitCode).toBeNull();
    if (isNative) expect(signal).toBe('SIGABRT');
    else {
      expect(exit).toBe(2);
      expect(JSON.parse(err)).toMatchObject({
        code: 'invalid_input',
        detail: expect.stringMatching(
          /that read .*bomb\.geojson\.gz ended \(SIG(KILL|ABRT)\).*IMPORT_BYTES \(400 MiB\)/,
        ),
      });
    }
    // Its lock is free, and the database in order.
    const after = await importing('more.geojson');
    expect([after.exit, after.err]).toEqual([0, '']);
    expect(await names('Town 3')).toContain('Town 3');
  });

  test.skipIf(isNative)('that is killed can be run again', async () => {
    const many = Array.from({ length: 3_000 }, (_, i) => feature(`m${i}`, -20 + i * 0.01));
    const content = { type: 'FeatureCollection', features: many };
    writeFileSync(machine.path('many.geojson'), JSON.stringify(content));
    const running = importing('many.geojson');
    const pid = await importer(server.child.pid as number);
    process.kill(pid, 'SIGKILL');
    expect((await running).exit).toBe(2);
    expect(await names('Town 1')).toContain('Town 1');
    const again = await importing('many.geojson');
    expect([again.exit, JSON.parse(again.out)[0].read]).toEqual([0, 3_000]);
  });
});

/** Waits for the process of a server that imports. */
async function importer(pid: number): Promise<number> {
  for (;;) {
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      for (const child of readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ')) {
        if (child !== '' && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('isolated_process'))
          return Number(child);
      }
    }
    await sleep(20);
  }
}

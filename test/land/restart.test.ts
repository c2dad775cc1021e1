/** The land of a country as a user gets it: imported by the command line, served, and served again after a restart. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type Machine, openMachine, type Running } from '../cli/program.ts';

const dataDir = process.env.REAL_DATA_DIR;
const MALTA = 'osm/malta-2018.coast-and-boundaries.osm.pbf';

const machine: Machine = openMachine();
let server: Running | null = null;
afterAll(async () => {
  server?.child.kill('SIGTERM');
  await server?.ended;
  machine.remove();
});

const settings = { PROCESSES: '1' };

/** Starts a server on the folder, and ends it when `use` is done. */
async function served<T>(
  use: (ask: (path: string, init?: RequestInit) => Promise<Response>) => Promise<T>,
): Promise<T> {
  const running = machine.start(['serve', '--port', '0'], { env: settings });
  server = running;
  const [, address = ''] = await running.says(/ at (http:\/\/127\.0\.0\.1:\d+)/);
  try {
    const headers = { Authorization: `Bearer ${readFileSync(machine.path('data', 'first-key'), 'utf8').trim()}` };
    return await use((path, init = {}) =>
      fetch(address + path, { ...init, headers: { ...headers, 'Content-Type': 'application/json' } }),
    );
  } finally {
    running.child.kill('SIGTERM');
    expect((await running.ended).exit).toBe(0);
    server = null;
  }
}

/** What is asked for: by path, and a body for POST. */
const ASKED: readonly (readonly [path: string, body?: object])[] = [
  ...['all', 'land', 'water'].map((area) => [`/v1/boundaries/iso:MT?detail=full&area=${area}`] as const),
  ['/v1/boundaries/iso:MT/export?format=kml&area=land'],
  ['/v1/boundaries/reverse?lat=35.85&lon=14.7'],
  ['/v1/boundaries/union', { include: ['r1711219', 'r2101121'], area: 'land' }],
  ['/v1/dissolve', { groups: { all: { country: 'MT', admin_level: 4 } }, area: 'land' }],
  ['/tiles/boundaries/9/276/201.mvt?area=land'],
  ['/tiles/boundaries/9/276/201.mvt'],
  ['/ogc/collections/level-2/items?area=land'],
];

/** Status and digest of each answer. */
async function answers(ask: (path: string, init?: RequestInit) => Promise<Response>): Promise<string[]> {
  const said: string[] = [];
  for (const [path, body] of ASKED) {
    const reply = await ask(path, body ? { method: 'POST', body: JSON.stringify(body) } : {});
    const bytes = Buffer.from(await reply.arrayBuffer());
    said.push(`${path} ${reply.status} ${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`);
  }
  return said;
}

it.skipIf(!dataDir)(
  'is the same by the command line and over HTTP, before a restart and after it',
  { timeout: 600_000 },
  async () => {
    const imported = await machine.run(['import', join(dataDir as string, MALTA)], { env: settings });
    expect([imported.exit, imported.err]).toEqual([0, expect.any(String)]);
    const shown = async (area: string) => {
      const one = await machine.run(['get', 'iso:MT', '--detail', 'full', '--area', area, '--json'], { env: settings });
      expect([one.exit, one.err]).toEqual([0, expect.any(String)]);
      return JSON.parse(one.out) as { properties: { area_km2: number; includes_water: boolean }; geometry: object };
    };
    const [land, all] = [await shown('land'), await shown('all')];
    expect([land.properties.includes_water, all.properties.includes_water]).toEqual([false, true]);
    expect(land.properties.area_km2 / all.properties.area_km2).toBeCloseTo(0.074, 3);
    const first = await served(async (ask) => {
      const own = (await (await ask('/v1/boundaries/iso:MT?detail=full&area=land')).json()) as typeof land;
      expect(own.geometry).toEqual(land.geometry);
      return answers(ask);
    });
    expect(first.filter((one) => !/ 200 [1-9]/.test(one))).toEqual([]);
    expect(await served(answers)).toEqual(first);
  },
);

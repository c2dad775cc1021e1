import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/connect.ts';
import { square } from '../formats/support.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { type Machine, openMachine } from './program.ts';

/** script(1) of util-linux gives a command a terminal of its own. */
const hasScript = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') ?? false;

let machine: Machine;
let native: TestDatabase | undefined;
let env: Record<string, string>;
/** By name: the id of a seed boundary. */
const seeds = new Map<string, string>();

const write = (file: string, id: string, name: string, x: number) =>
  writeFileSync(
    machine.path(file),
    JSON.stringify({
      type: 'Feature',
      properties: { id, name },
      geometry: { type: 'Polygon', coordinates: [square(x, 47, 0.1)] },
    }),
  );

const flags = (source: string) => `--source ${source} --admin-level 4 --country CH --map id=id,name=name`;

beforeAll(async () => {
  machine = openMachine();
  if (isNative) native = await testDatabase();
  env = native?.databaseUrl ? { DATABASE_URL: native.databaseUrl } : {};
  for (const [id, name, x] of [
    ['1', 'Westend', 9],
    ['2', 'Ostheim', 8],
    ['3', 'Nordheim', 7],
    ['4', 'Sundheim', 10],
  ] as const) {
    write(`seed-${id}.geojson`, id, name, x);
    write(`mine-${id}.geojson`, `m${id}`, name, x + 0.01);
    const { exit, err } = await machine.run(['import', `seed-${id}.geojson`, ...flags('seeds').split(' ')], { env });
    expect([exit, err]).toEqual([0, expect.not.stringContaining('error')]);
  }
  // What makes imported data seed data is this mark of its source.
  const db = native?.db ?? (await openDatabase({ databaseUrl: null, dataDir: machine.path('data') }));
  await db.query(`update source set seed = true where id = 'seeds'`);
  for (const { id, name } of await db.query<{ id: string; name: string }>('select id, name from boundary')) {
    seeds.set(name, id);
  }
  if (!native) await db.close();
}, 300_000);
afterAll(async () => {
  machine?.remove();
  await native?.close();
});

/** The source of the boundary that the id of a seed boundary finds. */
async function sourceOf(name: string): Promise<string> {
  const { out } = await machine.run(['get-boundary', seeds.get(name) ?? name, '--json', '--local'], { env });
  return JSON.parse(out).properties.source;
}

test('an area that matches in name alone stands beside the seed boundary, or replaces it with --replace', {
  timeout: 300_000,
}, async () => {
  const beside = await machine.run(['import', 'mine-1.geojson', ...flags('mine').split(' ')], { env });
  expect(beside.exit).toBe(0);
  expect(beside.out).not.toContain('seed shapes replaced');
  expect(beside.err).toMatch(/Westend stands beside \S+ Westend of the seed data/);
  expect(beside.err).toContain('--replace');
  expect(await sourceOf('Westend')).toBe('seeds');
  const { exit, out, err } = await machine.run(['import', 'mine-1.geojson', ...flags('mine').split(' '), '--replace'], {
    env,
  });
  expect([exit, err]).toEqual([0, expect.not.stringContaining('beside')]);
  expect(out).toContain('1 seed shapes replaced');
  expect(await sourceOf('Westend')).toBe('mine');
});

describe.skipIf(!hasScript)('on a terminal (needs script of util-linux)', { timeout: 300_000 }, () => {
  const answered = (file: string, input: string, more = '') =>
    machine.run([`script -qec "$BOUNDARY import ${file} ${flags('mine')} ${more}" /dev/null`], {
      ...{ shell: true, input },
      env: { ...env, NO_COLOR: '1' },
    });

  test('it is asked for, and only yes replaces', async () => {
    for (const [file, name, input] of [
      ['mine-2.geojson', 'Ostheim', '\n'],
      ['mine-4.geojson', 'Sundheim', 'y\n'],
    ] as const) {
      const { exit, out } = await answered(file, input);
      expect(exit).toBe(0);
      expect(out).toContain(`${name} stands beside ${seeds.get(name)} ${name} of the seed data`);
      expect(out).toContain('Replace them?');
      expect(out.includes('1 seed shapes replaced'), name).toBe(input === 'y\n');
      expect(await sourceOf(name)).toBe(input === 'y\n' ? 'mine' : 'seeds');
    }
  });

  test('with --json or --replace nothing is asked', async () => {
    const { out } = await answered('mine-3.geojson', 'y\n', '--json');
    expect(out).not.toContain('Replace them?');
    expect(await sourceOf('Nordheim')).toBe('seeds');
    const replaced = await answered('mine-3.geojson', '', '--replace');
    expect(replaced.out).not.toContain('Replace them?');
    expect(await sourceOf('Nordheim')).toBe('mine');
  });
});

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownerOf } from '../../src/db/lock.ts';
import { square } from '../formats/support.ts';
import { isNative } from '../setup/database.ts';
import { type Machine, openMachine, type Running } from './program.ts';

let machine: Machine;
let id: string;
beforeAll(async () => {
  if (isNative) return;
  machine = openMachine();
  const feature = (id: string, name: string, x: number) => ({
    type: 'Feature',
    properties: { id, name },
    geometry: { type: 'Polygon', coordinates: [square(x, 47, 0.1)] },
  });
  const features = [feature('1', 'Westend', 9), feature('2', 'Ostheim', 9.2)];
  writeFileSync(machine.path('places.geojson'), JSON.stringify({ type: 'FeatureCollection', features }));
  const flags = ['--source', 'made', '--map', 'id=id,name=name', '--admin-level', '8', '--country', 'CH'];
  const imported = await machine.run(['import', 'places.geojson', ...flags]);
  expect([imported.exit, imported.err]).toEqual([0, '']);
  expect(imported.out).toMatch(/^places\.geojson: 2 read, 2 added/);
});
afterAll(() => machine?.remove());

describe.skipIf(isNative)('on the database of this machine', { timeout: 300_000 }, () => {
  test('a search and a union by name, which wait for one another, without a server or a key', async () => {
    const [found, union] = await Promise.all([
      machine.run(['search-boundaries', 'westend', '--json']),
      machine.run(['union', 'Westend', 'Ostheim', '-o', 'both.geojson', '--detail', 'full', '--local']),
    ]);
    expect([found.exit, found.err]).toEqual([0, '']);
    [{ id }] = JSON.parse(found.out).items;
    expect([union.exit, union.out], union.err).toEqual([0, '']);
    const { geometry } = JSON.parse(readFileSync(machine.path('both.geojson'), 'utf8'));
    expect([geometry.type, geometry.coordinates[0].length]).toEqual(['Polygon', expect.any(Number)]);
  });

  test('an export of one, and of many', async () => {
    const file = await machine.run(['export-boundary', id, '--format', 'wkt']);
    expect([file.exit, file.out.slice(0, 9), file.out.endsWith('))')]).toEqual([0, 'POLYGON((', true]);
    const folder = await machine.run(['export', 'Westend', 'Ostheim', '--out', 'files', '--json']);
    expect(JSON.parse(folder.out).written).toHaveLength(2);
  });

  test('Ctrl-C ends it', async () => {
    const running = machine.start(['search-boundaries', 'westend']);
    const data = machine.path('data');
    await expect.poll(() => ownerOf(data), { timeout: 60_000 }).toEqual({ pid: running.child.pid });
    running.child.kill('SIGINT');
    // On a busy machine it may have its answer first.
    expect([0, 130]).toContain((await running.ended).exit);
    expect(await ownerOf(data)).toBeNull();
  });

  describe('whose server runs', () => {
    const port = String(30_000 + (process.pid % 10_000));
    let server: Running;
    beforeAll(async () => {
      if (isNative) return;
      server = machine.start(['serve'], { env: { PORT: port } });
      await server.says(/Try:/);
    }, 300_000);
    afterAll(async () => {
      server?.child.kill('SIGKILL');
      await server?.ended;
    });

    test('commands ask it through its socket', async () => {
      expect(existsSync(machine.path('data', 'control.sock'))).toBe(true);
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
      const me = await machine.run(['whoami']);
      expect(me.out).toBe(
        `the server that owns ${machine.path('data', 'control.sock')} (control.sock)\nas the operator of this machine\n`,
      );
      const found = await machine.run(['search-boundaries', 'westend']);
      expect([found.exit, found.err, found.out.split('\n').length]).toEqual([0, '', 4]);
    });

    test('a key that is made there is called as the secret is everywhere', async () => {
      const { exit, out } = await machine.run(['key', 'create', '--email', 'ann@example.org', '--json']);
      expect(exit).toBe(0);
      const { api_key, id, ...rest } = JSON.parse(out);
      expect([api_key, id]).toEqual([expect.stringMatching(/^bnd_live_/), expect.stringMatching(/^key_/)]);
      expect(rest).not.toHaveProperty('key');
      expect(rest).toMatchObject({ created_by_key: null, account: { email: 'ann@example.org' } });
    });

    test('another that cannot listen ends; it ends on SIGTERM', async () => {
      const second = await machine.run(['serve'], { env: { PORT: port, DATA_DIR: machine.path('data2') } });
      expect([second.exit, second.err]).toEqual([1, expect.stringContaining(`Port ${port} on 127.0.0.1 is in use.`)]);
      server.child.kill('SIGTERM');
      expect((await server.ended).exit).toBe(0);
    });
  });
});

test.skipIf(isNative)('nothing half written is left anywhere', () => {
  const all = readdirSync(machine.folder, { recursive: true, encoding: 'utf8' });
  expect(all.filter((name) => name.endsWith('.part') || name.endsWith('.new'))).toEqual([]);
});

import { existsSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importNotes } from '../../src/cli/render/import_report.ts';
import { square } from '../formats/support.ts';
import { type Machine, openMachine } from './program.ts';

let machine: Machine;
beforeAll(() => {
  machine = openMachine();
  const feature = (id: string, name: string, x: number, size = 0.1) => ({
    type: 'Feature',
    properties: { id, name, iso: 'CH-ZH' },
    geometry: { type: 'Polygon', coordinates: [square(x, 47, size)] },
  });
  const features = [feature('1', 'Westend', 9), feature('2', 'Ost\u001b[2Jheim', 9.05)];
  const text = JSON.stringify({ type: 'FeatureCollection', features });
  writeFileSync(machine.path('places.geojson'), text);
  writeFileSync(machine.path('places.json.gz'), gzipSync(text));
  writeFileSync(machine.path('latin.geojson'), Buffer.from(text.replace('Westend', 'S\u00e3o'), 'latin1'));
});
afterAll(() => machine?.remove());

const FLAGS = ['--source', 'made', '--admin-level', '8', '--country', 'CH'];

describe('boundary import, before anything is opened', { timeout: 120_000 }, () => {
  test('says once that a file is not there', async () => {
    const { exit, out, err } = await machine.run(['import', 'nosuch.pbf']);
    expect([exit, out, err]).toEqual([2, '', 'error: invalid_input: File not found: nosuch.pbf\n']);
  });

  test('knows GeoJSON without --source, packed or not', async () => {
    for (const file of ['places.geojson', 'places.json.gz']) {
      const { exit, err } = await machine.run(['import', file]);
      expect([exit, err]).toEqual([2, `error: invalid_input: ${file}: This looks like GeoJSON. Add --source NAME.\n`]);
    }
  });

  test('shows with --dry-run what would be stored, and what is wrong, without a database', async () => {
    const shown = await machine.run(['import', 'places.geojson', ...FLAGS, '--map', 'id=id,iso=iso', '--dry-run']);
    expect(shown.exit).toBe(0);
    expect(shown.out).toMatch(
      /^places\.geojson: 2 would be stored; the first of them:\n {2}1: Westend; 338\.\d+ km2 around 47,9\n/,
    );
    expect(shown.out).toContain('admin_level 8, kind -, country CH, iso CH-ZH');
    expect(shown.out).not.toContain('\u001b');
    expect(shown.err).toMatch(/1 and 2 overlap by 253\.\d+ km2: kept/);
    const strict = await machine.run(['import', 'places.geojson', ...FLAGS, '--strict', '--dry-run']);
    expect([strict.exit, strict.out]).toEqual([2, '']);
    expect(strict.err).toMatch(
      /1 pairs of one level overlap by more than 10 m on average or 0\.1 % of an area: 1 and 2/,
    );
    const latin = await machine.run(['import', 'latin.geojson', ...FLAGS, '--dry-run']);
    expect(latin.err).toMatch(/not UTF-8.*--encoding latin1/);
    const read = await machine.run([
      'import',
      'latin.geojson',
      ...FLAGS,
      '--dry-run',
      '--json',
      '--encoding',
      'latin1',
    ]);
    expect(JSON.parse(read.out)[0].first[0]).toMatchObject({ source_id: '1', name: 'S\u00e3o', iso: null });
    expect(existsSync(machine.path('data'))).toBe(false);
  });

  test('names the tolerance of slivers in its help', async () => {
    const { out } = await machine.run(['import', '--help']);
    expect(out.replace(/\s+/g, ' ')).toContain('by more than 10 m on average or 0.1 % of either area');
  });
});

test('an import into a new database counts the seconds that making it takes', { timeout: 300_000 }, async () => {
  const started = performance.now();
  const { exit, out } = await machine.run(['import', 'places.geojson', ...FLAGS, '--json']);
  const wall = (performance.now() - started) / 1000;
  expect(exit).toBe(0);
  const [summary] = JSON.parse(out);
  expect(summary).toMatchObject({ read: 2, added: 2, arcs: 6, repairs: 2, overlaps: [{ a: '1', b: '2' }] });
  // Two squares take no time: nearly all of it is the database.
  expect(summary.seconds).toBeGreaterThan(wall / 2);
  expect(summary.seconds).toBeLessThan(wall);
});

test('boundaries that the extract cuts are one line, and all of them when that is wanted', () => {
  const broken = [
    ...Array.from({ length: 94 }, (_, i) => ({ id: `r${i}`, name: 'Cut', reason: `missing way ${i}`, lat: 1, lon: 2 })),
    { id: 'r95', name: 'Half', reason: 'way 7: missing node 12', lat: null, lon: null },
    { id: 'r96', name: 'Open', reason: 'open ring', lat: 47, lon: 9 },
  ];
  const summary = { broken, skipped: [], notices: [], repaired: [], overlaps: [] };
  expect(importNotes(summary, false).split('\n')).toEqual([
    '  r96 Open: open ring at 47,9',
    '  95 incomplete because the extract cuts them (normal at its edge); --verbose lists them',
    '',
  ]);
  expect(importNotes(summary, true).split('\n')).toHaveLength(97);
});

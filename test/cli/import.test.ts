import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importNotes } from '../../src/cli/render/import_report.ts';
import { square } from '../formats/support.ts';
import { type Machine, openMachine } from './program.ts';

/** script(1) of util-linux gives a command a terminal of its own. */
const hasScript = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') ?? false;

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

  test('shows a file of areas without flags as it would be stored, and says the command', async () => {
    await machine.run(['convert', 'places.geojson', 'places.fgb']);
    for (const file of ['places.geojson', 'places.json.gz', 'places.fgb']) {
      const { exit, out, err } = await machine.run(['import', file, '--admin-level', '8']);
      expect([exit, out, existsSync(machine.path('data'))]).toEqual([2, '', false]);
      expect(err).toContain(`${file}: country CH by its place\n`);
      expect(err).toContain(`${file}: its first areas would be stored so:\n  1: Westend; 338.`);
      expect(err).toContain('admin_level 8, kind -, country CH, iso CH-ZH');
      expect(err).toContain(
        `error: invalid_input: ${file}: nothing was imported. To import it as shown, add --yes, or change what is not right in this command: ` +
          `boundary import ${file} --source ch-places --map id=id,name=name,iso=iso --admin-level 8 --country CH\n`,
      );
    }
  });

  test('asks for an admin_level that nothing tells', async () => {
    const { exit, err } = await machine.run(['import', 'places.geojson', '--yes']);
    expect(exit).toBe(2);
    expect(err).toMatch(/nothing in it tells the admin_level.*: boundary import places\.geojson .*--admin-level LEVEL/);
    expect(err).not.toContain('would be stored');
  });

  test.skipIf(!hasScript)('asks on a terminal, for the admin_level too, and takes no for an answer', async () => {
    const answered = (answer: string, flags: string) =>
      machine.run([`echo ${answer} | script -qec "$BOUNDARY import places.geojson ${flags}" /dev/null`], {
        shell: true,
      });
    const level = await answered('many', '');
    expect(level.out).toContain('admin_level of its areas (2 country, 4 state, 6 county, 8 municipality; 1 … 12): ');
    expect(level.out).toContain('--admin-level LEVEL');
    const no = await answered('n', '--admin-level 8');
    expect(no.out).toContain('1: Westend; 338.');
    expect(no.out).toContain('Import it so? [y/N] ');
    expect(no.out).toMatch(/boundary import places\.geojson --source ch-places --map \S+ --admin-level 8 --country CH/);
    expect(existsSync(machine.path('data'))).toBe(false);
    const yes = await answered('y', '--admin-level 8');
    expect(yes.out).toContain('places.geojson: 2 read, 2 added');
    rmSync(machine.path('data'), { recursive: true });
  });

  test('knows other formats by what is in them', async () => {
    const shown = await machine.run(['import', 'places.fgb', ...FLAGS, '--dry-run', '--json']);
    expect([shown.exit, existsSync(machine.path('data'))]).toEqual([0, false]);
    expect(JSON.parse(shown.out)[0].first).toMatchObject([{ source_id: '1', name: 'Westend' }, { source_id: '2' }]);
  });

  test('of land or water stores nothing with flags that it does not have', async () => {
    for (const what of ['--land', '--water']) {
      for (const [flag, says] of [
        ['--dry-run', `${what} has no --dry-run`],
        ['--inland-water', `Give ${what} or --inland-water`],
      ] as const) {
        const { exit, out, err } = await machine.run(['import', 'places.geojson', '--source', 'x', what, flag]);
        expect([exit, out, err]).toEqual([2, '', expect.stringContaining(`invalid_input: ${says}`)]);
      }
    }
    const mixed = await machine.run(['import', 'places.geojson', ...FLAGS, '--inland-water', '2']);
    expect([mixed.exit, mixed.err]).toEqual([
      2,
      expect.stringContaining('--inland-water is for files of OpenStreetMap'),
    ]);
    expect(existsSync(machine.path('data'))).toBe(false);
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

  test('fetches a file from its address, and leaves nothing of it', async () => {
    const page = '<!DOCTYPE html><html><body>Please log in</body></html>';
    const server = createServer(({ url }, response) =>
      response.end(url === '/towns.geojson.gz' ? readFileSync(machine.path('places.json.gz')) : page),
    );
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
    try {
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const env = { TMPDIR: machine.path('.') };
      const flags = [...FLAGS, '--dry-run', '--json'];
      const refused = await machine.run(['import', `${address}/towns.geojson.gz`, ...flags], { env });
      expect(refused.exit).toBe(2);
      expect(refused.err).toContain('127.0.0.1 is not an address of the public internet: --allow-private');
      const shown = await machine.run(['import', `${address}/towns.geojson.gz`, ...flags, '--allow-private'], { env });
      expect([shown.exit, JSON.parse(shown.out)[0].first.length]).toEqual([0, 2]);
      const asked = await machine.run(['import', `${address}/login`, ...flags, '--allow-private'], { env });
      expect(asked.exit).toBe(2);
      expect(asked.err).toContain('/login answered a web page, not a file.');
      expect(readdirSync(machine.path('.')).filter((name) => name.startsWith('boundary-download'))).toEqual([]);
      const wrong = await machine.run(['import', `${address}/x`, ...flags, '--sha256', 'abc'], { env });
      expect([wrong.exit, wrong.err]).toEqual([2, expect.stringContaining('must be 64 hexadecimal digits')]);
    } finally {
      server.close();
    }
  });

  test('imports a file of the catalog by its name, from another place, after its license', async () => {
    const text = JSON.stringify({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          properties: { NUTS_ID: 'EL301', NUTS_NAME: 'Made', NAME_LATN: 'Made', CNTR_CODE: 'EL', POP: 5 },
          geometry: { type: 'Polygon', coordinates: [square(24, 38, 0.1)] },
        },
      ],
    });
    writeFileSync(machine.path('nuts.geojson'), text);
    const shown = await machine.run(['import', '@nuts/3', '--from', 'nuts.geojson', '--dry-run', '--json']);
    expect(JSON.parse(shown.out)[0].first[0]).toMatchObject({ source_id: 'EL301', country: 'GR', admin_level: 6 });
    expect(shown.err).toMatch(/^@nuts\/3: NUTS regions.*License: .*Others may not pass the data on/);
    const unknown = await machine.run(['import', '@nuts/9', '--dry-run']);
    expect([unknown.exit, unknown.err]).toEqual([2, expect.stringContaining('its files are nuts/0, nuts/1')]);
    const nowhere = await machine.run(['import', '@ons/wards', '--dry-run']);
    expect([nowhere.exit, nowhere.err]).toEqual([2, expect.stringContaining('give it with --from')]);
    const { out } = await machine.run(['sources']);
    expect(out).toMatch(/^nuts +NUTS regions/m);
    expect((await machine.run(['sources', 'show', 'nuts'])).out).toContain('@nuts/3: NUTS 3 regions, admin_level 6');
    expect((await machine.run(['sources', 'show', 'atlantis'])).exit).toBe(2);
  });

  test('checks with --dry-run what the import checks', async () => {
    for (const more of [['--dry-run'], []]) {
      const options = ['--admin-level', '99', '--country', 'CH', ...more];
      const named = await machine.run(['import', 'places.geojson', '--source', 'my_places', ...options]);
      expect([named.exit, named.out]).toEqual([2, '']);
      expect(named.err).toContain('--source must be lower-case letters, digits and hyphens');
      expect(named.err).toContain('--admin-level must be at most 12');
      const long = await machine.run(['import', 'places.geojson', ...FLAGS, '--url', 'nowhere', ...more]);
      expect([long.exit, long.out]).toEqual([2, '']);
      expect(long.err).toContain('--url must be a URL');
    }
    const three = await machine.run(['import', 'places.geojson', ...FLAGS, '--country', 'CHE', '--dry-run', '--json']);
    expect(JSON.parse(three.out)[0].first[0].country).toBe('CH');
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

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, Grid } from '../ops/fixture_world.ts';
import { builtMain } from '../setup/built.ts';
import { COMPILE_ONCE } from '../setup/compiled.ts';
import { exampleBoundaries } from './example_boundaries.ts';

/** The first bytes of files, by extension, as `file` knows them, and what else they have to be. */
const SIGNS: Readonly<Record<string, RegExp>> = {
  '.kml': /^<\?xml[^>]*>\s*<kml /,
  '.geojson': /^\{"type":"Feature(Collection)?"/,
  '.csv': /^[a-z_]+(,[a-z_0-9]+)+\r?\n/,
  '.gpkg': /^SQLite format 3/,
  '.pmtiles': /^PMTiles/,
  '.parquet': /^PAR1/,
  '.svg': /^(<\?xml[^>]*>\s*)?<svg /,
  '.png': /^.PNG\r\n/,
  '.pdf': /^%PDF-/,
};

interface Line {
  readonly page: string;
  readonly text: string;
}

/** The command lines of the documentation that write a file: those in blocks, with their continuations, and in text. */
function writingLines(): Line[] {
  const pages = ['README.md', ...readdirSync('docs').map((name) => join('docs', name))];
  return pages
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => {
      const text = readFileSync(path, 'utf8');
      const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) =>
        defined(block).replace(/\\\n\s*/g, ' '),
      );
      const spans = [...text.matchAll(/`(boundary [^`]+)`/g)].map(([, span]) => defined(span).replace(/\s+/g, ' '));
      const lines = [...blocks.flatMap((block) => block.split('\n')), ...spans].map((line) =>
        line.replace(/^\$ /, '').replace(/\s+#.*/, ''),
      );
      return lines
        .filter((line) => /^(boundary|curl) .*(\s-o|\s--out) \S/.test(line))
        .map((line) => ({ page: basename(path), text: line }));
    });
}

const LINES = writingLines();

/** Boundaries that the examples name, besides those of the examples of operations. */
function moreBoundaries() {
  const grid = new Grid();
  const ids = ['H', 'GR', 'AL'].map((code, i) => ({ code, id: `r80000${i}`, x: 21 + i }));
  const provinces = ids.map(({ code, id, x }) =>
    fixtureBoundary(id, code, { ways: grid.around(x, 11) }, { adminLevel: 6, countryCode: 'ES', iso: `ES-${code}` }),
  );
  const vaduz = { adminLevel: 8, countryCode: 'LI' };
  const canton = { adminLevel: 6, countryCode: 'LU' };
  const boundaries = [
    ...provinces,
    fixtureBoundary('r810001', 'Vaduz', { ways: grid.around(39, 17) }, vaduz),
    fixtureBoundary('r810002', 'Schaan', { ways: grid.around(40, 17) }, vaduz),
    fixtureBoundary('r810003', 'Capellen', { ways: grid.around(36, 19) }, canton),
    fixtureBoundary('r810004', 'Écija', { ways: grid.around(24, 7) }, { adminLevel: 8, countryCode: 'ES' }),
  ];
  return { source: FIXTURE_SOURCE, file: 'more', boundaries, ways: grid.ways };
}

/** Puts an area into the database of the machine. */
const IMPORT = 'boundary import area.geojson --source made --admin-level 2 --country LU --map id=code,name=name\n';

let server: BoundaryTestServer;
let folder: string;
let key: string;
let job: string;
/** Whether IMPORT has run. */
let imported = false;
const main = await builtMain();
beforeAll(async () => {
  server = await openBoundaryTestServer();
  folder = mkdtempSync(join(tmpdir(), 'boundary-lines-'));
  const { db } = server.services;
  await storeBoundaries({ db, engine: server.engine }, exampleBoundaries());
  await storeBoundaries({ db, engine: server.engine }, moreBoundaries());
  ({ key } = await server.key('self_hosted'));
  const input = { children_of: 'iso:ES-SE', admin_level: 8, format: 'geopackage' };
  const headers = { Authorization: `Bearer ${key}` };
  const made = await server.ask('POST', '/v1/ops/create_job', { json: { op: 'export_collection', input }, headers });
  job = String((made.json as { id?: string }).id);
  await server.jobRunner.runDue();
  const members = 'id,group\niso:ES-SE,west\niso:ES-CO,east\n';
  writeFileSync(join(folder, 'members.csv'), members);
  writeFileSync(join(folder, 'districts.csv'), members);
  const ring = [
    [5.8, 49.5],
    [6.4, 49.5],
    [6.4, 50.1],
    [5.8, 49.5],
  ];
  const geometry = { type: 'Polygon', coordinates: [ring] };
  const area = { type: 'Feature', properties: { code: 'a1', name: 'Area' }, geometry };
  writeFileSync(join(folder, 'area.geojson'), JSON.stringify({ type: 'FeatureCollection', features: [area] }));
  writeFileSync(join(folder, 'points.csv'), 'lon,lat\n-5.99,37.39\n');
  writeFileSync(join(folder, 'sales.csv'), 'lon,lat,sales\n-5.99,37.39,12.5\n');
  writeFileSync(join(folder, 'figures.csv'), 'id,density\niso:ES-SE,140.5\niso:ES-CO,56.4\n');
  writeFileSync(join(folder, 'places.csv'), 'province\nSevilla\nCórdoba\n');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server?.close();
});

/** Runs a line as a reader would: `boundary` is the program, and the addresses are those of the server. */
function run(line: string): Promise<{ code: number; said: string }> {
  const here = line
    .replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):8080/g, server.address)
    .replace(/job_[0-9A-HJKMNP-TV-Z]{26}|\bID\b/, job)
    .replace('-o FILE', '-o file.gpkg')
    // Fewer zooms of the world.
    .replace(/^boundary tiles -o world.pmtiles$/, '$& --max-zoom 2');
  // An archive of all boundaries is made of the database of this machine.
  const isLocal = /^boundary tiles/.test(line);
  const target = isLocal ? '' : `--url ${server.address}`;
  const program = `"${process.execPath}" ${isLocal ? COMPILE_ONCE : ''} "${main}"`;
  const script = `boundary() { ${program} ${target} "$@"; }\n${isLocal && !imported ? IMPORT : ''}${here}`;
  imported ||= isLocal;
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    KEY: key,
    BOUNDARY_API_KEY: key,
    DATA_DIR: join(folder, 'data'),
  };
  return new Promise((resolve) => {
    execFile('bash', ['-c', script], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: `${stdout}${stderr}` });
    });
  });
}

test('the documentation has such lines of every kind', () => {
  const commands = new Set(
    LINES.map(({ text }) =>
      text
        .split(' ')
        .slice(0, 2)
        .join(' ')
        .replace(/^curl .*/, 'curl'),
    ),
  );
  expect([...commands].sort()).toEqual([
    'boundary cells',
    'boundary dissolve',
    'boundary export',
    'boundary export-collection',
    'boundary job',
    'boundary locate',
    'boundary map',
    'boundary match',
    'boundary tiles',
    'boundary union',
    'curl',
  ]);
});

describe('a command line of the documentation writes what its file is called', () => {
  test.each(LINES)(
    '$page: $text',
    async ({ text }) => {
      const { code, said } = await run(text);
      expect([code, said]).toEqual([0, said]);
      const [, file = ''] = /\s-o (\S+)/.exec(text) ?? [];
      if (file === '') {
        const [, out = ''] = /\s--out (\S+)/.exec(text) ?? [];
        const written = readdirSync(join(folder, out)).filter((name) => name.endsWith('.kml'));
        expect(written.length).toBeGreaterThan(0);
        for (const name of written)
          expect(readFileSync(join(folder, out, name), 'utf8')).toMatch(defined(SIGNS['.kml']));
        return;
      }
      const name = file === 'FILE' ? 'file.gpkg' : file;
      expect(Object.keys(SIGNS)).toContain(extname(name));
      expect(readFileSync(join(folder, name), 'latin1')).toMatch(defined(SIGNS[extname(name)]));
    },
    120_000,
  );
});

describe('the extension of the file sets the format, or the command refuses', () => {
  const SIGNED: Readonly<Record<string, RegExp>> = {
    ...SIGNS,
    '.gml': /^<\?xml[^>]*>\s*<b:Collection /,
    '.svg': /^<\?xml[^>]*>\s*<svg /,
    '.wkt': /^MULTIPOLYGON|^POLYGON/,
    '.zip': /^PK/,
    '.parquet': /^PAR1/,
    '.fgb': /^fgb/,
    '.topojson': /^\{"type":"Topology"/,
    '.json': /^\{/,
  };

  const COMMANDS: readonly (readonly [command: string, written: readonly string[], refused: readonly string[]])[] = [
    [
      'union-boundaries iso:ES-SE iso:ES-CO',
      ['.kml', '.wkt', '.svg', '.gml', '.geojson', '.csv', '.gpkg', '.zip'],
      ['.shp', '.dat'],
    ],
    ['export-boundary iso:LU', ['.kml', '.wkt', '.svg', '.gml', '.json'], ['.gpkg', '.csv', '.shp']],
    [
      'export-collection --country ES --admin-level 6',
      ['.csv', '.gpkg', '.fgb', '.parquet', '.zip', '.topojson'],
      ['.wkt'],
    ],
    ['crosswalk iso:ES-AN --b iso:ES-SE', ['.csv', '.parquet', '.json'], ['.kml']],
    ['dissolve --groups \'{"a":["iso:ES-SE"]}\'', ['.gpkg', '.csv', '.kml', '.geojson'], ['.wkt']],
    ['save-file iso:LU', ['.kml', '.svg'], ['.html']],
    ['get iso:LU', ['.geojson', '.json'], ['.kml', '.csv', '.gpkg']],
    ['children iso:ES-AN', ['.json'], ['.csv']],
    ['export iso:LU iso:LI', ['.csv', '.gpkg', '.kml'], ['.wkt', '.shp']],
    ['union iso:ES-SE iso:ES-CO', ['.kml', '.svg'], ['.dat']],
    ['get-data-status', ['.json'], ['.csv']],
  ];
  test.each(COMMANDS)(
    '%s',
    async (command, written, refused) => {
      for (const extension of written) {
        const { code, said } = await run(`boundary ${command} -o out${extension}`);
        expect([code, said], extension).toEqual([0, said]);
        expect(readFileSync(join(folder, `out${extension}`), 'latin1'), extension).toMatch(defined(SIGNED[extension]));
      }
      for (const extension of refused) {
        rmSync(join(folder, `out${extension}`), { force: true });
        const { code, said } = await run(`boundary ${command} -o out${extension}`);
        expect([code, said], extension).toEqual([2, expect.stringContaining('invalid_input')]);
        expect(readdirSync(folder), extension).not.toContain(`out${extension}`);
      }
    },
    120_000,
  );

  test('a format that is given is written whatever the file is called', async () => {
    expect((await run('boundary export-boundary iso:LU --format kml -o out.dat')).code).toBe(0);
    expect(readFileSync(join(folder, 'out.dat'), 'latin1')).toMatch(defined(SIGNS['.kml']));
    expect((await run('boundary export-boundary iso:LU --json -o summary.kml')).code).toBe(2);
  });
});

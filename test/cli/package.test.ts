import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manifestOf } from '../../src/cli/manifest.ts';
import { readVersion } from '../../src/common/version.ts';
import { ops } from '../../src/ops/index.ts';

const run = promisify(execFile);
let folder: string;
let source: string;

/** The package as it would be published: built from these sources, beside the files that it names. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'boundary-package-'));
  source = join(folder, 'source');
  mkdirSync(source);
  for (const name of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'sql', 'data']) {
    cpSync(name, join(source, name), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(source, 'node_modules'));
  const compiler = resolve('node_modules/typescript/bin/tsc');
  // Types are checked elsewhere.
  const outDir = join(source, 'dist');
  await run(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--noCheck', '--outDir', outDir]);
  await run(process.execPath, ['--import', 'tsx', 'scripts/make_manifest.ts', outDir]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('publint finds nothing to say', async () => {
  const { messages } = await publint({ pkgDir: source, pack: 'npm', strict: true });

  expect(messages.map((message) => formatMessage(message, {}) ?? message.code)).toEqual([]);
});

test('what is written down of the operations is what they are, and a search loads neither them nor schemas', async () => {
  const written = JSON.parse(readFileSync(join(source, 'dist/src/cli/operations.json'), 'utf8'));
  expect(written).toEqual(JSON.parse(JSON.stringify(ops.map(manifestOf))));
  const env = { PATH: process.env.PATH, HOME: folder, NODE_DEBUG: 'esm' };
  const main = join(source, 'dist/src/main.js');
  const loaded = async (...words: string[]) => {
    const { stderr, stdout } = await run(process.execPath, [main, ...words], { cwd: folder, env, maxBuffer: 2 ** 26 });
    expect(stdout).toContain('Usage: boundary');
    return [...new Set([...stderr.matchAll(/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//g)].map(([, name]) => name))];
  };
  for (const words of [['--help'], ['search-boundaries', '--help'], ['union', '--help']]) {
    expect(await loaded(...words), words[0]).toEqual(['commander']);
  }
});

test('packed and installed elsewhere, it says its version and converts', async () => {
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source });
  const there = join(folder, 'there');
  mkdirSync(there);
  writeFileSync(join(there, 'package.json'), '{"private":true}');
  const archive = join(folder, packed.stdout.trim());
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--omit=optional', '--silent'];
  await run('npm', ['install', ...quiet, archive], { cwd: there });
  const bin = join(there, 'node_modules', '.bin', 'boundary');
  expect(readdirSync(join(there, 'node_modules/boundary-lookup/dist/src/cli'))).toContain('operations.json');
  const env = { PATH: process.env.PATH, HOME: folder };
  expect((await run(bin, ['--version'], { cwd: there, env })).stdout).toBe(`${readVersion()}\n`);
  const ring = '0,0 1,0 1,1 0,0';
  writeFileSync(
    join(there, 'in.kml'),
    `<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>${ring}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>`,
  );
  const converted = await run(bin, ['convert', 'in.kml', '-', '--to', 'wkt'], { cwd: there, env });
  expect([converted.stdout, converted.stderr]).toEqual(['POLYGON((0 0,1 0,1 1,0 0))', '']);
  const open = `import('boundary-lookup/dist/src/adapters/open_storage.js').then((m) => m.openStorage('s3://maps', '.', 'exports'))`;
  const refused = run(process.execPath, ['-e', `${open}.catch((error) => { console.log(String(error)); })`], {
    cwd: there,
  });
  expect((await refused).stdout).toBe(
    'ConfigError: STORAGE_URL needs the package @aws-sdk/client-s3. Run: npm install @aws-sdk/client-s3\n',
  );
  expect(readdirSync(there).sort()).toEqual(['in.kml', 'node_modules', 'package-lock.json', 'package.json']);
});

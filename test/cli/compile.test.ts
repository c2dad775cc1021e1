import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'boundary-compile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A step of the build that writes one file into dist. */
const step = (output: string) =>
  `import { mkdirSync, writeFileSync } from 'node:fs';
   mkdirSync('dist/${dirname(output)}', { recursive: true });
   writeFileSync('dist/${output}', '');`;

const CONFIG = {
  compilerOptions: {
    outDir: 'dist',
    rootDir: '.',
    module: 'nodenext',
    target: 'es2023',
    types: [],
    lib: ['es2023'],
    skipLibCheck: true,
    strict: true,
  },
  include: ['src', 'workers'],
};

/** A program of two files with the build of this one: what `npm start` runs before the server. */
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{"type":"module"}',
  'package-lock.json': '{}',
  'tsconfig.json': '{}',
  'tsconfig.build.json': JSON.stringify(CONFIG),
  'src/main.ts': 'export const answer: number = 1;\n',
  'workers/tasks/thread.ts': 'export const task: string = "";\n',
  'web/page.html': '<p>',
  'scripts/make_manifest.ts': step('src/cli/operations.json'),
  'scripts/make_glyphs.ts': step('glyphs/0.pbf'),
  'scripts/make_web.ts': step('web/page.html'),
  'scripts/make_postgis.ts': step('postgis.tar.gz'),
};

beforeAll(() => {
  for (const [path, text] of Object.entries(FILES)) write(path, text);
  cpSync(join(ROOT, 'scripts/compile.ts'), join(folder, 'scripts/compile.ts'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const COMPILER = [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), 'scripts/compile.ts'];

/** Compiles. Returns whether the compiler ran, and the exit status. */
function compile(): { ran: boolean; status: number | null } {
  const { stderr, status } = spawnSync(process.execPath, COMPILER, { cwd: folder, encoding: 'utf8' });
  return { ran: stderr.includes('Compiling'), status };
}

const main = () => readFileSync(join(folder, 'dist/src/main.js'), 'utf8');

it('compiles when the contents of an input differ, or a build is missing or did not end', async () => {
  write('src/extra.ts', 'export {};\n');
  expect(compile()).toEqual({ ran: true, status: 0 });
  expect(main()).toContain('answer = 1');
  // Written again with the same contents, as a checkout does.
  write('src/main.ts', FILES['src/main.ts'] ?? '');
  expect(compile()).toEqual({ ran: false, status: 0 });

  write('src/main.ts', 'export const answer: number = 2;\n');
  rmSync(join(folder, 'src/extra.ts'));
  expect(compile()).toEqual({ ran: true, status: 0 });
  expect(main()).toContain('answer = 2');
  expect(existsSync(join(folder, 'dist/src/extra.js'))).toBe(false);

  write('src/main.ts', 'export const answer: number = "";\n');
  expect(compile()).toMatchObject({ ran: true, status: 2 });
  // The inputs of the good build are back, its outputs are not. This build is killed.
  write('src/main.ts', 'export const answer: number = 2;\n');
  const killed = spawn(process.execPath, COMPILER, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  await once(killed.stderr, 'data');
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(compile()).toEqual({ ran: true, status: 0 });
  expect(main()).toContain('answer = 2');

  rmSync(join(folder, 'dist/glyphs'), { recursive: true });
  expect(compile()).toEqual({ ran: true, status: 0 });
  expect(compile()).toEqual({ ran: false, status: 0 });
});

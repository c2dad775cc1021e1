/**
 * Compiles the program into dist, unless dist was compiled from the same inputs:
 *
 *   npx tsx scripts/compile.ts
 *
 * `npm start` runs it each time: after a pull, a checkout or an edit, the contents of the inputs differ from those that
 * the stamp in dist was made of. A build that fails or is interrupted leaves no stamp.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
const stamp = join(dist, '.inputs');

/** Folders and files that decide what is compiled; the lockfile stands for the packages. */
const INPUTS = [
  'src',
  'workers',
  'web',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
/** What a build leaves, of each of its steps. */
const OUTPUTS = [
  'src/main.js',
  'workers/tasks/thread.js',
  'src/cli/operations.json',
  'glyphs',
  'web',
  'postgis.tar.gz',
];
const STEPS = [
  ['tsc', '-p', 'tsconfig.build.json'],
  ['tsx', 'scripts/make_manifest.ts'],
  ['tsx', 'scripts/make_glyphs.ts'],
  ['tsx', 'scripts/make_web.ts'],
  ['tsx', 'scripts/make_postgis.ts'],
] as const;

function filesOf(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

/** A hash of the names and contents of all inputs, and of the version of Node. */
function inputs(): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of INPUTS.flatMap(filesOf).sort()) {
    const bytes = readFileSync(join(root, file));
    hash.update(`\n${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

const now = inputs();
const isCurrent =
  existsSync(stamp) && readFileSync(stamp, 'utf8') === now && OUTPUTS.every((output) => existsSync(join(dist, output)));
if (!isCurrent) {
  process.stderr.write('Compiling; this takes some seconds after an install or a change …\n');
  rmSync(stamp, { force: true });
  // A file whose source is deleted must not stay.
  for (const name of ['src', 'workers']) rmSync(join(dist, name), { recursive: true, force: true });
  for (const [command, ...words] of STEPS) {
    const { status } = spawnSync(join(root, 'node_modules/.bin', command), words, { cwd: root, stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
  mkdirSync(dist, { recursive: true });
  writeFileSync(stamp, now);
}

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { preparedFolder } from '../../src/db/prepared.ts';
import { ensurePrepared } from './embedded.ts';

const run = promisify(execFile);

const BUILD_MS = 120_000;
const POLL_MS = 100;

/** Programs of tests that are built with the program. */
const SCRIPTS = [
  'test/db/writer.ts',
  'test/freshness/importer.ts',
  'test/history/importer.ts',
  'test/imports/importer.ts',
  'test/imports/remover.ts',
  'test/library/crash_child.ts',
  'test/library/follow_child.ts',
  'test/sets/job_storer.ts',
  'test/ops/announcer.ts',
  'test/sets/storer.ts',
] as const;

/** What processes and threads of the program start with, and whether it exports a task. */
const ENTRIES: Readonly<Record<string, boolean>> = {
  'src/main': false,
  'src/cli/operator/isolated_process': false,
  'workers/tasks/thread': true,
  'workers/collection_writer': false,
};

/**
 * The path of the main file of the program, built from the current sources as by `npm run build`, but that a process
 * reads few large files in place of hundreds (bundle). The first test that asks builds it and the others wait: a compiled
 * process starts ten times as fast as one from sources.
 * @throws Error when the build fails, or takes longer than two minutes
 */
export async function builtMain(): Promise<string> {
  const folder = inject('buildFolder');
  const main = join(folder, 'done/dist/src/main.js');
  if (existsSync(main)) return main;
  const draft = join(folder, 'draft');
  const isFirst = await mkdir(draft).then(
    () => true,
    () => false,
  );
  if (!isFirst) {
    for (const end = Date.now() + BUILD_MS; Date.now() < end; await sleep(POLL_MS)) if (existsSync(main)) return main;
    throw new Error(`no build in ${folder} after ${BUILD_MS} ms`);
  }
  await copyFile('package.json', join(draft, 'package.json'));
  for (const name of ['sql', 'data', 'node_modules']) await symlink(resolve(name), join(draft, name));
  const dist = join(draft, 'dist');
  const config = join(draft, 'tsconfig.json');
  await writeFile(
    config,
    JSON.stringify({
      extends: resolve('tsconfig.build.json'),
      compilerOptions: { rootDir: resolve('.'), outDir: dist, noCheck: true },
      include: [resolve('src'), resolve('workers')],
      files: SCRIPTS.map((path) => resolve(path)),
    }),
  );
  // Another CI step checks types.
  await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', config]);
  await bundle(draft, join(folder, 'done'));
  await run(process.execPath, ['--import', 'tsx', 'scripts/make_manifest.ts', dist]);
  await ensurePrepared();
  await symlink(preparedFolder(), join(dist, 'prepared'));
  await rename(draft, join(folder, 'done'));
  return main;
}

/**
 * Bundles the entries of a build in place. To read, resolve and link their modules one by one takes half a second of a
 * processor at each start, a third of what a short command takes. A module keeps the address that it has in the build,
 * which moves from `draft` to `done`, as it finds files beside itself by it.
 */
async function bundle(draft: string, done: string): Promise<void> {
  const dist = join(draft, 'dist');
  const entries = Object.keys(ENTRIES);
  // Only the first test that asks needs it.
  const { build } = await import('vite');
  await build({
    root: draft,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'own-address',
        transform(code, id) {
          if (!id.startsWith(dist) || !code.includes('import.meta.url')) return null;
          const own = JSON.stringify(pathToFileURL(join(done, relative(draft, id))).href);
          return { code: code.replaceAll('import.meta.url', own), map: null };
        },
      },
    ],
    build: {
      outDir: join(dist, 'bundle'),
      ssr: true,
      target: 'node20',
      minify: false,
      rolldownOptions: { input: Object.fromEntries(entries.map((name) => [name, join(dist, `${name}.js`)])) },
    },
  });
  for (const name of entries) {
    const to = JSON.stringify(`${relative(dirname(name), '.') || '.'}/bundle/${name}.js`);
    await writeFile(join(dist, `${name}.js`), ENTRIES[name] ? `export { default } from ${to};\n` : `import ${to};\n`);
  }
}

/** The path of a program of a test, built with the program. @throws Error like builtMain() */
export async function builtScript(path: (typeof SCRIPTS)[number]): Promise<string> {
  return join(dirname(await builtMain()), '..', path.replace(/\.ts$/, '.js'));
}

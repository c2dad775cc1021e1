import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { preparedFolder } from '../../src/db/prepared.ts';
import { ensurePrepared } from './embedded.ts';

const run = promisify(execFile);

const BUILD_MS = 120_000;
const POLL_MS = 100;

/** Programs of tests that are built with the program. */
const SCRIPTS = ['test/db/writer.ts', 'test/freshness/importer.ts', 'test/library/crash_child.ts'] as const;

/**
 * The path of the main file of the program, built from the current sources as by `npm run build`. The first test that
 * asks builds it and the others wait: a compiled process starts ten times as fast as one from sources.
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
  await run(process.execPath, ['--import', 'tsx', 'scripts/make_manifest.ts', dist]);
  await ensurePrepared();
  await symlink(preparedFolder(), join(dist, 'prepared'));
  await rename(draft, join(folder, 'done'));
  return main;
}

/** The path of a program of a test, built with the program. @throws Error like builtMain() */
export async function builtScript(path: (typeof SCRIPTS)[number]): Promise<string> {
  return join(dirname(await builtMain()), '..', path.replace(/\.ts$/, '.js'));
}

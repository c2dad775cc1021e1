import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { dropLeftovers, newRunName } from './native.ts';
import { bundleThreads } from './threads.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Prefix of the names of all native databases of this run. */
    testRun: string;
    /** The folder where test/setup/built.ts builds the program. */
    buildFolder: string;
  }
}

/**
 * Global setup of the suite. The first test that needs a database template creates it: a run of kernel tests needs
 * none, and a broken migration fails only the tests that need a database.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = newRunName();
  project.provide('testRun', run);
  const buildFolder = mkdtempSync(join(tmpdir(), 'boundary-build-'));
  // Some tests start the program as another user.
  chmodSync(buildFolder, 0o755);
  project.provide('buildFolder', buildFolder);
  // Who watches changes them.
  const threads = project.vitest.config.watch ? null : await bundleThreads(run);
  if (threads !== null) process.env.BUNDLED_THREADS = threads;
  const server = process.env.TEST_DATABASE_URL;
  if (server) await dropLeftovers(server, null);
  return async () => {
    for (const folder of [buildFolder, threads]) {
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
    }
    if (server) await dropLeftovers(server, run);
  };
}

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { dropLeftovers, newRunName } from './native.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Starts the names of all native databases of this run. */
    testRun: string;
    /** Where the program is built for tests that start it (test/setup/built.ts). */
    buildFolder: string;
  }
}

/**
 * Runs once around the suite. The templates that test databases are copied from are made by the first test that asks:
 * a run of kernel tests alone needs none, and a broken migration fails only the tests that need a database.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = newRunName();
  project.provide('testRun', run);
  const buildFolder = mkdtempSync(join(tmpdir(), 'boundary-build-'));
  // Some tests start the program as another user.
  chmodSync(buildFolder, 0o755);
  project.provide('buildFolder', buildFolder);
  const server = process.env.TEST_DATABASE_URL;
  if (server) await dropLeftovers(server, null);
  return async () => {
    rmSync(buildFolder, { recursive: true, force: true });
    if (server) await dropLeftovers(server, run);
  };
}

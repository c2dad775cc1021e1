import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';
import { importSeed } from '../../src/sources/import.ts';
import { compile } from '../http/server.ts';
import { peakOf } from '../peak.ts';
import type { BenchDatabase } from './native.ts';

const POLL_MS = 100;

/** The figures of a CLI import: milliseconds from the command to its end, and its peak memory in MB. */
export interface CommandImport {
  readonly ms: number;
  readonly peakMb: number;
}

/** Runs `boundary import` on a file, into a native database that already holds the seed data (not timed). */
export async function importBesideSeed(
  database: BenchDatabase,
  path: string,
  options: readonly string[],
): Promise<CommandImport> {
  const folder = await mkdtemp(join(tmpdir(), 'boundary-bench-'));
  const env = { DATA_DIR: folder, DATABASE_URL: database.url, LOG_LEVEL: 'silent' };
  try {
    await database.empty();
    const app = await openApp(loadConfig(env));
    await importSeed(app.services).finally(() => app.close());
    compile();
    const began = performance.now();
    const child = spawn(process.execPath, ['dist/src/main.js', 'import', path, ...options], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (part: Buffer) => {
      said = (said + part).slice(-2_000);
    });
    let peakMb = 0;
    while (child.exitCode === null && child.signalCode === null) {
      peakMb = Math.max(peakMb, peakOf(child.pid as number));
      await sleep(POLL_MS);
    }
    if (child.exitCode !== 0) throw new Error(`boundary import ended with ${child.exitCode}: ${said}`);
    return { ms: performance.now() - began, peakMb };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtScript } from '../setup/built.ts';
import { COMPILE_ONCE } from '../setup/compiled.ts';
import { copyTemplate } from '../setup/embedded.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'boundary-crash-'));
  await copyTemplate(dataDir);
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

interface Outcome {
  /** What was stored after each step that was not killed. */
  readonly reports: readonly object[];
  readonly signal: string | null;
}

/** Runs a process that does steps in the data directory (crash_child.ts). */
async function run(...steps: string[]): Promise<Outcome> {
  const args = [await builtScript('test/library/crash_child.ts'), ...steps];
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, WORKER_THREADS: '1', NODE_ENV: 'test' };
  const { stdout, signal } = await promisify(execFile)(process.execPath, [COMPILE_ONCE, ...args], { env }).then(
    (ended) => ({ ...ended, signal: null }),
    (error: { signal?: string; stdout: string; stderr: string }) => {
      if (error.signal !== 'SIGKILL') throw new Error(`${steps}: ${error.stderr}`);
      return { ...error, signal: error.signal };
    },
  );
  const lines = stdout.split('\n').filter((line) => line !== '');
  return { reports: lines.map((line) => JSON.parse(line)), signal };
}
const bytes = 19;
const clean = { blobs: 0, bytes: 0, removed: 0 };

test('a process killed between the bytes and the entry leaves no entry without bytes, and no bytes for good', {
  timeout: 600_000,
}, async () => {
  expect(await run('save-killed')).toEqual({ reports: [], signal: 'SIGKILL' });
  // The bytes are there; the entry, written and not committed, is not.
  const left = { entries: 0, report: { faults: [], strays: { blobs: 1, bytes, removed: 1 } } };
  expect(await run('repair', 'save-killed')).toMatchObject({ reports: [left], signal: 'SIGKILL' });
  // Saving again takes up what was left.
  const saved = { entries: 1, report: { blobs: 1, bytes, faults: [], strays: clean } };
  expect(await run('save', 'delete-killed')).toMatchObject({ reports: [saved], signal: 'SIGKILL' });
  const swept = { entries: 0, swept: 1, report: { blobs: 0, faults: [], strays: clean } };
  expect(await run('sweep')).toMatchObject({ reports: [swept], signal: null });
});

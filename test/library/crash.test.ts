import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyTemplate } from '../setup/embedded.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'boundary-crash-'));
  await copyTemplate(dataDir);
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Runs a process in the data directory: what it prints, or the signal that ended it. */
async function run(what: string) {
  const args = ['--import', 'tsx', join(import.meta.dirname, 'crash_child.ts'), what];
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, WORKER_THREADS: '1', NODE_ENV: 'test' };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    return JSON.parse(stdout);
  } catch (error) {
    const { signal, stderr } = error as { signal?: string; stderr?: string };
    if (signal !== 'SIGKILL') throw new Error(`${what}: ${stderr}`);
    return signal;
  }
}
const bytes = 19;
const clean = { blobs: 0, bytes: 0, removed: 0 };

test('a process killed between the bytes and the entry leaves no entry without bytes, and no bytes for good', {
  timeout: 600_000,
}, async () => {
  expect(await run('save-killed')).toBe('SIGKILL');
  // The bytes are there; the entry, written and not committed, is not.
  expect(await run('repair')).toMatchObject({
    entries: 0,
    report: { faults: [], strays: { blobs: 1, bytes, removed: 1 } },
  });
  expect(await run('save-killed')).toBe('SIGKILL');
  // Saving again takes up what was left.
  const saved = await run('save');
  expect(saved).toMatchObject({ entries: 1, report: { blobs: 1, bytes, faults: [], strays: clean } });

  expect(await run('delete-killed')).toBe('SIGKILL');
  const swept = await run('sweep');
  expect(swept).toMatchObject({ entries: 0, swept: 1, report: { blobs: 0, faults: [], strays: clean } });
});

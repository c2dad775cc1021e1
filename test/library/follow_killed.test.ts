import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { drawnIfEmbedded } from '../proof/rounds.ts';
import { type Base, openBase } from '../setup/base.ts';
import { builtScript } from '../setup/built.ts';
import { COMPILE_ONCE } from '../setup/compiled.ts';

const folder = mkdtempSync(join(tmpdir(), 'boundary-follow-killed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Where a process is killed that makes a file again (follow_child.ts), and whether the file has its new bytes then. */
const PLACES = [
  ['claimed', false],
  ['put', false],
  ['updated', false],
  ['settled', false],
  ['committed', true],
] as const;
const LEASE_MS = 1_000;

interface Stored {
  readonly name: string;
  readonly isWhole: boolean;
  readonly renewals: number;
  readonly used: number;
  readonly error: object | null;
  readonly strays: number;
}

/** Runs a process that does steps; what was stored after each, unless it was killed in it. */
async function run(
  { dataDir, databaseUrl }: Base,
  ...steps: string[]
): Promise<{ after: Stored[]; signal: string | null }> {
  const args = [await builtScript('test/library/follow_child.ts'), ...steps];
  const about = { WORKER_THREADS: '1', NODE_ENV: 'test', SEED: 'none', JOB_LEASE_MS: `${LEASE_MS}` };
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...about };
  const { stdout, signal } = await promisify(execFile)(process.execPath, [COMPILE_ONCE, ...args], { env }).then(
    (ended) => ({ stdout: ended.stdout, signal: null }),
    (error: { signal?: string; stdout: string; stderr: string }) => {
      if (error.signal !== 'SIGKILL') throw new Error(`${steps}: ${error.stderr}`);
      return { stdout: error.stdout, signal: error.signal };
    },
  );
  const lines = stdout.split('\n').filter((line) => line !== '');
  return { after: lines.map((line) => JSON.parse(line) as Stored), signal };
}

it('a file that follows is whole when the process is killed that makes it again, and another one makes it', {
  timeout: 600_000,
}, async () => {
  const base = await openBase(folder);
  try {
    const made = (await run(base, 'make')).after[0] as Stored;
    expect(made).toMatchObject({ isWhole: true, renewals: 0, strays: 0 });
    let before = made;
    for (const [place, isRenewed] of drawnIfEmbedded(PLACES)) {
      const name = `Changed ${place}`;
      const killed = await run(base, `change:${name}`, `renew:${place}`);
      expect([killed.signal, killed.after.length], place).toEqual(['SIGKILL', 1]);
      // At once the claim is that of the killed process; later another one takes the file.
      const [now] = (await run(base, 'renew')).after as [Stored];
      const price = before.used + made.used;
      const renewed = { name, isWhole: true, renewals: before.renewals + 1, used: price, error: null };
      if (isRenewed) expect(now, place).toMatchObject(renewed);
      else expect(now, place).toMatchObject({ isWhole: true, error: null });
      await wait(LEASE_MS);
      const [then, swept] = (await run(base, 'renew', 'sweep')).after as [Stored, Stored];
      expect(then, place).toMatchObject(renewed);
      expect(swept, place).toMatchObject({ ...renewed, strays: 0 });
      before = then;
    }
  } finally {
    await base.close();
  }
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireDataDir, ownerOf } from '../../src/db/lock.ts';

let dataDir = '';
const children: ChildProcess[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'boundary-lock-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

/** A process that tries to become the owner and stays; what it says first is `owner` or an error's code. */
async function starter(): Promise<{ child: ChildProcess; said: string }> {
  const script = fileURLToPath(new URL('./lock_owner.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const [said] = await once(child.stdout!, 'data');
  return { child, said: String(said).trim() };
}

/** The file that counts, and what is in it. */
async function claim(): Promise<{ path: string; content: Record<string, unknown> }> {
  const names = await readdir(join(dataDir, 'lock'));
  const newest = Math.max(...names.filter((name) => /^\d+$/.test(name)).map(Number));
  const path = join(dataDir, 'lock', String(newest));
  return { path, content: JSON.parse(await readFile(path, 'utf8')) };
}

describe('the lock of a data directory', () => {
  it('is held once, given up, and taken again', async () => {
    expect(await ownerOf(dataDir)).toBeNull();
    const lock = await acquireDataDir(join(dataDir));
    expect(await ownerOf(dataDir)).toEqual({ pid: process.pid });
    await expect(acquireDataDir(dataDir)).rejects.toMatchObject({ code: 'data_dir_in_use' });
    expect((await claim()).content.socket).toBe(join(dataDir, 'control.sock'));
    await lock.release();
    expect(await ownerOf(dataDir)).toBeNull();
    await (await acquireDataDir(dataDir)).release();
  });

  it('is refused to another process by the pid of its owner, and taken over when that is killed', async () => {
    const { child, said } = await starter();
    expect(said).toBe('owner');
    expect(await ownerOf(dataDir)).toEqual({ pid: child.pid });
    await expect(acquireDataDir(dataDir)).rejects.toThrow(`process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await ownerOf(dataDir)).toBeNull();
    await (await acquireDataDir(dataDir)).release();
  });

  it('goes to exactly one of many that find a dead owner', async () => {
    const { child } = await starter();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const within = await Promise.allSettled(Array.from({ length: 20 }, () => acquireDataDir(dataDir)));
    expect(within.filter((result) => result.status === 'fulfilled').length).toBe(1);
  });

  it('goes to exactly one of several processes', async () => {
    const said = await Promise.all([starter(), starter(), starter()]);
    expect(said.map((one) => one.said).sort()).toEqual(['data_dir_in_use', 'data_dir_in_use', 'owner']);
  });

  it.skipIf(process.platform !== 'linux')('a pid that another process has got since is not an owner', async () => {
    const lock = await acquireDataDir(dataDir);
    const { path, content } = await claim();
    await writeFile(path, JSON.stringify({ ...content, started: '1' }));
    expect(await ownerOf(dataDir)).toBeNull();
    await lock.release();
  });

  it('an owner that cannot be seen counts as dead when it has been silent', async () => {
    await mkdir(join(dataDir, 'lock'));
    const lock = await acquireDataDir(dataDir);
    const { path, content } = await claim();
    await lock.release();
    await writeFile(path, JSON.stringify({ ...content, host: 'elsewhere', pid: 1 }));
    const past = new Date(Date.now() - 60_000);
    await utimes(path, past, past);
    expect(await ownerOf(dataDir)).toBeNull();

    await utimes(path, new Date(), new Date());
    const owner = ownerOf(dataDir);
    const beat = setTimeout(() => utimes(path, new Date(), new Date()), 700);
    expect(await owner).toEqual({ pid: 1 });
    clearTimeout(beat);
  });
});

import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../common/elements.ts';
import { DatabaseError } from './database_error.ts';

/**
 * Ownership of a data directory: files `lock/1`, `lock/2`, …, of which the highest counts. A process takes over by
 * creating the next number with its whole content in one atomic step (a hard link), which only one process can do.
 * Numbers never decrease, so a starter that was delayed between reading and taking finds a higher number and gives way.
 */
interface Claim {
  readonly token: string;
  readonly pid: number;
  /** Start of the process in clock ticks since boot (/proc/<pid>/stat, field 22): detects a reused pid. */
  readonly started: string | null;
  /** Boot and pid namespace: within the same pair, a pid shows reliably whether its process is alive. */
  readonly host: string;
  /** Socket on which the owner listens when it serves. */
  readonly socket: string;
  readonly released: boolean;
}

const HEARTBEAT_MS = 5_000;
/** An owner on another machine or in another container counts as dead when its file was not touched for this long. */
const SILENCE_MS = 20_000;
const POLL_MS = 500;

/** A data directory that this process owns. */
export interface DataDirLock {
  /** Gives up the directory. */
  release(): Promise<void>;
}

/**
 * Makes this process the owner of `dataDir`, which is created when missing. Takes over from a dead owner.
 * @throws DatabaseError `data_dir_in_use`, naming the pid, when another process (or this one) owns it
 */
export async function acquireDataDir(dataDir: string): Promise<DataDirLock> {
  const directory = join(dataDir, 'lock');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const claim: Claim = {
    token: randomUUID(),
    pid: process.pid,
    started: startOf(process.pid),
    host: hostOf(),
    socket: join(resolve(dataDir), 'control.sock'),
    released: false,
  };
  for (;;) {
    const current = await newest(directory);
    if (current && (await isOwned(directory, current))) throw inUse(dataDir, current.claim.pid);
    const number = (current?.number ?? 0) + 1;
    if (await claimNumber(directory, number, claim)) return hold(directory, number, claim);
  }
}

/** The process that owns `dataDir`, or null when none does. */
export async function ownerOf(dataDir: string): Promise<{ pid: number } | null> {
  const directory = join(dataDir, 'lock');
  const current = await newest(directory);
  return current && (await isOwned(directory, current)) ? { pid: current.claim.pid } : null;
}

interface Numbered {
  readonly number: number;
  readonly claim: Claim;
}

function inUse(dataDir: string, pid: number): DatabaseError {
  const who = pid === process.pid ? 'this process' : `process ${pid}`;
  return new DatabaseError('data_dir_in_use', `${dataDir} is already in use by ${who}.`);
}

async function numbers(directory: string): Promise<number[]> {
  const names = existsSync(directory) ? await readdir(directory) : [];
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function newest(directory: string): Promise<Numbered | null> {
  for (;;) {
    const all = await numbers(directory);
    if (all.length === 0) return null;
    const number = Math.max(...all);
    const text = await readFile(join(directory, String(number)), 'utf8').catch(() => null);
    // Deleted since the directory was listed: a newer number has replaced it.
    if (text !== null) return { number, claim: JSON.parse(text) as Claim };
  }
}

async function claimNumber(directory: string, number: number, claim: Claim): Promise<boolean> {
  const path = join(directory, String(number));
  const draft = join(directory, `${claim.token}.draft`);
  await writeFile(draft, JSON.stringify(claim), { mode: 0o600 });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const all = await numbers(directory);
  if (Math.max(...all) > number) {
    await rm(path, { force: true });
    return false;
  }
  const older = all.filter((other) => other < number);
  await Promise.all(older.map((other) => rm(join(directory, String(other)), { force: true })));
  return true;
}

function hold(directory: string, number: number, claim: Claim): DataDirLock {
  const path = join(directory, String(number));
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  beat.unref();
  return {
    async release() {
      clearInterval(beat);
      // The number stays: otherwise a delayed starter could take it again beside a newer owner.
      const draft = join(directory, `${claim.token}.draft`);
      await writeFile(draft, JSON.stringify({ ...claim, released: true }), { mode: 0o600 });
      await rename(draft, path);
    },
  };
}

async function isOwned(directory: string, current: Numbered): Promise<boolean> {
  const { claim, number } = current;
  if (claim.released) return false;
  if (claim.host === hostOf()) return isAlive(claim);
  const path = join(directory, String(number));
  const touched = async (): Promise<number> => (await stat(path).catch(() => null))?.mtimeMs ?? 0;
  const first = await touched();
  while ((await touched()) === first) {
    if (Date.now() - first > SILENCE_MS) return false;
    await sleep(POLL_MS);
  }
  const now = (await newest(directory))?.claim;
  return now !== undefined && !now.released;
}

function isAlive(claim: Claim): boolean {
  try {
    process.kill(claim.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return claim.started === null || claim.started === startOf(claim.pid);
}

/** Field 22 of /proc/<pid>/stat; null when there is none, for a dead process, and for a zombie. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in parentheses, which may contain spaces; the third is the state.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : defined(fields[19]);
  } catch {
    return null;
  }
}

function hostOf(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return process.platform;
  }
}

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
/** Bytes free there, and of memory: several times what a gate has stored at once, and its processes beside it. */
const ROOM = 12e9;
const NAME = /^boundary-gate-(\d+)-/;

/**
 * Makes a folder in memory for the temporary files of this process, which removes it at its end: databases that tests
 * create and drop there take a tenth of the processor time of those on a disk. Removes folders of processes that were
 * killed. Null where there is none, where less than `room` bytes are free, or where no program may run from it.
 */
export function makeMemoryFolder(parent = MEMORY, room = ROOM): string | null {
  if (!existsSync(parent)) return null;
  for (const name of readdirSync(parent)) {
    const pid = NAME.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const { bavail, bsize } = statfsSync(parent);
  if (Math.min(bavail * bsize, freemem()) < room) return null;
  const folder = mkdtempSync(join(parent, `boundary-gate-${process.pid}-`));
  // As /tmp: servers of other users have their files in it.
  chmodSync(folder, 0o1777);
  if (isExecutable(folder)) return folder;
  rmSync(folder, { recursive: true });
  return null;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether programs may run from a folder: containers often forbid it of memory. */
function isExecutable(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

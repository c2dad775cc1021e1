import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Mounts a tmpfs of `mib` MiB on a folder, and returns a function that unmounts it. Needs the right to mount. */
export function mountSmall(folder: string, mib: number): () => void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m,mode=0700`, 'tmpfs', folder]);
  return () => void execFileSync('umount', ['-l', folder]);
}

/** Runs work with a folder on a small disk. */
export async function onSmallDisk<T>(folder: string, mib: number, work: () => Promise<T>): Promise<T> {
  const unmount = mountSmall(folder, mib);
  try {
    return await work();
  } finally {
    unmount();
  }
}

const PIECE = Buffer.alloc(2 ** 24);

/** Fills the disk of a folder; returns a function that frees it. For small disks. */
export function fillDisk(folder: string): () => void {
  const path = join(folder, 'filler');
  const file = openSync(path, 'w');
  try {
    for (let size = PIECE.length; size > 0; ) {
      try {
        if (writeSync(file, PIECE, 0, size) < size) size >>= 1;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        size >>= 1;
      }
    }
  } finally {
    closeSync(file);
  }
  return () => rmSync(path);
}

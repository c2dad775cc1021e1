import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFolder } from '../private_folder.ts';
import { type Draft, isBlobName, type Storage, type Stored } from './storage.ts';

/** What a crash left half written is older than this; younger drafts may be another process's. */
const DRAFT_MS = 3_600_000;

/**
 * Storage in a folder of this machine: `root/ab/abcdef….kml`, written aside, brought to the disk and renamed. When bytes
 * were used is their time of modification. Only its owner can read it (mode 0700).
 */
export async function openFolder(root: string): Promise<Storage> {
  const aside = join(root, 'tmp');
  await privateFolder(root, 'the storage folder');
  await openDrafts(aside);

  function pathOf(name: string): string {
    if (!isBlobName(name)) throw new Error(`${name.slice(0, 80)} is not a name of a blob`);
    return join(root, name.slice(0, 2), name);
  }

  return {
    async put(name, bytes) {
      const path = pathOf(name);
      const folder = join(root, name.slice(0, 2));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = join(aside, randomUUID());
      try {
        await synced(draft, 'wx', (file) => file.writeFile(bytes));
        await rename(draft, path);
      } catch (error) {
        // On a full disk it would hold what room there is.
        await rm(draft, { force: true }).catch(() => undefined);
        throw error;
      }
      // The name is in the folder, and reaches the disk with it.
      await synced(folder, 'r', async () => undefined);
    },
    get: (name) => unlessGone(() => readFile(pathOf(name))),
    draft: () =>
      newDraft(aside, async (name, path) => {
        const folder = join(root, name.slice(0, 2));
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await rename(path, pathOf(name));
        await synced(folder, 'r', async () => undefined);
      }),
    async read(name, range) {
      const path = pathOf(name);
      // What is opened stays readable, even if it is removed for room meanwhile.
      const file = await open(path, 'r');
      return createReadStream(path, { fd: file, ...(range ? { start: range.from, end: range.to } : {}) });
    },
    async touch(name) {
      const now = new Date();
      return (await unlessGone(() => utimes(pathOf(name), now, now).then(() => true))) ?? false;
    },
    size: async (name) => (await unlessGone(() => stat(pathOf(name))))?.size ?? null,
    remove: (name) => rm(pathOf(name), { force: true }),
    async *list(): AsyncGenerator<Stored> {
      for (const folder of await readdir(root)) {
        if (!/^[0-9a-f]{2}$/.test(folder)) continue;
        for (const name of await readdir(join(root, folder))) {
          const about = isBlobName(name) ? await unlessGone(() => stat(pathOf(name))) : null;
          if (about) yield { name, size: about.size, usedAt: about.mtimeMs };
        }
      }
    },
  };
}

/** Makes a folder for drafts, and removes from it what a crash left half written. */
export async function openDrafts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const draft of await readdir(folder)) {
    const path = join(folder, draft);
    const about = await unlessGone(() => stat(path));
    if (about && Date.now() - about.mtimeMs > DRAFT_MS) await rm(path, { force: true });
  }
}

/** A draft in a folder; `put` takes the finished file, brought to the disk, by its path. */
export async function newDraft(folder: string, put: (name: string, path: string) => Promise<void>): Promise<Draft> {
  const path = join(folder, randomUUID());
  await (await open(path, 'wx', 0o600)).close();
  return {
    path,
    async keep(name) {
      await synced(path, 'r+', async () => undefined);
      await put(name, path);
      await rm(path, { force: true });
    },
    drop: () => rm(path, { force: true }),
  };
}

/** Opens a file or folder, works on it, brings it to the disk. */
async function synced(
  path: string,
  flags: 'wx' | 'r' | 'r+',
  work: (file: Awaited<ReturnType<typeof open>>) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await work(file);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Null for a file that is not there (any more). */
async function unlessGone<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

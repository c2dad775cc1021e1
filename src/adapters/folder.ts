import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFolder } from '../common/private_folder.ts';
import { type Draft, isBlobName, type Storage, type Stored } from './storage.ts';

/** Milliseconds after which a draft is a remnant of a crash; younger drafts may belong to another process. */
const DRAFT_MS = 3_600_000;

/**
 * Storage in a local folder: `root/ab/abcdef….kml`, written to a draft, synced to disk and renamed. The modification
 * time is the time of the last use. Only the owner can access it (mode 0700).
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
        // On a full disk the draft would take the space that is left.
        await rm(draft, { force: true }).catch(() => undefined);
        throw error;
      }
      // The new name is in the folder, which must be synced too.
      await synced(folder, 'r', async () => undefined);
    },
    get: (name) => nullIfMissing(() => readFile(pathOf(name))),
    draft: () =>
      newDraft(aside, async (name, path) => {
        const folder = join(root, name.slice(0, 2));
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await rename(path, pathOf(name));
        await synced(folder, 'r', async () => undefined);
      }),
    async read(name, range) {
      const path = pathOf(name);
      // An open file stays readable, even if it is evicted meanwhile.
      const file = await open(path, 'r');
      return createReadStream(path, { fd: file, ...(range ? { start: range.from, end: range.to } : {}) });
    },
    async touch(name) {
      const now = new Date();
      return (await nullIfMissing(() => utimes(pathOf(name), now, now).then(() => true))) ?? false;
    },
    size: async (name) => (await nullIfMissing(() => stat(pathOf(name))))?.size ?? null,
    remove: (name) => rm(pathOf(name), { force: true }),
    async *list(): AsyncGenerator<Stored> {
      for (const folder of await readdir(root)) {
        if (!/^[0-9a-f]{2}$/.test(folder)) continue;
        for (const name of await readdir(join(root, folder))) {
          const about = isBlobName(name) ? await nullIfMissing(() => stat(pathOf(name))) : null;
          if (about) yield { name, size: about.size, usedAt: about.mtimeMs };
        }
      }
    },
  };
}

/** Creates a folder for drafts, and deletes those that a crash left behind. */
export async function openDrafts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const draft of await readdir(folder)) {
    const path = join(folder, draft);
    const about = await nullIfMissing(() => stat(path));
    if (about && Date.now() - about.mtimeMs > DRAFT_MS) await rm(path, { force: true });
  }
}

/** Opens a draft in a folder; `put` stores the finished file, synced to disk, by its path. */
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

/** Opens a file or folder, works on it, and syncs it to disk. */
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

/** Runs `work`; null for a file that does not exist (any more). */
async function nullIfMissing<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

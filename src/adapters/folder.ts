import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { privateFolder } from '../common/private_folder.ts';
import { type Draft, isBlobName, type Storage, type Stored } from './storage.ts';

/** Milliseconds after which a draft is a remnant of a crash; younger drafts may belong to another process. */
const DRAFT_MS = 3_600_000;

// What each new export calls: those of node:fs/promises open a FileHandle, which is an object with a life of its own,
// and take more than twice the main thread's time for a file of 5 kB.
const writeFile = promisify(fs.writeFile);
const rename = promisify(fs.rename);
const utimes = promisify(fs.utimes);

/**
 * Storage in a local folder: `root/ab/abcdef….kml`, written to a draft, synced to disk and renamed. The modification
 * time is the time of the last use. Only the owner can access it (mode 0700).
 * @param unsyncedBytes up to this size, `put` does not sync: after a loss of power such a file may be cut. It counts as
 * missing then, which each read checks: names must be the SHA-256 of the content. For what can be made again.
 */
export async function openFolder(root: string, { unsyncedBytes = 0 } = {}): Promise<Storage> {
  const aside = join(root, 'tmp');
  await privateFolder(root, 'the storage folder');
  await openDrafts(aside);

  function pathOf(name: string): string {
    if (!isBlobName(name)) throw new Error(`${name.slice(0, 80)} is not a name of a blob`);
    return join(root, name.slice(0, 2), name);
  }

  /** Moves a draft to its place. */
  async function moveIn(draft: string, name: string): Promise<void> {
    const path = pathOf(name);
    // Most folders exist: there are 256.
    if ((await nullIfMissing(() => rename(draft, path).then(() => true))) !== null) return;
    await mkdir(join(root, name.slice(0, 2)), { recursive: true, mode: 0o700 });
    await rename(draft, path);
  }

  /** Syncs the folder of a file, so that its new name is on disk too. */
  const syncFolder = (name: string): Promise<void> => synced(join(root, name.slice(0, 2)), 'r', async () => undefined);

  async function get(name: string): Promise<Uint8Array | null> {
    const bytes = await nullIfMissing(() => readFile(pathOf(name)));
    if (bytes === null || bytes.byteLength > unsyncedBytes || isWhole(name, bytes)) return bytes;
    await rm(pathOf(name), { force: true });
    return null;
  }

  return {
    async put(name, bytes) {
      const unsynced = bytes.byteLength <= unsyncedBytes;
      const draft = join(aside, randomUUID());
      pathOf(name);
      try {
        if (unsynced) await writeFile(draft, bytes, { flag: 'wx', mode: 0o600 });
        else await synced(draft, 'wx', (file) => file.writeFile(bytes));
        await moveIn(draft, name);
      } catch (error) {
        // On a full disk the draft would take the space that is left.
        await rm(draft, { force: true }).catch(() => undefined);
        throw error;
      }
      if (!unsynced) await syncFolder(name);
    },
    get,
    draft: () =>
      newDraft(aside, async (name, path) => {
        await moveIn(path, name);
        await syncFolder(name);
      }),
    async read(name, range) {
      const path = pathOf(name);
      if ((await stat(path)).size <= unsyncedBytes && (await get(name)) === null) throw missing(path);
      // An open file stays readable, even if it is evicted meanwhile.
      const file = await open(path, 'r');
      return fs.createReadStream(path, { fd: file, ...(range ? { start: range.from, end: range.to } : {}) });
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

/** Whether the content of a file has the SHA-256 that its name says. */
const isWhole = (name: string, bytes: Uint8Array): boolean =>
  name.startsWith(createHash('sha256').update(bytes).digest('hex'));

/** The error of a file that is not there. */
const missing = (path: string): Error => Object.assign(new Error(`ENOENT: ${path} was cut`), { code: 'ENOENT' });

/** Runs `work`; null for a file that does not exist (any more). */
async function nullIfMissing<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

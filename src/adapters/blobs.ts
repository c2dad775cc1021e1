import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** Where exported bytes are kept, by content. */
export interface Blobs {
  /** Stores bytes under their sha256 (hex) and extension; again is a no-op. */
  put(sha256: string, extension: string, bytes: Uint8Array): Promise<void>;
  /** The bytes, or null when they are not (any more) there; no promise when they are in memory. */
  get(sha256: string, extension: string): Promise<Uint8Array | null> | Uint8Array | null;
  /** Marks bytes as used now; false when they are not there. */
  touch(sha256: string, extension: string): Promise<boolean>;
}

/** What keeps bytes in memory, within its own bounds. */
export interface BlobCache {
  get(tier: 'exports', key: string): { readonly bytes: Uint8Array } | undefined;
  set(tier: 'exports', key: string, value: { readonly bytes: Uint8Array; readonly size: number }): void;
}

/** How long bytes may be served from memory before their store is told that they are still in use. */
const TOUCH_MS = 60_000;

/** Blobs with the ones in use kept in memory: a hit asks nothing of the store but, once a minute, to note the use. */
export function rememberBlobs(blobs: Blobs, cache: BlobCache): Blobs {
  const reading = new Map<string, Promise<Uint8Array | null>>();
  const touched = new WeakMap<Uint8Array, number>();

  function keep(key: string, bytes: Uint8Array): void {
    touched.set(bytes, Date.now());
    cache.set('exports', key, { bytes, size: bytes.buffer.byteLength });
  }

  function recall(sha256: string, extension: string): Uint8Array | null {
    const bytes = cache.get('exports', `${sha256}.${extension}`)?.bytes;
    if (!bytes) return null;
    if (Date.now() - (touched.get(bytes) ?? 0) > TOUCH_MS) {
      touched.set(bytes, Date.now());
      blobs.touch(sha256, extension).catch(() => undefined);
    }
    return bytes;
  }

  async function read(sha256: string, extension: string): Promise<Uint8Array | null> {
    const key = `${sha256}.${extension}`;
    const running = reading.get(key) ?? Promise.resolve(blobs.get(sha256, extension));
    reading.set(key, running);
    try {
      const bytes = await running;
      if (bytes && reading.has(key)) keep(key, bytes);
      return bytes;
    } finally {
      reading.delete(key);
    }
  }

  return {
    touch: blobs.touch,
    async put(sha256, extension, bytes) {
      if (recall(sha256, extension)) return;
      await blobs.put(sha256, extension, bytes);
      keep(`${sha256}.${extension}`, bytes);
    },
    get: (sha256, extension) => recall(sha256, extension) ?? read(sha256, extension),
  };
}

/** Keep below the limit by removing the least recently used down to this share of it. */
const TRIM_TO = 0.9;

/**
 * Blobs on the local disk, `root/ab/abcdef….kml`, written aside and renamed so that a name never shows half a file.
 * At most `limit` bytes are kept, the least recently used go first; what a crash left half written is removed at the start.
 */
export async function openLocalBlobs(root: string, limit: number): Promise<Blobs> {
  const aside = join(root, 'tmp');
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true });
  let held = (await list(root)).reduce((sum, file) => sum + file.size, 0);
  let trimming: Promise<void> | null = null;

  const pathOf = (sha256: string, extension: string) => join(root, sha256.slice(0, 2), `${sha256}.${extension}`);

  async function trim(): Promise<void> {
    const files = (await list(root)).sort((a, b) => a.usedAt - b.usedAt);
    held = files.reduce((sum, file) => sum + file.size, 0);
    for (const file of files) {
      if (held <= limit * TRIM_TO) break;
      await rm(file.path, { force: true });
      held -= file.size;
    }
  }

  return {
    touch: (sha256, extension) => touch(pathOf(sha256, extension)),
    async put(sha256, extension, bytes) {
      const path = pathOf(sha256, extension);
      if (await touch(path)) return;
      await mkdir(join(root, sha256.slice(0, 2)), { recursive: true });
      const draft = join(aside, randomUUID());
      const file = await open(draft, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
      held += bytes.length;
      if (held > limit) {
        trimming ??= trim().finally(() => {
          trimming = null;
        });
        await trimming;
      }
    },
    async get(sha256, extension) {
      const path = pathOf(sha256, extension);
      try {
        const file = await open(path, 'r');
        try {
          const bytes = await file.readFile();
          await touch(path);
          return bytes;
        } finally {
          await file.close();
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
  };
}

/** Marks a file as used now; false when it is not there. */
async function touch(path: string): Promise<boolean> {
  try {
    const now = new Date();
    await utimes(path, now, now);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function list(root: string): Promise<{ path: string; size: number; usedAt: number }[]> {
  const files: { path: string; size: number; usedAt: number }[] = [];
  for (const folder of await readdir(root)) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue;
    for (const name of await readdir(join(root, folder))) {
      const path = join(root, folder, name);
      const { size, mtimeMs } = await stat(path);
      files.push({ path, size, usedAt: mtimeMs });
    }
  }
  return files;
}

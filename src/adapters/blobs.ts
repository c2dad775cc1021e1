import type { ByteRange, Storage, Stored } from './storage.ts';

/** Where exported bytes are kept, by content. */
export interface Blobs {
  /** Stores bytes under their sha256 (hex) and extension; again is a no-op. */
  put(sha256: string, extension: string, bytes: Uint8Array): Promise<void>;
  /** The bytes, or null when they are not (any more) there; no promise when they are in memory. */
  get(sha256: string, extension: string): Promise<Uint8Array | null> | Uint8Array | null;
  /** Marks bytes as used now; false when they are not there. */
  touch(sha256: string, extension: string): Promise<boolean>;
  /** The bytes if they are in memory, else null. */
  held(sha256: string, extension: string): Uint8Array | null;
  /** How many bytes there are, or null when they are not (any more) there. */
  size(sha256: string, extension: string): Promise<number | null>;
  /** The bytes as they are read, a range of them where one is given: for those that memory is not to hold. */
  read(sha256: string, extension: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
  /** Opens a file that bytes are written to before their content, and so their name, is known. */
  draft(): Promise<BlobDraft>;
}

/** Bytes that are being written to a file of this machine. */
export interface BlobDraft {
  readonly path: string;
  /** Stores what was written under its sha256 (hex) and extension; `size` in bytes. */
  keep(sha256: string, extension: string, size: number): Promise<void>;
  /** Removes what was written and not kept. */
  drop(): Promise<void>;
}

/** What keeps bytes in memory, within its own bounds. */
export interface BlobCache {
  get(tier: 'exports', key: string): { readonly bytes: Uint8Array } | undefined;
  set(tier: 'exports', key: string, value: { readonly bytes: Uint8Array; readonly size: number }): void;
}

/** How long bytes may be served from memory before their store is told that they are still in use. */
const TOUCH_MS = 60_000;

/**
 * Blobs with the ones in use kept in memory: a hit asks nothing of the store but, once a minute, to note the use.
 * `area` keeps apart in memory what is kept apart in storage.
 */
export function rememberBlobs(blobs: Blobs, cache: BlobCache, area: 'exports' | 'library'): Blobs {
  const reading = new Map<string, Promise<Uint8Array | null>>();
  const touched = new WeakMap<Uint8Array, number>();
  const keyOf = (sha256: string, extension: string): string => `${area} ${blobName(sha256, extension)}`;

  function keep(key: string, bytes: Uint8Array): void {
    touched.set(bytes, Date.now());
    cache.set('exports', key, { bytes, size: bytes.buffer.byteLength });
  }

  function recall(sha256: string, extension: string): Uint8Array | null {
    const bytes = cache.get('exports', keyOf(sha256, extension))?.bytes;
    if (!bytes) return null;
    if (Date.now() - (touched.get(bytes) ?? 0) > TOUCH_MS) {
      touched.set(bytes, Date.now());
      blobs.touch(sha256, extension).catch(() => undefined);
    }
    return bytes;
  }

  async function read(sha256: string, extension: string): Promise<Uint8Array | null> {
    const key = keyOf(sha256, extension);
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
    ...blobs,
    held: recall,
    async put(sha256, extension, bytes) {
      if (recall(sha256, extension)) return;
      await blobs.put(sha256, extension, bytes);
      keep(keyOf(sha256, extension), bytes);
    },
    get: (sha256, extension) => recall(sha256, extension) ?? read(sha256, extension),
  };
}

/** Keep below the limit by removing the least recently used down to this share of it. */
const TRIM_TO = 0.9;
/** Other processes may put blobs there too: after so large a share of the limit was put here, all is counted again. */
const COUNT_ANEW = 0.05;

/**
 * Blobs as a cache: at most `limit` bytes are kept, the least recently used go first. What this process puts beyond
 * the limit waits for room; the first look at what is there already makes no one wait.
 */
export function boundedBlobs(storage: Storage, limit: number): Blobs {
  /** Bytes there were at the last look; null: no one has looked yet. */
  let counted: number | null = null;
  let since = 0;
  let trimming: Promise<void> | null = null;

  async function trim(): Promise<void> {
    const before = since;
    const blobs: Stored[] = [];
    for await (const blob of storage.list()) blobs.push(blob);
    blobs.sort((a, b) => a.usedAt - b.usedAt);
    let held = blobs.reduce((sum, { size }) => sum + size, 0);
    if (held > limit) {
      for (const { name, size } of blobs) {
        if (held <= limit * TRIM_TO) break;
        await storage.remove(name);
        held -= size;
      }
    }
    counted = held;
    since -= before;
  }

  const startTrim = (): Promise<void> => {
    trimming ??= trim().finally(() => {
      trimming = null;
    });
    return trimming;
  };

  const isOver = (): boolean => counted !== null && counted + since > limit;

  async function added(bytes: number): Promise<void> {
    since += bytes;
    // One that runs may have listed what is there before this was.
    if (isOver()) await trimming;
    if (isOver()) await startTrim();
    else if (counted === null || since > limit * COUNT_ANEW) startTrim().catch(() => undefined);
  }

  return {
    ...direct(storage),
    touch: (sha256, extension) => storage.touch(blobName(sha256, extension)),
    async get(sha256, extension) {
      const bytes = await storage.get(blobName(sha256, extension));
      if (bytes) await storage.touch(blobName(sha256, extension));
      return bytes;
    },
    async put(sha256, extension, bytes) {
      const name = blobName(sha256, extension);
      if (await storage.touch(name)) return;
      await storage.put(name, bytes);
      await added(bytes.byteLength);
    },
    async draft() {
      const draft = await storage.draft();
      return {
        path: draft.path,
        drop: draft.drop,
        async keep(sha256, extension, size) {
          if (await storage.touch(blobName(sha256, extension))) return draft.drop();
          await draft.keep(blobName(sha256, extension));
          await added(size);
        },
      };
    },
  };
}

/** What blobs do as their storage does it. */
function direct(storage: Storage): Pick<Blobs, 'held' | 'size' | 'read' | 'draft'> {
  return {
    held: () => null,
    size: (sha256, extension) => storage.size(blobName(sha256, extension)),
    read: (sha256, extension, range) => storage.read(blobName(sha256, extension), range),
    async draft() {
      const { path, keep, drop } = await storage.draft();
      return { path, drop, keep: (sha256, extension) => keep(blobName(sha256, extension)) };
    },
  };
}

/** Blobs that are kept until they are removed: how much they are used is of no interest. */
export function permanentBlobs(storage: Storage): Blobs {
  return {
    ...direct(storage),
    touch: async () => true,
    get: (sha256, extension) => storage.get(blobName(sha256, extension)),
    put: (sha256, extension, bytes) => storage.put(blobName(sha256, extension), bytes),
  };
}

/** Under which name storage keeps bytes. */
export const blobName = (sha256: string, extension: string): string => `${sha256}.${extension}`;

import { SingleFlight } from '../common/single_flight.ts';
import type { ByteRange, Storage, Stored } from './storage.ts';

/** A store of exported bytes, addressed by content. */
export interface Blobs {
  /** Stores bytes under their sha256 (hex) and extension; storing them again is a no-op. */
  put(sha256: string, extension: string, bytes: Uint8Array): Promise<void>;
  /** The bytes, or null when they are not stored (any more); not a promise when they are in memory. */
  get(sha256: string, extension: string): Promise<Uint8Array | null> | Uint8Array | null;
  /** Marks bytes as used now; false when they are not stored. */
  touch(sha256: string, extension: string): Promise<boolean>;
  /** The bytes if they are in memory, else null. */
  held(sha256: string, extension: string): Uint8Array | null;
  /** The number of bytes, or null when they are not stored (any more). */
  size(sha256: string, extension: string): Promise<number | null>;
  /** The bytes as a stream, or a range of them: for files that should not be held in memory. */
  read(sha256: string, extension: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
  /** Opens a local file for bytes whose content, and so whose name, is not known yet. */
  draft(): Promise<BlobDraft>;
}

/** A local file that bytes are being written to. */
export interface BlobDraft {
  readonly path: string;
  /** Stores what was written under its sha256 (hex) and extension; `size` in bytes. */
  keep(sha256: string, extension: string, size: number): Promise<void>;
  /** Deletes a draft that was not kept. */
  drop(): Promise<void>;
}

/** A cache of bytes in memory, with limits of its own. */
export interface BlobCache {
  get(tier: 'exports', key: string): { readonly bytes: Uint8Array } | undefined;
  set(tier: 'exports', key: string, value: { readonly bytes: Uint8Array; readonly size: number }): void;
}

/** Milliseconds that bytes are served from memory until their use is recorded in the store again. */
const TOUCH_MS = 60_000;

/**
 * Blobs with a memory cache: a hit does not access the store, except once a minute to record the use. `area` separates
 * the keys in the cache, as it separates storage.
 */
export function cacheBlobs(blobs: Blobs, cache: BlobCache, area: 'exports' | 'library'): Blobs {
  const reading = new SingleFlight<Uint8Array | null>();
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

  function read(sha256: string, extension: string): Promise<Uint8Array | null> {
    const key = keyOf(sha256, extension);
    return reading.run(key, async () => {
      const bytes = await blobs.get(sha256, extension);
      if (bytes) keep(key, bytes);
      return bytes;
    });
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

/** Share of the limit down to which the least recently used blobs are removed. */
const TRIM_TO = 0.9;
/** Share of the limit after which all blobs are counted again, because other processes may add some too. */
const RECOUNT_SHARE = 0.05;

/**
 * Blobs as a cache of at most `limit` bytes; the least recently used are evicted first. A put beyond the limit waits
 * for room. The first count of what is stored runs in the background.
 */
export function boundedBlobs(storage: Storage, limit: number): Blobs {
  /** Bytes at the last count; null before the first one. */
  let counted: number | null = null;
  let since = 0;
  const trims = new SingleFlight<void>();

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

  const startTrim = (): Promise<void> => trims.run('', trim);

  const isOver = (): boolean => counted !== null && counted + since > limit;

  async function added(bytes: number): Promise<void> {
    since += bytes;
    // A running trim may have listed the blobs before this one was added.
    if (isOver()) await trims.running('');
    if (isOver()) await startTrim();
    else if (counted === null || since > limit * RECOUNT_SHARE) startTrim().catch(() => undefined);
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

/** The methods that pass straight to storage. */
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

/** Blobs that are kept until they are removed: their use is not recorded. */
export function permanentBlobs(storage: Storage): Blobs {
  return {
    ...direct(storage),
    touch: async () => true,
    get: (sha256, extension) => storage.get(blobName(sha256, extension)),
    put: (sha256, extension, bytes) => storage.put(blobName(sha256, extension), bytes),
  };
}

/** The name of bytes in storage. */
export const blobName = (sha256: string, extension: string): string => `${sha256}.${extension}`;

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { extension, FILE_FORMATS, type FileFormat } from '../../../workers/formats/registry.ts';
import { type Blobs, blobName } from '../../adapters/blobs.ts';
import type { ByteRange, Storage } from '../../adapters/storage.ts';
import { defined } from '../../common/elements.ts';
import { problem } from '../../core/errors.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';

/** The hash, format and length by which entries of the library name bytes. */
export interface Blob {
  /** Hexadecimal. */
  readonly sha256: string;
  readonly format: FileFormat;
  /** Length in bytes. */
  readonly bytes: number;
}

/** Bytes that were put. Bytes that are removed and put again have another generation. */
export interface PutBlob extends Blob {
  readonly generation: number;
}

/**
 * The bytes of the library, content-addressed: each stored once, however many entries name it. Bytes are stored before
 * the first entry that names them and removed after the last: a crash leaves bytes without an entry, never an entry
 * without bytes.
 *
 * The store may be slow, so no transaction waits for it. The row of a blob records the intent: it is inserted before
 * the bytes are put, marked before they are removed, and deleted afterwards. An entry names only bytes of the
 * generation that was put for it, and never marked ones. A sweep finds interrupted work by these rows and completes it.
 */
export interface FileBlobs {
  /**
   * Stores bytes; call it before the transaction that names them.
   * @throws rate_limited if the same bytes are being removed and this takes more than a second
   */
  put(blob: Blob, content: Uint8Array): Promise<PutBlob>;
  /** Opens a local file to write bytes to before their hash is known: for bytes too large for memory. */
  draft(): Promise<FileDraft>;
  /**
   * Whether the bytes that were put still exist. If so, they are locked until the transaction ends: no one else names
   * or removes them. If not, they have to be put again.
   */
  hold(tx: Queryable, blob: PutBlob): Promise<boolean>;
  /** The bytes. @throws Error if the store does not have them; it always has those that an entry names */
  get(blob: Blob): Promise<Uint8Array>;
  /** Streams the bytes, or a range of them. */
  read(blob: Blob, range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
  /** Removes bytes unless an entry names them; returns whether it did. */
  release(blob: Blob): Promise<boolean>;
  /**
   * Releases bytes that a deleted organization or a crash left; returns how many it found. Bytes put within the last
   * `restS` seconds (600 by default) are skipped: an entry may be about to name them.
   */
  sweep(restS?: number): Promise<number>;
  /** Every blob that entries name, ordered by hash. */
  named(): AsyncIterable<Blob>;
  /** Reads the bytes from the store, not from memory, and checks their hash and length. */
  state(blob: Blob): Promise<'good' | 'missing' | 'wrong'>;
  /** Bytes in the store that no entry names: a crash left them, or a save is in progress. */
  orphans(): AsyncIterable<Blob>;
  /** Replaces missing or wrong bytes with the right ones. */
  restore(blob: Blob, content: Uint8Array): Promise<void>;
}

/** A local file that bytes of the library are written to. */
export interface FileDraft {
  readonly path: string;
  /** Stores what was written, as FileBlobs.put() does. */
  put(blob: Blob): Promise<PutBlob>;
  /** Removes what was written and not stored. */
  drop(): Promise<void>;
}

/** Blobs per query when all of them are listed. */
const PAGE = 500;

/** Maximum blobs that one sweep looks at. */
const SWEPT = 1000;

/** Seconds after which an unfinished removal counts as abandoned; a call of the store takes less. */
const REMOVAL_TIMEOUT_S = 600;
/** Half of that: a removal that is delayed for so long before it calls the store leaves the bytes to another. */
const HELD_UP_MS = 300_000;
/** Seconds during which the last request of a failed removal may still reach the store; no one else removes before. */
const REFUSED_S = 60;
/** Attempts of a put, and the pause between them, while the same bytes are being removed. */
const PUT_TRIES = 20;
const PUT_PAUSE_MS = 50;
/** Seconds after a put during which a sweep leaves the bytes alone. */
const REST_S = 600;

/** The blobs of a library: rows in the database, bytes in `storage`. `memory` reads the bytes and may cache them. */
export function createFileBlobs(db: Database, storage: Storage, memory: Pick<Blobs, 'get'>): FileBlobs {
  const nameOf = ({ sha256, format }: Blob): string => blobName(sha256, extension(format));

  /** Claims the bytes, and calls `store` unless the store has them. */
  async function claimAndStore(blob: Blob, store: (name: string) => Promise<void>): Promise<PutBlob> {
    const { sha256, format, bytes } = blob;
    for (let tries = 1; ; tries++) {
      const [row] = await db.query(loadQuery('file_blob_claim'), [sha256, format, bytes]);
      if (row) {
        if ((await storage.size(nameOf(blob))) !== bytes) await store(nameOf(blob));
        return { sha256, format, bytes, generation: row.generation };
      }
      // The process that removes the bytes may be dead: if so, this completes the removal.
      if (await release(blob)) continue;
      if (tries >= PUT_TRIES) {
        throw problem('rate_limited', 'The same content is being deleted right now. Try again.', { retry_after: 1 });
      }
      await sleep(PUT_PAUSE_MS);
    }
  }

  async function release(blob: Blob): Promise<boolean> {
    const { sha256, format, bytes } = blob;
    const asked = performance.now();
    const [row] = await db.transaction(async (tx) => {
      // Lock the row first: the next statement then sees an entry that another transaction was adding.
      await tx.query(loadQuery('file_blob_lock'), [sha256, format, bytes]);
      return tx.query(loadQuery('file_blob_leave'), [sha256, REMOVAL_TIMEOUT_S]);
    });
    if (!row || performance.now() - asked > HELD_UP_MS) return false;
    try {
      await storage.remove(nameOf(blob));
    } catch (error) {
      await db.query(loadQuery('file_blob_leave_later'), [sha256, row.generation, REMOVAL_TIMEOUT_S, REFUSED_S]);
      throw error;
    }
    await db.query(loadQuery('file_blob_drop'), [sha256, row.generation]);
    return true;
  }

  return {
    put: (blob, content) => claimAndStore(blob, (name) => storage.put(name, content)),
    async draft() {
      const { path, keep, drop } = await storage.draft();
      return { path, drop, put: (blob) => claimAndStore(blob, keep) };
    },
    read: (blob, range) => storage.read(nameOf(blob), range),
    release,
    hold: async (tx, { sha256, generation }) =>
      (await tx.query(loadQuery('file_blob_hold'), [sha256, generation])).length > 0,
    async get(blob) {
      const content = await memory.get(blob.sha256, extension(blob.format));
      if (!content) throw new Error(`the bytes of ${nameOf(blob)} are not in the store`);
      return content;
    },
    async sweep(restS = REST_S) {
      const unnamed = await db.query(loadQuery('file_blob_unnamed'), [SWEPT, restS]);
      for (const blob of unnamed) await release(blob);
      return unnamed.length;
    },
    async *named() {
      let last = '';
      for (;;) {
        const page = await db.query(loadQuery('file_blob_page'), [last, PAGE]);
        yield* page;
        if (page.length < PAGE) return;
        last = defined(page[page.length - 1]).sha256;
      }
    },
    async state(blob) {
      const content = await storage.get(nameOf(blob));
      if (!content) return 'missing';
      const right = content.byteLength === blob.bytes && sha256(content) === blob.sha256;
      return right ? 'good' : 'wrong';
    },
    async *orphans() {
      let batch: Blob[] = [];
      const unnamed = async (): Promise<Blob[]> => {
        const named = await db.query(loadQuery('file_blob_named'), [batch.map((one) => one.sha256)]);
        const known = new Set(named.map((one) => one.sha256));
        return batch.filter((one) => !known.has(one.sha256));
      };
      for await (const { name, size } of storage.list()) {
        const [hash = '', ending] = name.split('.');
        const format = FILE_FORMATS.find((one) => extension(one) === ending);
        if (format === undefined) continue;
        batch.push({ sha256: hash, format, bytes: size });
        if (batch.length < PAGE) continue;
        yield* await unnamed();
        batch = [];
      }
      yield* await unnamed();
    },
    restore: (blob, content) => storage.put(nameOf(blob), content),
  };
}

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

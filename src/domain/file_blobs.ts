import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Blobs, blobName } from '../adapters/blobs.ts';
import type { ByteRange, Storage } from '../adapters/storage.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { defined } from '../elements.ts';
import { problem } from '../errors.ts';
import { FILE_FORMATS, type FileFormat, fileExtension } from '../file_formats.ts';

/** Bytes as entries of the library name them. */
export interface Blob {
  /** Hexadecimal. */
  readonly sha256: string;
  readonly format: FileFormat;
  /** How many. */
  readonly bytes: number;
}

/** Bytes that someone has put: removed and put again, they are of another generation. */
export interface PutBlob extends Blob {
  readonly generation: number;
}

/**
 * The bytes of the library, by content: each once, however many entries name it. Bytes are there before the entry that
 * names them and go after the last: what a crash leaves is bytes without an entry, never an entry without bytes.
 *
 * The store may be slow, so that no transaction waits for it. The row of a blob says what is intended with its bytes:
 * it is there before they are put, marked before they are removed, and dropped when they are gone. An entry names bytes
 * only of the generation that was put for it, and never such that are marked. Whatever is interrupted in between, a
 * sweep finds by the row and brings to its end.
 */
export interface FileBlobs {
  /**
   * Brings bytes to the store; to be done before the transaction that names them. Throws rate_limited when someone removes
   * the same bytes at this moment and takes a second for it.
   */
  put(blob: Blob, content: Uint8Array): Promise<PutBlob>;
  /** Opens a file that bytes are written to before their content is known: for those that memory is not to hold. */
  draft(): Promise<FileDraft>;
  /**
   * Whether the bytes that were put are still there; then they stay until the transaction ends, and no one else names
   * or removes them. Otherwise they have to be put again.
   */
  hold(tx: Queryable, blob: PutBlob): Promise<boolean>;
  /** The bytes. Throws Error when they are not there: an entry never names such. */
  get(blob: Blob): Promise<Uint8Array>;
  /** The bytes as they are read, a range of them where one is given. */
  read(blob: Blob, range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
  /** Removes bytes that no entry names (any more); whether it did. */
  release(blob: Blob): Promise<boolean>;
  /**
   * Releases what ended with an organization, or outlived a crash; says how many. What was put within the last
   * `restS` seconds (600 when absent) rests: it may be about to be named.
   */
  sweep(restS?: number): Promise<number>;
  /** Every blob that entries name, by its content. */
  named(): AsyncIterable<Blob>;
  /** Reads the bytes from the store itself and compares them with their name and length. */
  state(blob: Blob): Promise<'good' | 'missing' | 'wrong'>;
  /** Bytes in the store that no entry names: a crash left them, or a save is under way. */
  strays(): AsyncIterable<Blob>;
  /** Puts right bytes in place of missing or wrong ones. */
  restore(blob: Blob, content: Uint8Array): Promise<void>;
}

/** Bytes of the library that are being written to a file of this machine. */
export interface FileDraft {
  readonly path: string;
  /** Brings what was written to the store, as put() does. */
  put(blob: Blob): Promise<PutBlob>;
  /** Removes what was written and not brought to the store. */
  drop(): Promise<void>;
}

/** How many blobs are asked for at once when all are gone through. */
const PAGE = 500;

/** What one sweep looks at, so that it ends. */
const SWEPT = 1000;

/** Someone who set about removing bytes so long ago, and has not done it, is dead; a call of the store takes less. */
const LEAVING_S = 600;
/** Half of that: whoever was held up for so long before the store is asked leaves it to another. */
const HELD_UP_MS = 300_000;
/** After a store has failed to remove bytes, its last request may still reach it for so long. */
const REFUSED_S = 60;
/** What is being removed is waited for so often and so long. */
const PUT_TRIES = 20;
const PUT_PAUSE_MS = 50;
const REST_S = 600;

/** The blobs of a library: rows in the database, bytes in storage; `memory` reads them and may remember what it read. */
export function createFileBlobs(db: Database, storage: Storage, memory: Pick<Blobs, 'get'>): FileBlobs {
  const nameOf = ({ sha256, format }: Blob): string => blobName(sha256, fileExtension(format));

  /** Claims the bytes, and has them brought to the store unless they are there. */
  async function bring(blob: Blob, store: (name: string) => Promise<void>): Promise<PutBlob> {
    const { sha256, format, bytes } = blob;
    for (let tries = 1; ; tries++) {
      const [row] = await db.query(loadQuery('file_blob_claim'), [sha256, format, bytes]);
      if (row) {
        if ((await storage.size(nameOf(blob))) !== bytes) await store(nameOf(blob));
        return { sha256, format, bytes, generation: row.generation };
      }
      // Whoever removes it may be dead: then this does its work.
      if (await release(blob)) continue;
      if (tries >= PUT_TRIES) {
        throw problem('rate_limited', 'The same bytes are being removed: try again.', { retry_after: 1 });
      }
      await sleep(PUT_PAUSE_MS);
    }
  }

  async function release(blob: Blob): Promise<boolean> {
    const { sha256, format, bytes } = blob;
    const asked = performance.now();
    const [row] = await db.transaction(async (tx) => {
      // Held first: what another transaction is naming at this moment is seen by the statement after this one.
      await tx.query(loadQuery('file_blob_lock'), [sha256, format, bytes]);
      return tx.query(loadQuery('file_blob_leave'), [sha256, LEAVING_S]);
    });
    if (!row || performance.now() - asked > HELD_UP_MS) return false;
    try {
      await storage.remove(nameOf(blob));
    } catch (error) {
      await db.query(loadQuery('file_blob_leave_later'), [sha256, row.generation, LEAVING_S, REFUSED_S]);
      throw error;
    }
    await db.query(loadQuery('file_blob_drop'), [sha256, row.generation]);
    return true;
  }

  return {
    put: (blob, content) => bring(blob, (name) => storage.put(name, content)),
    async draft() {
      const { path, keep, drop } = await storage.draft();
      return { path, drop, put: (blob) => bring(blob, keep) };
    },
    read: (blob, range) => storage.read(nameOf(blob), range),
    release,
    hold: async (tx, { sha256, generation }) =>
      (await tx.query(loadQuery('file_blob_hold'), [sha256, generation])).length > 0,
    async get(blob) {
      const content = await memory.get(blob.sha256, fileExtension(blob.format));
      if (!content) throw new Error(`the bytes of ${nameOf(blob)} are not in the store`);
      return content;
    },
    async sweep(restS = REST_S) {
      const unnamed = await db.query<Blob>(loadQuery('file_blob_unnamed'), [SWEPT, restS]);
      for (const blob of unnamed) await release(blob);
      return unnamed.length;
    },
    async *named() {
      let last = '';
      for (;;) {
        const page = await db.query<Blob>(loadQuery('file_blob_page'), [last, PAGE]);
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
    async *strays() {
      let batch: Blob[] = [];
      const unnamed = async (): Promise<Blob[]> => {
        const named = await db.query(loadQuery('file_blob_named'), [batch.map((one) => one.sha256)]);
        const known = new Set(named.map((one) => one.sha256));
        return batch.filter((one) => !known.has(one.sha256));
      };
      for await (const { name, size } of storage.list()) {
        const [hash = '', extension] = name.split('.');
        const format = FILE_FORMATS.find((one) => fileExtension(one) === extension);
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

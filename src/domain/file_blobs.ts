import { createHash } from 'node:crypto';
import { type Blobs, blobName } from '../adapters/blobs.ts';
import type { Storage } from '../adapters/storage.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import type { Format } from '../schemas.ts';

/** Bytes as entries of the library name them. */
export interface Blob {
  /** Hexadecimal. */
  readonly sha256: string;
  readonly format: Format;
  /** How many. */
  readonly bytes: number;
}

/**
 * The bytes of the library, by content: each once, however many entries name it. Bytes are there before the entry that
 * names them and go after the last: what a crash leaves is bytes without an entry, never an entry without bytes. The
 * row of a blob is the lock on its bytes.
 */
export interface FileBlobs {
  /** Brings bytes to the store; to be done before the transaction that names them, as it takes its time. */
  put(blob: Blob, content: Uint8Array): Promise<void>;
  /**
   * Makes sure, in the transaction that names them, that the bytes are there and stay: until it ends nobody else names
   * or removes them.
   */
  hold(tx: Queryable, blob: Blob, content: Uint8Array): Promise<void>;
  /** The bytes. Throws Error when they are not there: an entry never names such. */
  get(blob: Blob): Promise<Uint8Array>;
  /** Removes bytes that no entry names (any more); whether it did. */
  release(blob: Blob): Promise<boolean>;
  /** Releases what ended with an organisation, or outlived a crash; says how many. */
  sweep(): Promise<number>;
  /** Every blob that entries name, by its content. */
  named(): AsyncIterable<Blob>;
  /** Reads the bytes from the store itself and compares them with their name and length. */
  state(blob: Blob): Promise<'good' | 'missing' | 'wrong'>;
  /** Bytes in the store that no entry names: a crash left them, or a save is under way. */
  strays(): AsyncIterable<Blob>;
  /** Puts right bytes in place of missing or wrong ones. */
  restore(blob: Blob, content: Uint8Array): Promise<void>;
}

/** How many blobs are asked for at once when all are gone through. */
const PAGE = 500;

/** What one sweep looks at, so that it ends. */
const SWEPT = 1000;

/** The blobs of a library: rows in the database, bytes in storage; `memory` reads them and may remember what it read. */
export function createFileBlobs(db: Database, storage: Storage, memory: Pick<Blobs, 'get'>): FileBlobs {
  const nameOf = ({ sha256, format }: Blob): string => blobName(sha256, format);

  async function put(blob: Blob, content: Uint8Array): Promise<void> {
    if ((await storage.size(nameOf(blob))) !== content.byteLength) await storage.put(nameOf(blob), content);
  }

  async function release(blob: Blob): Promise<boolean> {
    return db.transaction(async (tx) => {
      // Held first: what another transaction is naming at this moment is seen by the statement after this one.
      await tx.query(loadQuery('file_blob_hold'), [blob.sha256, blob.format, blob.bytes]);
      if ((await tx.query(loadQuery('file_blob_drop'), [blob.sha256])).length === 0) return false;
      await storage.remove(nameOf(blob));
      return true;
    });
  }

  return {
    put,
    release,
    async hold(tx, blob, content) {
      await tx.query(loadQuery('file_blob_hold'), [blob.sha256, blob.format, blob.bytes]);
      await put(blob, content);
    },
    async get({ sha256, format }) {
      const content = await memory.get(sha256, format);
      if (!content) throw new Error(`the bytes of ${blobName(sha256, format)} are not in the store`);
      return content;
    },
    async sweep() {
      const unnamed = await db.query<Blob>(loadQuery('file_blob_unnamed'), [SWEPT]);
      for (const blob of unnamed) await release(blob);
      return unnamed.length;
    },
    async *named() {
      let last = '';
      for (;;) {
        const page = await db.query<Blob>(loadQuery('file_blob_page'), [last, PAGE]);
        yield* page;
        if (page.length < PAGE) return;
        last = page[page.length - 1].sha256;
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
        const named = await db.query<{ sha256: string }>(loadQuery('file_blob_named'), [
          batch.map((one) => one.sha256),
        ]);
        const known = new Set(named.map((one) => one.sha256));
        return batch.filter((one) => !known.has(one.sha256));
      };
      for await (const { name, size } of storage.list()) {
        const [hash, format] = name.split('.');
        batch.push({ sha256: hash, format: format as Format, bytes: size });
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

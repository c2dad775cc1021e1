/** Metadata of stored bytes. */
export interface Stored {
  readonly name: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly usedAt: number;
}

/** A store that is not of this machine, and does not answer or refuses a call. `cause` is what its client said. */
export class StorageError extends Error {
  readonly code = 'store_away';

  constructor(cause: unknown) {
    super('The file store does not answer as it should.', { cause });
    this.name = 'StorageError';
  }
}

/** A store of bytes by name: a folder, or a prefix in a bucket. All methods of a bucket may throw StorageError. */
export interface Storage {
  /**
   * Stores bytes, replacing earlier ones. The put is atomic, and durable once it resolves; an area for what can be made
   * again may lose it with the power of the machine.
   */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** The bytes, or null when there are none. */
  get(name: string): Promise<Uint8Array | null>;
  /** Opens a local file for bytes whose name is not known yet. */
  draft(): Promise<Draft>;
  /** The bytes from … to (both included; absent: all), as a stream. Fails when there are none. */
  read(name: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
  /** Marks bytes as used now (to the hour, in a bucket); false when they are not stored. */
  touch(name: string): Promise<boolean>;
  /** The number of bytes under the name, or null. */
  size(name: string): Promise<number | null>;
  /** Deletes bytes; succeeds when there are none. */
  remove(name: string): Promise<void>;
  /** All stored bytes, in no particular order. */
  list(): AsyncIterable<Stored>;
}

/** Bytes of a stored file, both ends included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** A file that is being written, which only its owner can read (mode 0600). */
export interface Draft {
  /** Path of the file, for whoever writes it. */
  readonly path: string;
  /** Moves what was written into storage under a name, atomically, and deletes the draft. */
  keep(name: string): Promise<void>;
  /** Deletes the draft; does nothing after keep(). */
  drop(): Promise<void>;
}

/** Names in storage are those of blobs: nothing that could lead out of a folder. */
const NAME = /^[0-9a-f]{64}\.[a-z]{3,8}$/;

/** Whether storage accepts a name. Any other file in its folder or bucket is not ours. */
export const isBlobName = (name: string): boolean => NAME.test(name);

/** What is known of stored bytes without reading them. */
export interface Stored {
  readonly name: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly usedAt: number;
}

/** A place where bytes are kept by name: a folder, or what lies under a prefix in a bucket. */
export interface Storage {
  /** A name never shows a part of its bytes, and they outlast a crash once this resolves. Replaces what was there. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** The bytes, or null when there are none. */
  get(name: string): Promise<Uint8Array | null>;
  /** Opens a file of this machine that bytes are written to before their name is known. */
  draft(): Promise<Draft>;
  /** The bytes from … to (both included, absent: to the end), as they are read. Fails where there are none. */
  read(name: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
  /** Marks bytes as used now (to the hour, in a bucket); false when they are not there. */
  touch(name: string): Promise<boolean>;
  /** How many bytes there are under the name, or null. */
  size(name: string): Promise<number | null>;
  /** Removing what is not there succeeds. */
  remove(name: string): Promise<void>;
  /** Everything there is, in no order. */
  list(): AsyncIterable<Stored>;
}

/** Bytes of a stored file, both ends included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** A file that is being written, which only its owner can read (mode 0600). */
export interface Draft {
  /** Where it lies: whoever writes it may open it there. */
  readonly path: string;
  /** Puts what was written into storage under a name, whole or not at all, and removes the draft. */
  keep(name: string): Promise<void>;
  /** Removes the draft; after keep() there is nothing to remove. */
  drop(): Promise<void>;
}

/** Names of storage are those of the blobs in it: nothing that could lead out of a folder. */
const NAME = /^[0-9a-f]{64}\.[a-z]{3,8}$/;

/** Whether a name is one that storage takes; what else lies in a folder or bucket is nothing of ours. */
export const isBlobName = (name: string): boolean => NAME.test(name);

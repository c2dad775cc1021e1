import type { FileAccess, Visibility } from '../access.ts';
import type { Queryable } from '../db/connect.ts';
import type { FileFormat } from '../file_formats.ts';
import type { Detail, Format } from '../schemas.ts';
import type { Blob, FileBlobs, PutBlob } from './file_blobs.ts';
import type { Share } from './file_shares.ts';
import type { Acting } from './members.ts';

/** Who looks at the library, with the role their credential gives them. */
export type Reader = Pick<Acting, 'account' | 'org' | 'role'>;

/** An entry of the library as someone sees it. */
export interface FileEntry {
  readonly id: string;
  readonly name: string;
  /** The operation whose answer it is: export_boundary for a single boundary. */
  readonly made_by: string;
  /** Canonical; null, as version and current, for what is not a single boundary. */
  readonly boundary_id: string | null;
  /** Of the boundary when it was exported. */
  readonly version: number | null;
  /** Whether the boundary has still that version. */
  readonly current: boolean | null;
  readonly format: FileFormat;
  /** Null: it was made at a tolerance, or has no geometry. */
  readonly detail: Detail | null;
  readonly visibility: Visibility;
  /** Theirs who asks. */
  readonly access: FileAccess;
  readonly sha256: string;
  readonly bytes: number;
  /** Null: their account is gone. */
  readonly creator: { readonly id: string; readonly email: string; readonly name: string | null } | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** When it is deleted; null: it is kept. */
  readonly expires_at: string | null;
}

/** A file that is not a single boundary: a union, a collection, or what a job made. */
export interface MadeFile {
  readonly name: string;
  /** The operation whose answer it is. */
  readonly madeBy: string;
  readonly format: FileFormat;
  readonly detail: Detail | null;
  readonly visibility: Visibility;
  /** What saving the same again finds it by, and its input as JSON; null: every one is of its own. */
  readonly recipe: { readonly sha256: string; readonly input: string } | null;
  /** Days after which it is deleted; null: it is kept. */
  readonly days: number | null;
}

/** What makes an entry the same as another, and the visibility it is to have. */
export interface FileKey {
  /** Canonical id. */
  readonly boundary: string;
  readonly format: Format;
  readonly detail: Detail;
  readonly visibility: Visibility;
}

/** An export that an entry is made of, or made again of. */
export interface Exported {
  /** Canonical id, and version, of what was exported. */
  readonly boundary: string;
  readonly version: number;
  readonly format: Format;
  readonly sha256: string;
  readonly content: Uint8Array;
}

/** An entry as those who run the service see it. */
export interface NamingEntry {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  /** Null, as the version, for what is not a single boundary. */
  readonly boundary: string | null;
  readonly version: number | null;
  readonly format: FileFormat;
  readonly detail: Detail | null;
}

/** Makes the price of a call used, in the transaction of what it pays for. */
export type Settle = (tx: Queryable) => Promise<void>;

/**
 * The file library of each organization; owns its tables. An entry that the caller may not see is not_found to them,
 * what they may not do with one they see is unauthorized.
 */
export interface Files {
  /**
   * The entry that saving finds: the organization's, or their own among the restricted ones; where there are both, the
   * one of the visibility asked for. Null: there is none yet. A colleague's restricted entry is never found.
   */
  find(by: Reader, key: FileKey): Promise<FileEntry | null>;
  /** Makes an entry and settles its price, or gives the one that find() finds, at no price. */
  save(
    by: Acting,
    file: { key: FileKey; name: string; exported: Exported },
    settle: Settle,
  ): Promise<{ entry: FileEntry; created: boolean }>;
  /** The entry of a recipe that saving finds, as find() does for a boundary. */
  findMade(by: Reader, recipe: string, visibility: Visibility): Promise<FileEntry | null>;
  /**
   * Makes an entry of bytes that put() brings to the store, or gives the one of the same recipe, at no price. `within`
   * is done in the transaction of a new entry, with its id; what it throws undoes the entry.
   */
  saveMade(
    by: Pick<Acting, 'account' | 'org' | 'role'>,
    file: MadeFile,
    put: () => Promise<PutBlob>,
    within: (tx: Queryable, id: string) => Promise<void>,
  ): Promise<{ entry: FileEntry; created: boolean }>;
  /** Deletes entries whose time is over; says how many. Their bytes are swept later. */
  sweep(): Promise<number>;
  /** What the caller sees, newest first, in one statement. */
  list(by: Reader, page: { limit: number; offset: number }): Promise<{ items: FileEntry[]; total: number }>;
  /** An entry, and its shares where the caller administers it (null otherwise). */
  get(by: Reader, id: string): Promise<{ entry: FileEntry; shares: Share[] | null }>;
  /**
   * Changes the name or, with a new export, the bytes (write access), or the visibility (admin access). Throws
   * invalid_input when another entry is in the way.
   */
  update(
    by: Acting,
    id: string,
    change: { name?: string; visibility?: Visibility; exported?: Exported },
    settle: Settle,
  ): Promise<FileEntry>;
  /** Removes an entry with its shares, each logged, and the bytes when no other names them. Needs admin access. */
  remove(by: Acting, id: string): Promise<void>;
  /** The bytes of an entry's blob. */
  content(blob: Blob): Promise<Uint8Array>;
  /** The same as they are read, a range of them where one is given: for those that memory is not to hold. */
  read: FileBlobs['read'];
  /**
   * Shares a file with a team (id or slug) or a member (id or email), or changes the access of the share there is.
   * Sharing with its creator changes nothing. Gives the shares of the file. Needs admin access; throws not_found for whom the organization does not have.
   */
  share(
    by: Acting,
    id: string,
    to: { readonly team: string } | { readonly user: string },
    access: FileAccess,
  ): Promise<Share[]>;
  /** The entries that name a blob, whoever's they are: for those who run the service. */
  naming(sha256: string): Promise<NamingEntry[]>;
  /** Makes an entry one of a new export, as update() does, when the bytes it named are lost. */
  renew(entry: NamingEntry, exported: Exported): Promise<void>;
  /** Ends a share of a file. Needs admin access; throws not_found for a share it does not have. */
  unshare(by: Acting, id: string, grant: string): Promise<void>;
}

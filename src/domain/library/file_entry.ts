import type { FileFormat } from '../../../workers/formats/registry.ts';
import type { FileAccess, Visibility } from '../../core/access.ts';
import type { Detail, Format } from '../../core/schemas.ts';
import type { Queryable } from '../../db/connect.ts';
import type { ActingMember } from '../people/members.ts';
import type { Share } from '../people/shares.ts';
import type { Blob, FileBlobs, PutBlob } from './blobs.ts';

/** A reader of the library, with the role that their credential gives them. */
export type Reader = Pick<ActingMember, 'account' | 'org' | 'role'>;

/** The orders of a list of files. */
export const FILE_ORDERS = ['newest', 'oldest', 'name', 'largest'] as const;
export type FileOrder = (typeof FILE_ORDERS)[number];

/** An entry of the library as a reader sees it. */
export interface FileEntry {
  readonly id: string;
  readonly name: string;
  /** The operation that made it: export_boundary for a single boundary. */
  readonly made_by: string;
  /** Canonical id; null, like version and current, if it is not a single boundary. */
  readonly boundary_id: string | null;
  /** Version of the boundary when it was exported. */
  readonly version: number | null;
  /** Whether the boundary still has that version. */
  readonly current: boolean | null;
  readonly format: FileFormat;
  /** Null if it was made at a tolerance or has no geometry. */
  readonly detail: Detail | null;
  readonly visibility: Visibility;
  readonly tags: readonly string[];
  /** Access of the reader. */
  readonly access: FileAccess;
  readonly sha256: string;
  readonly bytes: number;
  /** Null if their account was deleted. */
  readonly creator: { readonly id: string; readonly email: string; readonly name: string | null } | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** When it is deleted; null: it is kept. */
  readonly expires_at: string | null;
  /** The moment of the data that it was made from. */
  readonly data_at: string;
  /** Whether it is made again when its boundaries change. */
  readonly follow: boolean;
  /** Why that failed the last time. */
  readonly follow_error: { readonly code: string; readonly detail: string } | null;
}

/** A file that is not a single boundary: a union, a collection, or what a job made. */
export interface MadeFile {
  readonly name: string;
  /** The operation that made it. */
  readonly madeBy: string;
  readonly format: FileFormat;
  readonly detail: Detail | null;
  readonly visibility: Visibility;
  /** Hash by which saving the same file again finds it, and its input as JSON; null: every save creates an entry. */
  readonly recipe: { readonly sha256: string; readonly input: string } | null;
  /** Days after which it is deleted; null: it is kept. */
  readonly days: number | null;
  /** The moment of the data that it was made from; without it the time of the save counts. */
  readonly dataAt?: string | null;
  /**
   * Ids of the area sets in it: whoever may not read all of them may not read the file, except the creator and admins of
   * one with a recipe. Null: there are none.
   */
  readonly sets?: readonly string[] | null;
}

/** The fields that identify an entry of a boundary, and the visibility it gets. */
export interface FileKey {
  /** Canonical id. */
  readonly boundary: string;
  readonly format: Format;
  readonly detail: Detail;
  readonly visibility: Visibility;
}

/** An export that an entry is created or refreshed from. */
export interface Exported {
  /** Canonical id and version of the boundary. */
  readonly boundary: string;
  readonly version: number;
  readonly format: Format;
  readonly sha256: string;
  readonly content: Uint8Array;
  /** The moment of the data that it was made from; without it the time of the save counts. */
  readonly dataAt?: string | null;
}

/** An entry as operators see it. */
export interface BlobEntry {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  /** Null, like the version, if it is not a single boundary. */
  readonly boundary: string | null;
  readonly version: number | null;
  readonly format: FileFormat;
  readonly detail: Detail | null;
}

/** Settles the price of a call in the transaction that stores what it pays for. */
export type Settle = (tx: Queryable) => Promise<void>;

/**
 * The file library of each organization; owns its tables. An entry that the caller may not see is not_found; an action
 * that they may not take on one they see is unauthorized.
 */
export interface Files {
  /**
   * The entry that a save finds: one visible to the organization, or the caller's own restricted one. If both exist,
   * the one of the requested visibility. Null if there is none. A colleague's restricted entry is never found.
   */
  find(by: Reader, key: FileKey): Promise<FileEntry | null>;
  /** Creates an entry, or returns the one that find() finds, free of charge. `within` as in saveMade(). */
  save(
    by: ActingMember,
    file: { key: FileKey; name: string; exported: Exported },
    within: (tx: Queryable, id: string) => Promise<void>,
  ): Promise<{ entry: FileEntry; created: boolean }>;
  /** Like find(), by recipe instead of boundary. */
  findMade(by: Reader, recipe: string, visibility: Visibility): Promise<FileEntry | null>;
  /**
   * Creates an entry of bytes that put() stores, or returns the one of the same recipe, free of charge. `within` runs
   * in the transaction of a new entry, with its id; if it throws, no entry is created.
   */
  saveMade(
    by: Pick<ActingMember, 'account' | 'org' | 'role'>,
    file: MadeFile,
    put: () => Promise<PutBlob>,
    within: (tx: Queryable, id: string) => Promise<void>,
  ): Promise<{ entry: FileEntry; created: boolean }>;
  /**
   * Deletes the oldest of the creator's files that calls left in the library for `days`, beyond a number and a sum of
   * bytes of them, with their bytes. The newest stays; those that jobs and saves made are others.
   */
  trim(by: Reader, most: { readonly days: number; readonly files: number; readonly bytes: number }): Promise<void>;
  /** Deletes expired entries and links; returns how many entries. Their bytes are swept later. */
  sweep(): Promise<number>;
  /** The entries that the caller sees, newest first by default, in one statement; `q` is a text in the name. */
  list(
    by: Reader,
    page: { limit: number; offset: number; q?: string; tag?: string; sort?: FileOrder },
  ): Promise<{ items: FileEntry[]; total: number }>;
  /** The tags of the files that the caller sees, those of most files first, up to `limit`, and the number of all. */
  tags(by: Reader, limit: number): Promise<{ items: { tag: string; files: number }[]; total: number }>;
  /** An entry, and its shares if the caller has admin access (null otherwise). */
  get(by: Reader, id: string): Promise<{ entry: FileEntry; shares: Share[] | null }>;
  /**
   * Changes the name, the tags, whether it follows its boundaries or, with a new export, the bytes (write access), or the
   * visibility (admin access).
   * @throws invalid_input if another entry conflicts
   */
  update(
    by: ActingMember,
    id: string,
    change: {
      name?: string;
      tags?: readonly string[];
      visibility?: Visibility;
      follow?: boolean;
      exported?: Exported;
    },
    settle: Settle,
  ): Promise<FileEntry>;
  /**
   * Deletes an entry and its shares, each audited, and the bytes if no other entry names them. Needs admin access; its
   * creator and admins also delete one with area sets that they may not read.
   */
  remove(by: ActingMember, id: string): Promise<void>;
  /** The bytes of an entry's blob. */
  content(blob: Blob): Promise<Uint8Array>;
  /** Streams the bytes, or a range of them: for files too large for memory. */
  read: FileBlobs['read'];
  /**
   * Shares a file with a team (id or slug) or a member (id or email), or changes the access of the existing share.
   * Sharing with its creator changes nothing. Returns the shares of the file. Needs admin access; throws not_found if
   * the organization has no such team or member.
   */
  share(
    by: ActingMember,
    id: string,
    to: { readonly team: string } | { readonly user: string },
    access: FileAccess,
  ): Promise<Share[]>;
  /**
   * Makes a link to a file for some days. Returns the shares of the file, the new one with its secret. Needs admin
   * access.
   */
  link(by: ActingMember, id: string, days: number): Promise<Share[]>;
  /** The entry that a link gives. @throws not_found unless the link is of this file and works now */
  linked(id: string, secret: string): Promise<FileEntry>;
  /** The entries that name a blob, of all organizations: for operators. */
  entriesOfBlob(sha256: string): Promise<BlobEntry[]>;
  /** Points an entry at a new export, as update() does, when its bytes are lost. */
  renew(entry: BlobEntry, exported: Exported): Promise<void>;
  /** Ends a share or a link of a file. Needs admin access; throws not_found if the file has no such share. */
  unshare(by: ActingMember, id: string, grant: string): Promise<void>;
}
